//! Parts of views, cut out by ranges of coordinates.
#![allow(
    unsafe_code,
    reason = "the elements of a part are places in the memory of the whole array"
)]

pub(crate) mod part;
pub(crate) mod slice_mut;

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Index;
use core::ptr::NonNull;

use layout_core::__private::native;

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, outside_of};
use crate::memory::print::debug;
use crate::memory::row::Row;
use crate::memory::slice::part::ArrayPart;
use crate::memory::tile::Tile;
use crate::walk::base::base;
use crate::walk::region::{Ranges, Region, SliceError};
use crate::walk::run::Run;

/// A part of a view, cut out by a range of coordinates along each dimension: [`View::slice`](crate::View::slice) makes it.
///
/// Its elements stay where they are in the memory of the view, so that it has no layout of its own.
/// Indices count from its first element on.
pub struct Slice<'a, L: AnyLayout, T> {
    /// Nobody writes its elements during `'a`.
    part: ArrayPart<L, T>,
    /// The memory of the view, if nobody writes any of it.
    memory: Option<&'a [T]>,
}

// SAFETY: it is a `&` to each of its elements, beside sizes and indices, which are numbers.
unsafe impl<L: AnyLayout, T: Sync> Send for Slice<'_, L, T> {}
// SAFETY: as above.
unsafe impl<L: AnyLayout, T: Sync> Sync for Slice<'_, L, T> {}

/// What is read of a slice, whoever else may write the array: `$a` is how long its elements are borrowed.
macro_rules! reads {
    ($name:ident<$a:lifetime> $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, T> $name<$a, L, T> {
            /// The layout of the view that the slice is a part of: [`as_region`](Self::as_region) says which.
            #[must_use]
            pub const fn layout(&self) -> WithDims<L> {
                self.part.layout
            }

            /// Elements along each dimension, dimension 0 first.
            #[must_use]
            pub fn dims(&self) -> L::Index {
                self.part.region.dims()
            }

            /// Where the slice lies in its view.
            #[must_use]
            pub const fn as_region(&self) -> Region<L> {
                self.part.region
            }

            /// The element at an index; `None` outside the slice.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: L::Index) -> Option<&$a T> {
                // SAFETY: nobody writes the elements of this slice as long as they are borrowed.
                self.part.slot(&index).map(|slot| unsafe { slot.as_ref() })
            }

            /// The elements with their indices in row-major order, the last dimension fastest.
            #[inline(always)]
            pub fn iter(&self) -> impl Iterator<Item = (L::Index, &$a T)> + use<$a, L, T> {
                // SAFETY: nobody writes the elements of this slice as long as they are borrowed.
                self.part.elements().map(|(index, slot)| (index, unsafe { slot.as_ref() }))
            }

            /// The runs of the layout, cut to the slice, with their elements, in the order of memory. Indices count
            /// from the first element of the slice on, offsets from that of the view's memory.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, layout};
            ///
            /// type A = layout!(F32[3,5]{1,0:T(2,2)});
            /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
            /// let slice = View::<A, f32>::new(&data)?.slice((1.., 1..4))?;
            /// let runs = slice.runs().map(|(run, elements)| (run.index, elements)).collect::<Vec<_>>();
            /// assert_eq!(runs[..2], [([0, 0], &[3.0][..]), ([0, 1], &[6.0, 7.0])]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[inline(always)]
            pub fn runs(&self) -> impl Iterator<Item = (Run<L::Index>, &$a [T])> + use<$a, L, T> {
                // SAFETY: nobody writes the elements of this slice as long as they are borrowed.
                self.part.runs().map(|(run, slots)| (run, unsafe { slots.as_ref() }))
            }

            /// The rows of the tiles, cut to the slice, in the order in which the view has them: see [`View::rows`](crate::View::rows). Indices count
            /// from the first element of the slice on, offsets from that of the view's memory.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            ///
            /// type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
            /// let buffer = Buffer::<A>::from_fn(|[i, j]| (1000 * i + j) as u16);
            /// let slice = buffer.slice((3..5, 100..))?;
            /// let rows = slice.rows().map(|row| (row.index(), row.len(), row[0])).collect::<Vec<_>>();
            /// assert_eq!(rows[..2], [([0, 0], 28, 3100), ([1, 0], 28, 4100)]);
            /// # Ok::<(), layout::walks::SliceError>(())
            /// ```
            #[inline(always)]
            pub fn rows(&self) -> impl FusedIterator<Item = Row<$a, L, T>> + use<$a, L, T> {
                let () = L::HAS_EVEN_ROWS;
                // SAFETY: nobody writes the elements of this slice as long as they are borrowed.
                self.part.rows().map(|place| unsafe { Row::of(place) })
            }

            /// The tiles of the outermost tiling that make up the slice, in the order of memory, if it begins on
            /// tile borders and ends on them or with the array; else `None`. Their origins are indices in the
            /// view.
            ///
            /// Compile error if tiles are not contiguous: see [`View::tiles`](crate::View::tiles).
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
            pub fn tiles(&self) -> Option<impl Iterator<Item = Tile<$a, L, T>> + use<$a, L, T>> {
                let () = L::HAS_GRID;
                let sizes = self.part.layout.sizes();
                let tiles = self.part.tiles()?;
                Some(tiles.map(move |(place, slots)| {
                    // SAFETY: nobody writes the elements of this slice as long as they are borrowed, nor the padding of
                    // tiles that lie in it.
                    Tile { place, slots: unsafe { slots.as_ref() }, sizes }
                }))
            }

            /// The elements in row-major order, copied.
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn to_vec(&self) -> alloc::vec::Vec<T>
            where
                T: Copy,
            {
                self.iter().map(|(_, element)| *element).collect()
            }
        }

        impl<L: AnyLayout, T> Index<L::Index> for $name<'_, L, T> {
            type Output = T;

            /// # Panics
            /// If a coordinate is not below the slice's size.
            #[inline(always)]
            #[track_caller]
            fn index(&self, index: L::Index) -> &T {
                match self.get(index) {
                    Some(element) => element,
                    None => outside::<L>(&self.as_region(), &index),
                }
            }
        }

        impl<L: AnyLayout, T: fmt::Debug> fmt::Debug for $name<'_, L, T> {
            /// The layout of the view, the ranges, and the first elements in row-major order.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let what = format_args!("{:?} {:?}", self.layout(), self.as_region());
                debug(f, stringify!($name), what, self.iter())
            }
        }
    };
}

pub(super) use reads;

reads! { Slice<'a> 'a }

impl<'a, L: AnyLayout, T> Slice<'a, L, T> {
    /// All of an array.
    pub(crate) fn whole(layout: WithDims<L>, slots: &'a [T]) -> Self {
        let region = Region::whole(layout.dims());
        let part = ArrayPart { slots: NonNull::from(slots), layout, region };
        Slice { part, memory: Some(slots) }
    }

    /// A part of the slice that lies in it.
    #[track_caller]
    pub(super) fn cut(self, region: Region<L>) -> Self {
        Slice { part: self.part.cut(region), ..self }
    }

    /// A part that nobody writes during `'a`, of memory that others may write unless it is alone.
    ///
    /// # Safety
    /// Its memory has to be borrowed for `'a`, and nobody may write its elements during that time; nor any of the memory, if it is
    /// alone.
    pub(super) unsafe fn of_part(part: ArrayPart<L, T>, is_alone: bool) -> Self {
        let memory = match is_alone {
            // SAFETY: nobody writes it, as the caller vouches.
            true => Some(unsafe { part.slots.as_ref() }),
            false => None,
        };
        Slice { part, memory }
    }

    /// The memory of the view; `None` where others may write parts of it.
    pub(crate) const fn memory(&self) -> Option<&'a [T]> {
        self.memory
    }

    /// A part of the slice: see [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    #[inline(always)]
    pub fn slice(&self, ranges: impl Ranges<L::Index>) -> Result<Self, SliceError> {
        let region = self.part.region.part(ranges)?;
        Ok(Slice { part: ArrayPart { region, ..self.part }, ..*self })
    }

    /// The slices of one element along a dimension, in the order of its coordinate.
    ///
    /// # Errors
    /// If the array has no such dimension.
    pub fn iter_axis(
        &self,
        dim: usize,
    ) -> Result<impl Iterator<Item = Self> + use<'a, L, T>, SliceError> {
        let slice = *self;
        let regions = self.part.region.axis(dim)?;
        Ok(regions.map(move |region| Slice { part: ArrayPart { region, ..slice.part }, ..slice }))
    }

    /// The boxes of a size that make up the slice: see [`View::boxes`](crate::View::boxes).
    ///
    /// # Errors
    /// If a size is 0.
    pub fn boxes(
        &self,
        size: L::Index,
    ) -> Result<impl Iterator<Item = Self> + use<'a, L, T>, SliceError> {
        let slice = *self;
        let regions = self.part.region.boxes(size)?;
        Ok(regions.map(move |region| Slice { part: ArrayPart { region, ..slice.part }, ..slice }))
    }

    /// The two parts before and from a coordinate along a dimension.
    ///
    /// # Errors
    /// If the array has no such dimension, or the coordinate exceeds its size.
    pub fn split_at(&self, dim: usize, at: usize) -> Result<[Self; 2], SliceError> {
        let parts = self.part.region.split(dim, at)?;
        Ok(parts.map(|region| Slice { part: ArrayPart { region, ..self.part }, ..*self }))
    }

    /// The slot of the first element, if from there on the elements have the offsets of an array of the
    /// slice's size do whose order and tiles are the layout's: where the cuts are on tile borders or
    /// within one tile, and wherever the layout is affine. A slice without elements begins at 0.
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
        digits_of::<L, _>(&self.layout(), |digits| base(digits, &self.as_region().walked()))
            .map(native)
    }
}

/// What the digits of a view's layout say, all sizes known.
pub(crate) fn digits_of<L: AnyLayout, R>(
    layout: &WithDims<L>,
    say: impl FnOnce(&layout_core::Digits) -> R,
) -> R {
    if const { L::IS_FIXED } {
        return say(L::DIGITS);
    }
    say(&compiled::digits::<L>(&layout.sizes()))
}

copy! { Slice<'a, L: AnyLayout, T> }

/// Stops with the index that is out of range.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn outside<L: AnyLayout>(region: &Region<L>, index: &L::Index) -> ! {
    let dims = region.dims();
    outside_of(&format_args!("a slice of {dims:?}"), dims.as_ref(), index.as_ref())
}
