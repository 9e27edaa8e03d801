//! How far offsets are evenly spaced along one dimension, for any layout.

use layout_core::analysis::{Digit, DigitsView};
use layout_core::base::width::least;
use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS};
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

impl Stretch {
    /// What does not change along the dimension.
    pub(crate) const STILL: Stretch = Stretch { offset: 0, stride: 0, length: Size::MAX };

    /// The stretch that begins at an index and goes along a dimension; the index is in bounds. It may
    /// end where the next one continues it.
    // Of the compiler, which finds many in constants. A `Line` goes on from one to the next, and takes longer to begin.
    pub const fn of(digits: &DigitsView<'_>, index: &[Size; MAX_DIMS], dim: usize) -> Stretch {
        if digits.rank() == 0 {
            return Stretch { offset: 0, stride: 0, length: 1 };
        }
        // What digits are taken of, as it goes along the dimension.
        let mut sources = [Stretch::STILL; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..digits.rank() {
            sources[i].offset = index[i];
        });
        let length = digits.dim(dim) - index[dim];
        sources[dim] = Stretch { offset: index[dim], stride: 1, length };
        each!(for i in 0..digits.sums.len() {
            let sum = &digits.sums[i];
            let major = Stretch::STILL.plus(along_sources(&sources, &sum.major), sum.factor.factor);
            sources[MAX_DIMS + i] = major.plus(along_sources(&sources, &sum.minor), 1);
        });
        let mut stretch = Stretch { length, ..Stretch::STILL };
        each!(for term in digits.terms {
            stretch = stretch.plus(along_sources(&sources, &term.digit), term.stride.factor);
        });
        stretch.in_memory(digits.swizzle)
    }

    /// The stretch under a swizzle. Of one element the stride is 0.
    pub(crate) const fn in_memory(self, swizzle: XorBits) -> Stretch {
        let stretch = if swizzle.is_none() { self } else { self.swizzled(swizzle) };
        let stride = if stretch.length > 1 { stretch.stride } else { 0 };
        Stretch { stride, ..stretch }
    }

    /// The beginning of the stretch that stays evenly spaced under a swizzle: what lies in one of its units.
    const fn swizzled(self, swizzle: XorBits) -> Stretch {
        let Stretch { offset, stride, length } = self;
        let left = swizzle.unit() - offset % swizzle.unit();
        let length = if stride == 0 { length } else { least(length, left.div_ceil(stride)) };
        Stretch { offset: swizzle.apply(offset), stride, length }
    }

    // Modulo 2⁶⁴: strides may be below 0, and larger than memory where there is no element to step to.
    pub(crate) const fn plus(self, other: Stretch, factor: Size) -> Stretch {
        Stretch {
            offset: self.offset.wrapping_add(other.offset.wrapping_mul(factor)),
            stride: self.stride.wrapping_add(other.stride.wrapping_mul(factor)),
            length: least(self.length, other.length),
        }
    }
}

/// A digit along the stretches of what it is taken of.
const fn along_sources(sources: &[Stretch; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> Stretch {
    if digit.is_zero() {
        return Stretch::STILL;
    }
    let Stretch { offset, stride, length } = sources[digit.source];
    let along = digit_along(offset, stride, digit);
    Stretch { length: least(length, along.length), ..along }
}

/// A digit from a value of its source on, until it breaks.
pub(crate) const fn digit_along(at: Size, stride: Size, digit: &Digit) -> Stretch {
    if digit.is_zero() {
        return Stretch::STILL;
    }
    let mut part = Stretch { offset: at / digit.div, ..Stretch::STILL };
    if stride.is_multiple_of(digit.div) {
        part.stride = stride / digit.div;
    } else {
        part.length = (digit.div - at % digit.div).div_ceil(stride);
    }
    if digit.modulus != 0 {
        part.offset %= digit.modulus;
        if part.stride != 0 {
            part.length = (digit.modulus - part.offset).div_ceil(part.stride);
        }
    }
    part
}
