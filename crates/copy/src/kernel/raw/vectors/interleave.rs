//! Rows of the source side by side, and the reverse: around what the rows go; `weave.rs` moves them.

use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::weave::{Blocks, Rows};

/// Puts rows side by side.
///
/// # Safety
/// The task is one of a kernel that interleaves these rows, all of it lies within the source and the destination, and the
/// processor has the instructions of the rows' function.
#[inline(always)]
pub(super) unsafe fn interleave(task: &KernelTask, rows: &Rows) {
    let places = Rows::spread(task.src, task.q_src);
    let all = Blocks { count: task.count, step: task.step, length: task.p * rows.width };
    // SAFETY: each of the task's rows of the source, `q_src` apart, has as many bytes, its destination those of all rows.
    unsafe { (rows.weaver)(task.dst, places.as_ptr(), &all) }
}

/// Takes rows apart.
///
/// # Safety
/// The task is one of a kernel that takes these rows apart, all of it lies within the source and the destination, and the
/// processor has the instructions of the rows' function.
#[inline(always)]
pub(super) unsafe fn deinterleave(task: &KernelTask, rows: &Rows) {
    let places = Rows::spread(task.dst, task.p_dst);
    let step = [task.step[1], task.step[0]];
    let all = Blocks { count: task.count, step, length: task.q * rows.width };
    // SAFETY: each of the rows of the destination has as many bytes, the source those of all rows.
    unsafe { (rows.weaver)(task.src.cast_mut(), places.as_ptr(), &all) }
}
