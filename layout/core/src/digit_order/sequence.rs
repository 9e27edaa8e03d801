//! Digits in the order of memory, which are cut and moved.

use core::ops::Range;

use crate::base::limits::{MAX_BOUNDS, Size};
use crate::base::text::part;
use crate::digit_order::digit::DimDigit;
use crate::shape::tiles::TileDim;

/// Digits of dimensions, the most major in memory first: what tiles, packs, reshapes and transposes change.
#[derive(Clone, Copy)]
pub(crate) struct DigitSequence {
    digits: [DimDigit; MAX_BOUNDS],
    len: usize,
}

impl DigitSequence {
    pub(crate) const EMPTY: DigitSequence =
        DigitSequence { digits: [DimDigit::ONE; MAX_BOUNDS], len: 0 };

    pub(crate) const fn as_slice(&self) -> &[DimDigit] {
        part(&self.digits, 0, self.len)
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [DimDigit] {
        &mut self.digits[..self.len]
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds the most minor digit.
    pub(crate) const fn push(&mut self, digit: DimDigit) {
        self.digits[self.len] = digit;
        self.len += 1;
    }

    pub(crate) fn insert(&mut self, at: usize, digit: DimDigit) {
        self.digits.copy_within(at..self.len, at + 1);
        self.digits[at] = digit;
        self.len += 1;
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.digits.copy_within(at + 1..self.len, at);
        self.len -= 1;
    }

    /// Leaves what a digit counts above `size` elements where it is, and returns what it counts below. `None` if
    /// `size` does not divide it.
    pub(crate) const fn cut(&mut self, at: usize, size: Size) -> Option<DimDigit> {
        let digit = self.digits[at];
        let above = match digit.size {
            Some(values) if !values.is_multiple_of(size) => return None,
            Some(values) => Some(values / size),
            None => None,
        };
        // No order has a digit of so large a weight, so it may stop at the largest number.
        let weight = digit.weight.saturating_mul(size);
        self.digits[at] = DimDigit { weight, size: above, ..digit };
        Some(DimDigit { size: Some(size), ..digit })
    }

    /// Cuts the most minor digits, one for each size, and moves what is below after all of them: a tile. False if there
    /// are fewer digits, or a size does not divide its digit.
    pub(crate) const fn tile(&mut self, tile: &[TileDim]) -> bool {
        let Some(first) = self.len.checked_sub(tile.len()) else { return false };
        each!(for entry in 0..tile.len() {
            match self.cut(first + entry, tile[entry].size()) {
                Some(below) => self.push(below),
                None => return false,
            }
        });
        true
    }

    /// The digits of these ranges, one after another.
    pub(crate) fn rearranged(&self, ranges: impl Iterator<Item = Range<usize>>) -> DigitSequence {
        let mut rearranged = DigitSequence::EMPTY;
        for &digit in ranges.flat_map(|range| &self.digits[range]) {
            rearranged.push(digit);
        }
        rearranged
    }

    /// Joins neighbours in memory that together are one digit, and leaves out digits of one value, which count nothing. A
    /// digit of any size stays apart from what is below it, which pads the dimension.
    pub(crate) fn join(&mut self) {
        let mut joined = DigitSequence::EMPTY;
        for &digit in self.as_slice() {
            match (joined.as_mut_slice().last_mut(), digit.end()) {
                _ if digit.size == Some(1) => {}
                (Some(DimDigit { dim, weight, size: Some(size) }), Some(end))
                    if *dim == digit.dim && *weight == end =>
                {
                    *size *= end / digit.weight;
                    *weight = digit.weight;
                }
                _ => joined.push(digit),
            }
        }
        *self = joined;
    }

    /// Slots that the digits have; `None` if that is more than a number holds.
    pub(crate) fn slots(&self) -> Option<Size> {
        self.as_slice().iter().try_fold(1, |slots: Size, digit| slots.checked_mul(digit.values()))
    }

    /// The digits from the most minor one on, each with its stride.
    pub(crate) fn strided(&self) -> impl Iterator<Item = (DimDigit, Size)> {
        self.as_slice().iter().rev().scan(1, |next: &mut Size, &digit| {
            let stride = *next;
            *next = stride.saturating_mul(digit.values());
            Some((digit, stride))
        })
    }
}
