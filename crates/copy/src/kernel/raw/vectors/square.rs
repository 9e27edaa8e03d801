//! Squares that are transposed in the lanes of vectors: what is compiled for each size of elements.

// Tried for elements of 16 bytes (AMD Zen 5): fewer and more rows, squares in vectors of 32 and 64 bytes,
// prefetches, rows put together first. All took 1.0 to 2 times as long as one element at a time.

use core::mem::MaybeUninit;

use crate::kernel::block::add;
use crate::kernel::raw::machine::{Smallest, prefetch};
use crate::kernel::raw::size::{LANE, LINE};
use crate::kernel::raw::vector::{Vector, zip_lanes};
use crate::kernel::raw::vectors::moves::{ElementGrid, grid};

/// A vector of each of `K` rows.
///
/// # Safety
/// `rows` are `K` offsets, a vector is readable at each of them past `src`, and the processor has the vector's instructions.
#[inline(always)]
unsafe fn load_rows<V: Vector, const K: usize>(src: *const u8, rows: *const usize) -> [V; K] {
    const { assert!(K <= 16) };
    // SAFETY: the caller vouches for the rows and for the instructions.
    unsafe {
        let mut vectors = [V::load(src.wrapping_add(*rows)); K];
        unrolled!(i in 0..K, {
            vectors[i] = V::load(src.wrapping_add(*rows.add(i)));
        });
        vectors
    }
}

/// Blocks of a line by a line, below one another: squares in the lanes of vectors, then the lanes.
///
/// # Safety
/// `columns` are the offsets of `LINE / W` columns and `rows` of `count` times as many rows. A line is readable at each row, and
/// `count` lines are writable at each column. The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn blocks<V: Vector, const W: usize, const K: usize>(
    src: *const u8,
    dst: *mut u8,
    rows: *const usize,
    columns: *const usize,
    count: usize,
    asks: bool,
) {
    const { assert!(K * W == LANE) };
    let side = LINE / W;
    let lanes = V::BYTES / LANE;
    // SAFETY: squares have `lanes * K` rows and columns, of which a side has whole ones, so that vectors lie within
    // the lines that the caller vouches for. All lanes that are read were written, and the others repeat the first.
    unsafe {
        let mut line = 0;
        while line < count * side {
            if asks {
                let mut row = line;
                while row < line + side {
                    prefetch(src.wrapping_add((*rows.add(row)).wrapping_add(LINE)));
                    row += 1;
                }
            }
            let mut column = 0;
            while column < side {
                // A line of each of these columns is whole before the next ones come.
                let mut row = line;
                while row < line + side {
                    let (from, to) = (src.wrapping_add(column * W), dst.wrapping_add(row * W));
                    let mut squares = [const { MaybeUninit::<[V; K]>::uninit() }; LINE / LANE];
                    let mut lane = 0;
                    while lane < lanes {
                        let vectors = load_rows::<V, K>(from, rows.add(row + lane * K));
                        squares[lane].write(zip_lanes::<V, W, K>(vectors));
                        lane += 1;
                    }
                    let mut i = 0;
                    while i < K {
                        let mut turned = [squares[0].assume_init_ref()[i]; LINE / LANE];
                        let mut lane = 1;
                        while lane < lanes {
                            turned[lane] = squares[lane].assume_init_ref()[i];
                            lane += 1;
                        }
                        let turned = V::turn(turned);
                        let mut lane = 0;
                        while lane < lanes {
                            let to = to.wrapping_add(*columns.add(column + lane * K + i));
                            turned[lane].store(to);
                            lane += 1;
                        }
                        i += 1;
                    }
                    row += lanes * K;
                }
                column += lanes * K;
            }
            line += side;
        }
    }
}

/// Matrices that stay in the first cache: squares of the smallest vector, single elements where there are fewer than it has.
///
/// # Safety
/// Those of `grid`, of elements that lie side by side along the second digit in the source, and along the first one in the destination.
/// The processor has the smallest vector's instructions.
#[inline(never)]
pub(in crate::kernel::raw) unsafe fn matrices<const W: usize, const K: usize>(
    src: *const u8,
    dst: *mut u8,
    all: &ElementGrid,
) {
    let &ElementGrid { counts: [rows, columns, count], steps: [[row, _], [_, column], next] } = all;
    // SAFETY: the caller vouches for the matrices.
    unsafe {
        if rows < K || columns < K {
            return grid::<W, W>(src, dst, all);
        }
        for number in 0..count {
            let [from, to] = add([0; 2], next, number);
            let (src, dst) = (src.wrapping_add(from), dst.wrapping_add(to));
            matrix::<W, K>(src, dst, [row, column], [rows, columns]);
        }
    }
}

/// A matrix whose rows lie `row` bytes apart in the source and its columns `column` bytes apart in the destination.
///
/// # Safety
/// The conditions of `matrices`; there are `K` rows and columns at least.
#[inline(always)]
unsafe fn matrix<const W: usize, const K: usize>(
    src: *const u8,
    dst: *mut u8,
    [row, column]: [usize; 2],
    [rows, columns]: [usize; 2],
) {
    /// Small squares one below the other, for which a loop would take as long.
    const TOGETHER: usize = 4;
    let together = if K < TOGETHER { TOGETHER * K } else { K };
    let turn = |q: usize, p: usize| {
        // SAFETY: `q + K` is at most the number of rows and `p + K` that of the columns.
        unsafe {
            let from = src.wrapping_add(row.wrapping_mul(q)).wrapping_add(p * W);
            let to = dst.wrapping_add(column.wrapping_mul(p)).wrapping_add(q * W);
            let mut vectors = [Smallest::load(from); K];
            unrolled!(i in 0..K, {
                vectors[i] = Smallest::load(from.wrapping_add(row.wrapping_mul(i)));
            });
            let vectors = zip_lanes::<Smallest, W, K>(vectors);
            unrolled!(i in 0..K, {
                vectors[i].store(to.wrapping_add(column.wrapping_mul(i)));
            });
        }
    };
    let last = [rows - K, columns - K];
    if rows < columns {
        let mut first = 0;
        while first < rows {
            let q = first.min(last[0]);
            let mut p = 0;
            while p < columns {
                turn(q, p.min(last[1]));
                p += K;
            }
            first += K;
        }
        return;
    }
    let mut first = 0;
    while first < columns {
        let p = if first < last[1] { first } else { last[1] };
        let mut q = 0;
        while q + together <= rows {
            turn(q, p);
            if together > K {
                unrolled!(i in 0..3, { turn(q + (i + 1) * K, p) });
            }
            q += together;
        }
        while q < rows {
            turn(if q < last[0] { q } else { last[0] }, p);
            q += K;
        }
        first += K;
    }
}
