//! A view tile by tile.

mod as_view;
pub(crate) mod block;

use crate::compiled::AnyLayout;
use crate::walk::grid::{RowsOfTile, TilePlace, block, tile_elements};
use crate::walk::tiles::places;

/// A tile of the outermost tiling, to read: see [`View::tiles`](crate::View::tiles).
pub struct Tile<'a, L: AnyLayout, T> {
    pub(super) place: TilePlace<L>,
    pub(super) sizes: L::Sizes,
    pub(super) slots: &'a [T],
}

/// A tile of the outermost tiling, to read and write: see [`ViewMut::tiles_mut`](crate::ViewMut::tiles_mut).
pub struct TileMut<'a, L: AnyLayout, T> {
    pub(super) place: TilePlace<L>,
    pub(super) sizes: L::Sizes,
    pub(super) slots: &'a mut [T],
}

/// The methods that read a tile: `$a` is the lifetime of the references that they return.
macro_rules! reads {
    ($tile:ident<$a:lifetime> $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, T> $tile<$a, L, T> {
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
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[inline(always)]
            pub fn as_slice(&self) -> &$a [T] {
                // The length is that of the slice; said here, it is a constant to LLVM.
                &self.slots[..block::<L>(&self.sizes)]
            }

            /// The rows of the tile, along the most minor dimension, each with the index of its first
            /// element; without the padding at the edge of the array.
            ///
            /// Does not compile for a layout whose later tiles take rows apart: [`View::rows`](crate::View::rows) walks over these.
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
            pub fn rows(&self) -> impl Iterator<Item = (L::Index, &$a [T])> + use<$a, L, T> {
                let () = L::HAS_ROWS;
                let mut rows = RowsOfTile::new(self.place, self.sizes);
                let (length, count) = (rows.length(), rows.count());
                let chunks = self.slots.chunks_exact(rows.slots());
                chunks.take(count).filter_map(move |row| rows.next().map(|index| (index, &row[..length])))
            }

            /// The memory of the tile as an array.
            ///
            /// `N` has to be `TILE_ELEMENTS`; another number does not compile.
            #[inline(always)]
            pub fn as_array<const N: usize>(&self) -> &$a [T; N] {
                const { check_length::<L>(N) }
                match self.slots.first_chunk() {
                    Some(array) => array,
                    None => unreachable!("a tile has as many slots"),
                }
            }
        }
    };
}

reads! { Tile<'a> 'a }
reads! { TileMut<'_> }

copy! { Tile<'a, L: AnyLayout, T> }

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

impl<'a, L: AnyLayout, T> TileMut<'a, L, T> {
    /// The memory of the tile to write, padding included, for as long as the array is borrowed.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        &mut self.slots[..block::<L>(&self.sizes)]
    }
}

impl<L: AnyLayout, T> TileMut<'_, L, T> {
    /// The tile to read only.
    #[inline(always)]
    pub fn as_tile(&self) -> Tile<'_, L, T> {
        Tile { place: self.place, slots: self.slots, sizes: self.sizes }
    }

    /// The memory of the tile to write, padding included: `TILE_ELEMENTS` of them.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots[..block::<L>(&self.sizes)]
    }

    /// The rows of the tile to write: see [`Tile::rows`].
    #[inline(always)]
    pub fn rows_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut [T])> {
        let () = L::HAS_ROWS;
        let mut rows = RowsOfTile::new(self.place, self.sizes);
        let (length, count) = (rows.length(), rows.count());
        let chunks = self.slots.chunks_exact_mut(rows.slots());
        chunks
            .take(count)
            .filter_map(move |row| rows.next().map(|index| (index, &mut row[..length])))
    }

    /// The memory of the tile as an array to write: see [`Tile::as_array`].
    #[inline(always)]
    pub fn as_mut_array<const N: usize>(&mut self) -> &mut [T; N] {
        const { check_length::<L>(N) }
        match self.slots.first_chunk_mut() {
            Some(array) => array,
            None => unreachable!("a tile has as many slots"),
        }
    }
}

places! {
    Tile<'a, L: AnyLayout, T>;
    TileMut<'a, L: AnyLayout, T>;
}
