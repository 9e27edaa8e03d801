//! Transposing squares in registers.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::{LINE, emit};
use crate::relayout::kernel::raw::vectors::machine::prefetch;
use crate::relayout::kernel::raw::vectors::row::{Memory, Row};
use crate::relayout::kernel::raw::vectors::vector::Square;

/// Bytes of a source row that are asked for ahead.
const AHEAD: usize = 256;

/// Blocks of a line by a line, two below one another, along the rows of the source.
///
/// # Safety
/// The task is one of a kernel that transposes elements of `W` bytes, `K` of which are a vector, all of it
/// lies within the source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn transpose<V: Square, const W: usize, const K: usize, const NT: bool>(
    task: &mut Task,
) {
    const { assert!(K * W == V::BYTES) };
    let side = LINE / W;
    let strides_are_lines = [task.p_axis.near[1], task.p_axis.far[1]].map(|s| s % LINE) == [0, 0];
    let mut rows = [0; 2 * LINE];
    let mut columns = [0; LINE];
    // Columns of a block that begins at a multiple of its side lie alike from its first one on.
    let minor = task.p_axis.minor;
    let is_regular =
        minor == task.p_axis.total || minor.is_multiple_of(side) || side.is_multiple_of(minor);
    task.p_axis.offsets(0, 1, &mut columns[..side]);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let streams = NT && strides_are_lines && dst.addr().is_multiple_of(LINE);
        if NT && !streams && W >= 4 && task.q >= 4 * side {
            // SAFETY: the task is the caller's, and this is one of its places.
            unsafe { ragged::<V, W, K>(task, src, dst) };
            continue;
        }
        let mut q = 0;
        while q < task.q {
            let strip = if task.q - q < 2 * side { task.q - q } else { 2 * side };
            task.q_axis.offsets(q, 0, &mut rows[..strip]);
            let mut p = 0;
            while p < task.p {
                let width = if task.p - p < side { task.p - p } else { side };
                let mut first = 0;
                if is_regular {
                    first = task.p_axis.offset(p, 1);
                } else {
                    task.p_axis.offsets(p, 1, &mut columns[..width]);
                }
                let mut at = 0;
                while at < strip {
                    let height = if strip - at < side { strip - at } else { side };
                    let rows = &rows[at..at + height];
                    // SAFETY: the rows and columns lie within the task's source and destination; `p` is
                    // contiguous in the rows, `q` in the columns. A block that streams is aligned: `dst` and
                    // the columns' strides are, and `q + at` counts whole lines. A prefetch of any address
                    // is harmless.
                    unsafe {
                        let from = src.add(p * W);
                        let to = dst.add(first + (q + at) * W);
                        if width < side || height < side {
                            edge::<W>(from, to, rows, &columns[..width]);
                        } else {
                            for row in if streams { rows } else { &[] } {
                                let ahead = from.wrapping_add(*row + AHEAD);
                                prefetch(ahead);
                            }
                            if streams {
                                block::<V, W, K, true>(from, to, rows, &columns);
                            } else {
                                block::<V, W, K, false>(from, to, rows, &columns);
                            }
                        }
                    }
                    at += height;
                }
                p += width;
            }
            q += strip;
        }
    }
}

/// Rows of the source that are transposed before the next line of them: their pages are all known to the
/// processor.
const STRIP: usize = 512;

/// The whole task at one place, where the rows of the destination do not begin at lines: down the
/// columns, with the rows of the destination held until they fill lines.
///
/// # Safety
/// As `transpose`, and `src` and `dst` are one of the task's places.
#[inline(always)]
unsafe fn ragged<V: Square, const W: usize, const K: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
) {
    let side = LINE / W;
    let mut memory = MaybeUninit::<Memory<{ LINE / 4 }>>::uninit();
    let mut held = Row::of(&mut memory);
    let first = held[0].start();
    let mut rows = [0; LINE];
    let mut columns = [0; LINE];
    // The columns of a block: rooms, relative to the memory of the first row.
    let mut places = [0; LINE];
    let mut strip = 0;
    while strip < task.q {
        let end = if task.q - strip < STRIP { task.q } else { strip + STRIP };
        let mut p = 0;
        while p < task.p {
            let width = if task.p - p < side { task.p - p } else { side };
            task.p_axis.offsets(p, 1, &mut columns[..width]);
            let mut q = strip;
            while q < end {
                let height = if end - q < side { end - q } else { side };
                task.q_axis.offsets(q, 0, &mut rows[..height]);
                // SAFETY: the rows and columns lie within the task's source and destination, and a room is
                // asked for where a column goes on at `q`. The places are those rooms, relative to `first`, of
                // whose memory all of `held` is; each has `height` elements, a line at most, and all of them
                // are written here. A prefetch of any address is harmless.
                unsafe {
                    let from = src.add(p * W);
                    let mut i = 0;
                    while i < width {
                        let to = dst.wrapping_add(columns[i] + q * W);
                        places[i] = held[i].room::<V>(to, height * W).addr();
                        i += 1;
                    }
                    for place in &mut places[..width] {
                        *place -= first.addr();
                    }
                    if width < side || height < side {
                        edge::<W>(from, first, &rows[..height], &places[..width]);
                    } else {
                        for row in &rows[..side] {
                            let ahead = from.wrapping_add(*row + AHEAD);
                            prefetch(ahead);
                        }
                        block::<V, W, K, false>(from, first, &rows[..side], &places);
                    }
                }
                q += height;
            }
            for row in &mut held[..width] {
                // SAFETY: what it holds was written above, and belongs to the task's destination.
                unsafe { row.flush::<V>() };
            }
            p += width;
        }
        strip = end;
    }
}

/// A block of a line by a line.
///
/// # Safety
/// A line is readable at each of the rows and writable at each of the first `LINE / W` columns, which
/// are aligned to lines if `NT`. The processor has the vector's instructions.
#[inline(always)]
unsafe fn block<V: Square, const W: usize, const K: usize, const NT: bool>(
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
    let rows = &rows[..side];
    let is_direct = !NT || V::BYTES == LINE;
    let mut stage = core::mem::MaybeUninit::<Stage>::uninit();
    let staged = stage.as_mut_ptr().cast::<u8>();
    // SAFETY: `row + K` and `column + K` are at most `side`, so that vectors lie within the lines that the
    // caller vouches for. With `NT` these are aligned, and a vector is stored whole lines at a time. The stage
    // has a line for each of the `side` columns, and all of them are written before they are read.
    unsafe {
        let mut row = 0;
        while row < side {
            let mut column = 0;
            while column < side {
                let mut vectors = [V::load(src.add(rows[row] + column * W)); K];
                let mut i = 1;
                while i < K {
                    vectors[i] = V::load(src.add(rows[row + i] + column * W));
                    i += 1;
                }
                let vectors = V::square::<W, K>(vectors);
                let mut i = 0;
                while i < K {
                    if is_direct {
                        let to = dst.add(columns[column + i] + row * W);
                        if NT { vectors[i].stream(to) } else { vectors[i].store(to) }
                    } else {
                        vectors[i].store(staged.add((column + i) * LINE + row * W));
                    }
                    i += 1;
                }
                column += K;
            }
            row += K;
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

/// What is less than a block.
///
/// # Safety
/// As many elements of `W` bytes as there are columns are readable at each row, and as many as there are
/// rows writable at each column.
#[inline(always)]
unsafe fn edge<const W: usize>(src: *const u8, dst: *mut u8, rows: &[usize], columns: &[usize]) {
    for (p, column) in columns.iter().enumerate() {
        for (q, row) in rows.iter().enumerate() {
            // SAFETY: the caller vouches for element `p` of each row and for element `q` of each column.
            unsafe { copy_nonoverlapping(src.add(row + p * W), dst.add(column + q * W), W) };
        }
    }
}
