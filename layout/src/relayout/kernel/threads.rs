//! Spreading an array over threads.

use layout_core::__private::{Loop, Plan, native};
use layout_core::Size;
use rayon::prelude::*;

/// Shares for each thread, so that one that is late does not keep the others waiting.
const SHARES: usize = 4;

/// Copies by the function, each share of the destination by itself. False, and nothing is done, if there
/// is but one thread, or if the plan does not fall apart.
///
/// The shares are stretches of the destination's memory that follow one another, so that they are
/// slices of their own.
pub(crate) fn copy<U: Copy + Send + Sync>(
    plan: &Plan,
    src: &[U],
    dst: &mut [U],
    copy: impl Fn(&Plan, &[U], &mut [U]) + Sync,
) -> bool {
    let threads = rayon::current_num_threads();
    let Some(number) = plan.shared() else { return false };
    let Loop { extent, src: src_stride, dst: dst_stride, .. } = plan.loops[number];
    let [extent, src_stride, dst_stride] = [extent, src_stride, dst_stride].map(native);
    if threads < 2 || extent < 2 {
        return false;
    }
    // Blocks of the kernel are left whole.
    let multiple = if number < usize::from(plan.inner) { 1 } else { 64 };
    let values = extent.div_ceil(threads * SHARES).next_multiple_of(multiple);
    let dst = &mut dst[..];
    let slots = (extent - 1) / values * values * dst_stride;
    // The last share takes what is left, whatever lies after it.
    let (whole, last) = dst.split_at_mut(slots);
    let share = |at: usize, dst: &mut [U]| {
        let first = at * values;
        copy(&plan.share(number, first as Size, values as Size), &src[first * src_stride..], dst);
    };
    rayon::join(
        || {
            whole
                .par_chunks_mut(values * dst_stride)
                .enumerate()
                .for_each(|(at, dst)| share(at, dst));
        },
        || share(slots / (values * dst_stride), last),
    );
    true
}
