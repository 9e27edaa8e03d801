//! A view tile by tile.

use core::marker::PhantomData;

use crate::any::AnyLayout;
use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList, TileCounts};
use crate::property::Properties;
use crate::tiles::TileSpec;
use crate::view::{View, ViewMut};

/// Where a tile of the outermost tiling lies in the array.
struct TilePlace<L: AnyLayout> {
    origin: L::Index,
    extent: L::Index,
}

impl<L: AnyLayout> Clone for TilePlace<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout> Copy for TilePlace<L> {}

impl<L: AnyLayout> TilePlace<L> {
    /// The tile whose first element has that index.
    #[inline(always)]
    fn at(origin: L::Index) -> Self {
        let mut extent = origin;
        for (dim, extent) in extent.as_mut().iter_mut().enumerate() {
            // A tile that lies in padding alone has no elements.
            let left = L::SIZES[dim].saturating_sub(*extent);
            *extent = left.min(L::GRID.size[dim]);
        }
        TilePlace { origin, extent }
    }

    /// The tile at a position in the grid.
    #[inline(always)]
    fn of(mut tile: L::Index) -> Self {
        for (dim, coordinate) in tile.as_mut().iter_mut().enumerate() {
            *coordinate *= L::GRID.size[dim];
        }
        TilePlace::at(tile)
    }

    /// Number of the tile at a position in the grid, in the order of memory.
    #[inline(always)]
    fn number(tile: &L::Index) -> Option<usize> {
        let mut number = 0;
        for &dim in L::VALUE.minor_to_major().iter().rev() {
            let (at, count) = (tile.as_ref()[dim], L::GRID.count[dim]);
            if at >= count {
                return None;
            }
            number = number * count + at;
        }
        Some(number)
    }
}

/// Counts through the tiles in the order of memory.
struct Places<L: AnyLayout> {
    origin: L::Index,
}

impl<L: AnyLayout> Iterator for Places<L> {
    type Item = TilePlace<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<TilePlace<L>> {
        let place = TilePlace::at(self.origin);
        let origin = self.origin.as_mut();
        for &dim in const { L::VALUE.minor_to_major() } {
            origin[dim] += L::GRID.size[dim];
            if origin[dim] < L::GRID.size[dim] * L::GRID.count[dim] {
                return Some(place);
            }
            origin[dim] = 0;
        }
        Some(place)
    }
}

/// Counts through the rows of a tile in the order of memory.
struct Rows<L: AnyLayout> {
    place: TilePlace<L>,
    /// The row's place in the tile; the coordinate along the row is 0.
    local: L::Index,
}

impl<L: AnyLayout> Rows<L> {
    /// Slots of a row: the size of the tile along the most minor dimension.
    const SLOTS: usize = if L::GRID.size[L::MINOR] == 0 { 1 } else { L::GRID.size[L::MINOR] };

    /// Rows of a tile. Those behind them belong to entries of the tile that the array has not.
    const COUNT: usize = {
        let mut count = 1;
        let mut dim = 0;
        while dim < L::SIZES.len() {
            if dim != L::MINOR {
                count *= L::GRID.size[dim];
            }
            dim += 1;
        }
        count
    };

    /// Index of the next row's first element, or `None` if the row is padding.
    #[inline(always)]
    fn next(&mut self) -> Option<L::Index> {
        let mut index = self.place.origin;
        let mut is_inside = true;
        for (dim, coordinate) in index.as_mut().iter_mut().enumerate() {
            let local = self.local.as_ref()[dim];
            *coordinate += local;
            is_inside &= local < self.place.extent.as_ref()[dim];
        }
        let local = self.local.as_mut();
        for &dim in const { L::VALUE.minor_to_major() }.iter().skip(1) {
            local[dim] += 1;
            if local[dim] < L::GRID.size[dim] {
                break;
            }
            local[dim] = 0;
        }
        is_inside.then_some(index)
    }

    /// Elements of a row that is not padding.
    #[inline(always)]
    fn length(&self) -> usize {
        self.place.extent.as_ref().get(L::MINOR).copied().unwrap_or(1)
    }
}

macro_rules! tile {
    ($(#[$doc:meta])* $name:ident $slice:ty) => {
        $(#[$doc])*
        pub struct $name<'a, L: AnyLayout, T> {
            place: TilePlace<L>,
            slots: $slice,
            layout: PhantomData<L>,
        }

        impl<'a, L: AnyLayout, T> $name<'a, L, T> {
            #[inline(always)]
            fn new(place: TilePlace<L>, slots: $slice) -> Self {
                $name { place, slots, layout: PhantomData }
            }

            /// Index of the tile's first element.
            #[inline(always)]
            pub fn origin(&self) -> L::Index {
                self.place.origin
            }

            /// Elements of the tile along each dimension, dimension 0 first: smaller than the tile
            /// at the edge of the array, 0 where the tile is padding alone.
            #[inline(always)]
            pub fn extent(&self) -> L::Index {
                self.place.extent
            }

            /// Whether the tile has no padding of its dimensions.
            #[inline(always)]
            pub fn is_full(&self) -> bool {
                let extent = self.place.extent;
                extent.as_ref().iter().enumerate().all(|(dim, extent)| *extent == L::GRID.size[dim])
            }

            /// The memory of the tile, padding included: `TILE_ELEMENTS` of them.
            #[inline(always)]
            pub fn as_slice(&self) -> &[T] {
                // The length is that of the slice; said here, it is a constant to LLVM.
                &self.slots[..L::GRID.block]
            }

            /// The rows of the tile, along the most minor dimension, each with the index of its first
            /// element; without the padding at the edge of the array.
            ///
            /// Does not compile for a layout whose later tiles take rows apart.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
            /// let view = View::<A, f32>::new(&data)?;
            /// let tile = view.tile([0, 2]).unwrap();
            /// assert!(tile.rows().eq([([0, 4], &[8.0][..]), ([1, 4], &[10.0][..])]));
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[inline(always)]
            pub fn rows(&self) -> impl Iterator<Item = (L::Index, &[T])> {
                let () = L::HAS_ROWS;
                let mut rows = Rows { place: self.place, local: L::ORIGIN };
                let length = rows.length();
                let chunks = self.slots.chunks_exact(const { Rows::<L>::SLOTS });
                chunks.take(const { Rows::<L>::COUNT }).filter_map(move |row| {
                    rows.next().map(|index| (index, &row[..length]))
                })
            }

            /// The same as an array.
            ///
            /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
            #[inline(always)]
            pub fn as_array<const N: usize>(&self) -> &[T; N] {
                const { assert!(N == L::GRID.block, "the length of a tile is `TILE_ELEMENTS`") }
                match self.slots.first_chunk() {
                    Some(array) => array,
                    None => unreachable!("a tile has as many slots"),
                }
            }
        }
    };
}

tile! {
    /// A tile of the outermost tiling, to read: see [`View::tiles`].
    Tile &'a [T]
}

tile! {
    /// A tile of the outermost tiling, to read and write: see [`ViewMut::tiles_mut`].
    TileMut &'a mut [T]
}

impl<L: AnyLayout, T> TileMut<'_, L, T> {
    /// The memory of the tile to write, padding included: `TILE_ELEMENTS` of them.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots[..L::GRID.block]
    }

    /// The rows of the tile to write: see `rows`.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut [T])> {
        let () = L::HAS_ROWS;
        let mut rows = Rows { place: self.place, local: L::ORIGIN };
        let length = rows.length();
        let chunks = self.slots.chunks_exact_mut(const { Rows::<L>::SLOTS });
        chunks
            .take(const { Rows::<L>::COUNT })
            .filter_map(move |row| rows.next().map(|index| (index, &mut row[..length])))
    }

    /// The same as an array.
    ///
    /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
    #[inline(always)]
    pub fn as_mut_array<const N: usize>(&mut self) -> &mut [T; N] {
        const { assert!(N == L::GRID.block, "the length of a tile is `TILE_ELEMENTS`") }
        match self.slots.first_chunk_mut() {
            Some(array) => array,
            None => unreachable!("a tile has as many slots"),
        }
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The tiles of the outermost tiling in the order of memory; without tiles the whole array is
    /// one. An array without elements has none.
    ///
    /// Does not compile for a layout whose tiles are no blocks of memory: if its first tile
    /// combines dimensions, or a later one reaches across the first one's tiles.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// let last = view.tiles().last().unwrap();
    /// assert_eq!((last.origin(), last.extent()), ([2, 4], [1, 1]));
    /// assert_eq!((view.tiles().count(), last.as_slice().len()), (6, A::TILE_ELEMENTS));
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    pub fn tiles(&self) -> impl Iterator<Item = Tile<'a, L, T>> + use<'a, L, T> {
        let () = L::HAS_GRID;
        let slots = &self.as_slice()[..const { slots::<L>() }];
        let blocks = slots.chunks_exact(const { block::<L>() });
        blocks.zip(Places { origin: L::ORIGIN }).map(|(slots, place)| Tile::new(place, slots))
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    pub fn tile(&self, tile: L::Index) -> Option<Tile<'a, L, T>> {
        let () = L::HAS_GRID;
        let number = TilePlace::<L>::number(&tile)?;
        let slots = &self.as_slice()[number * L::GRID.block..][..L::GRID.block];
        Some(Tile::new(TilePlace::of(tile), slots))
    }
}

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// The tile at a position in the grid, dimension 0 first, to write; `None` outside
    /// `TILE_COUNTS`.
    pub fn tile_mut(&mut self, tile: L::Index) -> Option<TileMut<'_, L, T>> {
        let () = L::HAS_GRID;
        let number = TilePlace::<L>::number(&tile)?;
        let slots = &mut self.as_mut_slice()[number * L::GRID.block..][..L::GRID.block];
        Some(TileMut::new(TilePlace::of(tile), slots))
    }

    /// As [`View::tiles`], to write. The tiles are disjoint, so that threads can share them.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(F32[512,1024]{1,0:T(8,128)});
    /// let mut buffer = Buffer::<A, f32>::filled(1.0);
    /// let mut view = buffer.as_view_mut();
    /// let mut tiles = view.tiles_mut().collect::<Vec<_>>();
    /// std::thread::scope(|scope| {
    ///     for half in tiles.chunks_mut(256) {
    ///         scope.spawn(|| {
    ///             for tile in half {
    ///                 tile.as_mut_slice().iter_mut().for_each(|x| *x *= 2.0);
    ///             }
    ///         });
    ///     }
    /// });
    /// assert_eq!(buffer[[511, 1023]], 2.0);
    /// ```
    #[inline(always)]
    pub fn tiles_mut(&mut self) -> impl Iterator<Item = TileMut<'_, L, T>> {
        let () = L::HAS_GRID;
        let slots = &mut self.as_mut_slice()[..const { slots::<L>() }];
        let blocks = slots.chunks_exact_mut(const { block::<L>() });
        blocks.zip(Places { origin: L::ORIGIN }).map(|(slots, place)| TileMut::new(place, slots))
    }
}

/// Slots of all tiles: those that `L` adds belong to none.
const fn slots<L: AnyLayout>() -> usize {
    let mut slots = L::GRID.block;
    let mut dim = 0;
    while dim < L::SIZES.len() {
        slots *= L::GRID.count[dim];
        dim += 1;
    }
    slots
}

/// Slots of a tile; 1 for a layout without elements, which has no slots to be divided.
const fn block<L: AnyLayout>() -> usize {
    if L::GRID.block == 0 { 1 } else { L::GRID.block }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// Slots of memory that a tile of the outermost tiling takes, padding included; without tiles
    /// those of the array. Does not compile where tiles are no blocks of memory.
    pub const TILE_ELEMENTS: usize = {
        let () = Self::HAS_GRID;
        Self::GRID.block
    };
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P>
where
    D: TileCounts<Self>,
{
    /// Tiles of the outermost tiling along each dimension, dimension 0 first. Does not compile where
    /// tiles are no blocks of memory.
    pub const TILE_COUNTS: D::Index = {
        let () = Self::HAS_GRID;
        D::COUNTS
    };
}
