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
            if !self.push(digit.source, digit.div, digit.modulus, stride.factor) {
                return Err(Unresolved::TooMany);
            }
        });
        // A sum adds up digits of sums before it.
        each!(for sum in (0..digits.sums.len()).rev() {
            while let Some(part) = self.take(MAX_DIMS + sum) {
                if let Err(unresolved) = self.split(digits, part) {
                    return Err(unresolved);
                }
            }
        });
        Ok(())
    }

    /// Adds `source / div % modulus · stride`. False if the list is full.
    pub(crate) const fn push(
        &mut self,
        source: usize,
        div: Size,
        modulus: Size,
        stride: Size,
    ) -> bool {
        if self.len == N {
            return false;
        }
        self.list[self.len] = CoordDigit { source, div, modulus, stride };
        self.len += 1;
        true
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
        match self.position(dim, div) {
            Some(at) => Some(&self.list[at]),
            None => None,
        }
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
            return self.push_digit(&sum.minor, div, modulus, stride);
        }
        if sum.factor.unknowns != 0 {
            return Err(Unresolved::Border);
        }
        // major · factor + minor, and minor is below the factor.
        if div.is_multiple_of(factor) {
            return self.push_digit(&sum.major, div / factor, modulus, stride);
        }
        if !factor.is_multiple_of(div) {
            return Err(Unresolved::Border);
        }
        let below = factor / div;
        if modulus != 0 && below.is_multiple_of(modulus) {
            return self.push_digit(&sum.minor, div, modulus, stride);
        }
        if !modulus.is_multiple_of(below) {
            return Err(Unresolved::Border);
        }
        match self.push_digit(&sum.major, 1, modulus / below, stride * below) {
            Ok(()) => self.push_digit(&sum.minor, div, 0, stride),
            error => error,
        }
    }

    /// Adds `digit / div % modulus · stride`.
    const fn push_digit(
        &mut self,
        digit: &Digit,
        div: Size,
        modulus: Size,
        stride: Size,
    ) -> Result<(), Unresolved> {
        if digit.limit <= div {
            return Ok(());
        }
        let mut modulus = modulus;
        if digit.modulus != 0 {
            let left = digit.modulus / div;
            if modulus == 0 || modulus > left {
                modulus = left;
            }
            if !digit.modulus.is_multiple_of(div * modulus) {
                return Err(Unresolved::Digit);
            }
        }
        match self.push(digit.source, digit.div * div, modulus, stride) {
            true => Ok(()),
            false => Err(Unresolved::TooMany),
        }
    }
}
