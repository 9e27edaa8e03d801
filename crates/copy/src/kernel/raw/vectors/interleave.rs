//! Rows of the source side by side, and the reverse: in which order and around what the rows go; `weave.rs` moves them.

use crate::kernel::raw::machine::prefetch;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::ahead::{Along, ask_ahead};
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::weave::{Blocks, MOST_ROWS, Rows};
use crate::policy::{HELD_PIECE, HELD_ROWS, LINES_AHEAD};

/// Puts rows side by side, through the cache.
///
/// # Safety
/// The task is one of a kernel that interleaves these rows, all of it lies within the source and the destination, and the
/// processor has the instructions of the rows' function.
#[inline(always)]
pub(super) unsafe fn interleave(task: &KernelTask, rows: &Rows) {
    let places = Rows::spread(task.src, task.q_src);
    let all = Blocks { count: task.count, step: task.step, ..Blocks::one(0, task.p * rows.width) };
    // SAFETY: each of the task's rows of the source, `q_src` apart, has as many bytes, its destination those of all rows.
    unsafe { (rows.weaver)(task.dst, places.as_ptr(), &all) }
}

/// `interleave` around the cache.
///
/// # Safety
/// The conditions of `interleave`.
#[inline(always)]
pub(super) unsafe fn interleave_around<V: Vector>(task: &KernelTask, rows: &Rows) {
    let Rows { width, count, weaver } = *rows;
    let length = task.p * width;
    let fills = (length * count).is_multiple_of(LINE);
    // What is less than a vector of each row goes around the cache only if it fills lines.
    let whole = if fills { length } else { length / V::BYTES * V::BYTES };
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
            let streams =
                is_aligned && fills && (together == 1 || task.step[1].is_multiple_of(LINE));
            // SAFETY: each row has `length` bytes, the destination `count` times as many. Streams go to multiples of vectors
            // past borders of lines.
            unsafe {
                let step = task.step;
                let blocks = Blocks { count: together, step, streams, ..Blocks::one(0, length) };
                weaver(dst, places.as_ptr(), &blocks);
            }
            i += together;
            continue;
        }
        let along = Some(Along::of(task, i, count, length));
        // SAFETY: as above.
        unsafe {
            let blocks = Blocks { streams: is_aligned, along, ..Blocks::one(0, whole) };
            weaver(dst, places.as_ptr(), &blocks);
            if whole < length {
                weaver(dst, places.as_ptr(), &Blocks::one(whole, length));
            }
        }
        i += 1;
    }
}

/// Prefetches the memory `ahead` bytes past the beginning of each row.
#[inline(always)]
fn ask(rows: &[*mut u8], ahead: usize) {
    for row in rows {
        prefetch(row.wrapping_add(ahead));
    }
}

/// Takes rows apart, through the cache.
///
/// # Safety
/// The task is one of a kernel that takes these rows apart, all of it lies within the source and the destination, and the
/// processor has the instructions of the rows' function.
#[inline(always)]
pub(super) unsafe fn deinterleave(task: &KernelTask, rows: &Rows) {
    let places = Rows::spread(task.dst, task.p_dst);
    let step = [task.step[1], task.step[0]];
    let all = Blocks { count: task.count, step, ..Blocks::one(0, task.q * rows.width) };
    // SAFETY: each of the rows of the destination has as many bytes, the source those of all rows.
    unsafe { (rows.weaver)(task.src.cast_mut(), places.as_ptr(), &all) }
}

/// `deinterleave` around the cache.
///
/// # Safety
/// The conditions of `deinterleave`, and the destination can be written until the task's `rows` are flushed.
#[inline(always)]
pub(super) unsafe fn deinterleave_around<V: Vector>(task: &mut KernelTask, rows: &Rows) {
    let Rows { width, count, weaver } = *rows;
    let length = task.q * width;
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let is_aligned = borders.iter().all(|border| border % LINE == 0);
    if !is_aligned {
        // SAFETY: what the caller vouches for.
        return unsafe {
            if length >= LINE || task.turns(length) == 1 {
                deinterleave_anywhere::<V>(task, rows, length)
            } else {
                deinterleave(task, rows)
            }
        };
    }
    let whole = length / LINE * LINE;
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        ask_ahead::<V>(task, i, count * length);
        let places = Rows::spread(dst, task.p_dst);
        // SAFETY: the source has `count * length` bytes, each row `length`. Rows that stream are aligned.
        unsafe {
            weaver(
                src.cast_mut(),
                places.as_ptr(),
                &Blocks { streams: true, ..Blocks::one(0, whole) },
            );
            if whole < length {
                weaver(src.cast_mut(), places.as_ptr(), &Blocks::one(whole, length));
            }
        }
    }
}

/// Rows that begin anywhere in a line, around the cache.
///
/// # Safety
/// The conditions of `deinterleave`; `length` is the bytes of a row.
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
                    let to = dst.wrapping_add(task.p_dst.wrapping_mul(row)).wrapping_add(at);
                    places[row] = held.room::<V>(to, part);
                    row += 1;
                }
                let woven = src.wrapping_add(at * count).cast_mut();
                weaver(woven, places.as_ptr(), &Blocks::one(0, part));
            }
            at += part;
        }
    }
}
