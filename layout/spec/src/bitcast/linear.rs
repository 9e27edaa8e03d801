//! A layout as a function of an element's row-major number, which a reshape keeps.

use crate::digits::Digits;
use crate::limits::MAX_DIMS;
use crate::list::List;
use crate::plan::{MAX_PARTS, Parts};

/// `offset = Σ digit · stride`, where the digits are those of the element's row-major number, the
/// greatest unit first: each is what is left of the number, divided by its unit.
///
/// A unit that goes on as the one below it began is left out. So where each unit divides the next,
/// two layouts that are the same function have the same units.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    units: [Unit; MAX_PARTS],
    len: usize,
}

#[derive(Clone, Copy)]
struct Unit {
    /// Elements, in row-major order, that the digit counts by.
    unit: usize,
    /// Elements in memory from one value of the digit to the next.
    stride: usize,
}

impl Linear {
    /// `None` where a digit is no digit of one coordinate, or where there are too many.
    pub const fn new(digits: &Digits) -> Option<Linear> {
        let Some(parts) = Parts::new(digits) else { return None };
        let mut linear = Linear { units: [Unit { unit: 1, stride: 0 }; MAX_PARTS], len: 0 };
        let mut used = 0;
        let mut below = 1;
        let mut dim = digits.rank();
        while dim > 0 {
            dim -= 1;
            let size = digits.dim(dim);
            let mut at = 1;
            while size > 1 && at != usize::MAX {
                let Some(part) = parts.find(dim, at) else { return None };
                linear.push(Unit { unit: below * at, stride: part.stride });
                used += 1;
                at = part.end(size);
            }
            below *= size;
        }
        if used == parts.len { Some(linear) } else { None }
    }

    const fn push(&mut self, unit: Unit) {
        if self.len > 0 {
            let below = self.units[self.len - 1];
            if unit.unit.is_multiple_of(below.unit)
                && unit.stride == unit.unit / below.unit * below.stride
            {
                return;
            }
        }
        self.units[self.len] = unit;
        self.len += 1;
    }

    const fn offset(&self, number: usize) -> usize {
        let (mut left, mut offset) = (number, 0);
        let mut i = self.len;
        while i > 0 {
            i -= 1;
            offset += left / self.units[i].unit * self.units[i].stride;
            left %= self.units[i].unit;
        }
        offset
    }

    const fn equals(&self, other: &Linear) -> bool {
        if self.len != other.len {
            return false;
        }
        let mut i = 0;
        while i < self.len {
            let (a, b) = (self.units[i], other.units[i]);
            if a.unit != b.unit || a.stride != b.stride {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether each unit divides the next: no digit is cut off by the end of its dimension.
    const fn is_nested(&self) -> bool {
        let mut i = 1;
        while i < self.len {
            if !self.units[i].unit.is_multiple_of(self.units[i - 1].unit) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The least of its units whose elements lie elsewhere in the two layouts, below `least`.
    const fn moved_unit(&self, other: &Linear, mut least: usize) -> usize {
        let mut i = 0;
        while i < self.len {
            let number = self.units[i].unit;
            if number < least && self.offset(number) != other.offset(number) {
                least = number;
            }
            i += 1;
        }
        least
    }
}

/// Which of the elements that lie elsewhere is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// Any one will do.
    Any,
    /// The first in row-major order.
    First,
}

/// The row-major number of an element that lies elsewhere in two layouts of as many elements.
pub(super) const fn moved(a: &Digits, b: &Digits, ask: Ask) -> Option<usize> {
    let elements = a.elements();
    let mut end = elements;
    if elements == 0 {
        return None;
    }
    if let (Some(x), Some(y)) = (Linear::new(a), Linear::new(b)) {
        if x.equals(&y) {
            return None;
        }
        end = y.moved_unit(&x, x.moved_unit(&y, elements));
        // Where units divide the next, the first number that differs is one of them: up to there both
        // have the same units, so that any other number is a sum of smaller ones without a carry in
        // either.
        let is_any = matches!(ask, Ask::Any) && end < elements;
        if is_any || x.is_nested() && y.is_nested() {
            return if end < elements { Some(end) } else { None };
        }
    } else if a.is_same(b) {
        return None;
    }
    if a.has_dims_of(b) {
        return match a.difference(b) {
            Some(difference) => Some(a.flatten(&difference.index)),
            None => None,
        };
    }
    match walk(a, b, end) {
        Some(number) => Some(number),
        None if end < elements => Some(end),
        None => None,
    }
}

/// Compares the first `end` elements, by stretches along the last dimensions.
const fn walk(a: &Digits, b: &Digits, end: usize) -> Option<usize> {
    let (along_a, along_b) = (a.last_dim(), b.last_dim());
    let mut number = 0;
    while number < end {
        let x = a.stretch(&a.unflatten(number), along_a);
        let y = b.stretch(&b.unflatten(number), along_b);
        if x.offset != y.offset {
            return Some(number);
        }
        let shorter = if x.length < y.length { x.length } else { y.length };
        let length = if shorter < end - number { shorter } else { end - number };
        if length > 1 && x.stride != y.stride {
            return Some(number + 1);
        }
        number += length;
    }
    None
}

impl Digits {
    /// The most minor logical dimension with more than one element; 0 if there is none.
    const fn last_dim(&self) -> usize {
        let mut dim = self.rank();
        while dim > 0 {
            dim -= 1;
            if self.dim(dim) > 1 {
                return dim;
            }
        }
        0
    }

    /// The coordinates of a row-major number below the number of elements.
    const fn unflatten(&self, number: usize) -> [usize; MAX_DIMS] {
        let mut index = [0; MAX_DIMS];
        let mut left = number;
        let mut dim = self.rank();
        while dim > 0 {
            dim -= 1;
            index[dim] = left % self.dim(dim);
            left /= self.dim(dim);
        }
        index
    }

    /// The row-major number of coordinates.
    const fn flatten(&self, index: &[usize; MAX_DIMS]) -> usize {
        let (mut number, mut dim) = (0, 0);
        while dim < self.rank() {
            number = number * self.dim(dim) + index[dim];
            dim += 1;
        }
        number
    }

    const fn has_dims_of(&self, other: &Digits) -> bool {
        let mut is_same = self.rank() == other.rank();
        let mut dim = 0;
        while is_same && dim < self.rank() {
            is_same = self.dim(dim) == other.dim(dim);
            dim += 1;
        }
        is_same
    }

    /// The coordinates of a row-major number as a list.
    pub(super) const fn index_of_number(&self, number: usize) -> List<MAX_DIMS> {
        List::of(&self.unflatten(number), self.rank())
    }

    /// Whether both are the same digits of the same coordinates, dimensions of size 1 aside. If not,
    /// they may still be the same function.
    const fn is_same(&self, other: &Digits) -> bool {
        let (Some(names), true) = (self.names(other), self.sum_count == other.sum_count) else {
            return false;
        };
        if self.count != other.count {
            return false;
        }
        let mut i = 0;
        while i < self.sum_count {
            let (a, b) = (&self.sums[i], &other.sums[i]);
            let is_same = a.major.is_same(&b.major, &names)
                && a.minor.is_same(&b.minor, &names)
                && a.factor.factor == b.factor.factor;
            if !is_same {
                return false;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.count {
            let (a, b) = (&self.terms[i], &other.terms[i]);
            if a.stride != b.stride || !a.digit.is_same(&b.digit, &names) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// For each dimension its number in another array whose dimensions other than 1 are the same.
    const fn names(&self, other: &Digits) -> Option<[usize; MAX_DIMS]> {
        let mut names = [0; MAX_DIMS];
        let (mut a, mut b) = (0, 0);
        loop {
            while a < self.rank() && self.dim(a) == 1 {
                a += 1;
            }
            while b < other.rank() && other.dim(b) == 1 {
                b += 1;
            }
            if a == self.rank() || b == other.rank() {
                return if a == self.rank() && b == other.rank() { Some(names) } else { None };
            }
            if self.dim(a) != other.dim(b) {
                return None;
            }
            names[a] = b;
            a += 1;
            b += 1;
        }
    }
}
