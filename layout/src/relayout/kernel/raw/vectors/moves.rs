//! Elements of 16 bytes, which no vector takes apart: moved one by one.

use crate::relayout::kernel::block::Axis;
use crate::relayout::kernel::raw::machine::Smallest;
use crate::relayout::kernel::raw::size::LANE;
use crate::relayout::kernel::raw::vectors::line;
use crate::relayout::kernel::raw::vectors::task::KernelTask;

/// Rows of the source put together in turns, or taken apart, of elements of `LANE` bytes.
///
/// # Safety
/// The task is one of a kernel for rows of such elements, all of it lies within the source and the destination, and the
/// processor has the smallest vector's instructions.
#[inline(always)]
pub(super) unsafe fn moves(task: &KernelTask) {
    let (q_axis, p_axis) = (&task.q_axis, &task.p_axis);
    for i in 0..task.count {
        let place = task.place(i);
        let mut q = 0;
        while q < task.q {
            let rows = digit(q_axis, q, task.q);
            let mut p = 0;
            while p < task.p {
                let columns = digit(p_axis, p, task.p);
                let at = [0, 1].map(|side| q_axis.offset(q, side) + p_axis.offset(p, side));
                let place = (place.0.wrapping_add(at[0]), place.1.wrapping_add(at[1]));
                // SAFETY: these are the task's elements at some values of `q` and `p`.
                unsafe {
                    if rows <= columns {
                        grid(place, [rows, columns], [q_axis.near, p_axis.near]);
                    } else {
                        grid(place, [columns, rows], [p_axis.near, q_axis.near]);
                    }
                }
                p += columns;
            }
            q += rows;
        }
    }
}

/// Values of the axis's more minor digit, from its first one on.
#[inline(always)]
fn digit(axis: &Axis, first: usize, end: usize) -> usize {
    if end - first < axis.minor { end - first } else { axis.minor }
}

/// Elements of the longer digit that are moved before those at the next value of the shorter one: what they share of lines is in
/// the first cache then.
const NEAR: usize = 64;

/// The longer digit inside, some of it at a time.
///
/// # Safety
/// As many elements lie these bytes apart, from the source and from the destination on; the processor has the smallest
/// vector's instructions.
#[inline(always)]
unsafe fn grid(
    (src, dst): (*const u8, *mut u8),
    [short, long]: [usize; 2],
    [near, far]: [[usize; 2]; 2],
) {
    let mut first = 0;
    while first < long {
        let end = if long - first < NEAR { long } else { first + NEAR };
        for i in 0..short {
            let (from, to) = (src.wrapping_add(i * near[0]), dst.wrapping_add(i * near[1]));
            for j in first..end {
                // SAFETY: the caller vouches for the element.
                unsafe {
                    let (from, to) = (from.wrapping_add(j * far[0]), to.wrapping_add(j * far[1]));
                    line::run::<Smallest>(from, to, LANE);
                }
            }
        }
        first = end;
    }
}
