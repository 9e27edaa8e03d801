//! The stretches along a line of elements, one after another.

use layout_core::analysis::{Digit, DigitsView};
use layout_core::base::width::least;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS};
use layout_core::{Size, each};

use crate::stretch::{STILL, Stretch, digit_along};

impl Stretch {
    /// What follows the first elements.
    const fn skip(self, count: Size) -> Stretch {
        let Stretch { offset, stride, length } = self;
        let offset = offset.wrapping_add(stride.wrapping_mul(count));
        Stretch { offset, stride, length: length - count }
    }

    // Modulo 2⁶⁴: strides may be below 0, and larger than memory where there is no element to step to.
    const fn with(self, other: Stretch, factor: Size) -> Stretch {
        Stretch {
            offset: self.offset.wrapping_add(other.offset.wrapping_mul(factor)),
            stride: self.stride.wrapping_add(other.stride.wrapping_mul(factor)),
            length: least(self.length, other.length),
        }
    }

    /// Goes on to a digit of a source that has gone `count` steps, no more than until the digit breaks.
    #[inline(always)]
    const fn follow(&mut self, digit: &Digit, source: &Source, count: Size) {
        let Source { at, stride, is_even } = *source;
        if is_even && count < self.length {
            *self = self.skip(count);
        } else if is_even && count > 0 && stride == 1 {
            // It breaks here, and counts as a digit does: divisions would take most of the time.
            let next = if digit.div == 1 { digit.modulus } else { self.offset + 1 };
            self.offset = if next == digit.modulus { 0 } else { next };
            self.length = if digit.div == 1 { digit.modulus } else { digit.div };
        } else {
            *self = digit_along(Stretch { offset: at, stride, ..STILL }, digit);
        }
    }
}

/// A coordinate or a sum, of which digits are taken along a line.
#[derive(Clone, Copy)]
struct Source {
    at: Size,
    /// What a step adds.
    stride: Size,
    /// Whether it came where the steps lead.
    is_even: bool,
}

impl Source {
    const fn go_to(&mut self, at: Size, stride: Size, count: Size) {
        let even = self.at.wrapping_add(self.stride.wrapping_mul(count));
        let is_even = at == even && stride == self.stride;
        *self = Source { at, stride, is_even };
    }
}

/// The stretches along a dimension, one after another. Each digit is divided for where a line begins; from there on it counts.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    digits: DigitsView<'a>,
    dim: usize,
    /// From one index to the next.
    step: Size,
    sources: [Source; MAX_DIMS + MAX_TILE_DIMS],
    /// Both digits of each sum, each up to where it breaks if its source does not.
    of_sums: [[Stretch; 2]; MAX_TILE_DIMS],
    of_terms: [Stretch; MAX_BOUNDS],
    /// All of it, without a swizzle.
    now: Stretch,
    /// Elements that are skipped of it.
    skipped: Size,
}

impl<'a> Line<'a> {
    // Inline, since it is large.
    #[inline(always)]
    pub(crate) const fn along(digits: DigitsView<'a>, dim: usize, step: Size) -> Line<'a> {
        let source = Source { at: 0, stride: 0, is_even: true };
        // A stretch has at least one element, so that these have to be found.
        let none = Stretch { offset: 0, stride: 0, length: 0 };
        Line {
            digits,
            dim,
            step,
            sources: [source; MAX_DIMS + MAX_TILE_DIMS],
            of_sums: [[none; 2]; MAX_TILE_DIMS],
            of_terms: [none; MAX_BOUNDS],
            now: none,
            skipped: 0,
        }
    }

    /// Goes to an index, which is in bounds.
    pub(crate) const fn begin(&mut self, index: &[Size; MAX_DIMS]) {
        each!(for dim in 0..self.digits.rank() {
            self.sources[dim].go_to(index[dim], if dim == self.dim { self.step } else { 0 }, 0);
        });
        self.find(0);
        // The others stay.
        each!(for dim in 0..self.digits.rank() {
            self.sources[dim].is_even = true;
        });
    }

    /// The evenly spaced elements from here on. They may end where the next ones continue them.
    pub(crate) const fn stretch(&self) -> Stretch {
        let stretch = self.now.skip(self.skipped);
        let swizzle = self.digits.swizzle;
        let stretch = if swizzle.is_none() { stretch } else { stretch.swizzled(swizzle) };
        let stride = if stretch.length > 1 { stretch.stride } else { 0 };
        Stretch { stride, ..stretch }
    }

    /// Skips elements of this stretch; there is one after them.
    pub(crate) const fn skip(&mut self, count: Size) {
        self.skipped += count;
        if self.skipped == self.now.length {
            let count = self.skipped;
            let at = self.sources[self.dim].at + self.step * count;
            self.sources[self.dim].go_to(at, self.step, count);
            self.find(count);
        }
    }

    /// Finds the stretch where the sources are that went `count` steps.
    const fn find(&mut self, count: Size) {
        let Line { digits, sources, .. } = self;
        let mut length = match digits.rank() {
            0 => 1,
            _ => (digits.dim(self.dim) - sources[self.dim].at).div_ceil(self.step),
        };
        each!(for i in 0..digits.sums.len() {
            let (sum, [major, minor]) = (&digits.sums[i], &mut self.of_sums[i]);
            major.follow(&sum.major, &sources[sum.major.source], count);
            minor.follow(&sum.minor, &sources[sum.minor.source], count);
            let of_sum = STILL.with(*major, sum.factor.factor).with(*minor, 1);
            sources[MAX_DIMS + i].go_to(of_sum.offset, of_sum.stride, count);
            length = least(length, of_sum.length);
        });
        self.now = Stretch { length, ..STILL };
        each!(for i in 0..digits.terms.len() {
            let (term, digit) = (&digits.terms[i], &mut self.of_terms[i]);
            digit.follow(&term.digit, &sources[term.digit.source], count);
            self.now = self.now.with(*digit, term.stride.factor);
        });
        self.skipped = 0;
    }
}
