//! Transposing into rows that do not begin at lines, around the cache, by whole lines.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::ahead::ask_rows;
use crate::kernel::raw::vectors::line::emit;
use crate::kernel::raw::vectors::square::{Squares, at_once};
use crate::kernel::raw::vectors::task::{KernelTask, Offsets};
use crate::policy::{HELD_LINES, strip_columns};

/// Lines that are held, of all columns together, and rows that a step reads, at most.
const HELD: usize = LINE * HELD_LINES;

/// The columns of a block, of which a step writes the lines that begin in its rows.
struct Columns {
    /// Where what is held of a column begins.
    places: [usize; LINE],
    /// Where that belongs in the destination.
    to: [*mut u8; LINE],
}

/// The whole task at one place, in strips of columns. The rows of a step begin a block before the end of the last one,
/// so that each line is whole in one of them.
///
/// # Safety
/// The conditions of `transpose`; `i` is one of the task's places, and it has the columns of a block and the rows of two. `held` has
/// room for `HELD` lines, which it is aligned to.
#[inline(always)]
pub(super) unsafe fn ragged<V: Vector>(
    task: &KernelTask,
    squares: &Squares,
    i: usize,
    held: *mut u8,
) {
    let (src, dst) = task.place(i);
    let width = squares.width;
    let side = LINE / width;
    let most = HELD_LINES * side;
    let at_once = at_once(width);
    let mut rows = Offsets::<HELD>::new();
    let mut ahead = Offsets::<HELD>::new();
    let mut offsets = Offsets::<LINE>::new();
    let mut columns = Columns { places: [0; LINE], to: [dst; LINE] };
    let mut column = 0;
    while column < side {
        columns.places[column] = column * HELD_LINES * LINE;
        column += 1;
    }
    let mut strip = 0;
    while strip < task.p {
        let end = task.p.min(strip + strip_columns(true));
        let mut start = 0;
        loop {
            let is_last = task.q - start <= most;
            let height = if is_last { task.q - start } else { most };
            let ends = [start == 0, is_last];
            rows.set(0, &task.q_axis, start, 0, height);
            // The rows of the next step, or the first ones of the next strip or place.
            let mut next = src.wrapping_add(strip * width);
            if is_last {
                let (first, skipped) = if end < task.p { (i, end) } else { (i + 1, 0) };
                next = task.place(first).0.wrapping_add(skipped * width);
                ahead.set(0, &task.q_axis, 0, 0, height);
            } else {
                ahead.set(0, &task.q_axis, start + most - side, 0, height);
            }
            let mut p = strip;
            while p < end {
                let first = if p < task.p - side { p } else { task.p - side };
                offsets.set(0, &task.p_axis, first, 1, side);
                let mut i = 0;
                while i < side {
                    // SAFETY: as many offsets were set.
                    let offset = unsafe { *offsets.from(i) };
                    columns.to[i] = dst.wrapping_add(offset).wrapping_add(start * width);
                    i += 1;
                }
                let mut row = 0;
                while row < height {
                    // The last block overlaps those before it.
                    let place = if row < height - side { row } else { height - side };
                    let left = (height - place) / side;
                    let count = if left < at_once { left } else { at_once };
                    // SAFETY: there are `side` rows for each block from `place` on, and as many columns from `first` on, which lie
                    // within the task's source. Of each column, as much is held.
                    unsafe {
                        let (rows, ahead) = (rows.from(place), ahead.from(place));
                        ask_rows(p, end, [src, next], [rows, ahead], count * side, width);
                        let (from, to) = (src.add(first * width), held.add(place * width));
                        (squares.blocks)(from, to, rows, columns.places.as_ptr(), count);
                    }
                    row += count * side;
                }
                // SAFETY: all rows of the columns are held. They lie within the task's destination, and those of columns
                // that are not skipped are not written yet, but for what lines before these have.
                unsafe { scatter::<V>(held, &columns, p - first, [height, width], ends) };
                p += side;
            }
            if is_last {
                break;
            }
            start += most - side;
        }
        strip = end;
    }
}

/// Writes each column's lines that begin in the held rows and end there, skipping the first columns. Lines at the ends of a
/// column are written as far as they belong to it.
///
/// # Safety
/// `height` rows of each of the columns are held, and are writable. The processor has the vector's instructions.
#[inline(always)]
unsafe fn scatter<V: Vector>(
    held: *const u8,
    columns: &Columns,
    skipped: usize,
    [height, width]: [usize; 2],
    [is_first, is_last]: [bool; 2],
) {
    let side = LINE / width;
    let mut column = skipped;
    while column < side {
        let to = columns.to[column];
        let mut at = to.addr().wrapping_neg() % LINE;
        // SAFETY: the rows are held up to `end`, and so is what is written. Lines begin at borders.
        unsafe {
            let from = held.add(columns.places[column]);
            if is_first {
                copy_nonoverlapping(from, to, at);
            }
            // Without the last block, whose lines are the next step's.
            let end = if is_last { height * width } else { at + (height - side) * width };
            while at + LINE <= end {
                emit::<V>(from.add(at), to.wrapping_add(at), true);
                at += LINE;
            }
            if is_last {
                copy_nonoverlapping(from.add(at), to.wrapping_add(at), end - at);
            }
        }
        column += 1;
    }
}
