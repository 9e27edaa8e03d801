//! Owned memory that begins at a multiple of a number of bytes.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// Bytes to which a buffer is aligned where nothing else is asked: a cache line, and the widest
/// vector.
pub(crate) const ALIGNMENT: usize = 64;

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
        // Elements are as large as their alignment or larger, so that fewer than this many lie before
        // an aligned one. The vector is never grown, so that it stays where it is.
        let slack = alignment.div_ceil(align_of::<T>()) - 1;
        let mut data = alloc::vec![value; slots + slack];
        let start = data.as_mut_ptr().align_offset(alignment);
        // Where the size of an element shares too little with the alignment, none is aligned.
        let start = if start <= slack { start } else { 0 };
        Aligned { data, start, slots, alignment }
    }

    /// The slots of a vector, where it has them.
    pub(crate) fn of_vec(data: Vec<T>) -> Self {
        let slots = data.len();
        Aligned { data, start: 0, slots, alignment: align_of::<T>() }
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

/// The copy is aligned as the original is.
impl<T: Copy> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let Some(&first) = self.data.first() else { return Aligned::of_vec(Vec::new()) };
        let mut copy = Self::filled(first, self.slots, self.alignment);
        copy.copy_from_slice(self);
        copy
    }
}
