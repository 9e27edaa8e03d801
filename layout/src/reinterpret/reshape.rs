//! Reshapes that move no element.

use layout_copy::__private::{COMPILE_TIME_LIMIT, check_reshape_within};
use layout_copy::bitcast::NotBitcast;

use crate::compiled::{self, AnyLayout, stop};
use crate::reinterpret::stays;

/// Stops the build with the reason, if a view of `A` cannot be reshaped to `B`.
#[track_caller]
pub(super) const fn check<A: AnyLayout, B: AnyLayout>() {
    compiled::both_known::<A, B>();
    if size_of::<A::Sizes>() != 0 || size_of::<B::Sizes>() != 0 {
        stop(
            "a view holds the size of a bounded dimension (`<=N`): only arrays whose type has every size can be reshaped",
        )
    }
    match check_reshape_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT) {
        Ok(()) | Err(NotBitcast::Size { .. }) => stays::room::<A, B>(),
        Err(error) => {
            let (mut text, is_moved) = stays::why("reshape", &error);
            if is_moved {
                text.str("; to move them, `copy` to ");
                stays::layout(&mut text, &A::VALUE.row_major());
                text.str(", reshape that to ");
                stays::layout(&mut text, &B::VALUE.row_major());
                text.str(" and `copy` the result");
            }
            stop(text.as_str())
        }
    }
}
