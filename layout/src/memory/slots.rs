//! Slots to read or to write, one after another.

use core::iter::FusedIterator;
use core::mem;

use crate::walk::run::Run;

/// Consecutive slots that can be divided: `&[T]` or `&mut [T]`.
pub(crate) trait Slots: Default {
    fn divide(self, at: usize) -> (Self, Self);
}

#[cfg(feature = "rayon")]
impl<T> Slots for &[T] {
    fn divide(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T> Slots for &mut [T] {
    #[inline(always)]
    fn divide(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// Runs in the order of memory with their elements, of slots whose first one has the offset `start`.
#[inline(always)]
pub(crate) fn with_slots<I, S: Slots>(
    runs: impl FusedIterator<Item = Run<I>>,
    slots: S,
    mut start: usize,
) -> impl FusedIterator<Item = (Run<I>, S)> {
    let mut rest = slots;
    runs.map(move |run| {
        let (_, from_here) = mem::take(&mut rest).divide(run.offset - start);
        let (elements, after) = from_here.divide(run.length);
        rest = after;
        start = run.offset + run.length;
        (run, elements)
    })
}
