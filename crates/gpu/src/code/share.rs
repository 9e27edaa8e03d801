//! The inverse, digit by digit: which part of the offset, or of a sum, goes to which coordinate.

use layout_core::analysis::{Amount, Digit};

use crate::code::writer::{Writer, is_one};

/// A digit of the inverse: its value is `from / div % modulus`. Times the digit's own `div` it is a part of the coordinate, or
/// of the sum, that the digit is taken of.
pub(crate) struct IndexShare {
    /// The sum that is taken apart; `None` for the offset.
    pub from: Option<usize>,
    pub digit: Digit,
    pub div: Amount,
    /// `None` where nothing is above the digit.
    pub modulus: Option<Amount>,
}

impl Writer<'_> {
    /// The end of the numbers that [`share`](Self::share) takes: one for each term, then two for each sum.
    pub(crate) const fn shares(&self) -> usize {
        self.digits.terms().len() + 2 * self.digits.sums().len()
    }

    /// A share by its number; `None` for a digit of a sum that is always 0.
    pub(crate) const fn share(&self, number: usize) -> Option<IndexShare> {
        let terms = self.digits.terms();
        if number < terms.len() {
            let term = &terms[number];
            let modulus = if self.digits.is_top(term) { None } else { Some(term.bound) };
            return Some(IndexShare { from: None, digit: term.digit, div: term.stride, modulus });
        }
        let number = number - terms.len();
        let sum = &self.digits.sums()[number / 2];
        let (from, major) = (Some(number / 2), sum.major());
        if number.is_multiple_of(2) {
            let Some(digit) = major else { return None };
            return Some(IndexShare { from, digit, div: sum.factor(), modulus: None });
        }
        let Some(digit) = sum.minor() else { return None };
        let modulus = if major.is_some() { Some(sum.factor()) } else { None };
        Some(IndexShare { from, digit, div: Amount::ONE, modulus })
    }

    /// ` / div % modulus * 4`, written after what is taken apart.
    pub(crate) const fn part_of_source(&mut self, share: &IndexShare) {
        if !is_one(share.div) {
            say!(self, self.words.divide);
            self.amount(share.div);
        }
        if let Some(modulus) = share.modulus {
            say!(self, self.words.modulo);
            self.amount(modulus);
        }
        self.times(share.digit.div());
    }
}
