//! Memory with a layout: owned, aligned buffers.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Index, IndexMut};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
use crate::memory::stored::StoredAs;
use crate::memory::view::{View, ViewMut};

/// Bytes to which a buffer is aligned where nothing else is asked: a cache line, and the widest
/// vector.
pub(crate) const ALIGNMENT: usize = 64;

/// Memory for an array with the layout `L`, its elements stored as `T`: `PADDED_ELEMENTS` of them,
/// aligned to 64 bytes or to what is asked. [`WithDims::filled`](crate::WithDims::filled) makes
/// buffers of layouts with dimensions that are known at run time only.
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
pub struct Buffer<L: AnyLayout, T> {
    /// The slots, behind as many elements as the alignment takes.
    data: Vec<T>,
    start: usize,
    alignment: usize,
    sizes: L::Sizes,
}

impl<L: AnyLayout, T: StoredAs<L::Element> + Default> Buffer<L, T> {
    /// A buffer in which every slot holds the default value, which of numbers is 0.
    pub fn zeroed() -> Self {
        Self::filled(T::default())
    }

    /// As [`zeroed`](Self::zeroed), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is no power of two, or so large that memory cannot be.
    #[track_caller]
    pub fn zeroed_aligned(alignment: usize) -> Self {
        Self::filled_aligned(T::default(), alignment)
    }
}

impl<L: AnyLayout, T: StoredAs<L::Element>> Buffer<L, T> {
    /// A buffer in which every slot, padding included, holds a value.
    pub fn filled(value: T) -> Self {
        Self::filled_aligned(value, ALIGNMENT)
    }

    /// As [`filled`](Self::filled), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is no power of two, or so large that memory cannot be.
    #[track_caller]
    pub fn filled_aligned(value: T, alignment: usize) -> Self {
        Self::of(const { compiled::known::<L>() }, value, alignment)
    }

    /// A buffer of a layout with these sizes.
    #[track_caller]
    pub(crate) fn of(sizes: L::Sizes, value: T, alignment: usize) -> Self {
        assert!(alignment.is_power_of_two(), "{alignment} is no power of two, so no alignment");
        // Elements are as large as their alignment or larger, so that fewer than this many lie in
        // front of an aligned one. The vector is never grown, so that it stays where it is.
        let slack = alignment.div_ceil(align_of::<T>()) - 1;
        let mut data = alloc::vec![value; compiled::slots::<L>(&sizes) + slack];
        let start = data.as_mut_ptr().align_offset(alignment);
        // Where the size of an element shares too little with the alignment, none is aligned.
        let start = if start <= slack { start } else { 0 };
        Buffer { data, start, alignment, sizes }
    }

    /// The buffer to read.
    pub fn as_view(&self) -> View<'_, L, T> {
        match View::of(self.sizes, self.as_slice()) {
            Ok(view) => view,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The buffer to read and write.
    pub fn as_view_mut(&mut self) -> ViewMut<'_, L, T> {
        match ViewMut::of(self.sizes, self.as_mut_slice()) {
            Ok(view) => view,
            Err(error) => unreachable!("{error}"),
        }
    }
}

impl<L: AnyLayout, T> Buffer<L, T> {
    /// The memory, padding included.
    pub fn as_slice(&self) -> &[T] {
        &self.data[self.start..][..compiled::slots::<L>(&self.sizes)]
    }

    /// The memory, padding included, to write.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data[self.start..][..compiled::slots::<L>(&self.sizes)]
    }
}

/// The copy is aligned as the original is.
impl<L: AnyLayout, T: StoredAs<L::Element>> Clone for Buffer<L, T> {
    fn clone(&self) -> Self {
        let Some(&first) = self.data.first() else {
            return Buffer { data: Vec::new(), ..*self };
        };
        let mut copy = Self::of(self.sizes, first, self.alignment);
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
    }
}

impl<L: AnyLayout, T: StoredAs<L::Element>> Index<L::Index> for Buffer<L, T> {
    type Output = T;

    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn index(&self, index: L::Index) -> &T {
        crate::memory::view::element::<L, T>(&self.sizes, self.as_slice(), &index)
    }
}

impl<L: AnyLayout, T: StoredAs<L::Element>> IndexMut<L::Index> for Buffer<L, T> {
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[track_caller]
    fn index_mut(&mut self, index: L::Index) -> &mut T {
        let sizes = self.sizes;
        crate::memory::view::element_mut::<L, T>(&sizes, self.as_mut_slice(), &index)
    }
}

impl<L: AnyLayout, T: StoredAs<L::Element> + fmt::Debug> fmt::Debug for Buffer<L, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A buffer in which every slot, padding included, holds a value.
    pub fn filled<T: StoredAs<L::Element>>(&self, value: T) -> Buffer<L, T> {
        self.filled_aligned(value, ALIGNMENT)
    }

    /// As [`filled`](Self::filled), aligned to a number of bytes.
    ///
    /// # Panics
    /// If the number is no power of two.
    #[track_caller]
    pub fn filled_aligned<T>(&self, value: T, alignment: usize) -> Buffer<L, T>
    where
        T: StoredAs<L::Element>,
    {
        Buffer::of(self.sizes(), value, alignment)
    }
}
