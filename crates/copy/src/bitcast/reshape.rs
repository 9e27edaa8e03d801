//! Whether a reshape leaves every element where it is.

use crate::bitcast::groups::Groups;
use crate::bitcast::same::{Difference, StepLimit, difference, difference_of_stretches};
use layout_core::Digits;

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
    let (Some(a), Some(b)) = (a, b) else {
        // More sums than there is room for.
        return difference_of_stretches(own, other, limit);
    };
    let Difference { from: index, offsets, .. } = some!(difference(&a, &b, limit));
    Some(Difference {
        from: groups.index(own, 0, &index),
        to: groups.index(other, 1, &index),
        offsets,
    })
}
