//! Owned memory that begins at a multiple of a number of bytes.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// Bytes to which a buffer is aligned where nothing else is asked: a cache line, and the widest
/// vector.
pub(crate) const ALIGNMENT: usize = 64;

/// A vector of exactly so many slots, which a function writes as it does those of [`Aligned::written`].
pub(crate) fn written_vec<T: Copy>(
    unused: T,
    slots: usize,
    write: impl FnOnce(&mut [MaybeUninit<T>]) -> &mut [T],
) -> Vec<T> {
    // No elements stand before the slots, since a vector is aligned as its elements are.
    Aligned::written(unused, slots, align_of::<T>(), write).into_vec()
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
        // Elements are as large as their alignment or larger, so that fewer than this many lie before
        // an aligned one. The vector is never grown, so that it stays where it is.
        let slack = alignment.div_ceil(align_of::<T>()) - 1;
        let mut data = alloc::vec![value; slots + slack];
        let start = data.as_mut_ptr().align_offset(alignment);
        // Where the size of an element shares too little with the alignment, none is aligned.
        let start = if start <= slack { start } else { 0 };
        Aligned { data, start, slots, alignment }
    }

    /// `slots` slots that a function writes: it returns the memory that it was given. `unused` is what stands before them.
    #[allow(unsafe_code, reason = "the length of a vector is set after its elements are written")]
    pub(crate) fn written(
        unused: T,
        slots: usize,
        alignment: usize,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> &mut [T],
    ) -> Self
    where
        T: Copy,
    {
        let slack = alignment.div_ceil(align_of::<T>()) - 1;
        let mut data = Vec::with_capacity(slots + slack);
        let memory: &mut [MaybeUninit<T>] = data.spare_capacity_mut();
        let start = memory.as_mut_ptr().align_offset(alignment);
        let start = if start <= slack { start } else { 0 };
        memory[..start].fill(MaybeUninit::new(unused));
        let to_write = &mut memory[start..][..slots];
        let place = to_write.as_ptr().cast::<T>();
        let written = write(to_write);
        assert!(written.as_ptr() == place && written.len() == slots, "all slots are written");
        // SAFETY: the vector has room for them. Those before `start` were just written. The others are initialised, since there is a `&mut
        // [T]` of all of them: of the same address and length, and of a lifetime in which nothing else gives access to that memory.
        unsafe { data.set_len(start + slots) };
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
