//! The general path's pieces, which begin and end anywhere.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::stretches::{Piece, Stretches};

/// Moves each piece in all rows.
///
/// # Safety
/// The task is one of the general path with elements of `W` bytes, and all pieces lie within the source and
/// the destination.
#[inline(always)]
pub(super) unsafe fn stretches<const W: usize>(task: &KernelTask, all: &Stretches) {
    for &Piece { at, step, length } in all.pieces {
        let bytes = length * W;
        for row in all.rows {
            let from = task.src.wrapping_add((row[0] + at[0]) * W);
            let to = task.dst.wrapping_add((row[1] + at[1]) * W);
            // SAFETY: the piece lies within the source and the destination, in this row.
            unsafe {
                if step != [1, 1] {
                    evenly::<W>(from, to, length, step);
                } else {
                    copy_nonoverlapping(from, to, bytes);
                }
            }
        }
    }
}

/// Elements that are evenly spaced on both sides. Out of line, so that it is not compiled for the vector's
/// instructions: the compiler would gather and scatter, which takes longer than one element at a time.
///
/// # Safety
/// `count` elements are readable at `from` and writable at `to`, at these steps.
#[inline(never)]
unsafe fn evenly<const W: usize>(from: *const u8, to: *mut u8, count: usize, step: [usize; 2]) {
    for i in 0..count {
        // SAFETY: the caller vouches for element `i` on both sides.
        unsafe { copy_nonoverlapping(from.add(i * step[0] * W), to.add(i * step[1] * W), W) };
    }
}
