//! Elements of which none are neighbours in both layouts, nor some of each in one: moved one by one.

pub(in crate::kernel::raw) mod byte_groups;

use core::ptr::copy_nonoverlapping;

use crate::kernel::block::add;
use crate::kernel::raw::vectors::task::KernelTask;

/// Elements along either side of a square that is moved at a time: what rows share of a line of memory is in the first cache
/// when the next ones come.
const SIDE: usize = 64;

/// Elements at any strides, of `W` bytes.
///
/// # Safety
/// All elements of the task lie within the source and the destination, and take `W` bytes.
#[inline(always)]
pub(super) unsafe fn spread<const W: usize>(task: &KernelTask) {
    let (q_near, p_near) = (task.q_axis.near, task.p_axis.near);
    task.grids(SIDE, |at, [rows, columns]| {
        // SAFETY: these are the task's elements at some values of `q` and `p`, in each of its blocks.
        unsafe {
            if rows <= columns {
                grids::<W>(task, at, [rows, columns], [q_near, p_near]);
            } else {
                grids::<W>(task, at, [columns, rows], [p_near, q_near]);
            }
        }
    });
}

/// Two digits of each of the task's blocks, which begin `at` its first bytes: the longer one outside, and of the shorter one
/// several elements at a time, which often share a line.
///
/// # Safety
/// In each block the digits have `short` and `long` elements of `W` bytes, `near` and `far` bytes apart.
#[inline(always)]
unsafe fn grids<const W: usize>(
    task: &KernelTask,
    at: [usize; 2],
    [short, long]: [usize; 2],
    [near, far]: [[usize; 2]; 2],
) {
    let mut i = 0;
    // SAFETY: what the caller vouches for, of some elements of the shorter digit.
    unsafe {
        while short - i >= 8 {
            few::<W, 8>(task, add(at, near, i), long, near, far);
            i += 8;
        }
        if short - i >= 4 {
            few::<W, 4>(task, add(at, near, i), long, near, far);
            i += 4;
        }
        if short - i >= 2 {
            few::<W, 2>(task, add(at, near, i), long, near, far);
            i += 2;
        }
        if short > i {
            few::<W, 1>(task, add(at, near, i), long, near, far);
        }
    }
}

/// `N` elements of the shorter digit at a time.
///
/// # Safety
/// The conditions of `grids`, for `N` elements of the shorter digit.
#[inline(always)]
unsafe fn few<const W: usize, const N: usize>(
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
                let [from, to] = add([from, to], near, i);
                // SAFETY: the caller vouches for the element.
                unsafe { copy_nonoverlapping(src.wrapping_add(from), dst.wrapping_add(to), W) };
                i += 1;
            }
        }
    }
}
