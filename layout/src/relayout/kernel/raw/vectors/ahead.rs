//! Memory that is asked for before it is read, where the processor does not foresee it.

use crate::relayout::kernel::raw::vectors::Task;
use crate::relayout::kernel::raw::vectors::line::LINE;
use crate::relayout::kernel::raw::vectors::machine::prefetch;
use crate::relayout::kernel::raw::vectors::vector::Vector;

/// Bytes ahead that are asked for along rows. The processor foresees what follows, but not across pages, and begins anew
/// in each: so the next rows are asked for before these end.
const FAR: usize = 2048;

/// Where rows end whose blocks are interleaved, from one block on.
pub(super) struct Along {
    /// The first byte of the block for which what is asked for belongs to the next rows.
    turn: usize,
    /// From where the rows would go on to the next ones.
    skip: usize,
}

impl Along {
    /// Of block `i`, which has `length` bytes of each of `K` rows.
    #[inline(always)]
    pub(super) fn of<const K: usize>(task: &Task, i: usize, length: usize) -> Along {
        let blocks = if length == task.step[0] { task.count } else { 1 };
        let left = if length == task.step[0] { task.count - i } else { 1 };
        Along {
            turn: (left * length).saturating_sub(FAR),
            skip: task.q_src.wrapping_mul(K).wrapping_sub(blocks * length),
        }
    }

    /// What is asked for at byte `at` of the block, counted as that is.
    #[inline(always)]
    pub(super) fn ahead(&self, at: usize) -> usize {
        let skip = if at < self.turn { 0 } else { self.skip };
        (at + FAR).wrapping_add(skip)
    }
}

/// Blocks ahead that are asked for: fewer than a cache has places for one remainder of an address, since blocks are often
/// a power of two apart.
const AHEAD: usize = 6;
/// Bytes from which on a block is long enough for the processor to foresee the rest of it.
const LONG: usize = 2048;

/// Asks for what lies ahead of block `i`, which has `length` bytes of the source, where blocks are short. Of blocks that
/// follow one another that costs more than it spares with the smallest vectors.
#[inline(always)]
pub(super) fn ask_ahead<V: Vector>(task: &Task, i: usize, length: usize) {
    let follows = length == task.step[0];
    if length >= LONG || follows && V::BYTES < 32 {
        return;
    }
    let src = if follows { task.place(i).0.wrapping_add(FAR) } else { task.place(i + AHEAD).0 };
    for line in (0..length).step_by(LINE) {
        // SAFETY: the address may be any; the kernel that calls this runs on a processor with vectors.
        unsafe { prefetch(src.wrapping_add(line)) };
    }
}

/// Asks for a line of each of some rows, which begin anywhere in a line: the rest of it has been asked for before, but for
/// the first one.
#[inline(always)]
pub(super) fn ask_rows(src: *const u8, rows: &[usize], is_first: bool) {
    for row in rows {
        let line = src.wrapping_add(*row);
        // SAFETY: any address may be asked for; the kernels that call this run on a processor with vectors.
        unsafe {
            if is_first {
                prefetch(line);
            }
            prefetch(line.wrapping_add(LINE - 1));
        }
    }
}
