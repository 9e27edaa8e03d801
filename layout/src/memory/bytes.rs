//! Views of bytes, by the crate `bytemuck`.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::{Memory, View, ViewMut, error::BYTES, error::MemoryError, stored::StoredIn};

/// Views of bytes, given the bounds of the element type and the cast from bytes to elements.
macro_rules! views {
    ($view:ident ($($mutable:tt)?) $first:ident, [$($bounds:tt)+], $cast:ident, $with_dims:ident) => {
        impl<'a, L: AnyLayout, T> Memory<WithDims<L>, &'a $($mutable)? [T]> {
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
            /// # Ok::<(), layout::MemoryError>(())
            /// ```
            pub fn of_bytes(bytes: &'a $($mutable)? [u8]) -> Result<Self, MemoryError>
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
            pub fn $with_dims<'a, T>(
                &self,
                bytes: &'a $($mutable)? [u8],
            ) -> Result<$view<'a, L, T>, MemoryError>
            where
                T: StoredIn<L> + $($bounds)+,
            {
                let () = T::HAS_SIZE;
                let bytes = MemoryError::$first::<L, u8>(bytes, self.padded_elements() * size_of::<T>(), BYTES)?;
                MemoryError::check_aligned::<T>(bytes)?;
                Ok(Memory::of_parts(*self, bytemuck::$cast(bytes)))
            }
        }
    };
}

views! { View () first, [AnyBitPattern], cast_slice, view_of_bytes }
views! { ViewMut (mut) first_mut, [AnyBitPattern + NoUninit], cast_slice_mut, view_mut_of_bytes }
