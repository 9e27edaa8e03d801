//! Layouts that put every element in the same place.

use layout_copy::__private::{COMPILE_TIME_LIMIT, same_bytes_within};

use crate::array::same_array::SameArray;
use crate::compiled::{self, AnyLayout, stop};
use crate::reinterpret::stays;

/// Stops the build with the reason, if a view of `A` cannot be a view of `B`.
#[track_caller]
pub(super) const fn check<A: SameArray<B>, B: AnyLayout>() {
    compiled::both_known::<A, B>();
    if let Err(error) = same_bytes_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT) {
        let (mut text, is_moved) = stays::why("bitcast", &error);
        if is_moved {
            text.str("; `copy` moves them");
        }
        stop(text.as_str())
    }
    stays::room::<A, B>();
}
