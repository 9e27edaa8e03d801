//! Rows that are taken apart of tiles in which they have less than a cache line each.

use crate::kernel::raw::machine::prefetch;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::weave::{Blocks, Rows};
use crate::policy::{SHORT_AHEAD, SHORT_STRIP};

/// # Safety
/// The task is one of a kernel that takes these rows apart, all of it lies within the source and the destination, the elements of
/// a tile are whole lines, the rows' function is for tiles, and the processor has its instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave_short(task: &mut KernelTask, rows: &Rows) {
    let Rows { width, count, weaver } = *rows;
    let (length, far) = (task.q * width, task.q_axis.far[0]);
    // Bytes of each row in a tile, and in the tiles of a strip.
    let short = task.q_axis.minor * width;
    let strip = SHORT_STRIP * short;
    // A strip is whole lines, since a tile is.
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let streams = task.streams && borders.map(|byte| byte % LINE) == [0; 3];
    let mut start = 0;
    while start < length {
        let end = if length - start < strip { length } else { start + strip };
        let tiles = (end - start) / short;
        let first = start / short * far;
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            if task.streams {
                // In this strip, in the next one, or in the rows after these, whose tiles often follow these tiles.
                let (later, at) = match i + SHORT_AHEAD {
                    later if later < task.count => (later, start),
                    later if end < length => (later - task.count, end),
                    later => (later, 0),
                };
                let mut tile = task.place(later).0.wrapping_add(at / short * far);
                for _ in 0..SHORT_STRIP {
                    for line in (0..count * short).step_by(LINE) {
                        prefetch(tile.wrapping_add(line));
                    }
                    tile = tile.wrapping_add(far);
                }
            }
            let woven = src.wrapping_add(first).cast_mut();
            let places = Rows::spread(dst.wrapping_add(start), task.p_dst);
            let blocks =
                Blocks { count: tiles, step: [short, far], streams, ..Blocks::one(0, short) };
            // SAFETY: each row has `length` bytes, and the tiles `count` times as many. Rows that stream are aligned.
            unsafe {
                if tiles > 0 {
                    weaver(woven, places.as_ptr(), &blocks);
                }
                // The rest lies in one tile.
                let whole = tiles * short;
                if start + whole < end {
                    let woven = woven.wrapping_add(tiles * far);
                    let places = Rows::spread(dst.wrapping_add(start + whole), task.p_dst);
                    weaver(woven, places.as_ptr(), &Blocks::one(0, end - start - whole));
                }
            }
        }
        start = end;
    }
}
