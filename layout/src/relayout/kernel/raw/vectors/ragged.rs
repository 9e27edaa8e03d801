//! Transposing into rows that do not begin at lines, around the cache by whole lines.

use core::mem::MaybeUninit;
use core::ptr::{copy, copy_nonoverlapping};

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::{LINE, emit};
use crate::relayout::kernel::raw::vectors::machine::prefetch;
use crate::relayout::kernel::raw::vectors::transpose::{AHEAD, LONG, block};
use crate::relayout::kernel::raw::vectors::vector::Square;

/// Rows of the source that are transposed before the next columns of them: their pages are all known to the processor.
const STRIP: usize = 1024;
/// Lines that are held, of all columns together.
const HELD: usize = 320;

/// The lines of the columns that are not written yet.
#[repr(align(64))]
struct Held {
    _lines: [[u8; LINE]; HELD],
}

/// The columns of a strip that are written together.
struct Columns {
    /// Where a column begins among what is held: past its first line's border by as much as in the destination.
    places: [usize; LINE],
    /// The line of the destination in which it begins, which can begin before the destination.
    lines: [*mut u8; LINE],
}

/// The whole task at one place, in strips of rows, down a block's columns. A strip begins one or two blocks before the
/// end of the last one, so that each line is whole in one of them.
///
/// # Safety
/// As `transpose`, `src` and `dst` are one of the task's places, and it has the columns of a block and the rows of four.
#[inline(always)]
pub(super) unsafe fn ragged<V: Square, const W: usize, const K: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
) {
    let side = LINE / W;
    let mut rows = [0; STRIP];
    let mut start = 0;
    let whole = task.q - task.q % side;
    let mut end = if whole < STRIP { whole } else { STRIP };
    loop {
        let rows = &mut rows[..end - start];
        task.q_axis.offsets(start, 0, rows);
        let ends = [start == 0, end == task.q];
        let mut p = 0;
        while p < task.p {
            let first = if p < task.p - side { p } else { task.p - side };
            let mut columns = Columns { places: [0; LINE], lines: [dst; LINE] };
            let mut offsets = [0; LINE];
            task.p_axis.offsets(first, 1, &mut offsets[..side]);
            let mut i = 0;
            while i < side {
                let to = dst.wrapping_add(offsets[i] + start * W);
                let phase = to.addr() % LINE;
                columns.places[i] = i * (HELD / side) * LINE + phase;
                columns.lines[i] = to.wrapping_sub(phase);
                i += 1;
            }
            // SAFETY: the rows and columns lie within the task's source and destination; there are whole blocks.
            unsafe { strip::<V, W, K>(src.add(first * W), rows, &columns, ends, task.p * W) };
            p += side;
        }
        let rest = task.q - end;
        if rest == 0 {
            return;
        }
        let length = (rest + side).next_multiple_of(side);
        (start, end) = if length <= STRIP {
            (task.q - length, task.q)
        } else {
            (end - side, end - side + STRIP)
        };
    }
}

/// Blocks below one another. Their first line is written if they are at the beginning of their columns, and the last one
/// if at the end; lines between are whole.
///
/// # Safety
/// A line is readable at each of the rows, which are at least two blocks, and `W` bytes for each row are writable at
/// each of the first `LINE / W` columns. The processor has the vector's instructions.
#[inline(always)]
unsafe fn strip<V: Square, const W: usize, const K: usize>(
    src: *const u8,
    rows: &[usize],
    columns: &Columns,
    [is_first, is_last]: [bool; 2],
    length: usize,
) {
    let side = LINE / W;
    let slots = HELD / side;
    let blocks = rows.len() / side;
    let mut held = MaybeUninit::<Held>::uninit();
    let held = held.as_mut_ptr().cast::<u8>();
    let slot = |column: usize, slot: usize| held.wrapping_add((column * slots + slot) * LINE);
    // The line that the first slot of each column holds.
    let mut base = 0;
    let mut n = 0;
    // SAFETY: a column has `slots` lines of what is held, and block `n` goes to slot `n - base` and the one after it,
    // which is at most the last. Line `n` begins with the last bytes of block `n - 1` and ends with the first of block
    // `n`; it is written after block `n + 1`, or at the end, from the slot where both are. Line 0 belongs to the column
    // from its phase on, and the one after the last block up to it. Lines in the destination are aligned, and lie
    // within it but for what is before the phase of line 0. A prefetch of any address is harmless.
    unsafe {
        while n < blocks {
            if n - base + 1 == slots {
                // The line that is whole and not written, and the one after it.
                let mut column = 0;
                while column < side {
                    // As memory: not all of the second one was written.
                    copy(slot(column, n - 1 - base), slot(column, 0), 2 * LINE);
                    column += 1;
                }
                base = n - 1;
            }
            let block_rows = &rows[n * side..][..side];
            if length >= LONG {
                for row in block_rows {
                    prefetch(src.wrapping_add(*row + AHEAD));
                }
            } else if n + 2 < blocks {
                for row in &rows[(n + 2) * side..][..side] {
                    prefetch(src.wrapping_add(*row));
                }
            }
            block::<V, W, K, false>(src, slot(0, n - base), block_rows, &columns.places);
            if n > 1 {
                emit_all::<V, W>(columns, held, n - 1, base);
            } else if n == 1 && is_first {
                let mut column = 0;
                while column < side {
                    let phase = columns.places[column] % LINE;
                    let to = columns.lines[column].wrapping_add(phase);
                    copy_nonoverlapping(slot(column, 0).add(phase), to, LINE - phase);
                    column += 1;
                }
            }
            n += 1;
        }
        emit_all::<V, W>(columns, held, n - 1, base);
        if is_last {
            let mut column = 0;
            while column < side {
                let to = columns.lines[column].wrapping_add(n * LINE);
                let phase = columns.places[column] % LINE;
                copy_nonoverlapping(slot(column, n - base), to, phase);
                column += 1;
            }
        }
    }
}

/// Writes a line of each column around the cache.
///
/// # Safety
/// The line is whole in the slot `line - base` of each of the first `LINE / W` columns, and lies within the
/// destination. The processor has the vector's instructions.
#[inline(always)]
unsafe fn emit_all<V: Square, const W: usize>(
    columns: &Columns,
    held: *const u8,
    line: usize,
    base: usize,
) {
    let side = LINE / W;
    let mut column = 0;
    while column < side {
        // SAFETY: the caller vouches for the line in both places, which are at borders of lines.
        unsafe {
            let from = held.add((column * (HELD / side) + line - base) * LINE);
            emit::<V>(from, columns.lines[column].wrapping_add(line * LINE));
        }
        column += 1;
    }
}
