//! Rows of less than a cache line: putting them together to lines, and taking those apart.

use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::block::KernelBlock;
use crate::relayout::kernel::raw::machine::{Smallest, prefetch};
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::raw::vector::{Vector, unzip_all};
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::kernel::raw::vectors::weave::{Weave, ask, interleave};
use crate::relayout::policy::{LINES_AHEAD, SHORT_AHEAD, SHORT_STRIP};

/// Whether blocks are a line, and what they have of each row is whole vectors. `w` is the size of what is moved as one.
pub(super) const fn is_line(block: &KernelBlock, w: usize) -> bool {
    let row = block.p.total.saturating_mul(w);
    row.is_multiple_of(Smallest::BYTES) && row.saturating_mul(block.q.total) == LINE
}

/// Blocks of a line, each of a piece of `K` rows.
///
/// # Safety
/// As `interleave`, of blocks that `is_line` says to be lines if they are whole.
#[inline(always)]
pub(super) unsafe fn interleave_line<V: Vector, const W: usize, const K: usize>(
    task: &mut KernelTask,
) {
    let length = task.p * W;
    if length * K < LINE {
        // SAFETY: the task is the caller's.
        return unsafe { interleave::<Smallest, W, K>(task) };
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let weave = Weave::<W, K, 0>::new(dst, src.cast_mut(), task.q_src);
        // Once for the blocks that share a line of the source.
        if task.streams && src.addr() % LINE < length {
            ask::<K>(&weave.rows, LINES_AHEAD);
        }
        let streams = task.streams && dst.addr().is_multiple_of(LINE);
        // SAFETY: each row has `length` bytes, whole vectors, and the destination `K` times as many. Streams go to
        // multiples of a vector past a border of a line.
        unsafe { weave.whole::<Smallest, 1>(0, length, streams) };
    }
}

/// A walk over tiles, by vectors of which a tile has whole ones.
struct Tiles {
    /// Where the tile begins, and how far in it the walk is.
    tile: usize,
    byte: usize,
    /// Bytes of the rows in a tile, and from one tile to the next.
    size: usize,
    far: usize,
}

impl Tiles {
    /// The place of the next bytes.
    #[inline(always)]
    fn next(&mut self, bytes: usize) -> usize {
        let place = self.tile + self.byte;
        self.byte += bytes;
        if self.byte == self.size {
            self.byte = 0;
            self.tile += self.far;
        }
        place
    }

    /// A vector of each of `K` rows of elements of `W` bytes.
    ///
    /// # Safety
    /// A vector is readable at each of the next `K` places past `src`, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn unzip<V: Vector, const W: usize, const K: usize>(
        &mut self,
        src: *const u8,
    ) -> [V; K] {
        // SAFETY: the caller vouches for the places and the instructions.
        unsafe {
            let mut vectors = [V::load(src.add(self.next(V::BYTES))); K];
            let mut i = 1;
            while i < K {
                vectors[i] = V::load(src.add(self.next(V::BYTES)));
                i += 1;
            }
            unzip_all::<V, W, K>(vectors)
        }
    }
}

/// # Safety
/// The task is one of a kernel that takes `K` rows of elements of `W` bytes apart, all of it lies within the source and
/// the destination, the elements of a tile are whole lines, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave_short<V: Vector, const W: usize, const K: usize>(
    task: &mut KernelTask,
) {
    let (length, far) = (task.q * W, task.q_axis.far[0]);
    // Bytes of each row in a tile, and in the tiles of a strip.
    let short = task.q_axis.minor * W;
    let strip = SHORT_STRIP * short;
    let tiles = |at: usize| Tiles { tile: at / short * far, byte: 0, size: K * short, far };
    // A strip is whole lines, since a tile is.
    let borders = [task.dst.addr(), task.step[1], task.p_dst];
    let streams = task.streams && borders.map(|byte| byte % LINE) == [0; 3];
    let mut start = 0;
    while start < length {
        let end = if length - start < strip { length } else { start + strip };
        for i in 0..task.count {
            let (src, dst) = task.place(i);
            let rows = Weave::<W, K, K>::new(dst, dst, task.p_dst).rows;
            if task.streams {
                // In this strip, in the next one, or in the rows after these, whose tiles often follow these tiles.
                let (first, at) = match i + SHORT_AHEAD {
                    later if later < task.count => (later, start),
                    later if end < length => (later - task.count, end),
                    later => (later, 0),
                };
                let (src, mut later) = (task.place(first).0, tiles(at));
                for _ in (0..K * strip).step_by(LINE) {
                    prefetch(src.wrapping_add(later.next(LINE)));
                }
            }
            let mut from = tiles(start);
            let mut at = start;
            // SAFETY: each row has `length` bytes, of which a vector is written at `at`, at a multiple of its size past
            // the row's begin. A tile has whole lines, so that each vector lies within one, in which element `n` of the rows is
            // that many times `K` elements past the first.
            unsafe {
                while at + V::BYTES <= end {
                    let vectors = from.unzip::<V, W, K>(src);
                    let mut row = 0;
                    while row < K {
                        vectors[row].write(rows[row].add(at), streams);
                        row += 1;
                    }
                    at += V::BYTES;
                }
                while at + Smallest::BYTES <= end {
                    let vectors = from.unzip::<Smallest, W, K>(src);
                    let mut row = 0;
                    while row < K {
                        vectors[row].store(rows[row].add(at));
                        row += 1;
                    }
                    at += Smallest::BYTES;
                }
                while at < end {
                    let element = src.add(at / short * far + at % short * K);
                    for (row, to) in rows.iter().enumerate() {
                        copy_nonoverlapping(element.add(row * W), to.add(at), W);
                    }
                    at += W;
                }
            }
        }
        start = end;
    }
}
