//! Walks over a layout, with memory: one iterator for reading and writing.
#![allow(unsafe_code, reason = "each item of a walk has slots of its own")]

use core::iter::FusedIterator;
use core::ops::Range;

use crate::memory::storage::Slots;
use crate::order::run::Run;

/// A walk whose items come with their elements or slots: what `iter`, `runs`, `rows`, `tiles` and `blocks` return, and their
/// `_mut`.
#[derive(Clone, Debug)]
pub struct Walked<W, S> {
    walk: W,
    slots: S,
}

/// What a walk comes to.
///
/// # Safety
/// `with` asks for slots of the item alone.
pub unsafe trait Lies<S: Slots>: Sized {
    /// The item with its elements or slots.
    type With;

    /// Adds them.
    ///
    /// # Safety
    /// As for [`Slots::stretch`], for all slots of the item.
    unsafe fn with(self, slots: &mut S) -> Self::With;
}

// SAFETY: an offset is that of one element.
unsafe impl<I, S: Slots> Lies<S> for (I, usize) {
    type With = (I, S::Item);

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Self::With {
        // SAFETY: the caller's promise.
        (self.0, unsafe { slots.item(self.1) })
    }
}

// SAFETY: it asks for the range.
unsafe impl<I, S: Slots> Lies<S> for (I, Range<usize>) {
    type With = (I, S::Stretch);

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Self::With {
        // SAFETY: the caller's promise.
        (self.0, unsafe { slots.stretch(self.1) })
    }
}

// SAFETY: it asks for the run.
unsafe impl<I, S: Slots> Lies<S> for Run<I> {
    type With = (Run<I>, S::Stretch);

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Self::With {
        // SAFETY: the caller's promise.
        let elements = unsafe { slots.stretch(self.range()) };
        (self, elements)
    }
}

impl<W, S> Walked<W, S> {
    /// # Safety
    /// The slots are those of the place that is walked over, and are borrowed for as long as its items live. If they can be written, the
    /// items share none.
    #[inline(always)]
    pub(crate) unsafe fn new(walk: W, slots: S) -> Self {
        Walked { walk, slots }
    }
}

impl<S: Slots, W: Iterator<Item: Lies<S>>> Iterator for Walked<W, S> {
    type Item = <W::Item as Lies<S>>::With;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: what the caller of `new` vouched for.
        self.walk.next().map(|item| unsafe { item.with(&mut self.slots) })
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

impl<S: Slots, W: DoubleEndedIterator<Item: Lies<S>>> DoubleEndedIterator for Walked<W, S> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Self::Item> {
        // SAFETY: what the caller of `new` vouched for.
        self.walk.next_back().map(|item| unsafe { item.with(&mut self.slots) })
    }
}

impl<S: Slots, W: ExactSizeIterator<Item: Lies<S>>> ExactSizeIterator for Walked<W, S> {}

impl<S: Slots, W: FusedIterator<Item: Lies<S>>> FusedIterator for Walked<W, S> {}

/// Items that have numbers: blocks, the elements of a row, values.
pub trait ByNumber {
    /// What has a number.
    type Item;

    /// The item of a number that there is.
    fn item(&self, number: usize) -> Self::Item;
}

/// Items in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Numbered<M> {
    of: M,
    left: Range<usize>,
}

impl<M> Numbered<M> {
    #[inline(always)]
    pub(crate) const fn new(of: M, count: usize) -> Self {
        Numbered { of, left: 0..count }
    }
}

impl<M: ByNumber> Iterator for Numbered<M> {
    type Item = M::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<M::Item> {
        self.left.next().map(|number| self.of.item(number))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<M::Item> {
        self.left.nth(n).map(|number| self.of.item(number))
    }
}

impl<M: ByNumber> DoubleEndedIterator for Numbered<M> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<M::Item> {
        self.left.next_back().map(|number| self.of.item(number))
    }
}

impl<M: ByNumber> ExactSizeIterator for Numbered<M> {}

impl<M: ByNumber> FusedIterator for Numbered<M> {}
