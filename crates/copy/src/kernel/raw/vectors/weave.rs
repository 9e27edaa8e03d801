//! Rows of the source side by side, and the reverse, by zipping and unzipping vectors.

use core::ops::Range;
use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::vector::{Vector, unzip, zip};
use crate::kernel::raw::vectors::task::KernelTask;

/// Half of a smallest vector, where there are vectors.
const EIGHT: usize = 8;

/// `K` rows of elements of `W` bytes that lie `apart`, and one row that has their elements in turns: it is put together from the rows
/// (`ZIPS`), or taken apart to them. What is read is not written to.
struct Weave<const W: usize, const K: usize, const ZIPS: bool> {
    woven: *mut u8,
    rows: *mut u8,
    apart: usize,
}

/// # Safety
/// The task is one of a kernel that interleaves `K` rows of elements of `W` bytes (`ZIPS`) or takes them apart, all of it lies within the
/// source and the destination, and the processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn weave<V: Vector, const W: usize, const K: usize, const ZIPS: bool>(
    task: &KernelTask,
) {
    let (apart, elements) = if ZIPS { (task.q_src, task.p) } else { (task.p_dst, task.q) };
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let (rows, woven) = if ZIPS { (src.cast_mut(), dst) } else { (dst, src.cast_mut()) };
        // SAFETY: each of the rows has as many elements, and the woven one those of all.
        unsafe { Weave::<W, K, ZIPS> { woven, rows, apart }.block::<V>(elements * W) };
    }
}

impl<const W: usize, const K: usize, const ZIPS: bool> Weave<W, K, ZIPS> {
    #[inline(always)]
    fn row(&self, row: usize) -> *mut u8 {
        self.rows.wrapping_add(self.apart.wrapping_mul(row))
    }

    /// Moves `length` bytes of each row: whole vectors, then the smallest ones, the last of which overlaps what is before it.
    ///
    /// # Safety
    /// All bytes of the rows are readable on the side that is read and writable on the other one; they are whole elements. The
    /// processor has the vector's instructions.
    #[inline(always)]
    unsafe fn block<V: Vector>(&self, length: usize) {
        let mut at = 0;
        // SAFETY: the vectors end at most at `length`.
        unsafe {
            while at + V::BYTES <= length {
                self.vectors::<V>(at);
                at += V::BYTES;
            }
            if length < Smallest::BYTES {
                let mut first = 0;
                if const { ZIPS && Smallest::BYTES == 2 * EIGHT } && length >= EIGHT {
                    self.eights();
                    first = EIGHT;
                }
                if first < length {
                    elements::<W>(self.woven, [self.rows, self.row(1)], K, first..length, ZIPS);
                }
                return;
            }
            while at < length {
                at = at.min(length - Smallest::BYTES);
                self.vectors::<Smallest>(at);
                at += Smallest::BYTES;
            }
        }
    }

    /// Puts the first eight bytes of each row together: operands of eight columns for matrix instructions (`{0,1:T(8,4)}`).
    ///
    /// # Safety
    /// They are readable, and writable in the woven row. The processor has the smallest vector's instructions.
    #[inline(always)]
    unsafe fn eights(&self) {
        let mut vectors = [Smallest::ZERO; K];
        // SAFETY: the eight bytes are the first half of a vector, so that those of all rows are the first half of the woven ones.
        unsafe {
            unrolled!(row in 0..K, {
                let mut bytes = [[0; EIGHT]; 2];
                bytes[0] = self.row(row).cast::<[u8; EIGHT]>().read();
                vectors[row] = Smallest::load(bytes.as_ptr().cast());
            });
            let vectors = zip::<Smallest, W, K>(vectors);
            unrolled!(row in 0..K / 2, {
                vectors[row].store(self.woven.wrapping_add(row * Smallest::BYTES));
            });
        }
    }

    /// Moves a vector of each row, from byte `at` of it on.
    ///
    /// # Safety
    /// On the side that is read, a vector of each row is readable there, and writable on the other side. The processor has the
    /// vector's instructions.
    #[inline(always)]
    unsafe fn vectors<V: Vector>(&self, at: usize) {
        let mut vectors = [V::ZERO; K];
        let (woven, rows) = (self.woven.wrapping_add(at * K), self.rows.wrapping_add(at));
        // SAFETY: the vectors of the woven row begin `K` times as far in it.
        unsafe {
            unrolled!(row in 0..K, {
                let of_woven = woven.wrapping_add(const { row * V::BYTES });
                let of_rows = rows.wrapping_add(self.apart.wrapping_mul(row));
                vectors[row] = V::load(if ZIPS { of_rows } else { of_woven });
            });
            let vectors = if ZIPS { zip::<V, W, K>(vectors) } else { unzip::<V, W, K>(vectors) };
            unrolled!(row in 0..K, {
                let of_woven = woven.wrapping_add(const { row * V::BYTES });
                let of_rows = rows.wrapping_add(self.apart.wrapping_mul(row));
                vectors[row].store(if ZIPS { of_woven } else { of_rows });
            });
        }
    }
}

/// Moves some bytes of short rows element by element, to the woven row (`to_woven`) or from it. Out of line, so that it takes no registers
/// from the loops over vectors; for any number of rows, of which the first two are given.
///
/// # Safety
/// The elements of `count` rows are readable on the side that is read, and writable on the other one.
#[cold]
#[inline(never)]
unsafe fn elements<const W: usize>(
    woven: *mut u8,
    [rows, second]: [*mut u8; 2],
    count: usize,
    bytes: Range<usize>,
    to_woven: bool,
) {
    let apart = second.addr().wrapping_sub(rows.addr());
    for row in 0..count {
        for at in bytes.clone().step_by(W) {
            let own = rows.wrapping_add(apart.wrapping_mul(row)).wrapping_add(at);
            let woven = woven.wrapping_add(at * count + row * W);
            let (from, to) = if to_woven { (own, woven) } else { (woven, own) };
            // SAFETY: the caller vouches for the elements.
            unsafe { copy_nonoverlapping(from, to, W) };
        }
    }
}
