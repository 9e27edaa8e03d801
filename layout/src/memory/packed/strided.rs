//! Packed elements with strides of their own: rows with a pitch, sub-matrices, flipped axes.

use core::fmt;
use core::marker::PhantomData;

use crate::memory::packed::bits::{BitOrder, HighFirst, LowFirst, read};
use crate::memory::strided::{Strides, StridesError};
use crate::types::element::{Bits, PackedWidth};

/// A borrowed slice of bytes, read as an array of elements of 1, 2 or 4 bits (`BITS`) with a stride for each dimension: what a
/// [`Strided`](crate::Strided) is to elements of whole bytes.
///
/// Sizes, strides and offsets count elements, dimension 0 first: a row of 5 bytes has a stride of 40 elements of one bit. Strides may be 0
/// and below 0. The first element of a byte is its low bits; [`high_first`](Self::high_first) reads them from the high end.
///
/// [`relayout_to`](Self::relayout_to) copies the array to a [`PackedViewMut`](crate::PackedViewMut) whose elements have as many bits, or,
/// one a byte, to a [`ViewMut`](crate::ViewMut) of `u8`, `i8` or `bool`.
///
/// # Examples
/// ```
/// use layout::{PackedStrided, Padding, layout};
///
/// // A bitmap of 2×10 pixels with rows of 3 bytes, the leftmost pixel a high bit.
/// let bytes = [0b1000_0000, 0b0100_0000, 0, 0b0110_0000, 0];
/// let bitmap = PackedStrided::<1, 2>::new(&bytes, [2, 10], [24, 1])?.high_first();
/// assert_eq!((bitmap.get([0, 9]), bitmap.get([1, 1]), bitmap.get([1, 10])), (Some(1), Some(1), None));
///
/// type Pixels = layout!(PRED[?,?]);
/// let mut pixels = [false; 20];
/// let view = Pixels::with_dims([2, 10])?;
/// let mut view = view.view_mut(&mut pixels)?;
/// bitmap.relayout_to(&mut view, Padding::Leave);
/// assert!(pixels[0] && pixels[9] && !pixels[10] && pixels[11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct PackedStrided<'a, const BITS: usize, const R: usize, O: BitOrder = LowFirst> {
    /// From the byte with the first element in memory to that with the last one.
    pub(crate) bytes: &'a [u8],
    pub(crate) place: Strides<R>,
    order: PhantomData<fn() -> O>,
}

/// A borrowed slice of bytes, written as an array of elements of 1, 2 or 4 bits (`BITS`) with a stride for each dimension: a
/// [`PackedStrided`] whose elements share no memory. Bits between its elements keep their values.
///
/// It is where [`View::relayout_to`](crate::View::relayout_to) and [`PackedView::relayout_to`](crate::PackedView::relayout_to) write;
/// there is no padding.
///
/// # Examples
/// ```
/// use layout::{PackedStridedMut, Padding, View, layout};
///
/// // Nibbles into columns 1 and 2 of a matrix with rows of 4 nibbles.
/// let mut bytes = [0xff; 4];
/// let mut columns = PackedStridedMut::<4, 2>::at(&mut bytes, 1, [2, 2], [4, 1])?;
/// View::<layout!(U4[2,2]), u8>::new(&[1, 2, 3, 4])?.relayout_to(&mut columns, Padding::Leave);
/// assert_eq!(bytes, [0x1f, 0xf2, 0x3f, 0xf4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PackedStridedMut<'a, const BITS: usize, const R: usize, O: BitOrder = LowFirst> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) place: Strides<R>,
    order: PhantomData<fn() -> O>,
}

/// What both have; elements that are `$apart` share no memory.
macro_rules! strided {
    ($name:ident, &$a:lifetime $([$mut:ident])?, $apart:literal, $more:literal) => {
        impl<$a, const BITS: usize, const R: usize> $name<$a, BITS, R>
        where
            Bits<BITS>: PackedWidth,
        {
            /// An array of these sizes and strides, in elements, dimension 0 first. Its lowest element in memory is the first of the slice:
            /// index 0 itself, if no stride is below 0.
            ///
            /// # Errors
            /// If the slice does not reach the last element; the error counts elements.
            #[doc = $more]
            pub fn new(bytes: &$a $($mut)? [u8], dims: [usize; R], strides: [isize; R]) -> Result<Self, StridesError> {
                Self::of(bytes, None, dims, strides)
            }

            /// Like [`new`](Self::new), with index 0 at element `first` of the slice.
            ///
            /// # Errors
            /// If an element lies outside of the slice.
            #[doc = $more]
            pub fn at(
                bytes: &$a $($mut)? [u8],
                first: usize,
                dims: [usize; R],
                strides: [isize; R],
            ) -> Result<Self, StridesError> {
                Self::of(bytes, Some(first), dims, strides)
            }

            fn of(
                bytes: &$a $($mut)? [u8],
                first: Option<usize>,
                dims: [usize; R],
                strides: [isize; R],
            ) -> Result<Self, StridesError> {
                let per_byte = 8 / BITS;
                let given = bytes.len().saturating_mul(per_byte);
                let (mut place, range) = Strides::new::<$apart>(dims, strides, first, given)?;
                place.first += range.start % per_byte;
                let range = range.start / per_byte..range.end.div_ceil(per_byte);
                Ok($name { bytes: &$($mut)? bytes[range], place, order: PhantomData })
            }

            /// This array with the first element of a byte in its high bits: see [`PackedView::high_first`](crate::PackedView::high_first).
            #[must_use]
            pub const fn high_first(self) -> $name<$a, BITS, R, HighFirst> {
                $name { bytes: self.bytes, place: self.place, order: PhantomData }
            }
        }

        impl<const BITS: usize, const R: usize, O: BitOrder> $name<'_, BITS, R, O> {
            /// Sizes of the dimensions in elements, dimension 0 first.
            #[must_use]
            pub const fn dims(&self) -> [usize; R] {
                self.place.dims
            }

            /// The bits of the element at an index, in the low bits of a byte; `None` if it is out of bounds.
            #[must_use]
            pub fn get(&self, index: [usize; R]) -> Option<u8> {
                Some(read::<O>(self.bytes, self.place.offset(index)?, BITS))
            }
        }

        impl<const BITS: usize, const R: usize, O: BitOrder> fmt::Debug for $name<'_, BITS, R, O> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({BITS} bits, {:?})", stringify!($name), self.place)
            }
        }
    };
}

strided! { PackedStrided, &'a, false, "" }
strided! { PackedStridedMut, &'a [mut], true, "If elements could share memory: see [`StridedMut::new`](crate::StridedMut::new)." }
