//! The methods of a [`View`], on what has one: listed once for `ViewMut` and `Buffer`.
//!
//! Each names the constants that stop the build, although the view's method does too: the compiler reports the caller of
//! the function that names a failing constant.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Index;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::block::{Block, Chunks};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::print::debug;
use crate::memory::row::Row;
use crate::memory::slice::Slice;
use crate::memory::slot::Slot;
use crate::memory::tile::Tile;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::Run;

macro_rules! reads {
    ($($of:ty;)*) => {$(
        /// Reading, as of a [`View`].
        impl<L: AnyLayout, T> $of {
            /// The element at an index; `None` outside the bounds of the array.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: L::Index) -> Option<&T> {
                self.as_view().get(index)
            }

            /// The elements with their indices in row-major order: see [`View::iter`].
            #[inline(always)]
            pub fn iter(&self) -> impl ExactSizeIterator<Item = (L::Index, &T)> + FusedIterator {
                self.as_view().iter()
            }

            /// The runs of the layout with their elements, in the order of memory: see [`View::runs`].
            #[inline(always)]
            pub fn runs(&self) -> impl FusedIterator<Item = (Run<L::Index>, &[T])> {
                self.as_view().runs()
            }

            /// The rows of the tiles, in the order of memory: see [`View::rows`].
            #[inline(always)]
            pub fn rows(&self) -> impl FusedIterator<Item = Row<'_, L, T>> {
                let () = L::HAS_EVEN_ROWS;
                self.as_view().rows()
            }

            /// The tiles of the outermost tiling, in the order of memory: see [`View::tiles`].
            #[inline(always)]
            pub fn tiles(&self) -> impl ExactSizeIterator<Item = Tile<'_, L, T>> + FusedIterator {
                let () = L::HAS_GRID;
                self.as_view().tiles()
            }

            /// The rows of tiles, in the order of memory: see [`View::tile_rows`].
            #[inline(always)]
            pub fn tile_rows(
                &self,
            ) -> impl ExactSizeIterator<Item = (L::Index, &[T])> + FusedIterator {
                let () = L::HAS_GRID;
                self.as_view().tile_rows()
            }

            /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
            #[must_use]
            pub fn tile(&self, tile: L::Index) -> Option<Tile<'_, L, T>> {
                let () = L::HAS_GRID;
                self.as_view().tile(tile)
            }

            /// The tiles of a level as blocks of memory: see [`View::blocks`].
            #[inline(always)]
            pub fn blocks<const LEVEL: usize>(
                &self,
            ) -> impl ExactSizeIterator<Item = Block<'_, L, T>> + DoubleEndedIterator + FusedIterator
            {
                let _ = Chunks::<L, LEVEL>::LENGTH;
                self.as_view().blocks::<LEVEL>()
            }

            /// The part of the array in ranges of coordinates: see [`View::slice`].
            ///
            /// # Errors
            /// If a range exceeds its dimension or is reversed.
            pub fn slice(
                &self,
                ranges: impl Ranges<L::Index>,
            ) -> Result<Slice<'_, L, T>, SliceError> {
                self.as_view().slice(ranges)
            }

            /// The part of the array that a constant names: see [`View::region`].
            ///
            /// # Panics
            /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
            #[track_caller]
            #[must_use]
            pub fn region(&self, region: Region<L>) -> Slice<'_, L, T> {
                self.as_view().region(region)
            }

            /// The slices of one element along a dimension, in the order of its coordinate: see
            /// [`View::iter_axis`].
            ///
            /// # Errors
            /// If the array has no such dimension.
            pub fn iter_axis(
                &self,
                dim: usize,
            ) -> Result<impl Iterator<Item = Slice<'_, L, T>>, SliceError> {
                self.as_view().iter_axis(dim)
            }

            /// The parts before a coordinate along a dimension, and from it on.
            ///
            /// # Errors
            /// If the array has no such dimension, or the coordinate exceeds its size.
            pub fn split_at(
                &self,
                dim: usize,
                at: usize,
            ) -> Result<[Slice<'_, L, T>; 2], SliceError> {
                self.as_view().split_at(dim, at)
            }

            /// The element at a place that is in range: see [`View::at`].
            #[inline(always)]
            #[must_use]
            pub fn at(&self, slot: Slot<L>) -> &T {
                self.as_view().at(slot)
            }
        }
    )*};
}

reads! { ViewMut<'_, L, T>; }

#[cfg(feature = "alloc")]
reads! { Buffer<L, T>; }

/// What all memory with a layout has.
macro_rules! memory {
    ($($name:ident: $of:ty;)*) => {$(
        impl<L: AnyLayout, T> $of {
            /// The layout, with the sizes of its dimensions.
            #[inline(always)]
            #[must_use]
            pub const fn layout(&self) -> WithDims<L> {
                self.layout
            }

            /// Sizes of the dimensions in elements, dimension 0 first.
            #[inline(always)]
            #[must_use]
            pub fn dims(&self) -> L::Index {
                self.layout.dims()
            }
        }

        impl<L: AnyLayout, T> Index<L::Index> for $of {
            type Output = T;

            /// # Panics
            /// If a coordinate is not below its dimension.
            #[inline(always)]
            #[track_caller]
            fn index(&self, index: L::Index) -> &T {
                &self.as_slice()[self.layout.offset(index)]
            }
        }

        impl<L: AnyLayout, T: fmt::Debug> fmt::Debug for $of {
            /// The layout and the first elements in row-major order.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                debug(f, stringify!($name), format_args!("{:?}", self.layout), self.iter())
            }
        }
    )*};
}

memory! {
    View: View<'_, L, T>;
    ViewMut: ViewMut<'_, L, T>;
}

#[cfg(feature = "alloc")]
memory! { Buffer: Buffer<L, T>; }
