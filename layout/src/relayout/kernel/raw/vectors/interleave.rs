//! Rows of the source side by side, and the reverse: in which order and around what the rows go; `weave.rs` moves them.

use core::mem::MaybeUninit;

use crate::relayout::kernel::raw::machine::prefetch;
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::ahead::{Along, ask_ahead};
use crate::relayout::kernel::raw::vectors::line::emit;
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::kernel::raw::vectors::weave::{Blocks, MOST_ROWS, Rows};
use crate::relayout::policy::{HELD_PIECE, HELD_ROWS, LINES_AHEAD};

/// # Safety
/// The task is one of a kernel that interleaves these rows, all of it lies within the source and the destination, and the
/// processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn interleave<V: Vector>(task: &mut KernelTask, rows: &Rows) {
    let Rows { width, count, weaver } = *rows;
    let length = task.p * width;
    let blocks = Blocks { count: task.count, step: task.step, ..Blocks::one(0, length) };
    if !task.streams {
        let places = Rows::spread(task.src, task.q_src);
        // SAFETY: each of the task's rows of the source, `q_src` apart, has `length` bytes, its destination `count` times as many.
        return unsafe { weaver(task.dst, places.as_ptr(), &blocks) };
    }
    let fills = (length * count).is_multiple_of(LINE);
    // As many bytes of all rows together at once, in whole lines of each.
    let at_once = LINE * (MOST_ROWS / count);
    let whole = length / V::BYTES * V::BYTES;
    let mut i = 0;
    while i < task.count {
        let (src, dst) = task.place(i);
        let places = Rows::spread(src, task.q_src);
        let is_aligned = dst.addr().is_multiple_of(LINE);
        if length < LINE {
            // Those that share a line of the source.
            let together = if length == task.step[0] { LINE / length } else { 1 };
            let together = if task.count - i < together { task.count - i } else { together };
            ask(&places[..count], LINES_AHEAD);
            let streams = is_aligned && fills && (together == 1 || task.step[1].is_multiple_of(LINE));
            // SAFETY: as above. Streams go to multiples of vectors past borders of lines.
            unsafe { weaver(dst, places.as_ptr(), &Blocks { count: together, streams, ..blocks }) };
            i += together;
            continue;
        }
        let along = Along::of(task, i, count, length);
        let mut at = 0;
        while at < length {
            let mut end = length;
            if at < whole {
                end = if whole - at < at_once { whole } else { at + at_once };
                for line in (at..end).step_by(LINE) {
                    ask(&places[..count], along.ahead(line));
                }
            }
            let streams = is_aligned && (at < whole || fills);
            // SAFETY: as above.
            unsafe { weaver(dst, places.as_ptr(), &Blocks { streams, ..Blocks::one(at, end) }) };
            at = end;
        }
        i += 1;
    }
}

/// Asks for the memory so many bytes past the beginnings of rows.
#[inline(always)]
fn ask(rows: &[*mut u8], ahead: usize) {
    for row in rows {
        prefetch(row.wrapping_add(ahead));
    }
}

/// Pieces of rows that are written around the cache when all of them are whole lines.
#[repr(align(64))]
struct Stage {
    _pieces: [[u8; HELD_PIECE]; MOST_ROWS],
}

/// # Safety
/// The task is one of a kernel that takes these rows apart, all of it lies within the source and the destination, which can be
/// written until the task's `rows` are flushed, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave<V: Vector>(task: &mut KernelTask, rows: &Rows) {
    let Rows { width, count, weaver } = *rows;
    let length = task.q * width;
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let is_aligned = borders.iter().all(|border| border % LINE == 0);
    if task.streams && !is_aligned && (length >= LINE || task.turns(length) == 1) {
        // SAFETY: what the caller vouches for.
        return unsafe { deinterleave_anywhere::<V>(task, rows, length) };
    }
    if !(task.streams && is_aligned) {
        let places = Rows::spread(task.dst, task.p_dst);
        let step = [task.step[1], task.step[0]];
        let blocks = Blocks { count: task.count, step, ..Blocks::one(0, length) };
        // SAFETY: the source has `count * length` bytes, each of the rows of the destination `length`.
        return unsafe { weaver(task.src.cast_mut(), places.as_ptr(), &blocks) };
    }
    let mut stage = MaybeUninit::<Stage>::uninit();
    let stage = stage.as_mut_ptr().cast::<u8>();
    let staged = Rows::spread(stage, HELD_PIECE);
    let whole = length / LINE * LINE;
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        ask_ahead::<V>(task, i, count * length);
        let mut at = 0;
        while at < whole {
            let part = if whole - at < HELD_PIECE { whole - at } else { HELD_PIECE };
            // SAFETY: the source has `count * length` bytes, each row `length`, and the stage `HELD_PIECE` for each row, of which all
            // that is read was written. Lines of the rows are aligned.
            unsafe {
                let woven = src.add(at * count).cast_mut();
                weaver(woven, staged.as_ptr(), &Blocks::one(0, part));
                let mut row = 0;
                while row < count {
                    let (from, to) = (staged[row], dst.add(row * task.p_dst + at));
                    let mut byte = 0;
                    while byte < part {
                        emit::<V>(from.add(byte), to.add(byte));
                        byte += LINE;
                    }
                    row += 1;
                }
            }
            at += part;
        }
        if whole < length {
            let places = Rows::spread(dst, task.p_dst);
            // SAFETY: as above.
            unsafe { weaver(src.cast_mut(), places.as_ptr(), &Blocks::one(whole, length)) };
        }
    }
}

/// Rows that begin anywhere in a line, around the cache.
///
/// # Safety
/// As `deinterleave`; `length` is the bytes of a row.
#[inline(always)]
unsafe fn deinterleave_anywhere<V: Vector>(task: &mut KernelTask, rows: &Rows, length: usize) {
    const { assert!(MOST_ROWS <= HELD_ROWS) };
    let Rows { count, weaver, .. } = *rows;
    let turns = task.turns(length);
    let mut places = [task.dst; MOST_ROWS];
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        ask_ahead::<V>(task, i, count * length);
        let mut at = 0;
        while at < length {
            let part = if length - at < HELD_PIECE { length - at } else { HELD_PIECE };
            // SAFETY: the source has `count * length` bytes, each of the rows of the destination `length`, and `at + part`
            // is at most `length`. A room has `part` bytes, at most `HELD_PIECE`, and all of them are written.
            unsafe {
                let mut row = 0;
                while row < count {
                    let held = &mut task.rows[(i % turns * count + row) % HELD_ROWS];
                    places[row] = held.room::<V>(dst.add(row * task.p_dst + at), part);
                    row += 1;
                }
                let woven = src.wrapping_add(at * count).cast_mut();
                weaver(woven, places.as_ptr(), &Blocks::one(0, part));
            }
            at += part;
        }
    }
}
