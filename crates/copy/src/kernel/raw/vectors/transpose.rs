//! Transposing blocks of a line by a line.

use crate::kernel::policy::{PREFETCHED, ROWS, STRIP_COLUMNS, column_lines};
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::moves::moves;
use crate::kernel::raw::vectors::square::{blocks, matrices};
use crate::kernel::raw::vectors::task::{KernelTask, Offsets};

/// Blocks of a line by a line: some below one another, along the rows of the source. The last ones overlap those
/// before them, so that all are whole.
///
/// # Safety
/// The task is one of a kernel that transposes elements of `W` bytes, all of it lies within the source and the
/// destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const W: usize, const K: usize>(task: &KernelTask) {
    let side = LINE / W;
    if task.q < side || task.p < side {
        // SAFETY: the task is the caller's.
        return unsafe { moves(task, LINE, matrices::<W, K>) };
    }
    let (q_axis, p_axis) = (task.q_axis(), task.p_axis());
    let are_lines = |near: usize, far: usize| near.is_multiple_of(LINE) && far.is_multiple_of(LINE);
    let strides_are_lines = are_lines(p_axis.near[1], p_axis.far[1]);
    let is_one_digit = p_axis.minor == p_axis.total;
    let rows_are_lines = is_one_digit && are_lines(q_axis.near[0], q_axis.far[0]);
    let group = ROWS.min(column_lines(W).max(W / 2) * side);
    let asks = task.q * task.p * W > PREFETCHED;
    let last = [task.q - side, task.p - side];
    let mut rows = Offsets::<ROWS>::new();
    // Columns of a block that begins at a multiple of its side lie alike from its first one on.
    let minor = p_axis.minor;
    let is_regular =
        minor == p_axis.total || minor.is_multiple_of(side) || side.is_multiple_of(minor);
    let mut alike = Offsets::<LINE>::new();
    alike.set(0, &p_axis, 0, 1, side);
    let mut others = Offsets::<LINE>::new();
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        // Blocks after the first ones begin with lines of both sides, where all rows and all columns have them
        // at the same places: a store to two lines takes as long as two, and a line that two blocks share is read twice.
        let skew = |address: usize, may: bool, count: usize| {
            let before = address.wrapping_neg() % LINE;
            let does = may && count >= 8 * side && before.is_multiple_of(W);
            if does { before / W } else { 0 }
        };
        let skews =
            [skew(dst.addr(), strides_are_lines, task.q), skew(src.addr(), rows_are_lines, task.p)];
        let mut strip = 0;
        while strip < task.p {
            let apart = if strip == 0 { skews[1] } else { 0 };
            let end = task.p.min(strip + apart + STRIP_COLUMNS);
            let mut q = 0;
            while q < task.q {
                let is_apart = q == 0 && skews[0] > 0;
                let most = if is_apart { side } else { group };
                let height = if task.q - q < most { task.q - q } else { most };
                // Rows of whole blocks, after which the last one overlaps them.
                let whole = if height == most { most } else { height / side * side };
                rows.set(0, &q_axis, q, 0, whole);
                if whole < height {
                    rows.set(whole, &q_axis, last[0], 0, side);
                }
                let mut p = strip;
                while p < end {
                    let from = if p < last[1] { p } else { last[1] };
                    let (first, columns) = if is_regular && from == p {
                        (p_axis.offset(p, 1), &alike)
                    } else {
                        others.set(0, &p_axis, from, 1, side);
                        (0, &others)
                    };
                    let mut row = 0;
                    while row < height {
                        let q_first = if row < whole { q + row } else { last[0] };
                        // SAFETY: the rows and columns lie within the task's source and destination, as there are
                        // `side` of each from `q_first` and from `from` on, or as many as the blocks have; `p` is contiguous in
                        // the rows, `q` in the columns.
                        unsafe {
                            let to = dst.wrapping_add(first).wrapping_add(q_first * W);
                            let rows = rows.from(row);
                            let from_here = src.add(from * W);
                            let left = if row < whole { (whole - row) / side } else { 1 };
                            blocks::<V, W, K>(from_here, to, rows, columns.from(0), left, asks);
                            row += left * side;
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
