//! Boxes of elements that are laid out like arrays of their own.

use layout_core::__private::Region;
use layout_core::analysis::Digit;
use layout_core::base::width::least;
use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS};
use layout_core::{Digits, Size};

/// A coordinate or a sum along a box: its value at the start, and how far it goes up from 0 along an
/// array of the box's size.
#[derive(Clone, Copy)]
struct Along {
    start: Size,
    reach: Size,
}

/// The offset of a box's first element, if from there on the box is laid out like an array of its size
/// with the same tiles: if its cuts are on tile borders, or cross none.
pub const fn base(digits: &Digits, region: &Region) -> Option<Size> {
    let mut sources = [Along { start: 0, reach: 0 }; MAX_DIMS + MAX_TILE_DIMS];
    each!(for dim in 0..digits.rank() {
        let start = region.start[dim];
        if start >= region.limit[dim] {
            return Some(0);
        }
        sources[dim] = Along { start, reach: region.limit[dim] - start - 1 };
    });
    if !digits.swizzle().is_none() {
        return None;
    }
    each!(for i in 0..digits.sums().len() {
        let sum = &digits.sums()[i];
        let (Some(major), Some(minor)) = (of(&sources, &sum.major), of(&sources, &sum.minor))
        else {
            return None;
        };
        sources[MAX_DIMS + i] = Along {
            start: major.start * sum.factor.factor + minor.start,
            reach: major.reach * sum.factor.factor + minor.reach,
        };
    });
    let mut base = 0;
    each!(for term in digits.terms() {
        let Some(digit) = of(&sources, &term.digit) else { return None };
        base += digit.start * term.stride.factor;
    });
    Some(base)
}

/// A digit along a box; `None` if it is not what it is at the start plus what it is along an array of
/// the box's size.
const fn of(sources: &[Along; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> Option<Along> {
    if digit.is_zero() {
        return Some(Along { start: 0, reach: 0 });
    }
    let Along { start, reach } = sources[digit.source];
    let past = start % digit.div;
    if past != 0 && past + reach >= digit.div {
        return None;
    }
    let (mut first, mut steps) = (start / digit.div, reach / digit.div);
    if digit.modulus != 0 {
        first %= digit.modulus;
        if first != 0 && first + steps >= digit.modulus {
            return None;
        }
        steps = least(steps, digit.modulus - 1);
    }
    Some(Along { start: first, reach: steps })
}
