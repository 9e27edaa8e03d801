//! Arrays row by row, whether the elements of a row are consecutive or not.
#![allow(unsafe_code, reason = "the memory of rows can be interleaved, which slices cannot say")]

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Index, IndexMut};

use crate::memory::storage::{Addressed, AddressedMut, Slots, SpreadMut, Storage};
use crate::memory::walked::{ByNumber, Lies, Numbered, Walked};
use crate::order::run::Run;

/// Elements that are evenly spaced in memory along the most minor dimension: see [`Memory::rows`](crate::memory::Memory::rows).
///
/// Rows share no element, so threads can write different ones at the same time although their memory can be interleaved.
#[derive(Clone, Copy)]
pub struct Row<I, S = ()> {
    run: Run<I>,
    /// The dimension along which it goes.
    dim: usize,
    stride: usize,
    slots: S,
}

/// The rows of a walk, without memory.
#[derive(Clone, Debug)]
pub struct Rows<W> {
    walk: W,
    dim: usize,
    stride: usize,
}

impl<W> Rows<W> {
    #[inline(always)]
    pub(crate) const fn new(walk: W, dim: usize, stride: usize) -> Self {
        Rows { walk, dim, stride }
    }
}

impl<I, W: Iterator<Item = Run<I>>> Iterator for Rows<W> {
    type Item = Row<I>;

    #[inline(always)]
    fn next(&mut self) -> Option<Row<I>> {
        let run = self.walk.next()?;
        Some(Row { run, dim: self.dim, stride: self.stride, slots: () })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

impl<I, W: FusedIterator<Item = Run<I>>> FusedIterator for Rows<W> {}

// SAFETY: a row asks for its elements alone.
unsafe impl<I, S: Slots> Lies<S> for Row<I> {
    type With = Row<I, S>;

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Row<I, S> {
        let Row { run, dim, stride, .. } = self;
        // SAFETY: the caller's promise.
        Row { run, dim, stride, slots: unsafe { slots.alias() } }
    }
}

impl<I: Copy + AsMut<[usize]>> ByNumber for Row<I> {
    type Item = (I, usize);

    #[inline(always)]
    fn item(&self, number: usize) -> (I, usize) {
        let mut index = self.run.index;
        if let Some(at) = index.as_mut().get_mut(self.dim) {
            *at += number;
        }
        (index, self.run.offset + number * self.stride)
    }
}

/// The elements of a row: indices with offsets.
pub type RowOffsets<I> = Numbered<Row<I>>;

// A row has an element at least.
#[allow(clippy::len_without_is_empty, reason = "it would always be false")]
impl<I: Copy + AsMut<[usize]>, S> Row<I, S> {
    /// Index of the first element, dimension 0 first. In a slice it counts from the slice's first element on.
    #[inline(always)]
    #[must_use]
    pub fn index(&self) -> I {
        self.run.index
    }

    /// Offset of the first element, in elements.
    #[inline(always)]
    #[must_use]
    pub fn offset(&self) -> usize {
        self.run.offset
    }

    /// Number of elements, at least 1.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.run.length
    }

    /// Slots of memory from one element of the row to the next.
    #[inline(always)]
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    #[inline(always)]
    fn offsets(&self) -> RowOffsets<I> {
        // Field by field, so that all stay in registers.
        let Row { run: Run { index, offset, length }, dim, stride, .. } = *self;
        let row = Row { run: Run { index, offset, length }, dim, stride, slots: () };
        Numbered::new(row, length)
    }

    /// The offset of an element; `None` past the end.
    #[inline(always)]
    fn find(&self, at: usize) -> Option<usize> {
        (at < self.run.length).then(|| self.run.offset + at * self.stride)
    }
}

impl<I: Copy + AsMut<[usize]>, S: Storage> Row<I, S> {
    /// The elements with their indices, in the order of the row.
    #[inline(always)]
    pub fn indexed_iter(&self) -> Walked<RowOffsets<I>, S::Shared<'_>> {
        // SAFETY: these are the elements of the row.
        unsafe { Walked::new(self.offsets(), self.slots.shared()) }
    }

    /// An element of the row; `None` past its end.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<<S::Shared<'_> as Slots>::Item> {
        // SAFETY: it is an element of the row.
        self.find(at).map(|slot| unsafe { self.slots.shared().item(slot) })
    }

    /// The elements as a slice, where they are consecutive: if the [`stride`](Self::stride) is 1. Loops over it are faster.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> Option<<S::Shared<'_> as Slots>::Stretch> {
        // SAFETY: these are the elements of the row.
        (self.stride == 1).then(|| unsafe { self.slots.shared().stretch(self.run.range()) })
    }
}

impl<I: Copy + AsMut<[usize]>, S: AddressedMut> Row<I, S> {
    /// The elements with their indices, to write.
    #[inline(always)]
    pub fn indexed_iter_mut(&mut self) -> Walked<RowOffsets<I>, SpreadMut<'_, S::Elem>> {
        // SAFETY: these are the elements of the row, which is borrowed, and each has a slot of its own, since the stride is not 0.
        unsafe { Walked::new(self.offsets(), self.slots.spread()) }
    }

    /// An element of the row, to write; `None` past its end.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut S::Elem> {
        // SAFETY: it is an element of the row.
        self.find(at).map(|slot| unsafe { self.slots.spread().item(slot) })
    }
}

/// The elements with their indices, for as long as the array is borrowed.
impl<I: Copy + AsMut<[usize]>, S: Slots> IntoIterator for Row<I, S> {
    type Item = (I, S::Item);
    type IntoIter = Walked<RowOffsets<I>, S>;

    #[inline(always)]
    fn into_iter(self) -> Walked<RowOffsets<I>, S> {
        // SAFETY: these are the elements of the row, which is gone.
        unsafe { Walked::new(self.offsets(), self.slots) }
    }
}

impl<I: Copy + AsMut<[usize]>, S: Addressed> Index<usize> for Row<I, S> {
    type Output = S::Elem;

    /// # Panics
    /// Past the end of the row.
    #[inline(always)]
    #[track_caller]
    fn index(&self, at: usize) -> &S::Elem {
        match self.find(at) {
            // SAFETY: it is an element of the row.
            Some(slot) => unsafe { self.slots.at(slot) },
            None => past_the_end(at, self.run.length),
        }
    }
}

impl<I: Copy + AsMut<[usize]>, S: AddressedMut> IndexMut<usize> for Row<I, S> {
    /// # Panics
    /// Past the end of the row.
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, at: usize) -> &mut S::Elem {
        let length = self.run.length;
        match self.get_mut(at) {
            Some(element) => element,
            None => past_the_end(at, length),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn past_the_end(at: usize, length: usize) -> ! {
    panic!("element {at} is past the end of a row of {length}")
}

impl<I: fmt::Debug, S> fmt::Debug for Row<I, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("run", &self.run).finish_non_exhaustive()
    }
}
