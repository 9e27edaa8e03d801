//! Transposing blocks of a line by a line.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::machine::Smallest;
use crate::relayout::kernel::raw::size::{LANE, LINE};
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::ahead::ask_rows;
use crate::relayout::kernel::raw::vectors::line::{self, emit};
use crate::relayout::kernel::raw::vectors::ragged::ragged;
use crate::relayout::kernel::raw::vectors::square::{block, load_rows, square};
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::policy::{ROWS, collides, column_lines, strip_columns};

/// A line for each column of a block.
#[repr(align(64))]
struct Stage {
    _lines: [[u8; LINE]; LINE],
}

/// Where the columns of a block begin in a stage.
const STAGED: [usize; LINE] = {
    let mut columns = [0; LINE];
    let mut column = 0;
    while column < LINE {
        columns[column] = column * LINE;
        column += 1;
    }
    columns
};

/// Blocks of a line by a line: some below one another, along the rows of the source. The last ones overlap those
/// before them, so that all are whole.
///
/// # Safety
/// The task is one of a kernel that transposes elements of `W` bytes, `K` of which are a lane, all of it lies within
/// the source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const W: usize, const K: usize>(task: &mut KernelTask) {
    const { assert!(K * W == LANE) };
    let side = LINE / W;
    if task.q < side || task.p < side {
        // SAFETY: the task is the caller's.
        return unsafe { narrow::<W, K>(task) };
    }
    let strides = [task.p_axis.near[1], task.p_axis.far[1]];
    let strides_are_lines = strides.map(|stride| stride % LINE) == [0, 0];
    // A column's line is not in the cache any more when its next part comes, if columns share their place there.
    let is_lost = !task.streams && V::BYTES < LINE && collides(side, strides[0]);
    let group = ROWS.min(column_lines(task.streams, W) * side);
    let last = [task.q - side, task.p - side];
    let mut rows = [0; ROWS];
    let mut ahead = [0; ROWS];
    // Columns of a block that begins at a multiple of its side lie alike from its first one on.
    let minor = task.p_axis.minor;
    let is_regular =
        minor == task.p_axis.total || minor.is_multiple_of(side) || side.is_multiple_of(minor);
    let mut alike = [0; LINE];
    task.p_axis.offsets(0, 1, &mut alike[..side]);
    let mut others = [0; LINE];
    let mut stage = MaybeUninit::<Stage>::uninit();
    let stage = stage.as_mut_ptr().cast::<u8>();
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let streams = task.streams && strides_are_lines && dst.addr().is_multiple_of(LINE);
        if task.streams && !streams && task.q >= 4 * side {
            // SAFETY: the task is the caller's, this is one of its places, and there are as many rows and columns.
            unsafe { ragged::<V, W, K>(task, i) };
            continue;
        }
        let mut strip = 0;
        while strip < task.p {
            let end = task.p.min(strip + strip_columns(task.streams));
            let mut q = 0;
            while q < task.q {
                let height = if task.q - q < group { task.q - q } else { group };
                let mut row = 0;
                while row < height {
                    let first = if q + row < last[0] { q + row } else { last[0] };
                    task.q_axis.offsets(first, 0, &mut rows[row..row + side]);
                    row += side;
                }
                // What comes after these rows: the next ones, or the first ones of the next strip or place.
                let mut next = src.wrapping_add(strip * W);
                if streams {
                    let mut first = q + height;
                    if first == task.q {
                        first = 0;
                        next = if end < task.p {
                            src.wrapping_add(end * W)
                        } else {
                            task.place(i + 1).0
                        };
                    }
                    task.q_axis.offsets(first, 0, &mut ahead[..height.next_multiple_of(side)]);
                }
                let mut p = strip;
                while p < end {
                    let from = if p < last[1] { p } else { last[1] };
                    let (first, columns) = if is_regular && from == p {
                        (task.p_axis.offset(p, 1), &alike)
                    } else {
                        task.p_axis.offsets(from, 1, &mut others[..side]);
                        (0, &others)
                    };
                    let mut row = 0;
                    while row < height {
                        let q_first = if q + row < last[0] { q + row } else { last[0] };
                        // SAFETY: the rows and columns lie within the task's source and destination, as there are
                        // `side` of each from `q_first` and from `from` on; `p` is contiguous in the rows, `q` in the
                        // columns. A block that streams is aligned: `dst` and the columns' strides are, and the rows
                        // before `q_first` are whole lines.
                        unsafe {
                            if streams {
                                ask_rows::<W>(p, end, [src, next], [&rows[row..], &ahead[row..]]);
                            }
                            let (rows, to) = (&rows[row..], dst.add(first + q_first * W));
                            let from_here = src.add(from * W);
                            // What goes around the cache is written once.
                            let skipped = [p - from, (q + row - q_first) * W];
                            if !task.streams && !is_lost {
                                block::<V, W, K, false>(from_here, to, rows, columns);
                            } else if streams && V::BYTES == LINE && skipped == [0, 0] {
                                block::<V, W, K, true>(from_here, to, rows, columns);
                            } else {
                                block::<V, W, K, false>(from_here, stage, rows, &STAGED);
                                unstage::<V>(stage, to, &columns[..side], skipped, streams);
                            }
                        }
                        row += side;
                    }
                    p += side;
                }
                q += height;
            }
            strip = end;
        }
    }
}

/// Writes the lines of a stage, around the cache if `streams`, without the first columns and the first bytes of each.
///
/// # Safety
/// The stage has a line for each of the columns. The lines that are not skipped are writable at `dst` and these offsets,
/// at borders of lines if `streams` and no bytes are skipped. The processor has the vector's instructions.
#[inline(always)]
unsafe fn unstage<V: Vector>(
    stage: *const u8,
    dst: *mut u8,
    columns: &[usize],
    [first, skipped]: [usize; 2],
    streams: bool,
) {
    let mut column = first;
    while column < columns.len() {
        // SAFETY: the caller vouches for the column's line on both sides, and that it is aligned for `emit`.
        unsafe {
            let (from, to) = (stage.add(column * LINE), dst.add(columns[column]));
            if skipped > 0 {
                copy_nonoverlapping(from.add(skipped), to.add(skipped), LINE - skipped);
            } else if streams {
                emit::<V>(from, to);
            } else {
                line::copy::<V>(from, to, LINE);
            }
        }
        column += 1;
    }
}

/// A task that is narrower than a block: squares of a short vector, the last of which overlap those before them.
///
/// # Safety
/// As `transpose`.
#[inline(always)]
unsafe fn narrow<const W: usize, const K: usize>(task: &KernelTask) {
    let mut rows = [0; LINE];
    let mut columns = [0; LINE];
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let mut q = 0;
        while q < task.q {
            let height = if task.q - q < LINE { task.q - q } else { LINE };
            task.q_axis.offsets(q, 0, &mut rows[..height]);
            let mut p = 0;
            while p < task.p {
                let width = if task.p - p < LINE { task.p - p } else { LINE };
                task.p_axis.offsets(p, 1, &mut columns[..width]);
                // SAFETY: the rows and columns lie within the task's source and destination; `p` is contiguous in the
                // rows, `q` in the columns.
                unsafe {
                    let (from, to) = (src.add(p * W), dst.add(q * W));
                    squares::<W, K>(from, to, &rows[..height], &columns[..width]);
                }
                p += width;
            }
            q += height;
        }
    }
}

/// Squares of the smallest vector; by elements where there are fewer than it has.
///
/// # Safety
/// As many elements of `W` bytes as there are columns are readable at each row, and as many as there are
/// rows writable at each column. The processor has the smallest vector's instructions.
#[inline(always)]
unsafe fn squares<const W: usize, const K: usize>(
    src: *const u8,
    dst: *mut u8,
    rows: &[usize],
    columns: &[usize],
) {
    if rows.len() < K || columns.len() < K {
        for (p, column) in columns.iter().enumerate() {
            for (q, row) in rows.iter().enumerate() {
                // SAFETY: the caller vouches for element `p` of each row and for element `q` of each column.
                unsafe { copy_nonoverlapping(src.add(row + p * W), dst.add(column + q * W), W) };
            }
        }
        return;
    }
    let last = [rows.len() - K, columns.len() - K];
    let mut row = 0;
    while row < rows.len() {
        let q = if row < last[0] { row } else { last[0] };
        let mut column = 0;
        while column < columns.len() {
            let p = if column < last[1] { column } else { last[1] };
            // SAFETY: `q + K` is at most the number of rows and `p + K` that of the columns, at each of which the
            // caller vouches for as many elements.
            unsafe {
                let vectors = load_rows::<Smallest, K>(src, &rows[q..q + K], p * W);
                let vectors = square::<Smallest, W, K>(vectors);
                let mut i = 0;
                while i < K {
                    vectors[i].store(dst.add(columns[p + i] + q * W));
                    i += 1;
                }
            }
            column += K;
        }
        row += K;
    }
}
