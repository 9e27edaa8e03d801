//! How far offsets are evenly spaced along one dimension, for any layout.

use crate::analysis::digits::Digits;
use crate::analysis::short::DigitsView;
use crate::analysis::tiling::Digit;
use crate::limits::{MAX_DIMS, MAX_TILE_DIMS, Size};
use crate::plan::PlanParts;

/// Elements along one dimension whose offsets are evenly spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Offset of the first.
    pub offset: Size,
    /// Distance from one to the next; 0 if there is only one.
    pub stride: Size,
    /// How many; at least 1.
    pub length: Size,
}

/// `at + step · slope` for the next `length` steps.
#[derive(Clone, Copy)]
struct Line {
    at: Size,
    slope: Size,
    length: Size,
}

const STILL: Line = Line { at: 0, slope: 0, length: Size::MAX };

impl DigitsView<'_> {
    /// The stretch that begins at an index and goes along a dimension; the index is in bounds. It may
    /// end where the next one continues it.
    pub const fn stretch(&self, index: &[Size; MAX_DIMS], dim: usize) -> Stretch {
        let mut lines = [STILL; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..self.rank() {
            lines[i].at = index[i];
        });
        if self.rank() == 0 {
            return Stretch { offset: 0, stride: 0, length: 1 };
        }
        lines[dim] = Line { at: index[dim], slope: 1, length: self.dim(dim) - index[dim] };
        each!(for i in 0..self.sums.len() {
            let sum = &self.sums[i];
            let line = lines[MAX_DIMS + i];
            let line = line.plus(of(&lines, &sum.major), sum.factor.factor);
            lines[MAX_DIMS + i] = line.plus(of(&lines, &sum.minor), 1);
        });
        let mut line = Line { at: 0, slope: 0, length: lines[dim].length };
        each!(for i in 0..self.terms.len() {
            let term = &self.terms[i];
            line = line.plus(of(&lines, &term.digit), term.stride);
        });
        Stretch { offset: line.at, stride: line.slope, length: line.length }
    }
}

impl Digits {
    /// The stretch that begins at an index and goes along a dimension; the index is in bounds. It may
    /// end where the next one continues it.
    pub const fn stretch(&self, index: &[Size; MAX_DIMS], dim: usize) -> Stretch {
        self.view().stretch(index, dim)
    }

    /// The largest offset of an element, of which there is one. Looks along each dimension, unless
    /// sums tie them: then at all elements, in time linear in their number.
    pub(crate) const fn last_offset(&self) -> Size {
        if PlanParts::new(self).is_err() {
            return self.largest_offset();
        }
        let view = self.view();
        let mut last = 0;
        each!(for dim in 0..self.rank() {
            let mut index = [0; MAX_DIMS];
            let mut largest = 0;
            while index[dim] < self.dim(dim) {
                let stretch = view.stretch(&index, dim);
                let end = stretch.offset + (stretch.length - 1) * stretch.stride;
                if end > largest {
                    largest = end;
                }
                index[dim] += stretch.length;
            }
            last += largest;
        });
        last
    }
}

impl Line {
    const fn plus(self, other: Line, factor: Size) -> Line {
        let length = least(self.length, other.length);
        // What one step adds stays below the size of memory only if there is an element to step to.
        let slope = if length > 1 { self.slope + other.slope * factor } else { 0 };
        Line { at: self.at + other.at * factor, slope, length }
    }
}

/// A digit along the lines of what it is taken of.
const fn of(lines: &[Line; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> Line {
    if digit.is_zero() {
        return STILL;
    }
    let Line { mut at, mut slope, mut length } = lines[digit.source as usize];
    if slope.is_multiple_of(digit.div) {
        slope /= digit.div;
    } else {
        length = least(length, (digit.div - at % digit.div).div_ceil(slope));
        slope = 0;
    }
    at /= digit.div;
    if digit.modulus != 0 {
        at %= digit.modulus;
        if slope != 0 {
            length = least(length, (digit.modulus - at).div_ceil(slope));
        }
    }
    Line { at, slope, length }
}

const fn least(a: Size, b: Size) -> Size {
    if a < b { a } else { b }
}
