//! Digits with strides that no layout gives them.

use crate::analysis::digit::{Digit, Term};
use crate::analysis::digits::Digits;
use crate::analysis::parts::CoordDigit;
use crate::analysis::unknown::Amount;
use crate::analysis::view::DigitsView;
use crate::base::limits::{MAX_BOUNDS, Size};

impl Digits {
    /// An array of these sizes whose offsets are the sum of digits of its coordinates, each times its stride. A stride may be 0, and
    /// below 0 in two's complement: then offsets are sums modulo 2⁶⁴. `None` if there are too many digits.
    #[doc(hidden)]
    pub fn of_parts(dims: &[Size], parts: impl IntoIterator<Item = CoordDigit>) -> Option<Digits> {
        let mut digits = Digits { rank: dims.len(), size: Amount::ONE, ..Digits::NONE };
        digits.dims[..dims.len()].copy_from_slice(dims);
        digits.elements = dims.iter().product();
        if digits.elements == 0 {
            return Some(digits);
        }
        for CoordDigit { source, div, modulus, stride } in parts {
            let values = dims[source].div_ceil(div);
            let limit = if modulus == 0 { values } else { values.min(modulus) };
            if limit < 2 {
                continue;
            }
            if digits.count == MAX_BOUNDS {
                return None;
            }
            let digit = Digit { source: source as u8, div, modulus, limit };
            let [bound, stride] = [limit, stride].map(|factor| Amount { factor, unknowns: 0 });
            digits.terms[digits.count] = Term { digit, bound, stride };
            digits.count += 1;
        }
        let distance = |term: &Term| term.stride.factor.cast_signed().unsigned_abs();
        digits.terms[..digits.count]
            .sort_unstable_by_key(|term| core::cmp::Reverse(distance(term)));
        Some(digits)
    }

    /// An array of the same sizes whose offsets are the sum of its coordinates, each times a stride that is known at run time only:
    /// unknown count `i` is the stride of dimension `i`, which may be 0, and below 0 in two's complement.
    #[doc(hidden)]
    pub const fn with_unknown_strides(&self) -> Digits {
        // With a size that is not known, nobody takes the strides to be.
        let mut digits = Digits {
            rank: self.rank,
            dims: self.dims,
            elements: self.elements,
            size: Amount::unknown(0),
            ..Digits::NONE
        };
        each!(for dim in 0..self.rank {
            let (limit, stride) = (self.dims[dim], Amount::unknown(dim));
            let digit = Digit::whole(dim, limit);
            digits.terms[dim] = Term { digit, bound: Amount::of(limit), stride };
        });
        digits.count = self.rank;
        digits
    }
}

impl DigitsView<'_> {
    /// The digits with room for any layout's.
    #[doc(hidden)]
    pub fn to_digits(&self) -> Digits {
        let DigitsView { dims, sums, terms, swizzle } = *self;
        let (rank, sum_count, count) = (dims.len(), sums.len(), terms.len());
        let mut digits = Digits { rank, sum_count, count, swizzle, ..Digits::NONE };
        digits.elements = dims.iter().product();
        digits.dims[..rank].copy_from_slice(dims);
        digits.sums[..sum_count].copy_from_slice(sums);
        digits.terms[..count].copy_from_slice(terms);
        digits
    }
}
