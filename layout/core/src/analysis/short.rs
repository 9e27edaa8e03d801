//! Digits as slices, and in narrow integers: small constants for programs.

use crate::analysis::digit::{Sum, Term};
use crate::analysis::digits::Digits;
use crate::base::limits::{MAX_DIMS, Size};
use crate::base::text::part;
use crate::shape::swizzle::XorBits;

/// The digits of a layout whose sizes are known, as slices without unused entries.
#[derive(Clone, Copy, Debug)]
pub struct DigitsView<'a> {
    pub(crate) dims: &'a [Size],
    pub(crate) sums: &'a [Sum],
    pub(crate) terms: &'a [Term],
    pub(crate) swizzle: XorBits,
}

impl DigitsView<'_> {
    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Size of a dimension, in elements.
    pub const fn dim(&self, dim: usize) -> Size {
        self.dims[dim]
    }
}

impl Digits {
    /// The digits as slices.
    pub const fn view(&self) -> DigitsView<'_> {
        let dims = part(&self.dims, 0, self.rank);
        DigitsView { dims, sums: self.sums(), terms: self.terms(), swizzle: self.swizzle }
    }
}

/// Most terms, and most sums, of [`ShortDigits`]: enough for nearly all layouts.
const MOST: [usize; 2] = [8, 2];

/// Digits in `u32` and in short lists, which suffice for most layouts: a tenth of the bytes of [`Digits`], which has room
/// for any layout.
#[derive(Clone, Copy, Debug)]
pub struct ShortDigits {
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
    pub const fn new(digits: &Digits) -> Option<ShortDigits> {
        let DigitsView { dims, sums, terms, swizzle } = digits.view();
        let [most_terms, most_sums] = MOST;
        if terms.len() > most_terms || sums.len() > most_sums {
            return None;
        }
        let mut short = ShortDigits {
            dims: digits.dims,
            rank: dims.len() as u8,
            term_count: terms.len() as u8,
            sum_count: sums.len() as u8,
            terms: [Term::NONE; _],
            sums: [Sum::NONE; _],
            swizzle,
        };
        each!(for i in 0..terms.len() {
            short.terms[i] = terms[i];
        });
        each!(for i in 0..sums.len() {
            short.sums[i] = sums[i];
        });
        Some(short)
    }

    /// The digits as slices.
    pub const fn view(&self) -> DigitsView<'_> {
        DigitsView {
            dims: part(&self.dims, 0, self.rank as usize),
            sums: part(&self.sums, 0, self.sum_count as usize),
            terms: part(&self.terms, 0, self.term_count as usize),
            swizzle: self.swizzle,
        }
    }
}
