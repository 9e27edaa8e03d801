//! What layouts that are types add: rows, tiles, blocks, elements without a check.
#![allow(unsafe_code, reason = "a place and its slots go together")]

use layout_core::__private::{NATIVE, native};

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, find};
use crate::memory::place::Part;
use crate::memory::place::mapping::Mapping;
use crate::memory::storage::{Addressed, AddressedMut, SharedSlots, SpreadMut, Storage};
use crate::memory::walked::{Lies, Walked};
use crate::memory::{Memory, PartOf, Shared, Stretch};
use crate::order::{
    region::Region, region_walk::RegionRuns, run::RunWalk, tile::Tile, tiles::LayoutTiles,
};
use crate::walk::{block, block::Blocks, row::Rows};

/// The rows of a walk over rows of the layout.
#[inline(always)]
const fn rows<L: AnyLayout, W>(walk: W) -> Rows<W> {
    Rows::new(walk, L::MINOR, const { native(L::ROWS.stride()) })
}

/// Rows, tiles and blocks of a whole array.
impl<L: AnyLayout, S: Storage> Memory<WithDims<L>, S> {
    /// The rows of the tiles: elements along the most minor dimension, evenly spaced in memory, in the order of memory. A second tile such as
    /// `(2,1)` interleaves rows; this is the fastest way to walk over them.
    ///
    /// Compile error if the elements of a row are not evenly spaced.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// // 16-bit elements of a TPU: two rows side by side in each 32-bit word.
    /// type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
    /// let buffer = Buffer::<A>::from_fn(|[i, j]| (1000 * i + j) as u16);
    /// let row = buffer.rows().nth(1).unwrap();
    /// assert_eq!((row.index(), row.len(), row.stride(), row[2]), ([1, 0], 128, 2, 1002));
    /// let slice = buffer.slice((3..5, 100..))?;
    /// let rows = slice.rows().map(|row| (row.index(), row.len(), row[0])).collect::<Vec<_>>();
    /// assert_eq!(rows[..2], [([0, 0], 28, 3100), ([1, 0], 28, 4100)]);
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> Walked<Rows<RunWalk<L, true>>, Shared<'_, S>> {
        let () = L::HAS_EVEN_ROWS;
        // SAFETY: rows are of elements of the array.
        unsafe { Walked::new(rows::<L, _>(RunWalk::new(self.place.sizes)), self.slots.shared()) }
    }

    /// The tiles of the outermost tiling, in the order of memory; without tiles the whole array is one. Slots that `L` adds belong to no
    /// tile.
    ///
    /// Compile error if tiles are not contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// let last = view.tiles().last().unwrap();
    /// assert_eq!((last.origin(), last.extent()), ([2, 4], [1, 1]));
    /// assert_eq!((view.tiles().count(), last.as_slice().len()), (6, A::TILE_ELEMENTS));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    pub fn tiles(&self) -> Walked<LayoutTiles<L>, Shared<'_, S>> {
        let () = L::HAS_GRID;
        // SAFETY: tiles are of slots of the array.
        unsafe { Walked::new(LayoutTiles::new(self.place.sizes), self.slots.shared()) }
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    ///
    /// Loops over large arrays are fastest in the order of memory, which is that of [`tiles`](Self::tiles): tiles of a page (4096 bytes) or
    /// less that are far from one another are not prefetched.
    #[must_use]
    pub fn tile(&self, tile: L::Index) -> Option<Tile<L, Stretch<'_, S>>> {
        let () = L::HAS_GRID;
        let tile = Tile::<L>::of_grid(self.place.sizes, tile)?;
        // SAFETY: it is of slots of the array.
        Some(unsafe { tile.with(&mut self.slots.shared()) })
    }

    /// The tiles of a level as blocks of memory, each of constant length, in the order of memory. The first tile is level 0.
    ///
    /// This serves every layout, whether its tiles combine dimensions (`*`) or not, as long as later tiles stay inside those of the level, as
    /// the last tile always does; other levels do not compile. [`tiles`](Self::tiles) says in addition where a tile lies in the array. Slots
    /// that `L` adds belong to no tile.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// // 16-bit floats of a TPU: two rows side by side in each 32-bit word.
    /// type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
    /// let data: Vec<u16> = (0..4096).collect();
    /// let view = View::<A, u16>::new(&data)?;
    /// assert_eq!(view.blocks::<0>().count(), 4);
    /// let word = view.blocks::<1>().nth(1).unwrap();
    /// assert_eq!(word.as_slice(), [2, 3]);
    /// assert!(word.indexed_iter().eq([([0, 1], &2), ([1, 1], &3)]));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    pub fn blocks<const LEVEL: usize>(&self) -> Walked<Blocks<L>, Shared<'_, S>> {
        let blocks = block::blocks(self.place.sizes, const { block::length::<L>(LEVEL) });
        // SAFETY: blocks are of slots of the array.
        unsafe { Walked::new(blocks, self.slots.shared()) }
    }

    /// The part of the array that a constant names, whose ranges the compiler has checked: see [`Array::region`](crate::Array::region).
    ///
    /// # Panics
    /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
    #[track_caller]
    #[must_use]
    pub fn region(&self, region: Region<L>) -> Memory<Part<L>, PartOf<'_, S>> {
        Memory::of_parts(self.place.cut(region), self.slots.shared().part())
    }

    /// The element at an index, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// // SAFETY: 2 is below 3, and 3 below 5.
    /// assert_eq!(unsafe { view.get_unchecked([2, 3]) }, &1.0);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked(&self, index: L::Index) -> &S::Elem
    where
        S: Addressed,
    {
        // SAFETY: the caller vouches that it is an element.
        unsafe { self.slots.at(find::find_unchecked::<L, NATIVE>(&self.place.sizes, &index)) }
    }
}

/// Rows, tiles and blocks of a whole array to write: of a `ViewMut` or a `Buffer`.
impl<L: AnyLayout, S: AddressedMut> Memory<WithDims<L>, S> {
    /// The rows of the tiles to write: see [`rows`](Self::rows).
    #[inline(always)]
    pub fn rows_mut(&mut self) -> Walked<Rows<RunWalk<L, true>>, SpreadMut<'_, S::Elem>> {
        let () = L::HAS_EVEN_ROWS;
        // SAFETY: rows are of elements of the array, and share none.
        unsafe { Walked::new(rows::<L, _>(RunWalk::new(self.place.sizes)), self.slots.spread()) }
    }

    /// The tiles to write: see [`tiles`](Self::tiles).
    #[inline(always)]
    pub fn tiles_mut(&mut self) -> Walked<LayoutTiles<L>, SpreadMut<'_, S::Elem>> {
        let () = L::HAS_GRID;
        // SAFETY: tiles are of slots of the array, and share none.
        unsafe { Walked::new(LayoutTiles::new(self.place.sizes), self.slots.spread()) }
    }

    /// The tile at a position in the grid, to write: see [`tile`](Self::tile).
    #[must_use]
    pub fn tile_mut(&mut self, tile: L::Index) -> Option<Tile<L, &mut [S::Elem]>> {
        let () = L::HAS_GRID;
        let tile = Tile::<L>::of_grid(self.place.sizes, tile)?;
        // SAFETY: it is of slots of the array.
        Some(unsafe { tile.with(&mut self.slots.spread()) })
    }

    /// The tiles of a level to write: see [`blocks`](Self::blocks).
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let mut data = [0.0_f32; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// for (number, mut tile) in view.blocks_mut::<0>().enumerate() {
    ///     tile.as_mut_slice().fill(number as f32);
    /// }
    /// assert_eq!(data[A::offset([2, 3])], 4.0);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    pub fn blocks_mut<const LEVEL: usize>(&mut self) -> Walked<Blocks<L>, SpreadMut<'_, S::Elem>> {
        let blocks = block::blocks(self.place.sizes, const { block::length::<L>(LEVEL) });
        // SAFETY: blocks are of slots of the array, and share none.
        unsafe { Walked::new(blocks, self.slots.spread()) }
    }

    /// The part of the array that a constant names, to write: see [`region`](Self::region).
    ///
    /// # Panics
    /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout, walks::Region};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// const CORNER: Region<A> = A::region([0..2, 3..5]);
    /// let mut data = [0.0_f32; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
    /// view.region_mut(CORNER).fill(1.0);
    /// assert_eq!((view[[1, 4]], view[[2, 4]]), (1.0, 0.0));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[track_caller]
    #[must_use]
    pub fn region_mut(&mut self, region: Region<L>) -> Memory<Part<L>, SpreadMut<'_, S::Elem>> {
        Memory::of_parts(self.place.cut(region), self.slots.spread())
    }

    /// The element at an index, to write, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// let mut data = [0; 6];
    /// let mut view = ViewMut::<layout!(S32[2,3]), i32>::new(&mut data)?;
    /// // SAFETY: 1 is below 2, and 2 below 3.
    /// *unsafe { view.get_unchecked_mut([1, 2]) } = 7;
    /// assert_eq!(data[5], 7);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, index: L::Index) -> &mut S::Elem {
        let slot = find::find_unchecked::<L, NATIVE>(&self.place.sizes, &index);
        // SAFETY: the caller vouches that it is an element.
        unsafe { self.slots.at_mut(slot) }
    }
}

impl<L: AnyLayout> WithDims<L> {
    #[track_caller]
    fn cut(&self, region: Region<L>) -> Part<L> {
        let whole = Region::of(L::ORIGIN, self.dims());
        assert!(whole.contains(&region), "{region:?} is not part of {whole:?}");
        Part { layout: *self, region }
    }
}

/// Rows and tiles of a part.
impl<L: AnyLayout, S: Storage> Memory<Part<L>, S> {
    /// The layout of the array that this is a part of: [`as_region`](Self::as_region) says which.
    #[must_use]
    pub const fn layout(&self) -> WithDims<L> {
        self.place.layout
    }

    /// Where the part lies in its array.
    #[must_use]
    pub const fn as_region(&self) -> Region<L> {
        self.place.region
    }

    /// The slot of the first element, if from there on the elements lie as those of an array of the part's size with the layout's order and
    /// tiles do: where the cuts are on tile borders or within one tile, and wherever the layout is affine. A part without elements begins at
    /// 0.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,256]{1,0:T(8,128)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// assert_eq!(view.slice((8.., 128..))?.base_offset(), Some(3072));
    /// assert_eq!(view.slice((4.., 128..))?.base_offset(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn base_offset(&self) -> Option<usize> {
        self.place.with_digits(crate::memory::place::digits::base)
    }

    /// The rows of the tiles, cut to the part: see [`rows`](Memory::rows) of a whole array.
    #[inline(always)]
    pub fn rows(&self) -> Walked<Rows<RegionRuns<L, true>>, Shared<'_, S>> {
        let () = L::HAS_EVEN_ROWS;
        // SAFETY: rows are of elements of the part.
        unsafe { Walked::new(self.place.row_walk(), self.slots.shared()) }
    }

    /// The tiles of the outermost tiling that make up the part, in the order of memory, if it begins on tile borders and ends on them or with
    /// the array; else `None`. Their origins are indices in the array.
    ///
    /// Compile error if tiles are not contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[20,256]{1,0:T(8,128)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// let slice = view.slice((8.., 128..))?;
    /// let origins = slice.tiles().unwrap().map(|tile| tile.origin()).collect::<Vec<_>>();
    /// assert_eq!(origins, [[8, 128], [16, 128]]);
    /// assert!(view.slice((8..15, ..))?.tiles().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tiles(&self) -> Option<Walked<LayoutTiles<L>, Shared<'_, S>>> {
        let () = L::HAS_GRID;
        let tiles = LayoutTiles::of_region(&self.place.region, self.place.layout.sizes)?;
        // SAFETY: all elements of the tiles are in the part, and nobody else reaches their padding.
        Some(unsafe { Walked::new(tiles, self.slots.shared()) })
    }
}

/// Rows and tiles of a part to write: of a `SliceMut`.
impl<L: AnyLayout, S: AddressedMut> Memory<Part<L>, S> {
    /// The rows of the tiles, cut to the part, to write: see [`rows`](Self::rows).
    #[inline(always)]
    pub fn rows_mut(&mut self) -> Walked<Rows<RegionRuns<L, true>>, SpreadMut<'_, S::Elem>> {
        let () = L::HAS_EVEN_ROWS;
        // SAFETY: rows are of elements of the part, and share none.
        unsafe { Walked::new(self.place.row_walk(), self.slots.spread()) }
    }

    /// The tiles that make up the part, to write: see [`tiles`](Self::tiles).
    pub fn tiles_mut(&mut self) -> Option<Walked<LayoutTiles<L>, SpreadMut<'_, S::Elem>>> {
        let () = L::HAS_GRID;
        let tiles = LayoutTiles::of_region(&self.place.region, self.place.layout.sizes)?;
        // SAFETY: all elements of the tiles are in the part, and nobody else reaches their padding. Tiles share no slot.
        Some(unsafe { Walked::new(tiles, self.slots.spread()) })
    }
}

impl<L: AnyLayout> Part<L> {
    #[inline(always)]
    fn row_walk(&self) -> Rows<RegionRuns<L, true>> {
        rows::<L, _>(RegionRuns::new(self.layout.sizes, self.region))
    }
}
