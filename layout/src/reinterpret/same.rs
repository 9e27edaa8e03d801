//! Layouts that put every element in the same place.

use layout_copy::__private::{COMPILE_TIME_LIMIT, same_bytes_within};

use crate::array::same_array::SameArray;
use crate::compiled::{self, AnyLayout, stop};
use crate::reinterpret::stays;

/// Whether every element has the same offset and the same size in two layouts of one array:
/// [`same_bytes`](crate::bitcast::same_bytes) of the two layouts' values. Padding is not compared.
///
/// Bounded dimensions count with their bounds; with `?` only the same layout has the same bytes.
///
/// It does not compile if the answer needs a comparison of all elements, and the array has too many for the
/// compiler: the error says so. The function on values has no limit.
///
/// # Examples
/// ```
/// use layout::{layout, same_bytes};
///
/// type A = layout!(F32[16,128]);
/// type Tiled = layout!(F32[16,128]{1,0:T(8,128)});
/// const SAME: bool = same_bytes::<A, Tiled>();
/// assert!(SAME);
/// assert!(!same_bytes::<Tiled, layout!(F32[16,128]{1,0:T(8,64)})>());
/// ```
pub const fn same_bytes<A: SameArray<B>, B: AnyLayout>() -> bool {
    const {
        let ((), ()) = (A::VALID, B::VALID);
        same_bytes_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT).is_ok()
    }
}

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
