//! How far offsets are evenly spaced along one dimension, for any layout.

use layout_core::analysis::{Digit, DigitsView};
use layout_core::base::{MAX_DIMS, MAX_TILE_DIMS, least};
use layout_core::{Size, XorBits};

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
pub(crate) const STILL: Stretch = Stretch { offset: 0, stride: 0, length: Size::MAX };

impl Stretch {
    /// The stretch that begins at an index and goes along a dimension; the index is in bounds. It may
    /// end where the next one continues it.
    pub const fn of(digits: &DigitsView<'_>, index: &[Size; MAX_DIMS], dim: usize) -> Stretch {
        if digits.rank() == 0 {
            return Stretch { offset: 0, stride: 0, length: 1 };
        }
        // What digits are taken of, as it goes along the dimension.
        let mut sources = [STILL; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..digits.rank() {
            sources[i].offset = index[i];
        });
        let length = digits.dim(dim) - index[dim];
        sources[dim] = Stretch { offset: index[dim], stride: 1, length };
        each!(for i in 0..digits.sums.len() {
            let sum = &digits.sums[i];
            let major =
                STILL.plus(digit_along(sources[sum.major.source], &sum.major), sum.factor.factor);
            sources[MAX_DIMS + i] =
                major.plus(digit_along(sources[sum.minor.source], &sum.minor), 1);
        });
        let mut stretch = Stretch { length, ..STILL };
        each!(for term in digits.terms {
            stretch = stretch
                .plus(digit_along(sources[term.digit.source], &term.digit), term.stride.factor);
        });
        if digits.swizzle.is_none() { stretch } else { stretch.swizzled(digits.swizzle) }
    }

    /// The beginning of the stretch that stays evenly spaced under a swizzle: what lies in one of its units.
    pub(crate) const fn swizzled(self, swizzle: XorBits) -> Stretch {
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

/// A digit along the stretch of what it is taken of, until it breaks.
pub(crate) const fn digit_along(source: Stretch, digit: &Digit) -> Stretch {
    if digit.is_zero() {
        return STILL;
    }
    let Stretch { mut offset, mut stride, mut length } = source;
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
