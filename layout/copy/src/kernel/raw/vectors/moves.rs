//! Elements of 16 bytes, which no vector takes apart: moved one by one.

use crate::kernel::block::{Axis, add};
use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::size::LANE;
use crate::kernel::raw::vectors::line;
use crate::kernel::raw::vectors::task::KernelTask;

/// Rows of the source put together in turns, or taken apart, of elements of `LANE` bytes.
///
/// # Safety
/// The task is one of a kernel for rows of such elements, all of it lies within the source and the destination, and the
/// processor has the smallest vector's instructions.
#[inline(always)]
pub(super) unsafe fn moves(task: &KernelTask) {
    let (q_axis, p_axis) = (&task.q_axis, &task.p_axis);
    let mut q = 0;
    while q < task.q {
        let rows = digit(q_axis, q, task.q);
        let mut p = 0;
        while p < task.p {
            let columns = digit(p_axis, p, task.p);
            let at = [0, 1].map(|side| q_axis.offset(q, side) + p_axis.offset(p, side));
            // SAFETY: these are the task's elements at some values of `q` and `p`, in each of its blocks.
            unsafe {
                if rows <= columns {
                    grids(task, at, [rows, columns], [q_axis.near, p_axis.near]);
                } else {
                    grids(task, at, [columns, rows], [p_axis.near, q_axis.near]);
                }
            }
            p += columns;
        }
        q += rows;
    }
}

/// Values of the axis's more minor digit, from its first one on.
#[inline(always)]
fn digit(axis: &Axis, first: usize, end: usize) -> usize {
    if end - first < axis.minor { end - first } else { axis.minor }
}

/// Two digits of each of the task's blocks, which begin `at` its first bytes: the longer one outside, and of the shorter one
/// several elements at a time, which often share a line.
///
/// # Safety
/// In each block the digits have `short` and `long` elements, `near` and `far` bytes apart; the processor has the smallest vector's instructions.
#[inline(always)]
unsafe fn grids(
    task: &KernelTask,
    at: [usize; 2],
    [short, long]: [usize; 2],
    [near, far]: [[usize; 2]; 2],
) {
    // SAFETY: what the caller vouches for, of some elements of the shorter digit.
    unsafe {
        match short {
            2 => few::<2>(task, at, long, near, far),
            4 => few::<4>(task, at, long, near, far),
            8 => few::<8>(task, at, long, near, far),
            _ => {
                for i in 0..short {
                    few::<1>(task, add(at, near, i), long, near, far);
                }
            }
        }
    }
}

/// `N` elements of the shorter digit at a time.
///
/// # Safety
/// The conditions of `grids`, for `N` elements of the shorter digit.
#[inline(always)]
unsafe fn few<const N: usize>(
    task: &KernelTask,
    at: [usize; 2],
    long: usize,
    near: [usize; 2],
    far: [usize; 2],
) {
    for block in 0..task.count {
        let (src, dst) = task.place(block);
        for j in 0..long {
            let [from, to] = add(at, far, j);
            let mut i = 0;
            while i < N {
                // SAFETY: the caller vouches for the element.
                unsafe {
                    let (from, to) = (from + i * near[0], to + i * near[1]);
                    line::run::<Smallest>(src.wrapping_add(from), dst.wrapping_add(to), LANE);
                }
                i += 1;
            }
        }
    }
}
