//! Rows of the source side by side, and the reverse, by zipping and unzipping vectors.

use core::array::from_fn;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::machine::{Smallest, prefetch};
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::{Vector, zip_all};
use crate::relayout::kernel::raw::vectors::ahead::{Along, ask_ahead};
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::policy::{HELD_PIECE, HELD_ROWS};

/// # Safety
/// The task is one of a kernel that interleaves `K` rows of elements of `W` bytes, all of it lies within the
/// source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn interleave<V: Vector, const W: usize, const K: usize, const NT: bool>(
    task: &mut KernelTask,
) {
    let length = task.p * W;
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let is_aligned = dst.addr().is_multiple_of(LINE);
        let along = Along::of::<K>(task, i, length);
        let mut at = 0;
        // SAFETY: each of the task's `K` rows of the source, `q_src` apart, has `length` bytes, its
        // destination `K` times as many, and `at + V::BYTES` is at most `length`. Streams go to multiples of
        // `V::BYTES` past `dst`, which is aligned to a line then.
        unsafe {
            let mut rows = [src; K];
            let mut row = 0;
            while row < K {
                rows[row] = src.add(row * task.q_src);
                row += 1;
            }
            while at + V::BYTES <= length {
                if NT && at.is_multiple_of(LINE) {
                    let ahead = along.ahead(at);
                    let mut row = 0;
                    while row < K {
                        prefetch(rows[row].wrapping_add(ahead));
                        row += 1;
                    }
                }
                store::<V, W, K>(rows_at(&rows, at), dst.add(at * K), NT && is_aligned);
                at += V::BYTES;
            }
            if at < length {
                let streams = NT && is_aligned && (length * K).is_multiple_of(LINE);
                interleave_short::<W, K>(&rows, dst, at, length, streams);
            }
        }
    }
}

/// The next vector of each of `K` rows, from byte `at` on.
///
/// # Safety
/// A vector is readable at byte `at` of each row, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn rows_at<V: Vector, const K: usize>(
    rows: &[*const u8; K],
    at: usize,
) -> [V; K] {
    // SAFETY: `row` is below `K`, and the caller vouches for a vector of each row.
    unsafe {
        let mut vectors = [V::load(rows[0].add(at)); K];
        let mut row = 1;
        while row < K {
            vectors[row] = V::load(rows[row].add(at));
            row += 1;
        }
        vectors
    }
}

/// Stores the elements of `K` rows in turns, around the cache if `streams`.
///
/// # Safety
/// `K` vectors are writable at `to`, which is a multiple of a vector if `streams`. The processor has the vector's
/// instructions.
#[inline(always)]
pub(super) unsafe fn store<V: Vector, const W: usize, const K: usize>(
    rows: [V; K],
    to: *mut u8,
    streams: bool,
) {
    // SAFETY: `row` is below `K`, and the caller vouches for `K` vectors at `to`, their alignment and the instructions.
    unsafe {
        if !streams {
            return V::store_zipped::<W, K>(rows, to);
        }
        let vectors = zip_all::<V, W, K>(rows);
        let mut row = 0;
        while row < K {
            vectors[row].stream(to.add(row * V::BYTES));
            row += 1;
        }
    }
}

/// What is less than a vector of each row, from byte `at` on, in the smallest vectors. The last one overlaps what is
/// before it.
///
/// # Safety
/// As `interleave` of a block with these rows; `dst` is at a border of a line if `streams`.
#[inline(always)]
unsafe fn interleave_short<const W: usize, const K: usize>(
    rows: &[*const u8; K],
    dst: *mut u8,
    mut at: usize,
    length: usize,
    streams: bool,
) {
    if length < Smallest::BYTES {
        // SAFETY: the rows are the caller's.
        return unsafe { interleave_rest::<W, K>(rows, dst, length) };
    }
    while at < length {
        let is_whole = at + Smallest::BYTES <= length;
        if !is_whole {
            at = length - Smallest::BYTES;
        }
        // SAFETY: `at + Smallest::BYTES` is at most `length`, the bytes of each row; the destination has `K` times as
        // many. Streams go to multiples of a vector past `dst`.
        unsafe {
            store::<Smallest, W, K>(rows_at(rows, at), dst.add(at * K), streams && is_whole);
        }
        at += Smallest::BYTES;
    }
}

/// Rows of less than the smallest vector. Out of line, so that it takes no registers from the loop over the vectors.
///
/// # Safety
/// As `interleave` of a block with these rows.
#[cold]
#[inline(never)]
unsafe fn interleave_rest<const W: usize, const K: usize>(
    rows: &[*const u8; K],
    dst: *mut u8,
    length: usize,
) {
    let mut at = 0;
    while at < length {
        let mut row = 0;
        while row < K {
            // SAFETY: `at` and `length` are multiples of `W`, so that `at + W` is at most `length`. The row of
            // the source has `length` bytes, the destination `K` times as many.
            unsafe {
                copy_nonoverlapping(rows[row].add(at), dst.add(at * K + row * W), W);
            }
            row += 1;
        }
        at += W;
    }
}

/// # Safety
/// The task is one of a kernel that takes `K` rows of elements of `W` bytes apart, all of it lies within the
/// source and the destination, which can be written until `rows` are flushed, and the processor has the
/// vector's instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave<V: Vector, const W: usize, const K: usize, const NT: bool>(
    task: &mut KernelTask,
) {
    let length = task.q * W;
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let is_aligned = borders.iter().all(|border| border % LINE == 0);
    if NT && !is_aligned && (length >= LINE || task.turns(length) == 1) {
        // SAFETY: what the caller vouches for.
        return unsafe { deinterleave_anywhere::<V, W, K>(task, length) };
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let rows = from_fn(|row| dst.wrapping_add(row * task.p_dst));
        let mut at = 0;
        // SAFETY: the source has `K * length` bytes, each of the `K` rows of the destination `length`. Rows that go around
        // the cache are aligned to lines.
        unsafe {
            if NT && is_aligned {
                ask_ahead::<V>(task, i, K * length);
                // Two lines at a time where a vector is one.
                match V::BYTES {
                    16 => at = unweave_lines::<V, W, K, 4>(src, &rows, at, length),
                    _ => at = unweave_lines::<V, W, K, 2>(src, &rows, at, length),
                }
                if V::BYTES == LINE {
                    at = unweave_lines::<V, W, K, 1>(src, &rows, at, length);
                }
            }
            unweave::<V, W, K>(src, &rows, at, length);
        }
    }
}

/// Rows that begin anywhere in a line, around the cache.
///
/// # Safety
/// As `deinterleave`; `length` is the bytes of a row.
#[inline(always)]
unsafe fn deinterleave_anywhere<V: Vector, const W: usize, const K: usize>(
    task: &mut KernelTask,
    length: usize,
) {
    const { assert!(K <= HELD_ROWS) };
    let turns = task.turns(length);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        ask_ahead::<V>(task, i, K * length);
        let mut at = 0;
        while at < length {
            let part = if length - at < HELD_PIECE { length - at } else { HELD_PIECE };
            let mut rooms = [dst; K];
            // SAFETY: the source has `K * length` bytes, each of the `K` rows of the destination `length`, and `at + part`
            // is at most `length`. A room has `part` bytes, at most `HELD_PIECE`, and `unweave` writes all of them.
            unsafe {
                let mut row = 0;
                while row < K {
                    let held = &mut task.rows[(i % turns * K + row) % HELD_ROWS];
                    rooms[row] = held.room::<V>(dst.add(row * task.p_dst + at), part);
                    row += 1;
                }
                unweave::<V, W, K>(src.add(at * K), &rooms, 0, part);
            }
            at += part;
        }
    }
}

/// Takes `K` rows of `length` bytes apart from byte `at` on, around the cache, `N` vectors of each row at
/// once: whole lines. Returns where it ends, less than `N` vectors before the rows' end.
///
/// # Safety
/// As `unweave`. `N` vectors are whole lines, and the rows at `at` are at borders of lines.
#[inline(always)]
unsafe fn unweave_lines<V: Vector, const W: usize, const K: usize, const N: usize>(
    src: *const u8,
    rows: &[*mut u8; K],
    mut at: usize,
    length: usize,
) -> usize {
    // SAFETY: `at + N * V::BYTES` is at most `length`, the bytes that each row has; the source has `K` times
    // as many. `at` stays whole lines, so that every store is aligned.
    unsafe {
        while at + N * V::BYTES <= length {
            let mut vectors = [V::load_unzipped::<W, K>(src.add(at * K)); N];
            let mut i = 1;
            while i < N {
                vectors[i] = V::load_unzipped::<W, K>(src.add((at + i * V::BYTES) * K));
                i += 1;
            }
            let mut row = 0;
            while row < K {
                let mut i = 0;
                while i < N {
                    vectors[i][row].stream(rows[row].add(at + i * V::BYTES));
                    i += 1;
                }
                row += 1;
            }
            at += N * V::BYTES;
        }
    }
    at
}

/// Takes `K` rows of `length` bytes apart, from byte `at` on.
///
/// # Safety
/// `K * length` bytes are readable at `src`, and `length` bytes are writable at each of the rows. The
/// processor has the vector's instructions.
#[inline(always)]
unsafe fn unweave<V: Vector, const W: usize, const K: usize>(
    src: *const u8,
    rows: &[*mut u8; K],
    mut at: usize,
    length: usize,
) {
    // SAFETY: `at` and the bytes of a vector are at most `length`, the bytes that each row has; the source has `K`
    // times as many.
    unsafe {
        while at + V::BYTES <= length {
            let vectors = V::load_unzipped::<W, K>(src.add(at * K));
            let mut row = 0;
            while row < K {
                vectors[row].store(rows[row].add(at));
                row += 1;
            }
            at += V::BYTES;
        }
        if at < length && length < Smallest::BYTES {
            return unweave_rest::<W, K>(src, rows, length);
        }
        while at < length {
            // The last one overlaps what is before it.
            if at + Smallest::BYTES > length {
                at = length - Smallest::BYTES;
            }
            let vectors = Smallest::load_unzipped::<W, K>(src.add(at * K));
            let mut row = 0;
            while row < K {
                vectors[row].store(rows[row].add(at));
                row += 1;
            }
            at += Smallest::BYTES;
        }
    }
}

/// Rows of less than the smallest vector.
///
/// # Safety
/// As `unweave`.
#[cold]
#[inline(never)]
unsafe fn unweave_rest<const W: usize, const K: usize>(
    src: *const u8,
    rows: &[*mut u8; K],
    length: usize,
) {
    let mut at = 0;
    while at < length {
        let mut row = 0;
        while row < K {
            // SAFETY: `at` and `length` are multiples of `W`, so that `at + W` is at most `length`. The source
            // has `K * length` bytes, the row `length`.
            unsafe {
                copy_nonoverlapping(src.add(at * K + row * W), rows[row].add(at), W);
            }
            row += 1;
        }
        at += W;
    }
}

/// Contiguous runs.
///
/// # Safety
/// The task is one of runs of `p` bytes, all of it lies within the source and the destination, which can be
/// written until `carries` are flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn runs<V: Vector, const NT: bool>(task: &mut KernelTask) {
    // A short one that stands alone is an end of a row, whose line another one has begun.
    let streams = NT && (task.count > 1 || task.p >= LINE);
    let turns = task.turns(task.p);
    if streams && !task.carries[0].ends_at(task.dst) {
        // Part of the first lines is other rows', where the rows begin within lines.
        for i in 0..task.count.min(turns) {
            let dst = task.place(i).1;
            if !dst.addr().is_multiple_of(LINE) {
                prefetch(dst);
            }
        }
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        if streams {
            ask_ahead::<V>(task, i, task.p);
        }
        // SAFETY: the task has `p` bytes at each of its places, in the source and in the destination, which is
        // borrowed until its kernel's last `flush`.
        unsafe {
            if streams {
                task.carries[i % turns].put::<V>(src, dst, task.p);
            } else {
                super::line::copy::<V>(src, dst, task.p);
            }
        }
    }
}
