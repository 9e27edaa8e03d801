//! Memory that is asked for before it is read, where the processor does not foresee it.

use crate::kernel::raw::machine::prefetch;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::policy::{ALONG_ROWS, BLOCKS_AHEAD, SQUARES_AHEAD, asks_ahead};

/// Where rows end whose blocks are interleaved, from one block on.
#[derive(Clone, Copy)]
pub(super) struct Along {
    /// The first byte of the block for which what is asked for belongs to the next rows.
    turn: usize,
    /// From where the rows would go on to the next ones.
    skip: usize,
}

impl Along {
    /// Of block `i`, which has `length` bytes of each of some rows.
    #[inline(always)]
    pub(super) fn of(task: &KernelTask, i: usize, rows: usize, length: usize) -> Along {
        let blocks = if length == task.step[0] { task.count } else { 1 };
        let left = if length == task.step[0] { task.count - i } else { 1 };
        Along {
            turn: (left * length).saturating_sub(ALONG_ROWS),
            skip: task.q_src.wrapping_mul(rows).wrapping_sub(blocks * length),
        }
    }

    /// What is asked for at byte `at` of the block, counted as that is.
    #[inline(always)]
    pub(super) fn ahead(&self, at: usize) -> usize {
        let skip = if at < self.turn { 0 } else { self.skip };
        (at + ALONG_ROWS).wrapping_add(skip)
    }
}

/// Asks for what lies ahead of block `i`, which has `length` bytes of the source, where blocks are short.
#[inline(always)]
pub(super) fn ask_ahead<V: Vector>(task: &KernelTask, i: usize, length: usize) {
    let follows = length == task.step[0];
    if !asks_ahead(length, follows, V::BYTES) {
        return;
    }
    let src = if follows {
        task.place(i).0.wrapping_add(ALONG_ROWS)
    } else {
        task.place(i + BLOCKS_AHEAD).0
    };
    for line in (0..length).step_by(LINE) {
        prefetch(src.wrapping_add(line));
    }
}

/// Asks for a line of each of the rows in which a block stands, `SQUARES_AHEAD` after its column `p`, and past the `end` of these
/// rows for one of the next rows. The rows begin anywhere in a line: the rest of it has been asked for before, but for the
/// first one.
///
/// # Safety
/// Of both kinds of rows there are `count` offsets.
#[inline(always)]
pub(super) unsafe fn ask_rows(
    p: usize,
    end: usize,
    [src, next]: [*const u8; 2],
    [rows, next_rows]: [*const usize; 2],
    count: usize,
    width: usize,
) {
    let side = LINE / width;
    let later = p + SQUARES_AHEAD / LINE * side;
    let (src, rows, at) =
        if later < end { (src, rows, later) } else { (next, next_rows, later - end) };
    let is_first = later >= end && at < side;
    for i in 0..count {
        // SAFETY: the caller vouches for the offset.
        let line = src.wrapping_add(unsafe { *rows.add(i) }).wrapping_add(at * width);
        if is_first {
            prefetch(line);
        }
        prefetch(line.wrapping_add(LINE - 1));
    }
}
