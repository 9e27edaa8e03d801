//! Reshapes that move no element.

use layout_copy::__private::{COMPILE_TIME_LIMIT, check_reshape_within};
use layout_copy::bitcast::NotBitcast;

use crate::compiled::{self, AnyLayout, stop};
use crate::reinterpret::stays;

/// Whether an array in layout `A` is, byte for byte, also its reshape in layout `B`:
/// [`bitcast::reshape_is_bitcast`](crate::bitcast::reshape_is_bitcast) of the two layouts' values.
///
/// It is true if both arrays have the same element type, element size, number of elements and size in memory,
/// and if elements with equal row-major numbers have equal offsets. Bounded dimensions count with their
/// bounds; with `?` only the same layout is a bitcast.
///
/// It does not compile if the answer needs a comparison of all elements, and the array has too many for the
/// compiler: the error says so. The function on values has no limit.
///
/// # Examples
/// ```
/// use layout::{layout, reshape_is_bitcast};
///
/// type A = layout!(F32[16,128]{1,0:T(8,128)});
/// const _: () = assert!(reshape_is_bitcast::<A, layout!(F32[2048]{0:T(1024)})>());
/// const _: () = assert!(reshape_is_bitcast::<A, layout!(F32[2,8,128]{2,1,0:T(8,128)})>());
/// assert!(!reshape_is_bitcast::<A, layout!(F32[8,256]{1,0:T(8,128)})>());
/// ```
#[doc(alias = "ReshapeIsBitcast")]
pub const fn reshape_is_bitcast<A: AnyLayout, B: AnyLayout>() -> bool {
    const {
        let ((), ()) = (A::VALID, B::VALID);
        check_reshape_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT).is_ok()
    }
}

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
