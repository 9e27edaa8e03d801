//! The general path's pieces, which begin and end anywhere.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::prefetch;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::line;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::weave::{Blocks, MOST_ROWS, Weaver};
use crate::kernel::stretches::{Piece, Stretches};
use crate::policy::{PIECE_ASKED, PIECES_AHEAD};

/// Elements of a size, and what moves those of several rows.
pub(super) struct Elements {
    /// Bytes of an element.
    pub width: usize,
    /// Puts two rows, or four, side by side, if pieces of them are copied so.
    pub zip: [Option<Weaver>; 2],
    /// Every second element, or every fourth.
    pub gather: [Option<Weaver>; 2],
    /// Evenly spaced elements.
    pub single: unsafe fn(*const u8, *mut u8, usize, [usize; 2]),
}

/// The weaver for `rows` rows.
#[inline(always)]
fn of_rows(weavers: &[Option<Weaver>; 2], rows: usize) -> Option<Weaver> {
    match rows {
        2 => weavers[0],
        4 => weavers[1],
        _ => None,
    }
}

/// # Safety
/// The task is one of the general path with these elements, all pieces lie within the source and the
/// destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn stretches<V: Vector>(task: &KernelTask, all: &Stretches, elements: &Elements) {
    let width = elements.width;
    let mut in_order = all.in_order();
    while let Some(Stretches { mut rows, pieces }) = in_order.next_part() {
        let later = in_order.ahead(PIECES_AHEAD);
        if pieces.iter().all(|piece| piece.step == [1, 1]) {
            // SAFETY: the pieces are contiguous, and lie within the source and the destination in all rows.
            unsafe { runs::<V>(task, rows, pieces, later, width) };
            continue;
        }
        while let Some((row, others)) = rows.split_first() {
            let count = side_by_side(rows, pieces);
            let zip = of_rows(&elements.zip, count);
            rows = others;
            let mut later = later.iter();
            for piece in pieces {
                if let Some(next) = later.next() {
                    ask(task.src.wrapping_add((row[0] + next.at[0]) * width), next, width);
                }
                let from = task.src.wrapping_add((row[0] + piece.at[0]) * width);
                let to = task.dst.wrapping_add((row[1] + piece.at[1]) * width);
                let Some(zip) = zip else {
                    // SAFETY: the piece lies within the source and the destination, in this row.
                    unsafe { single::<V>(elements, piece, from, to) };
                    continue;
                };
                let mut places = [from.cast_mut(); MOST_ROWS];
                for (place, other) in places[1..count].iter_mut().zip(others) {
                    *place = task.src.wrapping_add((other[0] + piece.at[0]) * width).cast_mut();
                }
                // SAFETY: the piece lies within the source and the destination, in this row and in the ones after it, with
                // which it is contiguous in the destination.
                unsafe { zip(to, places.as_ptr(), &Blocks::one(0, piece.length * width)) };
            }
            if zip.is_some() {
                rows = &rows[count - 1..];
            }
        }
    }
}

/// Copies contiguous pieces, each in all rows: of one length, so that the processor foresees where the
/// loops over vectors end. Asks for as many other pieces.
///
/// # Safety
/// The conditions of `stretches`, for pieces whose elements lie side by side, in these rows.
#[inline(always)]
unsafe fn runs<V: Vector>(
    task: &KernelTask,
    rows: &[[usize; 2]],
    pieces: &[Piece],
    later: &[Piece],
    width: usize,
) {
    let mut later = later.iter();
    for piece in pieces {
        let bytes = piece.length * width;
        let next = later.next();
        for row in rows {
            if let Some(next) = next {
                ask(task.src.wrapping_add((row[0] + next.at[0]) * width), next, width);
            }
            let from = task.src.wrapping_add((row[0] + piece.at[0]) * width);
            let to = task.dst.wrapping_add((row[1] + piece.at[1]) * width);
            // SAFETY: the caller vouches for the piece in every row.
            unsafe {
                if bytes >= V::BYTES {
                    line::run::<V>(from, to, bytes);
                } else {
                    line::copy::<V>(from, to, bytes);
                }
            }
        }
    }
}

/// Asks for the memory of a piece whose elements share lines.
#[inline(always)]
fn ask(from: *const u8, piece: &Piece, width: usize) {
    if piece.step[0] * width > LINE / 4 {
        return;
    }
    let length = (piece.length * piece.step[0] * width).min(PIECE_ASKED);
    let mut at = 0;
    while at < length {
        prefetch(from.wrapping_add(at));
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

/// A piece of one row.
///
/// # Safety
/// The conditions of `stretches`; the piece begins at `from` and `to`.
#[inline(always)]
unsafe fn single<V: Vector>(elements: &Elements, piece: &Piece, from: *const u8, to: *mut u8) {
    let &Piece { step, length, .. } = piece;
    let width = elements.width;
    // SAFETY: `length` elements lie at `from` and at `to`, these steps apart. What lies between
    // elements is readable, up to the last one.
    unsafe {
        if step == [1, 1] {
            return line::copy::<V>(from, to, length * width);
        }
        match of_rows(&elements.gather, step[0]).filter(|_| step[1] == 1) {
            Some(gather) => {
                let last = (length - 1) * width;
                gather(from.cast_mut(), [to; MOST_ROWS].as_ptr(), &Blocks::one(0, last));
                (elements.single)(from.add(last * step[0]), to.add(last), 1, [1, 1]);
            }
            None => (elements.single)(from, to, length, step),
        }
    }
}

/// Elements that are evenly spaced on both sides. Out of line, so that it is not compiled for the vector's
/// instructions: the compiler would gather and scatter, which takes longer than one element at a time.
///
/// # Safety
/// `count` elements are readable at `from` and writable at `to`, at these steps.
#[inline(never)]
pub(super) unsafe fn evenly<const W: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: [usize; 2],
) {
    for i in 0..count {
        // SAFETY: the caller vouches for element `i` on both sides.
        unsafe { copy_nonoverlapping(from.add(i * step[0] * W), to.add(i * step[1] * W), W) };
    }
}
