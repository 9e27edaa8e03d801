//! Spreading an array over threads.

use crate::loops::{Loop, Plan};
use layout_core::Size;
use layout_core::base::width::native;
use rayon::prelude::*;

use crate::kernel::raw::Memory;

/// Shares for each thread, so that one that is late does not keep the others waiting.
const SHARES: usize = 4;

/// Copies by the function, each share of the destination by itself. False, and nothing is done, if there
/// is but one thread, or if the plan does not fall apart. A byte holds `per` of the plan's elements, in the
/// source and in the destination; or an element of the plan takes `size` bytes.
///
/// The shares are stretches of the destination's memory that follow one another, so that they are
/// slices of their own.
pub(crate) fn copy(
    plan: &Plan,
    memory: Memory<'_>,
    per: [Size; 2],
    size: usize,
    copy: &(dyn Fn(Plan, Memory<'_>) + Sync),
) -> bool {
    let threads = rayon::current_num_threads();
    let Some(number) = plan.shared() else { return false };
    let Loop { extent, src, dst, .. } = plan.loops[number];
    let [extent, src_stride, dst_stride] = [extent, src, dst].map(native);
    if threads < 2 || extent < 2 {
        return false;
    }
    // Blocks of the kernel are left whole, and so are bytes.
    let multiple = native(plan.together(number, per));
    let values = extent.div_ceil(threads * SHARES).next_multiple_of(multiple);
    let per = per.map(native);
    let [src_share, dst_share] =
        [values * src_stride * size / per[0], values * dst_stride * size / per[1]];
    let Memory { src, dst, bytes } = memory;
    let last = (extent - 1) / values * dst_share;
    assert!(last < dst.len(), "the destination is shorter than its layout");
    // Past the last share is padding.
    dst.par_chunks_mut(dst_share).enumerate().for_each(|(at, dst)| {
        let [first, end] = [at * values, extent.min((at + 1) * values)].map(|value| value as Size);
        if let Some(plan) = plan.at_values(number, first, end) {
            copy(plan, Memory { src: &src[at * src_share..], dst, bytes });
        }
    });
    true
}
