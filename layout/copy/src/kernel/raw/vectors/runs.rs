//! Contiguous runs.

use crate::kernel::raw::machine::prefetch;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::ahead::ask_ahead;
use crate::kernel::raw::vectors::line;
use crate::kernel::raw::vectors::task::KernelTask;

/// Copies the runs.
///
/// # Safety
/// The task is one of runs of `p` bytes, all of it lies within the source and the destination, which can be
/// written until `rows` are flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector>(task: &mut KernelTask) {
    // A short one that stands alone is an end of a row, whose line another one has begun.
    let streams = task.streams && (task.count > 1 || task.p >= LINE);
    let turns = task.turns(task.p);
    if streams && !task.rows[0].ends_at(task.dst) {
        // Part of the first lines is other rows', where the rows begin within lines.
        for i in 0..task.count.min(turns) {
            let dst = task.place(i).1;
            if !dst.addr().is_multiple_of(LINE) {
                prefetch(dst);
            }
        }
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        if streams {
            ask_ahead::<V>(task, i, task.p);
        }
        // SAFETY: the task has `p` bytes at each of its places, in the source and in the destination, which is
        // borrowed until its kernel's last `flush`. A task has one kernel, and this one asks for no `room`.
        unsafe {
            if streams {
                task.rows[i % turns].put::<V>(src, dst, task.p);
            } else {
                line::copy::<V>(src, dst, task.p);
            }
        }
    }
}
