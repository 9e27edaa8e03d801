//! Transposing into rows that do not begin at lines, around the cache by whole lines.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::{LINE, emit};
use crate::relayout::kernel::raw::vectors::machine::prefetch;
use crate::relayout::kernel::raw::vectors::transpose::{STRIP, block};
use crate::relayout::kernel::raw::vectors::vector::Square;

/// Bytes of a source row that are asked for ahead.
const AHEAD: usize = 8 * LINE;
/// Lines of a column that are held: an odd number, so that columns do not share a place in the cache.
const fn slots(side: usize) -> usize {
    if side < LINE { 9 } else { 5 }
}
/// Lines that are held, of all columns together.
const HELD: usize = LINE * slots(LINE);
/// Rows that a step reads, at most.
const ROWS: usize = LINE * slots(LINE);
const _: () = assert!(LINE / 2 * slots(LINE / 2) <= HELD);

/// The lines of the columns that are not written yet.
#[repr(align(64))]
struct Held {
    _lines: [[u8; LINE]; HELD],
}

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
/// As `transpose`, `src` and `dst` are one of the task's places, and it has the columns of a block and the rows of two.
#[inline(always)]
pub(super) unsafe fn ragged<V: Square, const W: usize, const K: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
) {
    let side = LINE / W;
    let most = slots(side) * side;
    let mut rows = [0; ROWS];
    let mut ahead = [0; ROWS];
    let mut offsets = [0; LINE];
    let mut columns = Columns { places: [0; LINE], to: [dst; LINE] };
    let mut column = 0;
    while column < side {
        columns.places[column] = column * slots(side) * LINE;
        column += 1;
    }
    let mut held = MaybeUninit::<Held>::uninit();
    let held = held.as_mut_ptr().cast::<u8>();
    let mut strip = 0;
    while strip < task.p {
        let end = if task.p - strip < STRIP { task.p } else { strip + STRIP };
        let mut start = 0;
        loop {
            let is_last = task.q - start <= most;
            let height = if is_last { task.q - start } else { most };
            let ends = [start == 0, is_last];
            task.q_axis.offsets(start, 0, &mut rows[..height]);
            task.q_axis.offsets(start + most - side, 0, &mut ahead[..height]);
            let mut p = strip;
            while p < end {
                let first = if p < task.p - side { p } else { task.p - side };
                task.p_axis.offsets(first, 1, &mut offsets[..side]);
                let mut i = 0;
                while i < side {
                    columns.to[i] = dst.wrapping_add(offsets[i] + start * W);
                    i += 1;
                }
                let mut later = src.wrapping_add(p * W + AHEAD);
                let mut later_rows = &rows;
                if p + AHEAD / W >= end {
                    later = later.wrapping_sub((end - strip) * W);
                    later_rows = &ahead;
                }
                let mut row = 0;
                while row < height {
                    // The last block overlaps those before it.
                    let place = if row < height - side { row } else { height - side };
                    // SAFETY: there are `side` rows from `place` on, and as many columns from `first` on, which lie
                    // within the task's source. Of each column, as much is held.
                    // A prefetch of any address is harmless.
                    unsafe {
                        for row in &later_rows[place..][..side] {
                            prefetch(later.wrapping_add(*row));
                        }
                        let (from, to) = (src.add(first * W), held.add(place * W));
                        block::<V, W, K, false>(from, to, &rows[place..], &columns.places);
                    }
                    row += side;
                }
                // SAFETY: all rows of the columns are held. They lie within the task's destination, and those of columns
                // that are not skipped are not written yet, but for what lines before these have.
                unsafe { scatter::<V, W>(held, &columns, p - first, height, ends) };
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
unsafe fn scatter<V: Square, const W: usize>(
    held: *const u8,
    columns: &Columns,
    skipped: usize,
    height: usize,
    [is_first, is_last]: [bool; 2],
) {
    let side = LINE / W;
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
            let end = if is_last { height * W } else { at + (height - side) * W };
            while at + LINE <= end {
                emit::<V>(from.add(at), to.wrapping_add(at));
                at += LINE;
            }
            if is_last {
                copy_nonoverlapping(from.add(at), to.wrapping_add(at), end - at);
            }
        }
        column += 1;
    }
}
