//! Digits in short lists: small constants for programs.

use layout_core::analysis::{DigitsView, Sum, Term};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size, XorBits};

/// Most terms, and most sums, of [`ShortDigits`]: enough for nearly all layouts.
const MOST: [usize; 2] = [8, 2];

/// Digits in `u32` and in short lists, which suffice for most layouts: a tenth of the bytes of [`Digits`], which has room
/// for any layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortDigits {
    dims: [Size; MAX_DIMS],
    rank: u8,
    term_count: u8,
    sum_count: u8,
    terms: [Term; MOST[0]],
    sums: [Sum; MOST[1]],
    swizzle: XorBits,
}

impl ShortDigits {
    /// `None` if the digits need longer lists.
    pub(super) const fn new(digits: &Digits) -> Option<ShortDigits> {
        let DigitsView { dims, sums, terms, swizzle } = digits.view();
        let [most_terms, most_sums] = MOST;
        if terms.len() > most_terms || sums.len() > most_sums {
            return None;
        }
        let mut short = ShortDigits {
            dims: [0; MAX_DIMS],
            rank: dims.len() as u8,
            term_count: terms.len() as u8,
            sum_count: sums.len() as u8,
            terms: [Term::NONE; _],
            sums: [Sum::NONE; _],
            swizzle,
        };
        each!(for i in 0..dims.len() {
            short.dims[i] = dims[i];
        });
        each!(for i in 0..terms.len() {
            short.terms[i] = terms[i];
        });
        each!(for i in 0..sums.len() {
            short.sums[i] = sums[i];
        });
        Some(short)
    }

    /// The digits as slices.
    pub(super) const fn view(&self) -> DigitsView<'_> {
        DigitsView {
            dims: self.dims.split_at(self.rank as usize).0,
            sums: self.sums.split_at(self.sum_count as usize).0,
            terms: self.terms.split_at(self.term_count as usize).0,
            swizzle: self.swizzle,
        }
    }
}
