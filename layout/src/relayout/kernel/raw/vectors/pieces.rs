//! The general path's pieces, which begin and end anywhere.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::{self, LINE};
use crate::relayout::kernel::raw::vectors::machine::{Smallest, prefetch};
use crate::relayout::kernel::raw::vectors::vector::Vector;
use crate::relayout::kernel::raw::vectors::weave::rows_at;
use crate::relayout::kernel::stretches::{Piece, Stretches};

/// Bytes of the destination that are put together at a time.
const STAGE: usize = 4 * LINE;

#[repr(align(64))]
struct Stage {
    _bytes: [u8; STAGE],
}

/// Pieces after which memory is asked for: what it takes some of them to be written.
const AHEAD: usize = 8;
/// Bytes of a piece that are asked for at most.
const ASKED: usize = 512;

/// # Safety
/// The task is one of the general path with elements of `W` bytes, all of its pieces lie within the source and the
/// destination, which can be written until `carry` is flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn stretches<V: Vector, const W: usize>(task: &mut Task) {
    // SAFETY: the general path gives what lives while this runs.
    let mut in_order = unsafe { &*task.stretches }.in_order();
    while let Some(Stretches { mut rows, pieces }) = in_order.next_part() {
        let ahead = in_order.ahead(AHEAD);
        while let Some((row, others)) = rows.split_first() {
            let count = side_by_side(rows, pieces);
            rows = others;
            let mut later = ahead.iter();
            for piece in pieces {
                if let Some(next) = later.next() {
                    ask::<W>(task.src.wrapping_add((row[0] + next.at[0]) * W), next);
                }
                let from = task.src.wrapping_add((row[0] + piece.at[0]) * W);
                let to = task.dst.wrapping_add((row[1] + piece.at[1]) * W);
                // SAFETY: the piece lies within the source and the destination, in this row and, if it is woven, in
                // the ones after it, with which it is contiguous in the destination.
                unsafe {
                    match (W, count) {
                        (1 | 2, 2) => woven::<V, W, 2>(task, piece, rows, from, to),
                        (1, 4) => woven::<V, W, 4>(task, piece, rows, from, to),
                        _ => single::<V, W>(task, piece, from, to),
                    }
                }
            }
            if matches!((W, count), (1 | 2, 2) | (1, 4)) {
                rows = &rows[count - 1..];
            }
        }
    }
}

/// Asks for the memory of a piece whose elements share lines.
#[inline(always)]
fn ask<const W: usize>(from: *const u8, piece: &Piece) {
    if piece.step[0] * W > LINE / 4 {
        return;
    }
    let length = (piece.length * piece.step[0] * W).min(ASKED);
    let mut at = 0;
    while at < length {
        // SAFETY: any address may be asked for, and there are vectors, so that there is the instruction.
        unsafe { prefetch(from.wrapping_add(at)) };
        at += LINE;
    }
}

/// How many rows, from the first one on, lie side by side in the destination, their elements in turns.
#[inline(always)]
fn side_by_side(rows: &[[usize; 2]], pieces: &[Piece]) -> usize {
    let count = pieces[0].step[1];
    if count < 2 || rows.len() < count || pieces.iter().any(|piece| piece.step != [1, count]) {
        return 1;
    }
    let mut row = 1;
    while row < count {
        if rows[row][1] != rows[0][1] + row {
            return 1;
        }
        row += 1;
    }
    count
}

/// Writes `length` bytes at `from` to `to`.
///
/// # Safety
/// As `stretches`, of these bytes.
#[inline(always)]
unsafe fn put<V: Vector>(task: &mut Task, from: *const u8, to: *mut u8, length: usize) {
    // SAFETY: the caller vouches for the bytes on both sides.
    unsafe {
        if task.streams {
            task.carry.put::<V>(from, to, length);
        } else {
            line::copy::<V>(from, to, length);
        }
    }
}

/// A piece of one row.
///
/// # Safety
/// As `stretches`; the piece begins at `from` and `to`.
#[inline(always)]
unsafe fn single<V: Vector, const W: usize>(
    task: &mut Task,
    piece: &Piece,
    mut from: *const u8,
    mut to: *mut u8,
) {
    let &Piece { step: [step, step_to], length, .. } = piece;
    // SAFETY: `length` elements lie at `from` and at `to`, this many apart. The stage has room for `STAGE / W`.
    unsafe {
        if [step, step_to] == [1, 1] {
            return put::<V>(task, from, to, length * W);
        }
        if step_to != 1 {
            for i in 0..length {
                copy_nonoverlapping(from.add(i * step * W), to.add(i * step_to * W), W);
            }
            return;
        }
        let mut stage = MaybeUninit::<Stage>::uninit();
        let staged = stage.as_mut_ptr().cast::<u8>();
        let mut left = length;
        while left > 0 {
            let count = if left < STAGE / W { left } else { STAGE / W };
            match (W, step) {
                (1 | 2, 2) => gather::<V, W, 2>(from, staged, count),
                (1, 4) => gather::<V, W, 4>(from, staged, count),
                _ => gather_any::<W>(from, staged, 0, count, step),
            }
            put::<V>(task, staged, to, count * W);
            from = from.wrapping_add(count * step * W);
            to = to.wrapping_add(count * W);
            left -= count;
        }
    }
}

/// Every `K`-th of the elements at `from`.
///
/// # Safety
/// `count` elements, `K` apart, are readable at `from`, and `count` are writable at `to`. The processor has the
/// vector's instructions.
#[inline(always)]
unsafe fn gather<V: Vector, const W: usize, const K: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
) {
    let mut at = 0;
    // SAFETY: vectors that hold the first elements of a loop's turn end before the last element, so that they lie
    // between readable elements.
    unsafe {
        while at + V::BYTES < count * W {
            V::load_unzipped::<W, K>(from.add(at * K))[0].store(to.add(at));
            at += V::BYTES;
        }
        while at + Smallest::BYTES < count * W {
            Smallest::load_unzipped::<W, K>(from.add(at * K))[0].store(to.add(at));
            at += Smallest::BYTES;
        }
        gather_any::<W>(from, to, at / W, count, K);
    }
}

/// Elements at any distance, from one on.
///
/// # Safety
/// `count` elements, `step` apart, are readable at `from`, and `count` are writable at `to`.
#[inline(always)]
unsafe fn gather_any<const W: usize>(
    from: *const u8,
    to: *mut u8,
    first: usize,
    count: usize,
    step: usize,
) {
    for i in first..count {
        // SAFETY: the caller vouches for element `i` of both.
        unsafe { copy_nonoverlapping(from.add(i * step * W), to.add(i * W), W) };
    }
}

/// A piece of `K` rows, which take turns in the destination. The others are the rows after the first one.
///
/// # Safety
/// As `stretches`; the piece of the first row begins at `from` and `to`, and those of the others are in turns with it.
#[inline(always)]
unsafe fn woven<V: Vector, const W: usize, const K: usize>(
    task: &mut Task,
    piece: &Piece,
    others: &[[usize; 2]],
    from: *const u8,
    mut to: *mut u8,
) {
    let mut rows = [from; K];
    let mut row = 1;
    while row < K {
        rows[row] = task.src.wrapping_add((others[row - 1][0] + piece.at[0]) * W);
        row += 1;
    }
    let mut stage = MaybeUninit::<Stage>::uninit();
    let staged = stage.as_mut_ptr().cast::<u8>();
    let length = piece.length * W;
    let mut first = 0;
    while first < length {
        let part = if length - first < STAGE / K { length - first } else { STAGE / K };
        let mut at = 0;
        // SAFETY: each row has `length` bytes, and `first + part` is at most that; the stage has room for `K * part`.
        unsafe {
            while at + V::BYTES <= part {
                V::store_zipped::<W, K>(rows_at(&rows, first + at), staged.add(at * K));
                at += V::BYTES;
            }
            while at + Smallest::BYTES <= part {
                Smallest::store_zipped::<W, K>(rows_at(&rows, first + at), staged.add(at * K));
                at += Smallest::BYTES;
            }
            while at < part {
                for (row, from) in rows.iter().enumerate() {
                    copy_nonoverlapping(from.add(first + at), staged.add(at * K + row * W), W);
                }
                at += W;
            }
            put::<V>(task, staged, to, part * K);
        }
        to = to.wrapping_add(part * K);
        first += part;
    }
}
