//! The general path's pieces, which begin and end anywhere.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::stretches::{Piece, Stretches};

/// Elements of a piece that are moved one by one, each in all rows.
const FEW: usize = 8;

/// Moves each piece in all rows.
///
/// # Safety
/// The task is one of the general path with elements of `W` bytes, and all pieces lie within the source and
/// the destination.
#[inline(always)]
pub(super) unsafe fn stretches<const W: usize>(task: &KernelTask, all: &Stretches) {
    for &Piece { at, step, length } in all.pieces {
        // To call a function for few elements would take longer.
        let is_line = step == [1, 1] && length > FEW;
        let count = if is_line { 1 } else { length };
        for number in 0..count {
            for row in all.rows {
                let byte = |side: usize| (row[side] + at[side] + number * step[side]) * W;
                let (from, to) = (task.src.wrapping_add(byte(0)), task.dst.wrapping_add(byte(1)));
                // SAFETY: the piece lies within the source and the destination, in this row.
                unsafe {
                    if is_line {
                        copy_nonoverlapping(from, to, length * W);
                    } else {
                        copy_nonoverlapping(from, to, W);
                    }
                }
            }
        }
    }
}
