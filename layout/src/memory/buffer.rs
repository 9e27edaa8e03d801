//! Owned, aligned buffers.

use alloc::vec::Vec;

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::aligned::{ALIGNMENT, Aligned};
use crate::memory::error::MemoryError;
use crate::memory::stored::StoredIn;
use crate::memory::{Buffer, Memory, Place};

/// Constructors under the same names on `Buffer`, of a layout whose type has all sizes, and on `WithDims`.
// The first bound is that of `Buffer`. Both are written where the functions are: of one that stands here, an error of the compiler shows
// the whole macro.
macro_rules! constructors {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty
            where ($($static:tt)+) ($($bounds:tt)+) => |$layout:ident| $make:expr;
    )*) => {
        /// Constructors, for layouts whose sizes are all part of the type.
        impl<L: AnyLayout, T> Memory<WithDims<L>, Aligned<T>> {$(
            $(#[$doc])*
            pub fn $name($($argument: $type),*) -> $result
            where
                $($static)+,
                $($bounds)+,
            {
                let () = T::HAS_SIZE;
                let $layout = const { WithDims::<L>::known() };
                $make
            }
        )*}

        /// The constructors of [`Buffer`], for any layout.
        impl<L: AnyLayout> WithDims<L> {$(
            $(#[$doc])*
            #[allow(clippy::wrong_self_convention, reason = "the names are those of `Buffer`")]
            pub fn $name<T>(&self $(, $argument: $type)*) -> $result
            where
                $($bounds)+,
            {
                let () = T::HAS_SIZE;
                let $layout = *self;
                $make
            }
        )*}
    };
}

#[cfg(feature = "relayout")]
pub(crate) use constructors;

constructors! {
    /// A buffer in which every slot holds the default value (0 for numbers).
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(F32[3,5]{1,0:T(2,2)})>::zeroed();
    /// assert_eq!(buffer.as_slice(), [0.0; 24]);
    ///
    /// type Rows = layout!(F32[?,5]{1,0:T(2,2)});
    /// assert_eq!(Rows::with_dims([3, 5])?.zeroed::<f32>().as_slice(), buffer.as_slice());
    /// # Ok::<(), layout::shape::Fault>(())
    /// ```
    #[must_use]
    fn zeroed() -> Buffer<L, T>
        where (L: StaticLayout) (T: StoredIn<L> + Default) => |layout| Buffer::full_of(layout, T::default(), ALIGNMENT);

    /// Like [`zeroed`](Self::zeroed), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is not a power of two, or if so much memory cannot be allocated.
    #[track_caller]
    #[must_use]
    fn zeroed_aligned(alignment: usize) -> Buffer<L, T>
        where (L: StaticLayout) (T: StoredIn<L> + Default) => |layout| Buffer::full_of(layout, T::default(), alignment);

    /// A buffer in which every slot, padding included, holds a value.
    #[must_use]
    fn filled(value: T) -> Buffer<L, T>
        where (L: StaticLayout) (T: StoredIn<L>) => |layout| Buffer::full_of(layout, value, ALIGNMENT);

    /// Like [`filled`](Self::filled), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is not a power of two, or if so much memory cannot be allocated.
    #[track_caller]
    #[must_use]
    fn filled_aligned(value: T, alignment: usize) -> Buffer<L, T>
        where (L: StaticLayout) (T: StoredIn<L>) => |layout| Buffer::full_of(layout, value, alignment);

    /// A buffer with the elements that a function returns for their indices. It is called in row-major
    /// order; padding holds the default value (0 for numbers).
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let buffer = Buffer::<A>::from_fn(|[i, j]| 10 * i as i32 + j as i32);
    /// assert_eq!(buffer[[2, 3]], 23);
    /// assert_eq!(buffer.as_slice()[8..12], [4, 0, 14, 0]);
    /// ```
    #[must_use]
    fn from_fn(element: impl FnMut(L::Index) -> T) -> Buffer<L, T>
        where (L: StaticLayout) (T: StoredIn<L> + Default) => |layout| {
            let (mut buffer, mut element) = (Buffer::full_of(layout, T::default(), ALIGNMENT), element);
            for (index, offset) in layout.indices_row_major() {
                buffer.slots[offset] = element(index);
            }
            buffer
        };

    /// A buffer of the slots in a vector, padding included, which are not copied. It is aligned as the
    /// vector is: to the alignment of the element, and not to 64 bytes as other buffers are.
    ///
    /// # Errors
    /// If the vector does not have as many slots as the layout, padding counted.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let slots = (0..24).collect::<Vec<i32>>();
    /// let at = slots.as_ptr();
    /// let buffer = Buffer::<A>::from_vec(slots)?;
    /// assert_eq!((buffer[[2, 3]], buffer.as_slice().as_ptr()), (17, at));
    /// assert!(Buffer::<A>::from_vec(vec![0; 15]).is_err());
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    fn from_vec(slots: Vec<T>) -> Result<Buffer<L, T>, MemoryError>
        where (L: StaticLayout) (T: StoredIn<L>) => |layout| {
            MemoryError::check_length(layout.padded_elements(), slots.len())?;
            Ok(Memory::of_parts(layout, Aligned::of_vec(slots)))
        };
}

// This looks at no type: the public functions do, so that an error of the compiler names the user's line.
impl<L: AnyLayout, T: Copy> Memory<WithDims<L>, Aligned<T>> {
    #[track_caller]
    fn full_of(layout: WithDims<L>, value: T, alignment: usize) -> Self {
        Memory::of_parts(layout, Aligned::filled(value, layout.padded_elements(), alignment))
    }
}

/// The slots of a buffer.
impl<P: Place, T> Memory<P, Aligned<T>> {
    /// The memory, padding included.
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }

    /// The memory, padding included, to write.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots
    }

    /// The slots, padding included. They are not copied, but moved to the start of the vector where
    /// alignment left elements before them; those of `from_vec` stay.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[2,2]{0,1}), i32>::from_fn(|[i, j]| (2 * i + j) as i32);
    /// assert_eq!(buffer.into_vec(), [0, 2, 1, 3]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        self.slots.into_vec()
    }

    /// The buffer to read and write.
    #[inline(always)]
    #[must_use]
    pub fn as_view_mut(&mut self) -> Memory<P, &mut [T]> {
        Memory::of_parts(self.place.clone(), &mut self.slots)
    }
}

/// A buffer of zeros, as `zeroed` makes it.
impl<L: StaticLayout, T: StoredIn<L> + Default> Default for Memory<WithDims<L>, Aligned<T>> {
    fn default() -> Self {
        Self::zeroed()
    }
}
