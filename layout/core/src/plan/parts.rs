//! A layout's digits taken back to the coordinates: what is left of sums where they can be resolved.

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Digit;
use crate::limits::{MAX_DIMS, Size};
use crate::plan::MAX_PARTS;

/// `coordinate / div % modulus · stride`, without the modulus where it is 0.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub dim: usize,
    pub div: Size,
    pub modulus: Size,
    pub stride: Size,
}

impl Part {
    /// Where the digit ends in its dimension; the maximum where it goes up to the end.
    pub(crate) const fn end(&self, size: Size) -> Size {
        if self.modulus == 0 || self.modulus >= size.div_ceil(self.div) {
            Size::MAX
        } else {
            self.div * self.modulus
        }
    }
}

/// A layout as a sum of digits of coordinates alone.
pub(crate) struct Parts {
    pub list: [Part; MAX_PARTS],
    pub len: usize,
}

impl Parts {
    /// `None` if a digit of a sum is not a sum of digits (a `*` over padding, tiles that do not divide one
    /// another), or if there are more than `MAX_PARTS`.
    pub(crate) const fn new(digits: &Digits) -> Option<Parts> {
        let none = Part { dim: 0, div: 1, modulus: 0, stride: 0 };
        let mut parts = Parts { list: [none; MAX_PARTS], len: 0 };
        let mut i = 0;
        while i < digits.count {
            let term = &digits.terms[i];
            let digit = &term.digit;
            if !parts.add(digits, digit.source as usize, digit.div, digit.modulus, term.stride) {
                return None;
            }
            i += 1;
        }
        Some(parts)
    }

    /// The part that begins at `div` in a dimension.
    pub(crate) const fn find(&self, dim: usize, div: Size) -> Option<&Part> {
        let mut i = 0;
        while i < self.len {
            let part = &self.list[i];
            if part.dim == dim && part.div == div {
                return Some(part);
            }
            i += 1;
        }
        None
    }

    /// Adds `source / div % modulus · stride`. False if that is not a sum of digits of coordinates.
    const fn add(
        &mut self,
        digits: &Digits,
        source: usize,
        div: Size,
        modulus: Size,
        stride: Size,
    ) -> bool {
        if source < MAX_DIMS {
            if self.len == MAX_PARTS {
                return false;
            }
            self.list[self.len] = Part { dim: source, div, modulus, stride };
            self.len += 1;
            return true;
        }
        let sum = &digits.sums[source - MAX_DIMS];
        if sum.major.is_zero() {
            return self.add_digit(digits, &sum.minor, div, modulus, stride);
        }
        // major · factor + minor, and minor is below the factor.
        if sum.factor.factor.is_multiple_of(div) {
            let factor = sum.factor.factor / div;
            if modulus != 0 && factor.is_multiple_of(modulus) {
                return self.add_digit(digits, &sum.minor, div, modulus, stride);
            }
            modulus.is_multiple_of(factor)
                && self.add_digit(digits, &sum.major, 1, modulus / factor, stride * factor)
                && self.add_digit(digits, &sum.minor, div, 0, stride)
        } else {
            div.is_multiple_of(sum.factor.factor)
                && self.add_digit(digits, &sum.major, div / sum.factor.factor, modulus, stride)
        }
    }

    /// Adds `digit / div % modulus · stride`.
    const fn add_digit(
        &mut self,
        digits: &Digits,
        digit: &Digit,
        div: Size,
        modulus: Size,
        stride: Size,
    ) -> bool {
        if digit.limit <= div {
            return true;
        }
        let mut modulus = modulus;
        if digit.modulus != 0 {
            let left = digit.modulus / div;
            if modulus == 0 || modulus > left {
                modulus = left;
            }
            if !digit.modulus.is_multiple_of(div * modulus) {
                return false;
            }
        }
        self.add(digits, digit.source as usize, digit.div * div, modulus, stride)
    }
}

impl Digits {
    /// Elements in memory from one index to the next along a dimension of more than one element, if
    /// that is the same everywhere.
    pub(crate) const fn stride_along(&self, dim: usize) -> Option<Size> {
        let Some(parts) = Parts::new(self) else { return None };
        match parts.find(dim, 1) {
            Some(part) if part.end(self.dim(dim)) == Size::MAX => Some(part.stride),
            _ => None,
        }
    }
}
