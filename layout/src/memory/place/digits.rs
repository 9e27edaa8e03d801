//! Digits of strides, and where those of a part begin.

use layout_core::__private::{Region as WalkedRegion, native};
use layout_core::analysis::{Amount, CoordDigit, Digit, DigitsView, Term};
use layout_core::limits::MAX_BOUNDS;
use layout_core::{Digits, Size, XorBits};

/// The offset at which the elements of a place begin, and whether from there on they lie as those of an array of its sizes do.
pub(crate) fn base(digits: &Digits, region: Option<&WalkedRegion>, first: usize) -> Option<usize> {
    match region {
        None => Some(first),
        Some(region) => crate::order::base::base(digits, region).map(native),
    }
}

/// The digits of an array with strides, from index 0 on.
pub(crate) fn digits(dims: &[Size], strides: impl Iterator<Item = isize>) -> Digits {
    let parts = strides.enumerate().map(|(source, stride)| {
        // Below 0 it is its two's complement.
        CoordDigit { source, div: 1, modulus: 0, stride: stride as i64 as Size }
    });
    digits_of(dims, parts)
}

/// An array of these sizes whose offsets are the sum of digits of its coordinates, each times its stride.
pub(crate) fn digits_of(dims: &[Size], parts: impl IntoIterator<Item = CoordDigit>) -> Digits {
    let (mut terms, mut count) = ([Term::NONE; MAX_BOUNDS], 0);
    for CoordDigit { source, div, modulus, stride } in parts {
        let values = dims[source].div_ceil(div);
        let limit = if modulus == 0 { values } else { values.min(modulus) };
        if limit > 1 && !dims.contains(&0) {
            // The largest stride first. There are few, and a sort of the standard library is much code.
            let distance = |stride: Size| stride.cast_signed().unsigned_abs();
            let mut at = count;
            while at > 0 && distance(terms[at - 1].stride.factor) < distance(stride) {
                terms[at] = terms[at - 1];
                at -= 1;
            }
            terms[at].digit = Digit { source, div, modulus, limit };
            (terms[at].bound, terms[at].stride) = (Amount::of(limit), Amount::of(stride));
            count += 1;
        }
    }
    let view = DigitsView { dims, sums: &[], terms: &terms[..count], swizzle: XorBits::NONE };
    view.to_digits(Amount::ONE)
}
