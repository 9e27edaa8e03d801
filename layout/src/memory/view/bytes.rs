//! Views of bytes, by the crate `bytemuck`.

use core::fmt;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::stored::StoredIn;
use crate::memory::view::{Needs, TooShort, View};
use crate::memory::view_mut::ViewMut;

/// Why bytes cannot be viewed with a layout. All numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesError {
    /// There are too few.
    TooShort(TooShort),
    /// They do not begin where an element can.
    Misaligned {
        /// The alignment of an element.
        needed: usize,
        /// Distance of the first byte from the last multiple of `needed` before it.
        past: usize,
    },
}

impl fmt::Display for BytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BytesError::TooShort(error) => error.fmt(f),
            BytesError::Misaligned { needed, past } => {
                write!(
                    f,
                    "elements need an alignment of {needed} bytes, but these begin {past} past it"
                )
            }
        }
    }
}

impl core::error::Error for BytesError {}

impl BytesError {
    /// The error for bytes that are not aligned for `T`.
    pub(crate) fn misaligned<T>(bytes: &[u8]) -> BytesError {
        let needed = align_of::<T>();
        BytesError::Misaligned { needed, past: bytes.as_ptr().addr() % needed }
    }
}

/// Bytes that the layout takes, if the slice has at least as many and is aligned for elements.
fn needed<L: AnyLayout, T>(layout: &WithDims<L>, bytes: &[u8]) -> Result<usize, BytesError> {
    let (needed, given) = (layout.padded_elements() * size_of::<T>(), bytes.len());
    if given < needed {
        return Err(BytesError::TooShort(TooShort::new(needed, given, Needs::bytes::<L>())));
    }
    match BytesError::misaligned::<T>(bytes) {
        BytesError::Misaligned { past: 0, .. } => Ok(needed),
        error => Err(error),
    }
}

/// Views of bytes, given the bounds of the element type and the cast from bytes to elements.
macro_rules! views {
    ($view:ident [$($mutable:tt)?] of [$($bounds:tt)+], $cast:ident, $with_dims:ident) => {
        impl<'a, L: AnyLayout, T> $view<'a, L, T> {
            /// A view of the first `BYTES` bytes of a slice as elements. For layouts with sizes that are known only at run
            /// time, use [`WithDims`].
            ///
            /// # Errors
            /// If the slice has fewer bytes, or does not begin at a multiple of the element's alignment.
            ///
            /// # Examples
            /// ```
            /// use layout::{View, ViewMut, layout};
            ///
            /// type A = layout!(U8[3,5]{1,0:T(2,2)});
            /// let mut bytes = [0; A::BYTES];
            /// ViewMut::<A, u8>::of_bytes(&mut bytes)?[[2, 3]] = 7;
            /// assert_eq!((bytes[17], View::<A, u8>::of_bytes(&bytes)?[[2, 3]]), (7, 7));
            /// # Ok::<(), layout::BytesError>(())
            /// ```
            pub fn of_bytes(bytes: &'a $($mutable)? [u8]) -> Result<Self, BytesError>
            where
                L: StaticLayout,
                T: StoredIn<L> + $($bounds)+,
            {
                let () = T::HAS_SIZE;
                const { WithDims::<L>::known() }.$with_dims(bytes)
            }
        }

        impl<L: AnyLayout> WithDims<L> {
            /// A view of the first [`bytes`](Self::bytes) of a slice as elements.
            ///
            /// # Errors
            /// If there are fewer, or they do not begin at a multiple of the element's alignment.
            ///
            /// # Examples
            /// ```
            /// use layout::{BytesError, layout};
            ///
            /// type A = layout!(S32[3,5]{1,0:T(2,2)});
            /// let a = A::with_dims([3, 5])?;
            /// let data = [7; A::PADDED_ELEMENTS];
            /// let bytes: &[u8] = bytemuck::cast_slice(&data);
            /// assert_eq!(a.view_of_bytes::<i32>(bytes)?[[2, 3]], 7);
            /// let error = a.view_of_bytes::<i32>(&bytes[1..]).unwrap_err();
            /// assert_eq!(
            ///     error.to_string(),
            ///     "`s32[3,5]{1,0:T(2,2)}` needs 96 bytes, padding counted, and got 95",
            /// );
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn $with_dims<'a, T>(
                &self,
                bytes: &'a $($mutable)? [u8],
            ) -> Result<$view<'a, L, T>, BytesError>
            where
                T: StoredIn<L> + $($bounds)+,
            {
                let () = T::HAS_SIZE;
                let needed = needed::<L, T>(self, bytes)?;
                let slots = bytemuck::$cast(&$($mutable)? bytes[..needed]);
                $view::of(*self, slots).map_err(BytesError::TooShort)
            }
        }
    };
}

views! { View [] of [AnyBitPattern], cast_slice, view_of_bytes }
views! { ViewMut [mut] of [AnyBitPattern + NoUninit], cast_slice_mut, view_mut_of_bytes }
