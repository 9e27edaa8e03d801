//! Squares that are transposed in the lanes of vectors.

use core::mem::MaybeUninit;

use crate::relayout::kernel::raw::size::{LANE, LINE};
use crate::relayout::kernel::raw::vector::Vector;

/// The vectors at byte `at` of `K` rows.
///
/// # Safety
/// A vector is readable there in each row, of which there are `K`, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn load_rows<V: Vector, const K: usize>(
    src: *const u8,
    rows: &[usize],
    at: usize,
) -> [V; K] {
    const { assert!(K <= 16) };
    // One comparison for all of them.
    let Some(rows) = rows.first_chunk::<K>() else { unreachable!("there are `K` rows") };
    // SAFETY: the caller vouches for the rows and for the instructions.
    unsafe {
        let mut vectors = [V::load(src.add(rows[0] + at)); K];
        unrolled!(i in 0..K, {
            vectors[i] = V::load(src.add(rows[i] + at));
        });
        vectors
    }
}

/// Squares of `K` rows of `K` elements of `W` bytes in each lane: their columns, by `log2(K)` rounds.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn square<V: Vector, const W: usize, const K: usize>(mut rows: [V; K]) -> [V; K] {
    unrolled!(_round in 0..K.ilog2(), {
        // SAFETY: the caller vouches for the vector's instructions.
        rows = unsafe { zip_halves::<V, W, K>(rows) };
    });
    rows
}

/// The first half of the rows zipped with the second, in each lane.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn zip_halves<V: Vector, const W: usize, const K: usize>(rows: [V; K]) -> [V; K] {
    let mut zipped = rows;
    unrolled!(i in 0..K / 2, {
        // SAFETY: the caller vouches for the vector's instructions.
        (zipped[2 * i], zipped[2 * i + 1]) = unsafe { rows[i].zip_lanes::<W>(rows[i + K / 2]) };
    });
    zipped
}

/// A block of a line by a line: squares in the lanes of vectors, then the lanes.
///
/// # Safety
/// A line is readable at each of the first `LINE / W` rows and writable at each of the first `LINE / W` columns, which
/// are aligned to lines if `NT`. The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn block<V: Vector, const W: usize, const K: usize, const NT: bool>(
    src: *const u8,
    dst: *mut u8,
    rows: &[usize],
    columns: &[usize; LINE],
) {
    let side = LINE / W;
    let lanes = V::BYTES / LANE;
    let rows = &rows[..side];
    // SAFETY: squares have `lanes * K` rows and columns, of which a side has whole ones, so that vectors lie within
    // the lines that the caller vouches for. All lanes that are read were written, and the others repeat the first.
    unsafe {
        let mut row = 0;
        while row < side {
            let mut column = 0;
            while column < side {
                let mut squares = [const { MaybeUninit::<[V; K]>::uninit() }; LINE / LANE];
                let mut lane = 0;
                while lane < lanes {
                    let rows = &rows[row + lane * K..][..K];
                    let vectors = load_rows::<V, K>(src, rows, column * W);
                    squares[lane].write(square::<V, W, K>(vectors));
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
                        let to = dst.add(columns[column + lane * K + i] + row * W);
                        if NT {
                            turned[lane].stream(to)
                        } else {
                            turned[lane].store(to)
                        }
                        lane += 1;
                    }
                    i += 1;
                }
                column += lanes * K;
            }
            row += lanes * K;
        }
    }
}
