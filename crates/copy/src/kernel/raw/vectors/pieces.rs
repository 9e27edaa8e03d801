//! The general path's pieces, which begin and end anywhere.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::stretches::{Piece, Stretches};

/// Elements of a piece that are moved one by one.
const SHORT: usize = 4;

/// Moves each piece in all rows.
///
/// # Safety
/// The task is one of the general path with elements of `W` bytes, and all pieces lie within the source and
/// the destination.
#[inline(always)]
pub(super) unsafe fn stretches<const W: usize>(task: &KernelTask, all: &Stretches) {
    for &Piece { at, step, length } in all.pieces {
        // A short one is moved by its elements, each in all rows: to call a function would take longer.
        let is_short = length <= SHORT;
        for number in 0..if is_short { length } else { 1 } {
            for row in all.rows {
                let from = (row[0] + at[0] + number * step[0]) * W;
                let to = (row[1] + at[1] + number * step[1]) * W;
                let (from, to) = (task.src.wrapping_add(from), task.dst.wrapping_add(to));
                // SAFETY: the piece lies within the source and the destination, in this row.
                unsafe {
                    if is_short {
                        copy_nonoverlapping(from, to, W);
                    } else if step != [1, 1] {
                        evenly::<W>(from, to, length, step);
                    } else {
                        copy_nonoverlapping(from, to, length * W);
                    }
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
