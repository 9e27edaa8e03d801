//! What is read of an array: listed once, for [`View`], `ViewMut` and `Buffer`.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Index;

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::print::debug;
use crate::memory::row::{self, Row};
use crate::memory::slice::Slice;
use crate::memory::tile::Tile;
use crate::memory::tile::block::{Block, Chunks};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::walk::grid::{Places, TilePlace, block, row_of_tiles};
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::{Run, Runs};

/// `$a` is the lifetime of the references that the methods return.
macro_rules! reads {
    ($name:ident: $of:ty, $a:lifetime $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, T> $of {
            /// The layout, with the sizes of its dimensions.
            #[inline(always)]
            #[must_use]
            pub const fn layout(&self) -> WithDims<L> {
                self.layout
            }

            /// Sizes of the dimensions in elements, dimension 0 first.
            #[doc(alias = "shape")]
            #[inline(always)]
            #[must_use]
            pub fn dims(&self) -> L::Index {
                self.layout.dims()
            }

            /// The element at an index; `None` outside the bounds of the array.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: L::Index) -> Option<&$a T> {
                self.layout.checked_offset(index).map(|offset| &self.as_slice()[offset])
            }

            /// The elements with their indices in row-major order: for any layout, the last dimension varies
            /// fastest. [`runs`](Self::runs) is faster, in the order of memory.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[2,3]{0,1});
            /// let view = View::<A, f32>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])?;
            /// assert_eq!(view.iter().nth(4), Some(([1, 1], &4.0)));
            /// assert!(view.iter().map(|(_, x)| *x).eq([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[doc(alias = "into_iter")]
            #[inline(always)]
            pub fn iter(
                &self,
            ) -> impl ExactSizeIterator<Item = (L::Index, &$a T)> + FusedIterator + use<$a, L, T> {
                let slots = self.as_slice();
                self.layout.indices_row_major().map(move |(index, offset)| (index, &slots[offset]))
            }

            /// The runs of the layout with their elements, in the order of memory.
            #[inline(always)]
            pub fn runs(&self) -> impl FusedIterator<Item = (Run<L::Index>, &$a [T])> + use<$a, L, T> {
                let slots = self.as_slice();
                Runs::<L>::new(self.layout().sizes()).map(move |run| (run, &slots[run.range()]))
            }

            /// The rows of the tiles: elements along the most minor dimension, as far as they are evenly spaced in memory.
            /// They come in the order of memory, without padding; without tiles they are the rows of the array.
            ///
            /// Where a later tile interleaves rows, as `(2,1)` does, [`ROW_STRIDE`](crate::Array::ROW_STRIDE) is more than 1,
            /// and runs are a few elements: there this is many times as fast as [`runs`](Self::runs). Loops over a row are
            /// vectorised as loops over every second element of a slice are. Code that does the same to each element is
            /// faster on [`tiles`](Self::tiles), whose memory is consecutive.
            ///
            /// Does not compile for a layout that combines dimensions (`*`), or in which a tile cuts another at places that
            /// do not meet: there elements of a row need not be evenly spaced.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// // Two rows side by side in each 32-bit word.
            /// type A = layout!(U16[3,200]{1,0:T(8,128)(2,1)});
            /// let buffer = Buffer::<A>::from_fn(|[i, j]| (1000 * i + j) as u16);
            /// let mut sums = [0; 3];
            /// for row in buffer.rows() {
            ///     sums[row.index()[0]] += row.iter().map(|&x| u32::from(x)).sum::<u32>();
            /// }
            /// assert_eq!(sums, [19_900, 219_900, 419_900]);
            ///
            /// let last = buffer.rows().last().unwrap();
            /// assert_eq!((last.index(), last.len(), last[71]), ([2, 128], 72, 2199));
            /// assert_eq!(A::ROW_STRIDE, 2);
            /// ```
            #[inline(always)]
            pub fn rows(&self) -> impl FusedIterator<Item = Row<$a, L, T>> + use<$a, L, T> {
                let () = L::HAS_EVEN_ROWS;
                row::rows(self.layout().sizes(), self.as_slice())
            }

            /// The tiles of the outermost tiling in the order of memory; without tiles the whole array is
            /// one. An array without elements has none.
            ///
            /// Compile error if tiles are not contiguous: if its first tile
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
            pub fn tiles(
                &self,
            ) -> impl ExactSizeIterator<Item = Tile<$a, L, T>> + FusedIterator + use<$a, L, T> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let blocks = slots.chunks_exact(block::<L>(&sizes).max(1));
                let mut places = Places::<L>::new(sizes);
                blocks.map(move |slots| Tile { place: places.next(), slots, sizes })
            }

            /// The rows of tiles along the most minor dimension in the order of memory, each with the index of its first element:
            /// the memory of the tiles that follow one another, padding included.
            ///
            /// A loop over it is much faster than one over small tiles: [`tiles`](Self::tiles) computes where each one lies.
            ///
            /// Compile error if tiles are not contiguous.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
            /// let view = View::<A>::new(&data)?;
            /// assert!(view.tile_rows().eq([([0, 0], &data[..12]), ([2, 0], &data[12..])]));
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[inline(always)]
            pub fn tile_rows(
                &self,
            ) -> impl ExactSizeIterator<Item = (L::Index, &$a [T])> + FusedIterator + use<$a, L, T> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let mut places = Places::<L, true>::new(sizes);
                let rows = slots.chunks_exact(row_of_tiles::<L>(&sizes).max(1));
                rows.map(move |slots| (places.next().origin, slots))
            }

            /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
            ///
            /// Loops over large arrays are fastest in the order of memory, which is that of [`tiles`](Self::tiles): tiles of a
            /// page (4096 bytes) or less that are far from one another are not prefetched.
            pub fn tile(&self, tile: L::Index) -> Option<Tile<$a, L, T>> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let number = TilePlace::<L>::number(&sizes, &tile)?;
                let block = block::<L>(&sizes);
                let slots = &self.as_slice()[number * block..][..block];
                Some(Tile { place: TilePlace::of(&sizes, tile), slots, sizes })
            }

            /// The tiles of a level as blocks of memory, each of constant length, in the order of memory. The
            /// first tile is level 0.
            ///
            /// This serves every layout, whether its tiles combine dimensions (`*`) or not, as long as later
            /// tiles stay inside those of the level, as the last tile always does; other levels do not compile.
            /// [`tiles`](Self::tiles) says in addition where a tile lies in the array. Slots that `L` adds
            /// belong to no tile.
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
            /// assert!(word.elements().eq([([0, 1], &2), ([1, 1], &3)]));
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            #[inline(always)]
            pub fn blocks<const LEVEL: usize>(
                &self,
            ) -> impl ExactSizeIterator<Item = Block<$a, L, T>>
            + DoubleEndedIterator
            + FusedIterator
            + use<$a, L, T, LEVEL> {
                let length = Chunks::<L, LEVEL>::LENGTH;
                let sizes = self.layout().sizes();
                let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let chunks = slots.chunks_exact(length).enumerate();
                chunks.map(move |(number, slots)| Block { slots, start: number * length, sizes })
            }

            /// The part of the array in ranges of coordinates, one for each dimension, dimension 0 first: a tuple of
            /// any ranges, or an array of ranges of one kind. The bounds are those of the array, not of its
            /// padding. XLA's `Slice` with strides of 1, without a copy.
            ///
            /// # Errors
            /// If a range exceeds its dimension or is reversed.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
            /// let view = View::<A, f32>::new(&data)?;
            /// let slice = view.slice((1.., 2..=3))?;
            /// assert_eq!((slice.dims(), slice[[1, 1]]), ([2, 2], 17.0));
            /// assert_eq!(slice.to_vec(), [6.0, 7.0, 16.0, 17.0]);
            /// let error = view.slice((.., 2..6)).unwrap_err();
            /// assert_eq!(error.to_string(), "range 2..6 is out of bounds for dimension 1 of size 5");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[inline(always)]
            pub fn slice(&self, ranges: impl Ranges<L::Index>) -> Result<Slice<$a, L, T>, SliceError> {
                Slice::whole(self.layout(), self.as_slice()).slice(ranges)
            }

            /// The part of the array that a constant names, whose ranges the compiler has checked: see
            /// [`Array::region`](crate::Array::region).
            ///
            /// # Panics
            /// If the region is one of a larger view, of a layout whose sizes are known at run time only.
            #[track_caller]
            #[must_use]
            pub fn region(&self, region: Region<L>) -> Slice<$a, L, T> {
                Slice::whole(self.layout(), self.as_slice()).cut(region)
            }

            /// The slices of one element along a dimension, in the order of its coordinate.
            ///
            /// # Errors
            /// If the array has no such dimension.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let data = [1.0; A::PADDED_ELEMENTS];
            /// let view = View::<A, f32>::new(&data)?;
            /// let columns = view.iter_axis(1)?.map(|column| column.to_vec().iter().sum::<f32>());
            /// assert_eq!(columns.collect::<Vec<_>>(), [3.0; 5]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn iter_axis(
                &self,
                dim: usize,
            ) -> Result<impl Iterator<Item = Slice<$a, L, T>> + use<$a, L, T>, SliceError> {
                Slice::whole(self.layout(), self.as_slice()).iter_axis(dim)
            }

            /// The boxes of a size, in elements, that make up the array, in row-major order of where they lie; those at the
            /// edge are cut. A layout without tiles has them too, and they need not be its tiles.
            ///
            /// # Errors
            /// If a size is 0.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// let data: Vec<u8> = (0..30).collect();
            /// let view = View::<layout!(U8[5,6])>::new(&data)?;
            /// let boxes = view.boxes([4, 4])?.map(|part| (part.as_region().start(), part.dims()));
            /// assert_eq!(boxes.collect::<Vec<_>>()[1..3], [([0, 4], [4, 2]), ([4, 0], [1, 4])]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn boxes(
                &self,
                size: L::Index,
            ) -> Result<impl Iterator<Item = Slice<$a, L, T>> + use<$a, L, T>, SliceError> {
                Slice::whole(self.layout(), self.as_slice()).boxes(size)
            }

            /// The two parts before and from a coordinate along a dimension.
            ///
            /// # Errors
            /// If the array has no such dimension, or the coordinate exceeds its size.
            pub fn split_at(&self, dim: usize, at: usize) -> Result<[Slice<$a, L, T>; 2], SliceError> {
                Slice::whole(self.layout(), self.as_slice()).split_at(dim, at)
            }
        }

        impl<$($declared,)? L: AnyLayout, T> Index<L::Index> for $of {
            type Output = T;

            /// # Panics
            /// If a coordinate is not below its dimension.
            #[inline(always)]
            #[track_caller]
            fn index(&self, index: L::Index) -> &T {
                &self.as_slice()[self.layout.offset(index)]
            }
        }

        impl<$($declared,)? L: AnyLayout, T: fmt::Debug> fmt::Debug for $of {
            /// The layout and the first elements in row-major order.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                debug(f, stringify!($name), format_args!("{:?}", self.layout), self.iter())
            }
        }
    };
}

reads! { View: View<'a, L, T>, 'a 'a }
reads! { ViewMut: ViewMut<'_, L, T>, '_ }

#[cfg(feature = "alloc")]
reads! { Buffer: Buffer<L, T>, '_ }
