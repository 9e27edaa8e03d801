//! Dimensions of two arrays in groups that have as many elements in both, as a reshape has them.

use layout_core::analysis::{Amount, Digit, DigitSource, DigitsView, Sum, Term};
use layout_core::base::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS};
use layout_core::{Digits, Size};

/// Two arrays with the same number of elements, their dimensions put into groups: consecutive ones with as many
/// elements in either array, as few as possible. The row-major number within a group is a
/// coordinate that both arrays share.
#[derive(Clone, Copy, Debug)]
// A dimension becomes a digit of the group's number. What remains is two layouts of one array, as for a bitcast.
pub(super) struct Groups {
    len: usize,
    sizes: [Size; MAX_DIMS],
    /// The group of each dimension, for either array.
    of: [[usize; MAX_DIMS]; 2],
}

impl Groups {
    /// Neither array is empty.
    pub(super) const fn new(a: &Digits, b: &Digits) -> Groups {
        let mut groups = Groups { len: 0, sizes: [1; MAX_DIMS], of: [[0; MAX_DIMS]; 2] };
        let arrays = [a, b];
        let mut next = [0; 2];
        while next[0] < a.rank() || next[1] < b.rank() {
            // One dimension of each, then more of the side with fewer elements so far.
            let mut sizes = [1; 2];
            let mut taken = 0;
            while taken < 2 || sizes[0] != sizes[1] {
                let side = if taken < 2 { taken } else { (sizes[0] > sizes[1]) as usize };
                if next[side] < arrays[side].rank() {
                    sizes[side] *= arrays[side].dim(next[side]);
                    groups.of[side][next[side]] = groups.len;
                    next[side] += 1;
                }
                taken += 1;
            }
            groups.sizes[groups.len] = sizes[0];
            groups.len += 1;
        }
        groups
    }

    /// What dimension `dim` counts of the number of its group.
    const fn unit(&self, digits: &Digits, side: usize, dim: usize) -> Size {
        let mut unit = 1;
        let mut i = dim + 1;
        while i < digits.rank() && self.of[side][i] == self.of[side][dim] {
            unit *= digits.dim(i);
            i += 1;
        }
        unit
    }

    /// The index of the element with these numbers in the groups.
    pub(super) const fn index(
        &self,
        digits: &Digits,
        side: usize,
        numbers: &[Size; MAX_DIMS],
    ) -> [Size; MAX_DIMS] {
        let mut index = [0; MAX_DIMS];
        each!(for dim in 0..digits.rank() {
            let number = numbers[self.of[side][dim]] / self.unit(digits, side, dim);
            index[dim] = number % digits.dim(dim);
        });
        index
    }

    /// A dimension as the digit that it is of its group's number.
    const fn digit(&self, digits: &Digits, side: usize, dim: usize) -> Digit {
        let (unit, size) = (self.unit(digits, side, dim), digits.dim(dim));
        let group = self.of[side][dim];
        // What counts up to the end of the group needs no modulus.
        let modulus = if unit * size == self.sizes[group] { 0 } else { size };
        Digit { source: group, div: unit, modulus, limit: size }
    }

    /// The layout of an array as one of its groups; `None` without room for the sums.
    pub(super) const fn of(&self, digits: &Digits, side: usize) -> Option<Digits> {
        // A dimension that is not all of its group becomes a sum of its own: whether its digits are digits of the group's number
        // is asked where sums are resolved. These sums come before those of the layout, which may use them.
        let mut sources = [0; MAX_DIMS];
        let (mut sums, mut before) = ([Sum::NONE; MAX_TILE_DIMS], 0);
        each!(for dim in 0..digits.rank() {
            let minor = self.digit(digits, side, dim);
            sources[dim] = minor.source;
            if !minor.is_whole() && !minor.is_zero() {
                let (major, factor, limit) = (Digit::ZERO, Amount::ONE, minor.limit);
                sums[before] = Sum { major, factor, minor, limit };
                sources[dim] = MAX_DIMS + before;
                before += 1;
            }
        });
        let count = before + digits.sums().len();
        if count > MAX_TILE_DIMS {
            return None;
        }
        each!(for i in before..count {
            let Sum { major, factor, minor, limit } = digits.sums()[i - before];
            let (major, minor) = (moved(major, &sources, before), moved(minor, &sources, before));
            sums[i] = Sum { major, factor, minor, limit };
        });
        let mut terms = [Term::NONE; MAX_BOUNDS];
        each!(for i in 0..digits.terms().len() {
            terms[i] = digits.terms()[i];
            terms[i].digit = moved(terms[i].digit, &sources, before);
        });
        let (terms, sums) = (terms.split_at(digits.terms().len()).0, sums.split_at(count).0);
        let dims = self.sizes.split_at(self.len).0;
        let view = DigitsView { dims, sums, terms, swizzle: digits.swizzle() };
        Some(view.to_digits(digits.size_amount()))
    }
}

/// A digit of a dimension or of a sum, taken of what the dimension has become and of sums that stand after `before` others.
const fn moved(digit: Digit, sources: &[usize; MAX_DIMS], before: usize) -> Digit {
    let source = match digit.source() {
        DigitSource::Dim(dim) => sources[dim],
        DigitSource::Sum(_) => digit.source + before,
    };
    Digit { source, ..digit }
}
