//! Whether a reshape leaves every element where it is.

use crate::bitcast::groups::Groups;
use crate::bitcast::same::{Budget, Difference, StepLimit, difference, steps};
use layout_core::Digits;
use layout_core::Size;

/// The first element whose offset differs from that of the element with the same row-major number in
/// another array of as many elements.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
pub const fn difference_reshaped(
    own: &Digits,
    other: &Digits,
    limit: StepLimit,
) -> Option<Difference> {
    if own.elements() == 0 || own.same_digits(other) {
        return None;
    }
    let groups = Groups::new(own, other);
    let [a, b] = [groups.of(own, 0), groups.of(other, 1)];
    let (Some(a), Some(b)) = (a, b) else { return difference_of_each(own, other, limit) };
    let Difference { from: index, offsets, .. } = some!(difference(&a, &b, limit));
    Some(Difference {
        from: groups.index(own, 0, &index),
        to: groups.index(other, 1, &index),
        offsets,
    })
}

/// Compares element by element, for layouts with more sums than there is room for.
#[track_caller]
const fn difference_of_each(own: &Digits, other: &Digits, limit: StepLimit) -> Option<Difference> {
    let mut budget = Budget::new(limit);
    let mut number = 0;
    while number < own.elements() {
        budget.take((own.rank() + other.rank()) as Size + steps(own) + steps(other));
        let (from, to) = (own.numbered(number), other.numbered(number));
        let offsets = [
            own.offset_unchecked(from.split_at(own.rank()).0),
            other.offset_unchecked(to.split_at(other.rank()).0),
        ];
        if offsets[0] != offsets[1] {
            return Some(Difference { from, to, offsets });
        }
        number += 1;
    }
    None
}
