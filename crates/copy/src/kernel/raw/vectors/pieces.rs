//! The general path's pieces, which begin and end anywhere.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::line;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::stretches::{Piece, Stretches};

/// Moves evenly spaced elements.
pub(super) type Evenly = unsafe fn(*const u8, *mut u8, usize, [usize; 2]);

/// Moves each piece in all rows: of one length, so that the processor foresees where the loops over vectors end.
///
/// # Safety
/// The task is one of the general path with elements of `width` bytes, which `evenly` moves, all pieces lie within the source and
/// the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn stretches<V: Vector>(
    task: &KernelTask,
    all: &Stretches,
    width: usize,
    evenly: Evenly,
) {
    for &Piece { at, step, length } in all.pieces {
        let bytes = length * width;
        for row in all.rows {
            let from = task.src.wrapping_add((row[0] + at[0]) * width);
            let to = task.dst.wrapping_add((row[1] + at[1]) * width);
            // SAFETY: the piece lies within the source and the destination, in this row.
            unsafe {
                if step != [1, 1] {
                    evenly(from, to, length, step);
                } else if bytes >= V::BYTES {
                    line::run::<V>(from, to, bytes);
                } else {
                    line::copy::<V>(from, to, bytes);
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
pub(super) unsafe fn evenly<const W: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: [usize; 2],
) {
    for i in 0..count {
        // SAFETY: the caller vouches for element `i` on both sides.
        unsafe { copy_nonoverlapping(from.add(i * step[0] * W), to.add(i * step[1] * W), W) };
    }
}
