//! How far offsets are evenly spaced along one dimension, for any layout.

use crate::analysis::digit::Digit;
use crate::analysis::digits::Digits;
use crate::analysis::parts::Resolved;
use crate::analysis::short::DigitsView;
use crate::base::limits::{MAX_DIMS, MAX_TILE_DIMS, Size};
use crate::base::width::least;
use crate::shape::swizzle::XorBits;

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

/// What does not change along the dimension.
const STILL: Stretch = Stretch { offset: 0, stride: 0, length: Size::MAX };

impl DigitsView<'_> {
    /// The stretch that begins at an index and goes along a dimension; the index is in bounds. It may
    /// end where the next one continues it.
    pub const fn stretch(&self, index: &[Size; MAX_DIMS], dim: usize) -> Stretch {
        if self.rank() == 0 {
            return Stretch { offset: 0, stride: 0, length: 1 };
        }
        // What digits are taken of, as it goes along the dimension.
        let mut sources = [STILL; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..self.rank() {
            sources[i].offset = index[i];
        });
        let length = self.dim(dim) - index[dim];
        sources[dim] = Stretch { offset: index[dim], stride: 1, length };
        each!(for i in 0..self.sums.len() {
            let sum = &self.sums[i];
            let major = STILL.plus(of(&sources, &sum.major), sum.factor.factor);
            sources[MAX_DIMS + i] = major.plus(of(&sources, &sum.minor), 1);
        });
        let mut stretch = Stretch { length, ..STILL };
        each!(for term in self.terms {
            stretch = stretch.plus(of(&sources, &term.digit), term.stride.factor);
        });
        if self.swizzle.is_none() { stretch } else { stretch.swizzled(self.swizzle) }
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
    pub const fn last_offset(&self) -> Size {
        let mut parts = Resolved::<32>::NONE;
        if parts.resolve(self).is_err() {
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

impl Stretch {
    /// The beginning of the stretch that stays evenly spaced under a swizzle: what lies in one of its units.
    const fn swizzled(self, swizzle: XorBits) -> Stretch {
        let Stretch { offset, stride, length } = self;
        let left = swizzle.unit() - offset % swizzle.unit();
        let length = if stride == 0 { length } else { least(length, left.div_ceil(stride)) };
        let stride = if length > 1 { stride } else { 0 };
        Stretch { offset: swizzle.apply(offset), stride, length }
    }

    const fn plus(self, other: Stretch, factor: Size) -> Stretch {
        let length = least(self.length, other.length);
        // What one step adds stays below the size of memory only if there is an element to step to.
        let stride = if length > 1 { self.stride + other.stride * factor } else { 0 };
        Stretch { offset: self.offset + other.offset * factor, stride, length }
    }
}

/// A digit along the stretches of what it is taken of.
const fn of(sources: &[Stretch; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> Stretch {
    if digit.is_zero() {
        return STILL;
    }
    let Stretch { mut offset, mut stride, mut length } = sources[digit.source as usize];
    if stride.is_multiple_of(digit.div) {
        stride /= digit.div;
    } else {
        length = least(length, (digit.div - offset % digit.div).div_ceil(stride));
        stride = 0;
    }
    offset /= digit.div;
    if digit.modulus != 0 {
        offset %= digit.modulus;
        if stride != 0 {
            length = least(length, (digit.modulus - offset).div_ceil(stride));
        }
    }
    Stretch { offset, stride, length }
}
