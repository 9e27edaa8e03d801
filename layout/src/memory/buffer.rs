//! Memory with a layout: owned, aligned buffers.

#[cfg(feature = "alloc")]
pub(crate) mod aligned;

use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::buffer::aligned::{ALIGNMENT, Aligned};
use crate::memory::stored::{DefaultOf, StoredIn};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;

/// A list that is too short or too long for an array.
///
/// # Examples
/// ```
/// use layout::{Buffer, layout};
///
/// let error = Buffer::<layout!(S32[3,5]), i32>::from_row_major(&[7; 14]).unwrap_err();
/// assert_eq!((error.needed, error.given), (15, 14));
/// assert_eq!(error.to_string(), "the array needs 15 elements, and got 14");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongLength {
    /// Number of elements that the array needs; for [`from_vec`](Buffer::from_vec) with its padding.
    pub needed: usize,
    /// Number of elements in the list.
    pub given: usize,
}

impl WrongLength {
    /// Checks that a list has exactly the elements that the array needs.
    pub(crate) const fn check(needed: usize, given: usize) -> Result<(), WrongLength> {
        if needed == given { Ok(()) } else { Err(WrongLength { needed, given }) }
    }
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongLength { needed, given } = self;
        write!(f, "the array needs {needed} elements, and got {given}")
    }
}

impl core::error::Error for WrongLength {}

/// Owned memory for an array with the layout `L` and elements of type `T`.
///
/// It holds `PADDED_ELEMENTS` elements, aligned to 64 bytes or to the alignment that you ask for.
/// [`zeroed`](Self::zeroed), [`from_fn`](Self::from_fn) and `from_row_major` make a buffer, `buffer[[i, j]]` is an
/// element, and [`as_slice`](Self::as_slice) is the memory. [`as_view`](Self::as_view) gives the [`View`] that functions
/// take, [`as_view_mut`](Self::as_view_mut) the [`ViewMut`].
///
/// These constructors need a layout whose type has all sizes. For sizes that are known only at run time, [`WithDims`] has
/// constructors of the same names.
///
/// # Examples
/// ```
/// use layout::{Buffer, layout};
///
/// type A = layout!(F32[512,1024]{1,0:T(8,128)});
/// let mut buffer = Buffer::<A, f32>::zeroed();
/// buffer[[3, 700]] = 1.0;
/// assert_eq!(buffer.as_slice()[A::offset([3, 700])], 1.0);
/// assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(64));
/// ```
pub struct Buffer<L: AnyLayout, T = DefaultOf<L>> {
    pub(super) layout: WithDims<L>,
    /// At least the slots of `layout`: more after a change to a layout that takes less memory.
    slots: Aligned<T>,
}

/// Constructors under the same names on `Buffer`, of a layout whose type has all sizes, and on `WithDims`.
macro_rules! constructors {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty
            where T: $($bound:ident)? => |$layout:ident| $make:expr;
    )*) => {
        /// Constructors, for layouts whose sizes are all part of the type.
        impl<L: AnyLayout, T> Buffer<L, T> {$(
            $(#[$doc])*
            pub fn $name($($argument: $type),*) -> $result
            where
                L: $crate::StaticLayout,
                T: $crate::StoredIn<L> $(+ $bound)?,
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
                T: StoredIn<L> $(+ $bound)?,
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
    /// # Ok::<(), layout::Fault>(())
    /// ```
    #[must_use]
    fn zeroed() -> Buffer<L, T> where T: Default => |layout| Buffer::of_default(layout);

    /// Like [`zeroed`](Self::zeroed), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is not a power of two, or if so much memory cannot be allocated.
    #[track_caller]
    #[must_use]
    fn zeroed_aligned(alignment: usize) -> Buffer<L, T>
        where T: Default => |layout| Buffer::of(layout, T::default(), alignment);

    /// A buffer in which every slot, padding included, holds a value.
    #[must_use]
    fn filled(value: T) -> Buffer<L, T> where T: => |layout| Buffer::of(layout, value, ALIGNMENT);

    /// Like [`filled`](Self::filled), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is not a power of two, or if so much memory cannot be allocated.
    #[track_caller]
    #[must_use]
    fn filled_aligned(value: T, alignment: usize) -> Buffer<L, T>
        where T: => |layout| Buffer::of(layout, value, alignment);

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
        where T: Default => |layout| Buffer::of_fn(layout, element);

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
    /// # Ok::<(), layout::WrongLength>(())
    /// ```
    fn from_vec(slots: Vec<T>) -> Result<Buffer<L, T>, WrongLength>
        where T: => |layout| Buffer::of_vec(layout, slots);
}

// These look at no type: the public functions do, so that an error of the compiler names the user's line.
impl<L: AnyLayout, T> Buffer<L, T> {
    /// The one constructor that allocates.
    #[track_caller]
    pub(crate) fn of(layout: WithDims<L>, value: T, alignment: usize) -> Self
    where
        T: Copy,
    {
        Buffer { slots: Aligned::filled(value, layout.padded_elements(), alignment), layout }
    }

    /// Of slots that a function writes, all of them: it returns the memory that it was given.
    pub(crate) fn of_written(
        layout: WithDims<L>,
        unused: T,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> &mut [T],
    ) -> Self
    where
        T: Copy,
    {
        let slots = layout.padded_elements();
        Buffer { slots: Aligned::written(unused, slots, ALIGNMENT, write), layout }
    }

    /// Of default values, aligned as buffers are.
    pub(crate) fn of_default(layout: WithDims<L>) -> Self
    where
        T: Copy + Default,
    {
        Self::of(layout, T::default(), ALIGNMENT)
    }

    fn of_fn(layout: WithDims<L>, mut element: impl FnMut(L::Index) -> T) -> Self
    where
        T: Copy + Default,
    {
        let mut buffer = Self::of_default(layout);
        let slots = buffer.as_mut_slice();
        for (index, offset) in layout.indices_row_major() {
            slots[offset] = element(index);
        }
        buffer
    }

    fn of_vec(layout: WithDims<L>, slots: Vec<T>) -> Result<Self, WrongLength> {
        WrongLength::check(layout.padded_elements(), slots.len())?;
        Ok(Buffer { slots: Aligned::of_vec(slots), layout })
    }

    /// This memory with another layout, which must not need more slots.
    pub(crate) fn with_layout<B: AnyLayout>(self, layout: WithDims<B>) -> Buffer<B, T> {
        Buffer { layout, slots: self.slots }
    }

    /// The memory, padding included.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.slots[..self.layout.padded_elements()]
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots[..self.layout.padded_elements()]
    }

    /// The slots, padding included. They are not copied, but moved to the start of the vector where
    /// alignment left elements before them; those of [`from_vec`](Self::from_vec) stay.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[2,2]{0,1}), i32>::from_fn(|[i, j]| (2 * i + j) as i32);
    /// assert_eq!(buffer.into_vec(), [0, 2, 1, 3]);
    /// ```
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        let mut slots = self.slots.into_vec();
        slots.truncate(self.layout.padded_elements());
        slots
    }

    /// The buffer to read.
    #[must_use]
    pub fn as_view(&self) -> View<'_, L, T> {
        View::of_slots(self.layout, self.as_slice())
    }

    /// The buffer to read and write.
    #[must_use]
    pub fn as_view_mut(&mut self) -> ViewMut<'_, L, T> {
        ViewMut::of_slots(self.layout, self.as_mut_slice())
    }
}

/// The copy is aligned as the original is.
impl<L: AnyLayout, T: Copy> Clone for Buffer<L, T> {
    fn clone(&self) -> Self {
        Buffer { slots: self.slots.clone(), layout: self.layout }
    }
}

/// [`Buffer::zeroed`].
impl<L: StaticLayout, T: StoredIn<L> + Default> Default for Buffer<L, T> {
    fn default() -> Self {
        Self::zeroed()
    }
}
