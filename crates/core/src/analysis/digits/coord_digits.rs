//! A layout's digits as digits of coordinates alone: sums are resolved where that is possible.

use crate::analysis::digit::{Digit, Term};
use crate::analysis::digits::view::DigitsView;
use crate::base::{MAX_DIMS, MAX_SIZE_BITS, Size, subslice};

/// Most digits of a layout: each counts to 2 or more.
pub(crate) const ALL_PARTS: usize = MAX_SIZE_BITS;

/// `source / div % modulus · stride`, without the modulus where it is 0.
#[derive(Clone, Copy, Debug)]
pub struct CoordDigit {
    /// A dimension, or a sum after these.
    pub source: usize,
    /// The number of elements from one value of the digit to the next.
    pub div: Size,
    /// Values of the digit; 0 for the rest of the source.
    pub modulus: Size,
    /// Slots from one value to the next.
    pub stride: Size,
}

impl CoordDigit {
    /// A digit with a stride.
    pub(crate) const fn of(digit: &Digit, stride: Size) -> CoordDigit {
        CoordDigit { source: digit.source, div: digit.div, modulus: digit.modulus, stride }
    }

    /// The product of `div` and the modulus, at which the digit ends in its dimension of size `size`. The maximum if the digit
    /// counts to the end of the dimension.
    pub const fn end(&self, size: Size) -> Size {
        if self.modulus == 0 || self.modulus >= size.div_ceil(self.div) {
            Size::MAX
        } else {
            self.div * self.modulus
        }
    }
}

/// Why a layout is not a sum of digits of coordinates alone.
#[derive(Clone, Copy, Debug)]
pub enum Unresolved {
    /// A digit needs both summands of a sum: `*` combines padded dimensions.
    Border,
    /// A digit's size does not divide that of the digit it is taken of: tiles do not divide one another.
    Digit,
    /// The layout has more than `N` digits.
    TooMany,
    /// The layout is swizzled.
    Swizzle,
}

/// A layout as a sum of at most `N` digits of coordinates alone.
#[derive(Debug)]
pub struct Resolved<const N: usize> {
    pub(crate) list: [CoordDigit; N],
    pub(crate) len: usize,
}

impl<const N: usize> Resolved<N> {
    /// No digits.
    pub const NONE: Resolved<N> =
        Resolved { list: [CoordDigit { source: 0, div: 1, modulus: 0, stride: 0 }; N], len: 0 };

    /// The digits, in no particular order.
    pub const fn as_slice(&self) -> &[CoordDigit] {
        subslice(&self.list, 0, self.len)
    }

    /// Adds the digits of a layout.
    ///
    /// # Errors
    /// If it is swizzled, if a digit of a sum is not a sum of digits, or if there are more than `N`.
    pub const fn resolve(&mut self, digits: &DigitsView<'_>) -> Result<(), Unresolved> {
        if !digits.swizzle.is_none() {
            return Err(Unresolved::Swizzle);
        }
        each!(for Term { digit, stride, .. } in digits.terms {
            ok!(self.push(CoordDigit::of(digit, stride.factor)));
        });
        // A sum adds up digits of sums before it.
        each!(for sum in (0..digits.sums.len()).rev() {
            while let Some(part) = self.take(MAX_DIMS + sum) {
                ok!(self.split(digits, part));
            }
        });
        Ok(())
    }

    /// Adds a digit.
    pub(crate) const fn push(&mut self, digit: CoordDigit) -> Result<(), Unresolved> {
        if self.len == N {
            return Err(Unresolved::TooMany);
        }
        self.list[self.len] = digit;
        self.len += 1;
        Ok(())
    }

    /// Removes a digit of a source, and returns it.
    pub(crate) const fn take(&mut self, source: usize) -> Option<CoordDigit> {
        each!(for i in (0..self.len).rev() {
            let part = self.list[i];
            if part.source == source {
                self.len -= 1;
                self.list[i] = self.list[self.len];
                return Some(part);
            }
        });
        None
    }

    /// Joins neighbouring digits of a source that together are one digit.
    pub(crate) const fn join(&mut self, source: usize) {
        let mut i = 0;
        while i < self.len {
            let minor = self.list[i];
            if minor.source == source
                && minor.modulus != 0
                && let Some(next) = minor.div.checked_mul(minor.modulus)
                && let Some(at) = self.position(source, next)
                && let Some(stride) = minor.stride.checked_mul(minor.modulus)
                && stride == self.list[at].stride
            {
                let modulus = minor.modulus * self.list[at].modulus;
                self.list[at] = CoordDigit { modulus, ..minor };
                self.len -= 1;
                self.list[i] = self.list[self.len];
                i = 0;
            } else {
                i += 1;
            }
        }
    }

    const fn position(&self, source: usize, div: Size) -> Option<usize> {
        each!(for i in 0..self.len {
            if self.list[i].source == source && self.list[i].div == div {
                return Some(i);
            }
        });
        None
    }

    /// The digit of a dimension that begins at `div`.
    pub const fn find(&self, dim: usize, div: Size) -> Option<&CoordDigit> {
        Some(&self.list[some!(self.position(dim, div))])
    }

    /// Adds a digit of a sum as digits of the sum's summands.
    pub(crate) const fn split(
        &mut self,
        digits: &DigitsView<'_>,
        part: CoordDigit,
    ) -> Result<(), Unresolved> {
        let CoordDigit { source, div, modulus, stride } = part;
        let sum = &digits.sums[source - MAX_DIMS];
        let factor = sum.factor.factor;
        // Of an array without elements the factor is 0.
        if sum.major.is_zero() || factor == 0 {
            return self.push_part(&sum.minor, part);
        }
        if sum.factor.unknowns != 0 {
            return Err(Unresolved::Border);
        }
        // major · factor + minor, and minor is below the factor.
        if div.is_multiple_of(factor) {
            return self.push_part(&sum.major, CoordDigit { div: div / factor, ..part });
        }
        if !factor.is_multiple_of(div) {
            return Err(Unresolved::Border);
        }
        let below = factor / div;
        if modulus != 0 && below.is_multiple_of(modulus) {
            return self.push_part(&sum.minor, part);
        }
        if !modulus.is_multiple_of(below) {
            return Err(Unresolved::Border);
        }
        let (modulus, stride) = (modulus / below, stride * below);
        ok!(self.push_part(&sum.major, CoordDigit { source, div: 1, modulus, stride }));
        self.push_part(&sum.minor, CoordDigit { modulus: 0, ..part })
    }

    /// Adds a part of what is another digit.
    const fn push_part(&mut self, digit: &Digit, part: CoordDigit) -> Result<(), Unresolved> {
        let CoordDigit { div, mut modulus, stride, .. } = part;
        if digit.limit <= div {
            return Ok(());
        }
        if digit.modulus != 0 {
            let left = digit.modulus / div;
            if modulus == 0 || modulus > left {
                modulus = left;
            }
            if !digit.modulus.is_multiple_of(div * modulus) {
                return Err(Unresolved::Digit);
            }
        }
        self.push(CoordDigit { source: digit.source, div: digit.div * div, modulus, stride })
    }
}
