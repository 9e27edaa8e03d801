//! The methods that write to an array, of views and buffers.

use core::iter::FusedIterator;
use core::ops::IndexMut;

use crate::compiled::{self, AnyLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::row::{self, RowMut};
use crate::memory::slice::slice_mut::SliceMut;
use crate::memory::slot::Slot;
use crate::memory::slots::with_slots;
use crate::memory::tile::TileMut;
use crate::memory::tile::block::{BlockMut, Chunks};
use crate::memory::view_mut::ViewMut;
use crate::walk::grid::{Places, TilePlace, block, row_of_tiles};
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::Run;

macro_rules! writes {
    ($($of:ty: $view:ident;)*) => {$(
        /// Writing. What is handed out at once is disjoint.
        impl<L: AnyLayout, T> $of {
            /// The element at an index, to write; `None` outside the bounds of the array.
            #[inline(always)]
            #[must_use]
            pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
                let offset = self.layout().checked_offset(index)?;
                Some(&mut self.as_mut_slice()[offset])
            }

            /// The elements to write, with their indices, in row-major order: for any layout, the last dimension
            /// varies fastest. [`runs_mut`](Self::runs_mut) is faster, in the order of memory.
            ///
            /// # Examples
            /// ```
            /// use layout::{ViewMut, layout};
            ///
            /// type A = layout!(F32[2,3]{0,1});
            /// let mut data = [0.0; 6];
            /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
            /// view.iter_mut().for_each(|([i, j], x)| *x = (3 * i + j) as f32);
            /// assert_eq!(data, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[inline(always)]
            pub fn iter_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).into_elements()
            }

            /// The runs of the layout with their elements to write, in the order of memory.
            #[inline(always)]
            pub fn runs_mut(&mut self) -> impl FusedIterator<Item = (Run<L::Index>, &mut [T])> {
                with_slots(self.layout().runs(), self.as_mut_slice(), 0)
            }

            /// The rows of the tiles to write, in the order of memory: see [`View::rows`](crate::View::rows).
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
            /// let bias: Vec<u16> = (0..256).collect();
            /// let mut buffer = Buffer::<A>::filled(1);
            /// for mut row in buffer.rows_mut() {
            ///     let bias = &bias[row.index()[1]..];
            ///     row.iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
            /// }
            /// assert_eq!((buffer[[0, 0]], buffer[[15, 200]]), (1, 201));
            /// ```
            #[inline(always)]
            pub fn rows_mut(&mut self) -> impl FusedIterator<Item = RowMut<'_, L, T>> {
                let () = L::HAS_EVEN_ROWS;
                row::rows_mut(self.layout().sizes(), self.as_mut_slice())
            }

            /// The tiles of the outermost tiling to write, in the order of memory: see
            /// [`View::tiles`](crate::View::tiles).
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// type A = layout!(F32[512,1024]{1,0:T(8,128)});
            /// let mut buffer = Buffer::<A>::filled(1.0);
            /// let mut tiles = buffer.tiles_mut().collect::<Vec<_>>();
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
            pub fn tiles_mut(
                &mut self,
            ) -> impl ExactSizeIterator<Item = TileMut<'_, L, T>> + FusedIterator {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &mut self.as_mut_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let blocks = slots.chunks_exact_mut(block::<L>(&sizes).max(1));
                let mut places = Places::<L>::new(sizes);
                blocks.map(move |slots| TileMut { place: places.next(), slots, sizes })
            }

            /// The rows of tiles to write, in the order of memory: see
            /// [`View::tile_rows`](crate::View::tile_rows).
            #[inline(always)]
            pub fn tile_rows_mut(
                &mut self,
            ) -> impl ExactSizeIterator<Item = (L::Index, &mut [T])> + FusedIterator {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &mut self.as_mut_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let rows = slots.chunks_exact_mut(row_of_tiles::<L>(&sizes).max(1));
                let mut places = Places::<L, true>::new(sizes);
                rows.map(move |slots| (places.next().origin, slots))
            }

            /// The tile at a position in the grid, dimension 0 first, to write; `None` outside
            /// `TILE_COUNTS`.
            #[must_use]
            pub fn tile_mut(&mut self, tile: L::Index) -> Option<TileMut<'_, L, T>> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let number = TilePlace::<L>::number(&sizes, &tile)?;
                let block = block::<L>(&sizes);
                let slots = &mut self.as_mut_slice()[number * block..][..block];
                Some(TileMut { place: TilePlace::of(&sizes, tile), slots, sizes })
            }

            /// The tiles of a level as blocks of memory to write: see [`View::blocks`](crate::View::blocks).
            #[inline(always)]
            pub fn blocks_mut<const LEVEL: usize>(
                &mut self,
            ) -> impl ExactSizeIterator<Item = BlockMut<'_, L, T>> + DoubleEndedIterator + FusedIterator
            {
                let length = Chunks::<L, LEVEL>::LENGTH;
                let sizes = self.layout().sizes();
                let slots = &mut self.as_mut_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let chunks = slots.chunks_exact_mut(length).enumerate();
                chunks.map(move |(number, slots)| BlockMut { slots, start: number * length, sizes })
            }

            /// The part of the array in ranges of coordinates, to write: see
            /// [`View::slice`](crate::View::slice).
            ///
            /// # Errors
            /// If a range exceeds its dimension or is reversed.
            ///
            /// # Examples
            /// ```
            /// use layout::{ViewMut, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let mut data = [0.0; A::PADDED_ELEMENTS];
            /// let mut view = ViewMut::<A, f32>::new(&mut data)?;
            /// let mut slice = view.slice_mut((1.., ..2))?;
            /// slice.fill(1.0);
            /// slice[[1, 1]] = 2.0;
            /// assert_eq!((view[[0, 0]], view[[1, 0]], view[[2, 1]]), (0.0, 1.0, 2.0));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[inline(always)]
            pub fn slice_mut(
                &mut self,
                ranges: impl Ranges<L::Index>,
            ) -> Result<SliceMut<'_, L, T>, SliceError> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).into_slice(ranges)
            }

            /// The part of the array that a constant names, to write: see
            /// [`View::region`](crate::View::region).
            ///
            /// # Panics
            /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
            #[track_caller]
            #[must_use]
            pub fn region_mut(&mut self, region: Region<L>) -> SliceMut<'_, L, T> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).cut(region)
            }

            /// The slices of one element along a dimension, in the order of its coordinate, to write.
            ///
            /// # Errors
            /// If the array has no such dimension.
            ///
            /// # Examples
            /// ```
            /// use layout::{ViewMut, layout};
            ///
            /// type A = layout!(S32[3,5]{1,0:T(2,2)});
            /// let mut data = [0; A::PADDED_ELEMENTS];
            /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
            /// for (number, mut column) in view.iter_axis_mut(1)?.enumerate() {
            ///     column.fill(number as i32);
            /// }
            /// assert_eq!(view.as_slice()[..6], [0, 1, 0, 1, 2, 3]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn iter_axis_mut(
                &mut self,
                dim: usize,
            ) -> Result<impl Iterator<Item = SliceMut<'_, L, T>>, SliceError> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).into_axis(dim)
            }

            /// The boxes of a size that make up the array, to write: see [`View::boxes`](crate::View::boxes). They share no
            /// element, so that threads can write them at the same time.
            ///
            /// # Errors
            /// If a size is 0.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// let mut image = Buffer::<layout!(U8[5,6])>::zeroed();
            /// for (number, mut part) in image.boxes_mut([4, 4])?.enumerate() {
            ///     part.fill(number as u8);
            /// }
            /// assert_eq!(image.as_slice()[18..30], [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3]);
            /// # Ok::<(), layout::walks::SliceError>(())
            /// ```
            pub fn boxes_mut(
                &mut self,
                size: L::Index,
            ) -> Result<impl Iterator<Item = SliceMut<'_, L, T>>, SliceError> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).into_boxes(size)
            }

            /// The parts before a coordinate along a dimension, and from it on, to write: see
            /// [`SliceMut::split_at_mut`].
            ///
            /// # Errors
            /// If the array has no such dimension, or the coordinate exceeds its size.
            pub fn split_at_mut(
                &mut self,
                dim: usize,
                at: usize,
            ) -> Result<[SliceMut<'_, L, T>; 2], SliceError> {
                SliceMut::whole(self.layout(), self.as_mut_slice()).split_at_mut(dim, at)
            }

            /// Writes a value to each element. Padding stays as it is.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// let mut buffer = Buffer::<layout!(S32[3]{0:T(2)})>::zeroed();
            /// buffer.fill(7);
            /// assert_eq!(buffer.as_slice(), [7, 7, 7, 0]);
            /// ```
            pub fn fill(&mut self, value: T)
            where
                T: Copy,
            {
                SliceMut::whole(self.layout(), self.as_mut_slice()).fill(value);
            }

            /// The element at a place that is in range: see [`View::at`](crate::View::at).
            #[inline(always)]
            #[must_use]
            pub fn at(&self, slot: Slot<L>) -> &T {
                self.as_view().at(slot)
            }

            /// The element at a place that is in range, to write: see [`View::at`](crate::View::at).
            #[inline(always)]
            #[must_use]
            pub fn at_mut(&mut self, slot: Slot<L>) -> &mut T {
                self.$view().into_slot(slot)
            }
        }

        impl<L: AnyLayout, T> IndexMut<L::Index> for $of {
            /// # Panics
            /// If a coordinate is not below its dimension.
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, index: L::Index) -> &mut T {
                let offset = self.layout().offset(index);
                &mut self.as_mut_slice()[offset]
            }
        }
    )*};
}

writes! { ViewMut<'_, L, T>: reborrow; }

#[cfg(feature = "alloc")]
writes! { Buffer<L, T>: as_view_mut; }
