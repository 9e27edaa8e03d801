//! The inverse in pieces: what each coordinate and each sum takes of the offset, and of sums.

use layout_core::analysis::{Amount, Digit};

use crate::code::writer::Writer;

/// `from / div % modulus` is the value of the digit, which adds its `div` times that to what it is a digit of.
pub(crate) struct Share {
    /// The sum that is taken apart; `None` for the offset.
    pub from: Option<usize>,
    pub digit: Digit,
    pub div: Amount,
    /// `None` where nothing is above the digit.
    pub modulus: Option<Amount>,
}

impl Writer<'_> {
    /// How many shares there are, and what [`share`](Self::share) has none for: those of the terms, then two of each sum.
    pub(crate) const fn shares(&self) -> usize {
        self.digits.terms().len() + 2 * self.digits.sums().len()
    }

    /// A share; `None` for a digit of a sum that is always 0.
    pub(crate) const fn share(&self, number: usize) -> Option<Share> {
        let terms = self.digits.terms();
        if number < terms.len() {
            let term = &terms[number];
            let modulus = if self.digits.is_top(term) { None } else { Some(term.bound) };
            return Some(Share { from: None, digit: term.digit, div: term.stride, modulus });
        }
        let number = number - terms.len();
        let sum = &self.digits.sums()[number / 2];
        let (from, major) = (Some(number / 2), sum.major());
        if number.is_multiple_of(2) {
            let Some(digit) = major else { return None };
            return Some(Share { from, digit, div: sum.factor(), modulus: None });
        }
        let Some(digit) = sum.minor() else { return None };
        let modulus = if major.is_some() { Some(sum.factor()) } else { None };
        Some(Share { from, digit, div: Amount::ONE, modulus })
    }
}
