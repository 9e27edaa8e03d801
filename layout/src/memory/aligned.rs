//! Owned memory that begins at a multiple of a number of bytes.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// Bytes to which a buffer is aligned where nothing else is asked: a cache line, and the widest
/// vector.
pub(crate) const ALIGNMENT: usize = 64;

/// Appends elements to a vector: a function writes them, and returns the memory that it was given.
#[allow(unsafe_code, reason = "the length of a vector is set after its elements are written")]
#[inline]
pub(crate) fn append_written<T>(
    data: &mut Vec<T>,
    elements: usize,
    write: impl FnOnce(&mut [MaybeUninit<T>]) -> &mut [T],
) {
    data.reserve_exact(elements);
    let before = data.len();
    let memory = &mut data.spare_capacity_mut()[..elements];
    let place = memory.as_ptr().cast::<T>();
    let written = write(memory);
    assert!(written.as_ptr() == place && written.len() == elements, "all slots are written");
    // SAFETY: the vector has room for them, and they are initialised, since there was a `&mut [T]` of all of them: of the same address
    // and length, and of a lifetime in which nothing else gives access to that memory.
    unsafe { data.set_len(before + elements) };
}

/// Elements are as large as their alignment or larger, so that at most this many lie before an aligned one.
const fn slack<T>(alignment: usize) -> usize {
    alignment.div_ceil(align_of::<T>()) - 1
}

/// Elements before an aligned one. Where the size of an element shares too little with the alignment, none is aligned.
fn before_aligned<T>(memory: *const T, alignment: usize) -> usize {
    let start = memory.align_offset(alignment);
    if start <= slack::<T>(alignment) { start } else { 0 }
}

/// The slots of a buffer: as a slice, to which it dereferences.
#[derive(Debug)]
pub struct Aligned<T> {
    /// Unused elements up to the alignment, then the slots.
    data: Vec<T>,
    start: usize,
    slots: usize,
    alignment: usize,
}

impl<T> Aligned<T> {
    /// `slots` slots, each with the value.
    #[track_caller]
    pub(crate) fn filled(value: T, slots: usize, alignment: usize) -> Self
    where
        T: Copy,
    {
        assert!(alignment.is_power_of_two(), "the alignment {alignment} is not a power of two");
        // The vector is never grown, so that it stays where it is.
        let data = alloc::vec![value; slots + slack::<T>(alignment)];
        let start = before_aligned(data.as_ptr(), alignment);
        Aligned { data, start, slots, alignment }
    }

    /// `slots` slots that a function writes: it returns the memory that it was given. `unused` is what stands before them.
    pub(crate) fn written(
        unused: T,
        slots: usize,
        alignment: usize,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> &mut [T],
    ) -> Self
    where
        T: Copy,
    {
        let mut data = Vec::with_capacity(slots + slack::<T>(alignment));
        let start = before_aligned(data.as_ptr(), alignment);
        data.resize(start, unused);
        append_written(&mut data, slots, write);
        Aligned { data, start, slots, alignment }
    }

    /// The slots of a vector, where it has them.
    pub(crate) fn of_vec(data: Vec<T>) -> Self {
        let slots = data.len();
        Aligned { data, start: 0, slots, alignment: align_of::<T>() }
    }

    /// Leaves the first slots alone.
    pub(crate) fn truncate(&mut self, slots: usize) {
        self.slots = self.slots.min(slots);
    }

    /// The slots, moved to the start of their vector.
    pub(crate) fn into_vec(mut self) -> Vec<T> {
        self.data.truncate(self.start + self.slots);
        self.data.drain(..self.start);
        self.data
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.data[self.start..][..self.slots]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.data[self.start..][..self.slots]
    }
}

impl<T> AsRef<[T]> for Aligned<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> AsMut<[T]> for Aligned<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

/// The copy is aligned as the original is.
impl<T: Copy> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let Some(&first) = self.data.first() else { return Aligned::of_vec(Vec::new()) };
        let mut copy = Self::filled(first, self.slots, self.alignment);
        copy.copy_from_slice(self);
        copy
    }
}
