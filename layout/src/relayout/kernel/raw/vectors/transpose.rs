//! Transposing blocks of a line by a line.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::{LINE, emit};
use crate::relayout::kernel::raw::vectors::machine::{Smallest, prefetch};
use crate::relayout::kernel::raw::vectors::ragged::ragged;
use crate::relayout::kernel::raw::vectors::vector::{LANE, Square, Vector};
use crate::relayout::kernel::raw::vectors::weave::unrolled;

/// Bytes of a source row that are asked for ahead.
pub(super) const AHEAD: usize = 256;
/// Bytes from which on a row is long: what is asked for ahead belongs to it.
pub(super) const LONG: usize = 4 * AHEAD;

/// Blocks of a line by a line, two below one another, along the rows of the source. The last ones overlap those
/// before them, so that all are whole.
///
/// # Safety
/// The task is one of a kernel that transposes elements of `W` bytes, `K` of which are a lane, all of it lies within
/// the source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn transpose<V: Square, const W: usize, const K: usize, const NT: bool>(
    task: &mut Task,
) {
    const { assert!(K * W == LANE) };
    let side = LINE / W;
    if task.q < side || task.p < side {
        // SAFETY: the task is the caller's.
        return unsafe { narrow::<W, K>(task) };
    }
    let strides_are_lines = [task.p_axis.near[1], task.p_axis.far[1]].map(|s| s % LINE) == [0, 0];
    let is_long = task.p * W >= LONG;
    let last = [task.q - side, task.p - side];
    let mut rows = [0; 2 * LINE];
    let mut ahead = [0; 2 * LINE];
    // Columns of a block that begins at a multiple of its side lie alike from its first one on.
    let minor = task.p_axis.minor;
    let is_regular =
        minor == task.p_axis.total || minor.is_multiple_of(side) || side.is_multiple_of(minor);
    let mut alike = [0; LINE];
    task.p_axis.offsets(0, 1, &mut alike[..side]);
    let mut others = [0; LINE];
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let streams = NT && strides_are_lines && dst.addr().is_multiple_of(LINE);
        if NT && !streams && task.q >= 4 * side {
            // SAFETY: the task is the caller's, this is one of its places, and there are as many rows and columns.
            unsafe { ragged::<V, W, K>(task, src, dst) };
            continue;
        }
        let mut q = 0;
        while q < task.q {
            let firsts = [q, q + side].map(|q| if q < last[0] { q } else { last[0] });
            let blocks = if task.q - q > side { 2 } else { 1 };
            task.q_axis.offsets(firsts[0], 0, &mut rows[..side]);
            task.q_axis.offsets(firsts[1], 0, &mut rows[side..2 * side]);
            // The next rows, of this place or of the next.
            let mut from_ahead = src;
            if streams && !is_long {
                let mut next = q + 2 * side;
                if next + 2 * side > task.q {
                    (from_ahead, next) = (task.place(i + 1).0, 0);
                }
                task.q_axis.offsets(next, 0, &mut ahead[..2 * side]);
            }
            let mut p = 0;
            while p < task.p {
                let from = if p < last[1] { p } else { last[1] };
                let (first, columns) = if is_regular && from == p {
                    (task.p_axis.offset(p, 1), &alike)
                } else {
                    task.p_axis.offsets(from, 1, &mut others[..side]);
                    (0, &others)
                };
                let mut number = 0;
                while number < blocks {
                    let q_first = firsts[number];
                    // SAFETY: the rows and columns lie within the task's source and destination, as there are `side`
                    // of each from `q_first` and from `from` on; `p` is contiguous in the rows, `q` in the columns.
                    // A block that streams is aligned: `dst` and the columns' strides are, and the rows before
                    // `q_first` are whole lines. A prefetch of any address is harmless.
                    unsafe {
                        let rows = &rows[number * side..][..side];
                        let to = dst.add(first + q_first * W);
                        let from = src.add(from * W);
                        if streams && is_long {
                            for row in rows {
                                prefetch(from.wrapping_add(*row + AHEAD));
                            }
                        } else if streams {
                            for row in &ahead[number * side..][..side] {
                                prefetch(from_ahead.wrapping_add(p * W + *row));
                            }
                        }
                        if streams && q_first.is_multiple_of(side) {
                            block::<V, W, K, true>(from, to, rows, columns);
                        } else {
                            block::<V, W, K, false>(from, to, rows, columns);
                        }
                    }
                    number += 1;
                }
                p += side;
            }
            q += 2 * side;
        }
    }
}

/// The vectors at byte `at` of `K` rows.
///
/// # Safety
/// A vector is readable there in each row, of which there are `K`, and the processor has the vector's instructions.
#[inline(always)]
unsafe fn load_rows<V: Vector, const K: usize>(
    src: *const u8,
    rows: &[usize],
    at: usize,
) -> [V; K] {
    const { assert!(K <= 16) };
    // One comparison for all of them.
    let Some(rows) = rows.first_chunk::<K>() else { unreachable!("there are `K` rows") };
    // SAFETY: the caller vouches for the rows and for the instructions.
    unsafe {
        let mut vectors = [V::load(src.add(rows[0] + at)); K];
        unrolled!(i in 0..K, {
            vectors[i] = V::load(src.add(rows[i] + at));
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        vectors
    }
}

/// Squares of `K` rows of `K` elements of `W` bytes in each lane: their columns, by `log2(K)` rounds.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn square<V: Square, const W: usize, const K: usize>(mut rows: [V; K]) -> [V; K] {
    unrolled!(_round in 0..K.ilog2(), {
        // SAFETY: the caller vouches for the vector's instructions.
        rows = unsafe { zip_halves::<V, W, K>(rows) };
    });
    rows
}

/// The first half of the rows zipped with the second, in each lane.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn zip_halves<V: Square, const W: usize, const K: usize>(rows: [V; K]) -> [V; K] {
    let mut zipped = rows;
    unrolled!(i in 0..K / 2, {
        // SAFETY: the caller vouches for the vector's instructions.
        (zipped[2 * i], zipped[2 * i + 1]) = unsafe { rows[i].zip_lanes::<W>(rows[i + K / 2]) };
    });
    zipped
}

/// A block of a line by a line: squares in the lanes of vectors, then the lanes.
///
/// # Safety
/// A line is readable at each of the rows and writable at each of the first `LINE / W` columns, which
/// are aligned to lines if `NT`. The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn block<V: Square, const W: usize, const K: usize, const NT: bool>(
    src: *const u8,
    dst: *mut u8,
    rows: &[usize],
    columns: &[usize; LINE],
) {
    /// A line for each column.
    #[repr(align(64))]
    struct Stage {
        _lines: [[u8; LINE]; LINE],
    }

    let side = LINE / W;
    let lanes = V::BYTES / LANE;
    let rows = &rows[..side];
    let is_direct = !NT || V::BYTES == LINE;
    let mut stage = MaybeUninit::<Stage>::uninit();
    let staged = stage.as_mut_ptr().cast::<u8>();
    // SAFETY: squares have `lanes * K` rows and columns, of which a side has whole ones, so that vectors lie within
    // the lines that the caller vouches for. With `NT` these are aligned, and a vector is stored whole lines at a time.
    // All lanes that are read were written, and the others repeat the first. The stage has a line for each of the
    // `side` columns, and all of them are written before they are read.
    unsafe {
        let mut row = 0;
        while row < side {
            let mut column = 0;
            while column < side {
                let mut squares = [const { MaybeUninit::<[V; K]>::uninit() }; LINE / LANE];
                let mut lane = 0;
                while lane < lanes {
                    let rows = &rows[row + lane * K..][..K];
                    let vectors = load_rows::<V, K>(src, rows, column * W);
                    squares[lane].write(square::<V, W, K>(vectors));
                    lane += 1;
                }
                let mut i = 0;
                while i < K {
                    let mut turned = [squares[0].assume_init_ref()[i]; LINE / LANE];
                    let mut lane = 1;
                    while lane < lanes {
                        turned[lane] = squares[lane].assume_init_ref()[i];
                        lane += 1;
                    }
                    let turned = V::turn(turned);
                    let mut lane = 0;
                    while lane < lanes {
                        let at = column + lane * K + i;
                        if is_direct {
                            let to = dst.add(columns[at] + row * W);
                            if NT { turned[lane].stream(to) } else { turned[lane].store(to) }
                        } else {
                            turned[lane].store(staged.add(at * LINE + row * W));
                        }
                        lane += 1;
                    }
                    i += 1;
                }
                column += lanes * K;
            }
            row += lanes * K;
        }
        if !is_direct {
            let mut column = 0;
            while column < side {
                emit::<V>(staged.add(column * LINE), dst.add(columns[column]));
                column += 1;
            }
        }
    }
}

/// A task that is narrower than a block: squares of a short vector, the last of which overlap those before them.
///
/// # Safety
/// As `transpose`.
#[inline(always)]
unsafe fn narrow<const W: usize, const K: usize>(task: &Task) {
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
