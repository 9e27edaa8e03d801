//! An array tile by tile.
#![allow(unsafe_code, reason = "each tile has slots of its own")]

use layout_core::__private::native;

use crate::array::{tile_of::FirstTile, with_dims::WithDims};
use crate::compiled::{AnyLayout, Compiled, stop};
use crate::memory::Memory;
use crate::memory::storage::{Slots, SpreadMut, Storage};
use crate::memory::walked::{Lies, Walked};
use crate::order::{grid::RowsOfTile, grid::tile_elements, tile::Tile, tile::Tiled};

// SAFETY: a tile asks for its slots alone.
unsafe impl<L: Tiled, S: Slots> Lies<S> for Tile<L> {
    type With = Tile<L, S::Stretch>;

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Self::With {
        // SAFETY: the caller's promise.
        let slots = unsafe { slots.stretch(self.range()) };
        let Tile { origin, extent, sizes, is_full, start, length, .. } = self;
        Tile { origin, extent, sizes, is_full, start, length, slots }
    }
}

/// Reading.
impl<L: Tiled, S: Storage> Tile<L, S> {
    /// The memory of the tile, padding included: `TILE_ELEMENTS` of them.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// assert!(view.tiles().flat_map(|tile| tile.as_slice()).eq(&data));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    pub fn as_slice(&self) -> S::Shared<'_> {
        self.slots.shared()
    }
}

/// Rows and other layouts of a tile.
impl<L: AnyLayout, S: Storage> Tile<L, S> {
    /// The rows of the tile, along the most minor dimension, each with the index of its first element; without the padding at the edge of
    /// the array.
    ///
    /// Does not compile for a layout whose later tiles split rows: [`Memory::rows`](crate::memory::Memory::rows) walks over these.
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
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> Walked<RowsOfTile<L>, S::Shared<'_>> {
        let () = L::HAS_ROWS;
        // SAFETY: rows are of slots of the tile.
        unsafe { Walked::new(RowsOfTile::new(self), self.slots.shared()) }
    }

    /// The tile as an array, padding included: see [`TileOf`](crate::types::TileOf).
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// let tile = view.tile([1, 1]).unwrap();
    /// assert_eq!((tile.as_view()[[0, 1]], view[[2, 3]]), (17.0, 17.0));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[must_use]
    pub fn as_view(&self) -> Memory<WithDims<L::Within>, S::Shared<'_>>
    where
        L: FirstTile<Within: AnyLayout<Element = L::Element>>,
    {
        const { check_within::<L>() };
        Memory::of_parts(WithDims::known(), self.slots.shared())
    }
}

impl<'a, L: AnyLayout, T> Tile<L, &'a [T]> {
    /// The memory of the tile as an array.
    ///
    /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
    #[inline(always)]
    pub fn as_array<const N: usize>(&self) -> &'a [T; N] {
        const { check_length::<L>(N) }
        array(self.slots.first_chunk())
    }
}

/// Writing.
impl<'a, L: Tiled, T> Tile<L, &'a mut [T]> {
    /// The memory of the tile to write, padding included.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The memory of the tile to write, padding included, for as long as the array is borrowed.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }
}

impl<L: AnyLayout, T> Tile<L, &mut [T]> {
    /// The rows of the tile to write: see [`rows`](Self::rows).
    #[inline(always)]
    pub fn rows_mut(&mut self) -> Walked<RowsOfTile<L>, SpreadMut<'_, T>> {
        let () = L::HAS_ROWS;
        // SAFETY: rows are of slots of the tile, which is borrowed, and share none.
        unsafe { Walked::new(RowsOfTile::new(self), SpreadMut::from(&mut *self.slots)) }
    }

    /// The memory of the tile as an array to write: see [`as_array`](Self::as_array).
    #[inline(always)]
    pub fn as_mut_array<const N: usize>(&mut self) -> &mut [T; N] {
        const { check_length::<L>(N) }
        array(self.slots.first_chunk_mut())
    }

    /// The tile as an array to write, padding included: see [`as_view`](Self::as_view).
    #[must_use]
    pub fn as_view_mut(&mut self) -> Memory<WithDims<L::Within>, &mut [T]>
    where
        L: FirstTile<Within: AnyLayout<Element = L::Element>>,
    {
        const { check_within::<L>() };
        Memory::of_parts(WithDims::known(), &mut *self.slots)
    }
}

#[inline(always)]
fn array<A>(slots: Option<A>) -> A {
    match slots {
        Some(array) => array,
        None => unreachable!("a tile has as many slots"),
    }
}

/// Stops the build if a tile has another length.
#[track_caller]
const fn check_length<L: AnyLayout>(length: usize) {
    let () = L::HAS_GRID;
    let Some(elements) = tile_elements::<L>() else {
        stop!("the size of a tile is known at run time only: without tiles it is the whole array")
    };
    if length != elements {
        stop!(
            "a tile of the layout has ",
            elements,
            " elements (`TILE_ELEMENTS`), and the array ",
            length
        )
    }
}

/// Stops the build if a tile is not laid out as its array is.
#[track_caller]
const fn check_within<L: FirstTile>() {
    let () = L::HAS_GRID;
    let () = <L::Within as Compiled>::VALID;
    if <L::Within as Compiled>::SLOTS != native(L::GRID.block.factor) {
        stop("a tile takes other memory than an array of its sizes")
    }
}
