//! Transposing blocks of a line by a line.

// The driver hands each function all blocks of a task: a call for each block was slower. Lines of 16-byte
// elements are stored from registers; staged they took twice as many stores and 1.2 times as long. Four lines
// of a column at a time, and 512 columns together, were 1.1 to 1.8 times as slow as two lines of 2,048 (AMD Zen
// 5).

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::size::{LANE, LINE};
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::ahead::ask_rows;
use crate::kernel::raw::vectors::ragged::ragged;
use crate::kernel::raw::vectors::square::{Squares, at_once};
use crate::kernel::raw::vectors::task::{KernelTask, Offsets};
use crate::policy::{HELD_LINES, ROWS, column_lines, staged_rows, strip_columns};

/// Lines of the columns of some blocks: of each column those of `ROWS` rows at most, and an odd number, so that columns do not share a
/// set of the cache.
#[repr(align(64))]
struct Stage {
    _lines: [[u8; LINE]; LINE * (ROWS / LINE + 1)],
}

const _: () = assert!(HELD_LINES <= ROWS / LINE + 1);

/// Blocks of a line by a line: some below one another, along the rows of the source. The last ones overlap those
/// before them, so that all are whole.
///
/// # Safety
/// The task is one of a kernel that transposes elements of the squares' width, all of it lies within the source and the
/// destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector>(task: &mut KernelTask, squares: &Squares) {
    let width = squares.width;
    let side = LINE / width;
    if task.q < side || task.p < side {
        // SAFETY: the task is the caller's.
        return unsafe { (squares.narrow)(task) };
    }
    let strides = [task.p_axis.near[1], task.p_axis.far[1]];
    let strides_are_lines = strides.map(|stride| stride % LINE) == [0, 0];
    let is_one_digit = task.p_axis.minor == task.p_axis.total;
    let rows_are_lines = is_one_digit
        && [task.q_axis.near[0], task.q_axis.far[0]].map(|stride| stride % LINE) == [0, 0];
    let stride = strides[0].cast_signed().unsigned_abs();
    // Lines of columns that share their place in the cache are put together elsewhere: there they would be evicted before they are whole.
    let staged_rows = if task.streams { 0 } else { staged_rows(side, stride, squares.vector) };
    let is_staged = task.streams || staged_rows > 0;
    let at_once = at_once(width).max(staged_rows / side);
    let least = if task.streams { at_once } else { (width / 2).max(staged_rows / side) };
    let group = ROWS.min(column_lines(task.streams, width).max(least) * side);
    let last = [task.q - side, task.p - side];
    let mut staged = Offsets::<LINE>::new();
    if is_staged {
        staged.spread(side, (at_once | 1) * LINE);
    }
    let mut rows = Offsets::<ROWS>::new();
    let mut ahead = Offsets::<ROWS>::new();
    // Columns of a block that begins at a multiple of its side lie alike from its first one on.
    let minor = task.p_axis.minor;
    let is_regular =
        minor == task.p_axis.total || minor.is_multiple_of(side) || side.is_multiple_of(minor);
    let mut alike = Offsets::<LINE>::new();
    alike.set(0, &task.p_axis, 0, 1, side);
    let mut others = Offsets::<LINE>::new();
    let mut stage = MaybeUninit::<Stage>::uninit();
    let stage = stage.as_mut_ptr().cast::<u8>();
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let streams = task.streams && strides_are_lines && dst.addr().is_multiple_of(LINE);
        if task.streams && !streams && task.q >= 4 * side {
            // SAFETY: the task is the caller's, this is one of its places, and there are as many rows and columns.
            unsafe { ragged::<V>(task, squares, i, stage) };
            continue;
        }
        // Through the cache, blocks after the first ones begin with lines of both sides, where all rows and all columns have them
        // at the same places: a store to two lines takes as long as two, and a line that two blocks share is read twice.
        let skew = |address: usize, may: bool, count: usize| {
            let before = address.wrapping_neg() % LINE;
            let does = may && !task.streams && count >= 8 * side && before.is_multiple_of(width);
            if does { before / width } else { 0 }
        };
        let skews =
            [skew(dst.addr(), strides_are_lines, task.q), skew(src.addr(), rows_are_lines, task.p)];
        let mut strip = 0;
        while strip < task.p {
            let apart = if strip == 0 { skews[1] } else { 0 };
            let end = task.p.min(strip + apart + strip_columns(task.streams));
            let mut q = 0;
            while q < task.q {
                let is_apart = q == 0 && skews[0] > 0;
                let most = if is_apart { side } else { group };
                let height = if task.q - q < most { task.q - q } else { most };
                // Rows of whole blocks, after which the last one overlaps them.
                let whole = if height == most { most } else { height / side * side };
                rows.set(0, &task.q_axis, q, 0, whole);
                if whole < height {
                    rows.set(whole, &task.q_axis, last[0], 0, side);
                }
                // What comes after these rows: the next ones, or the first ones of the next strip or place.
                let mut next = src.wrapping_add(strip * width);
                if streams {
                    let mut first = q + height;
                    if first == task.q {
                        first = 0;
                        next = if end < task.p {
                            src.wrapping_add(end * width)
                        } else {
                            task.place(i + 1).0
                        };
                    }
                    ahead.set(0, &task.q_axis, first, 0, height.next_multiple_of(side));
                }
                let mut p = strip;
                while p < end {
                    let from = if p < last[1] { p } else { last[1] };
                    let (first, columns) = if is_regular && from == p {
                        (task.p_axis.offset(p, 1), &alike)
                    } else {
                        others.set(0, &task.p_axis, from, 1, side);
                        (0, &others)
                    };
                    let mut row = 0;
                    while row < height {
                        let q_first = if row < whole { q + row } else { last[0] };
                        // SAFETY: the rows and columns lie within the task's source and destination, as there are
                        // `side` of each from `q_first` and from `from` on, or as many as the blocks have; `p` is contiguous in
                        // the rows, `q` in the columns. A block that streams is aligned: `dst` and the columns' strides are,
                        // and the rows before `q_first` are whole lines.
                        unsafe {
                            let to = dst.wrapping_add(first).wrapping_add(q_first * width);
                            let rows = rows.from(row);
                            let from_here = src.add(from * width);
                            let left = if row < whole { (whole - row) / side } else { 1 };
                            let columns = columns.from(0);
                            if !is_staged {
                                (squares.blocks)(from_here, to, rows, columns, left);
                                row += left * side;
                                continue;
                            }
                            let count = if left < at_once { left } else { at_once };
                            if streams {
                                let rows = [rows, ahead.from(row)];
                                ask_rows(p, end, [src, next], rows, count * side, width);
                            }
                            // What goes around the cache is written once.
                            let skipped = [p - from, (q + row - q_first) * width];
                            if streams && width == LANE && skipped == [0, 0] {
                                lanes::<V>(from_here, to, rows, columns, count);
                                row += count * side;
                                continue;
                            }
                            (squares.blocks)(from_here, stage, rows, staged.from(0), count);
                            let bytes = [skipped[1], count * LINE];
                            let columns = [staged.from(0), columns];
                            unstage::<V>(stage, to, columns, [skipped[0], side], bytes, streams);
                            row += count * side;
                        }
                    }
                    p += if p == 0 && apart > 0 { apart } else { side };
                }
                q += if is_apart { skews[0] } else { height };
            }
            strip = end;
        }
    }
}

/// Blocks of elements of `LANE` bytes, around the cache: a line has so few vectors that it needs no stage.
///
/// # Safety
/// The conditions of `square::blocks`, and the lines of the columns are aligned.
#[inline(always)]
unsafe fn lanes<V: Vector>(
    src: *const u8,
    dst: *mut u8,
    rows: *const usize,
    columns: *const usize,
    count: usize,
) {
    const SIDE: usize = LINE / LANE;
    let lanes = V::BYTES / LANE;
    for block in 0..count {
        let mut column = 0;
        while column < SIDE {
            // SAFETY: a vector has as many columns of a row as it has lanes, and as many rows of a column when it is transposed.
            unsafe {
                let mut turned = [[V::ZERO; SIDE]; SIDE];
                let mut row = 0;
                while row < SIDE {
                    let part = &mut turned[row / lanes];
                    let from = src.wrapping_add(*rows.add(block * SIDE + row));
                    part[row % lanes] = V::load(from.wrapping_add(column * LANE));
                    row += 1;
                    if row % lanes == 0 {
                        *part = V::turn(*part);
                    }
                }
                let mut lane = 0;
                while lane < lanes {
                    let to =
                        dst.wrapping_add(*columns.add(column + lane)).wrapping_add(block * LINE);
                    let mut part = 0;
                    while part < SIDE / lanes {
                        turned[part][lane].stream(to.add(part * V::BYTES));
                        part += 1;
                    }
                    lane += 1;
                }
            }
            column += lanes;
        }
    }
}

/// Writes the columns from the first to the last one of a stage, and these bytes of each, around the cache if `streams` and no
/// bytes are skipped.
///
/// # Safety
/// `staged` and `columns` are the offsets of as many columns, the former in the stage, which has as many bytes of each, the latter
/// past `dst`, where what is written is writable. It is whole lines, aligned if `streams`. The processor has the vector's
/// instructions.
#[inline(always)]
unsafe fn unstage<V: Vector>(
    stage: *const u8,
    dst: *mut u8,
    [staged, columns]: [*const usize; 2],
    [first, last]: [usize; 2],
    [skipped, end]: [usize; 2],
    streams: bool,
) {
    let mut column = first;
    while column < last {
        // SAFETY: the caller vouches for the column's offset and for its bytes on both sides.
        unsafe {
            let from = stage.add(*staged.add(column));
            let to = dst.wrapping_add(*columns.add(column));
            if skipped > 0 {
                copy_nonoverlapping(from.add(skipped), to.add(skipped), end - skipped);
            } else {
                // Vectors begin at multiples of theirs, but for the first and the last one: a store to two lines takes as long as two.
                V::load(from).write(to, streams);
                let mut at = V::BYTES - to.addr() % V::BYTES;
                while at < end {
                    let last = if at < end - V::BYTES { at } else { end - V::BYTES };
                    V::load(from.add(last)).write(to.add(last), streams);
                    at += V::BYTES;
                }
            }
        }
        column += 1;
    }
}
