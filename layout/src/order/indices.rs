//! Indices in the order of memory and in row-major order, and padding.

use core::ops::Range;

use layout_core::__private::{NATIVE, Position, copy_sizes, native};
use layout_core::analysis::Term;
use layout_core::{Digits, Size};

use crate::compiled::{self, AnyLayout, find};
use crate::order::odometer::advance;
use crate::order::run::{Run, RunWalk, count, count_up, index, walk};

/// Indices with their offsets in the order of memory: see [`Array::indices`](crate::Array::indices).
pub struct Indices<L: AnyLayout> {
    runs: RunWalk<L, false>,
    run: Option<Run<L::Index>>,
    /// Indices that are left. Loops that do not ask for it do not count it.
    left: usize,
}

impl<L: AnyLayout> Indices<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let mut runs = RunWalk::new(sizes);
        let run = runs.next();
        Indices { runs, run, left: L::dims(&sizes).as_ref().iter().product() }
    }
}

impl<L: AnyLayout> Iterator for Indices<L> {
    type Item = (L::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(L::Index, usize)> {
        let run = self.run.as_mut()?;
        let item = (run.index, run.offset);
        if run.length > 1 {
            run.index.as_mut()[const { L::WALK.dim() }] += 1;
            run.offset += 1;
            run.length -= 1;
        } else {
            self.run = self.runs.next();
        }
        self.left = self.left.wrapping_sub(1);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for Indices<L> {}

walk! { Indices<L> { run, runs, left } }

/// Indices with their offsets in row-major order: see [`Array::indices_row_major`](crate::Array::indices_row_major).
pub struct IndicesRowMajor<L: AnyLayout> {
    /// Of length 0 at the end.
    sizes: L::Sizes,
    position: Position,
}

impl<L: AnyLayout> IndicesRowMajor<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let is_empty = L::dims(&sizes).as_ref().contains(&0);
        let position = Position { length: Size::from(!is_empty), ..Position::START };
        IndicesRowMajor { position, sizes }
    }

    /// Goes on to the next index. The offset is carried along where digits are taken of single
    /// coordinates; unrolled as for runs.
    #[inline(always)]
    fn advance(&mut self) {
        if const { !L::DIGITS.is_sum_of_coordinates() } {
            self.step();
            return;
        }
        count_up! {
            L::COUNTERS, number => row_major_counter(L::DIGITS, number),
            counter => count::<L>(&self.sizes, &mut self.position, &counter)
        }
        self.position.length = 0;
    }

    /// Indices that are left: those that do not come before the position.
    fn left(&self) -> usize {
        if self.position.length == 0 {
            return 0;
        }
        let (mut all, mut before) = (1, 0);
        for (size, at) in L::dims(&self.sizes).as_ref().iter().zip(&self.position.index) {
            (all, before) = (all * size, before * size + native(*at));
        }
        all - before
    }

    /// Goes on to the next index and computes its offset.
    fn step(&mut self) {
        let dims = L::dims(&self.sizes);
        let mut next = index::<L>(&self.position);
        let order = (0..dims.as_ref().len()).rev();
        let has_next = advance(next.as_mut(), order, |dim| (1, dims.as_ref()[dim]));
        copy_sizes(next.as_ref(), &mut self.position.index[..next.as_ref().len()]);
        self.position.offset = find::find_unchecked::<L, NATIVE>(&self.sizes, &next) as Size;
        self.position.length = Size::from(has_next);
    }
}

impl<L: AnyLayout> Iterator for IndicesRowMajor<L> {
    type Item = (L::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(L::Index, usize)> {
        if self.position.length == 0 {
            return None;
        }
        let item = (index::<L>(&self.position), native(self.position.offset));
        self.advance();
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left();
        (left, Some(left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for IndicesRowMajor<L> {}

walk! { IndicesRowMajor<L> { position, sizes } }

/// Ranges of slots that hold no element: see [`Array::paddings`](crate::Array::paddings).
pub struct Paddings<L: AnyLayout> {
    runs: RunWalk<L, false>,
    end: usize,
}

impl<L: AnyLayout> Paddings<L> {
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        Paddings { runs: RunWalk::new(sizes), end: 0 }
    }
}

impl<L: AnyLayout> Iterator for Paddings<L> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let start = self.end;
            let Some(run) = self.runs.next() else {
                self.end = compiled::slots::<L>(&self.runs.sizes);
                return (start < self.end).then_some(start..self.end);
            };
            self.end = run.offset + run.length;
            if start < run.offset {
                return Some(start..run.offset);
            }
        }
    }
}

walk! { Paddings<L> { end, runs } }

/// Digit number `number` in row-major order, for layouts in which no digit is taken of a sum. Digits of the last
/// dimension come first; within a dimension, the digit of its single elements does.
const fn row_major_counter(digits: &Digits, number: usize) -> Term {
    let mut counted = 0;
    each!(for dim in (0..digits.rank()).rev() {
        let mut above = 0;
        loop {
            let mut next: Option<&Term> = None;
            each!(for term in digits.terms() {
                match next {
                    _ if term.digit.source != dim || term.digit.div <= above => {}
                    Some(next) if next.digit.div <= term.digit.div => {}
                    _ => next = Some(term),
                }
            });
            let Some(term) = next else { break };
            if counted == number {
                return *term;
            }
            counted += 1;
            above = term.digit.div;
        }
    });
    panic!("there are fewer digits")
}
