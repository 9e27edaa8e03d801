//! A view tile by tile.

use crate::any::{self, AnyLayout, stop};
use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList, StaticDims, TileCounts};
use crate::property::Properties;
use crate::tiles::TileSpec;
use crate::view::{View, ViewMut};

/// Elements of a tile along a dimension.
#[inline(always)]
fn size<L: AnyLayout>(sizes: &L::Sizes, dim: usize) -> usize {
    match L::GRID.size[dim] {
        0 if const { !L::IS_FIXED } => L::dims(sizes).as_ref()[dim],
        size => size,
    }
}

/// Tiles along a dimension.
#[inline(always)]
pub(crate) fn count<L: AnyLayout>(sizes: &L::Sizes, dim: usize) -> usize {
    if const { L::IS_FIXED } {
        return L::GRID.count[dim];
    }
    match any::slots::<L>(sizes) {
        0 => 0,
        _ if L::GRID.count[dim] > 0 => L::GRID.count[dim],
        _ => match L::GRID.size[dim] {
            0 => 1,
            size => L::dims(sizes).as_ref()[dim].div_ceil(size),
        },
    }
}

/// Slots of a tile.
#[inline(always)]
fn block<L: AnyLayout>(sizes: &L::Sizes) -> usize {
    if const { L::GRID.block.unknowns == 0 } {
        const { L::GRID.block.factor }
    } else {
        L::GRID.block.value(&L::counts(sizes))
    }
}

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
    fn at(sizes: &L::Sizes, origin: L::Index) -> Self {
        let dims = L::dims(sizes);
        let mut extent = origin;
        for (dim, extent) in extent.as_mut().iter_mut().enumerate() {
            // A tile that lies in padding alone has no elements.
            let left = dims.as_ref()[dim].saturating_sub(*extent);
            *extent = left.min(size::<L>(sizes, dim));
        }
        TilePlace { origin, extent }
    }

    /// The tile at a position in the grid.
    #[inline(always)]
    fn of(sizes: &L::Sizes, mut tile: L::Index) -> Self {
        for (dim, coordinate) in tile.as_mut().iter_mut().enumerate() {
            *coordinate *= size::<L>(sizes, dim);
        }
        TilePlace::at(sizes, tile)
    }

    /// Number of the tile at a position in the grid, in the order of memory.
    #[inline(always)]
    fn number(sizes: &L::Sizes, tile: &L::Index) -> Option<usize> {
        let mut number = 0;
        for &dim in L::VALUE.minor_to_major().iter().rev() {
            let (at, count) = (tile.as_ref()[dim], count::<L>(sizes, dim));
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
    sizes: L::Sizes,
}

impl<L: AnyLayout> Iterator for Places<L> {
    type Item = TilePlace<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<TilePlace<L>> {
        let sizes = &self.sizes;
        let place = TilePlace::at(sizes, self.origin);
        let origin = self.origin.as_mut();
        for &dim in const { L::VALUE.minor_to_major() } {
            let size = size::<L>(sizes, dim);
            origin[dim] += size;
            if origin[dim] < size * count::<L>(sizes, dim) {
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
    sizes: L::Sizes,
    /// The row's place in the tile; the coordinate along the row is 0.
    local: L::Index,
}

impl<L: AnyLayout> Rows<L> {
    #[inline(always)]
    fn new(place: TilePlace<L>, sizes: L::Sizes) -> Self {
        Rows { place, sizes, local: L::ORIGIN }
    }

    /// Slots of a row: the size of the tile along the most minor dimension, which chunks take to be
    /// at least 1.
    #[inline(always)]
    fn slots(&self) -> usize {
        if const { L::SIZES.is_empty() } {
            return 1;
        }
        size::<L>(&self.sizes, const { L::MINOR }).max(1)
    }

    /// Rows of a tile. Those behind them belong to entries of the tile that the array has not.
    #[inline(always)]
    fn count(&self) -> usize {
        let mut count = 1;
        for dim in 0..const { L::SIZES.len() } {
            if dim != const { L::MINOR } {
                count *= size::<L>(&self.sizes, dim);
            }
        }
        count
    }

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
            if local[dim] < size::<L>(&self.sizes, dim) {
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
            sizes: L::Sizes,
        }

        impl<'a, L: AnyLayout, T> $name<'a, L, T> {
            #[inline(always)]
            fn new(place: TilePlace<L>, slots: $slice, sizes: L::Sizes) -> Self {
                $name { place, slots, sizes }
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
                let mut extents = extent.as_ref().iter().enumerate();
                extents.all(|(dim, extent)| *extent == size::<L>(&self.sizes, dim))
            }

            /// The memory of the tile, padding included: `TILE_ELEMENTS` of them.
            #[inline(always)]
            pub fn as_slice(&self) -> &[T] {
                // The length is that of the slice; said here, it is a constant to LLVM.
                &self.slots[..block::<L>(&self.sizes)]
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
                let mut rows = Rows::new(self.place, self.sizes);
                let (length, count) = (rows.length(), rows.count());
                let chunks = self.slots.chunks_exact(rows.slots());
                chunks.take(count).filter_map(move |row| {
                    rows.next().map(|index| (index, &row[..length]))
                })
            }

            /// The same as an array.
            ///
            /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
            #[inline(always)]
            pub fn as_array<const N: usize>(&self) -> &[T; N] {
                const { assert!(N == tile_elements::<L>(), "the length of a tile is `TILE_ELEMENTS`") }
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
        &mut self.slots[..block::<L>(&self.sizes)]
    }

    /// The rows of the tile to write: see `rows`.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut [T])> {
        let () = L::HAS_ROWS;
        let mut rows = Rows::new(self.place, self.sizes);
        let (length, count) = (rows.length(), rows.count());
        let chunks = self.slots.chunks_exact_mut(rows.slots());
        chunks
            .take(count)
            .filter_map(move |row| rows.next().map(|index| (index, &mut row[..length])))
    }

    /// The same as an array.
    ///
    /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
    #[inline(always)]
    pub fn as_mut_array<const N: usize>(&mut self) -> &mut [T; N] {
        const { assert!(N == tile_elements::<L>(), "the length of a tile is `TILE_ELEMENTS`") }
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
        let sizes = self.sizes();
        let slots = &self.as_slice()[..slots::<L>(&sizes)];
        let blocks = slots.chunks_exact(block::<L>(&sizes).max(1));
        let places = Places { origin: L::ORIGIN, sizes };
        blocks.zip(places).map(move |(slots, place)| Tile::new(place, slots, sizes))
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    pub fn tile(&self, tile: L::Index) -> Option<Tile<'a, L, T>> {
        let () = L::HAS_GRID;
        let sizes = self.sizes();
        let number = TilePlace::<L>::number(&sizes, &tile)?;
        let block = block::<L>(&sizes);
        let slots = &self.as_slice()[number * block..][..block];
        Some(Tile::new(TilePlace::of(&sizes, tile), slots, sizes))
    }
}

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// The tile at a position in the grid, dimension 0 first, to write; `None` outside
    /// `TILE_COUNTS`.
    pub fn tile_mut(&mut self, tile: L::Index) -> Option<TileMut<'_, L, T>> {
        let () = L::HAS_GRID;
        let sizes = self.sizes();
        let number = TilePlace::<L>::number(&sizes, &tile)?;
        let block = block::<L>(&sizes);
        let slots = &mut self.as_mut_slice()[number * block..][..block];
        Some(TileMut::new(TilePlace::of(&sizes, tile), slots, sizes))
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
        let sizes = self.sizes();
        let slots = &mut self.as_mut_slice()[..slots::<L>(&sizes)];
        let blocks = slots.chunks_exact_mut(block::<L>(&sizes).max(1));
        let places = Places { origin: L::ORIGIN, sizes };
        blocks.zip(places).map(move |(slots, place)| TileMut::new(place, slots, sizes))
    }
}

/// Slots of all tiles: those that `L` adds belong to none.
#[inline(always)]
fn slots<L: AnyLayout>(sizes: &L::Sizes) -> usize {
    let mut slots = block::<L>(sizes);
    for dim in 0..const { L::SIZES.len() } {
        slots *= count::<L>(sizes, dim);
    }
    slots
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// Slots of memory that a tile of the outermost tiling takes, padding included; without tiles
    /// those of the array. Does not compile where tiles are no blocks of memory.
    pub const TILE_ELEMENTS: usize = {
        let () = Self::VALID;
        tile_elements::<Self>()
    };
}

/// Slots of a tile; stops the build where there are none, or it is not known how many.
const fn tile_elements<L: AnyLayout>() -> usize {
    let () = L::HAS_GRID;
    if L::GRID.block.unknowns != 0 {
        stop("the size of a tile is known at run time only: without tiles it is the whole array")
    }
    L::GRID.block.factor
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P>
where
    D: TileCounts<Self> + StaticDims,
{
    /// Tiles of the outermost tiling along each dimension, dimension 0 first. Does not compile where
    /// tiles are no blocks of memory.
    pub const TILE_COUNTS: D::Index = {
        let () = Self::HAS_GRID;
        D::COUNTS
    };
}
