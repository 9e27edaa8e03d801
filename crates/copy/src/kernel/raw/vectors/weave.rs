//! Rows of the source side by side, and the reverse, by zipping and unzipping vectors.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::vector::{Vector, unzip, zip};

/// What moves the elements of some rows: `weave`. It takes the one row that has the elements of all in turns, the
/// others, and what to move.
pub(super) type Weaver = unsafe fn(*mut u8, *const *mut u8, &Blocks);

/// Rows of elements of `width` bytes, and what moves them.
pub(super) struct Rows {
    pub width: usize,
    pub weaver: Weaver,
}

/// Half of a smallest vector, where there are vectors.
const EIGHT: usize = 8;

/// Rows that are put together or taken apart, at most.
pub(super) const MOST_ROWS: usize = 8;

impl Rows {
    /// Where rows begin that lie `apart`; past the number of them, anywhere.
    #[inline(always)]
    pub(super) fn spread(first: *const u8, apart: usize) -> [*mut u8; MOST_ROWS] {
        let mut rows = [first.cast_mut(); MOST_ROWS];
        let mut row = 1;
        while row < MOST_ROWS {
            rows[row] = first.wrapping_add(apart.wrapping_mul(row)).cast_mut();
            row += 1;
        }
        rows
    }
}

/// What is moved of rows, in bytes: some blocks, of each of them so many bytes of each row, and as many times as many of the woven row
/// as there are rows.
pub(super) struct Blocks {
    pub count: usize,
    /// From one block to the next in each row, and in the woven one.
    pub step: [usize; 2],
    pub length: usize,
}

/// `K` rows of elements of `W` bytes, and one row that has their elements in turns: it is put together from the rows (`ZIPS`), or taken
/// apart to them. What is read is not written to.
struct Weave<const W: usize, const K: usize, const ZIPS: bool> {
    woven: *mut u8,
    rows: [*mut u8; K],
}

/// Moves all blocks.
///
/// # Safety
/// `rows` are `K` places. All bytes of the blocks are readable on the side that is read and writable on the other one; they are whole
/// elements. The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn weave<V: Vector, const W: usize, const K: usize, const ZIPS: bool>(
    woven: *mut u8,
    rows: *const *mut u8,
    blocks: &Blocks,
) {
    let mut weave = Weave::<W, K, ZIPS> { woven, rows: [woven; K] };
    let mut row = 0;
    while row < K {
        // Each by itself: a load of what several stores have written waits for all stores before them.
        // SAFETY: there are `K` places.
        weave.rows[row] = unsafe { rows.add(row).read_volatile() };
        row += 1;
    }
    let is_one_vector = blocks.length == V::BYTES;
    for _ in 0..blocks.count {
        // SAFETY: what the caller vouches for.
        unsafe {
            if is_one_vector {
                weave.vectors::<V>(0);
            } else {
                weave.block::<V>(blocks.length);
            }
        }
        weave.woven = weave.woven.wrapping_add(blocks.step[1]);
        let mut row = 0;
        while row < K {
            weave.rows[row] = weave.rows[row].wrapping_add(blocks.step[0]);
            row += 1;
        }
    }
}

impl<const W: usize, const K: usize, const ZIPS: bool> Weave<W, K, ZIPS> {
    /// Moves a vector of each row, from byte `at` of it on.
    ///
    /// # Safety
    /// On the side that is read, a vector of each row is readable there, and writable on the other side. The processor has the
    /// vector's instructions.
    #[inline(always)]
    unsafe fn vectors<V: Vector>(&self, at: usize) {
        // SAFETY: the vectors of the woven row begin `K` times as far in it.
        unsafe {
            let mut vectors = [V::ZERO; K];
            unrolled!(row in 0..K, {
                let own = self.rows[row].add(at);
                let from = if ZIPS { own } else { self.woven.add(at * K + row * V::BYTES) };
                vectors[row] = V::load(from);
            });
            let vectors = if ZIPS { zip::<V, W, K>(vectors) } else { unzip::<V, W, K>(vectors) };
            unrolled!(row in 0..K, {
                let own = self.rows[row].add(at);
                let to = if ZIPS { self.woven.add(at * K + row * V::BYTES) } else { own };
                vectors[row].store(to);
            });
        }
    }

    /// Puts eight bytes of each row together, from byte `at` of it on.
    ///
    /// # Safety
    /// They are readable there, and writable on the other side. The processor has the smallest vectors' instructions.
    #[inline(always)]
    unsafe fn eights(&self, at: usize) {
        let mut vectors = [Smallest::ZERO; K];
        let mut row = 0;
        // SAFETY: the first half of a vector are the eight bytes, so that those of all rows are the first half of the woven ones.
        unsafe {
            while row < K {
                let mut bytes = [[0; EIGHT]; 2];
                bytes[0] = self.rows[row].add(at).cast::<[u8; EIGHT]>().read();
                vectors[row] = Smallest::load(bytes.as_ptr().cast());
                row += 1;
            }
            let woven = zip::<Smallest, W, K>(vectors);
            row = 0;
            while row < K / 2 {
                woven[row].store(self.woven.add(at * K + row * Smallest::BYTES));
                row += 1;
            }
        }
    }

    /// Moves so many bytes of each row: whole vectors, then the smallest ones, the last of which overlaps what is before it.
    ///
    /// # Safety
    /// The conditions of `weave`, for one block.
    #[inline(always)]
    unsafe fn block<V: Vector>(&self, length: usize) {
        let mut at = 0;
        // SAFETY: the vectors end at most at `length`.
        unsafe {
            while at + V::BYTES <= length {
                self.vectors::<V>(at);
                at += V::BYTES;
            }
            if at < length && length < Smallest::BYTES {
                if const { ZIPS && Smallest::BYTES == 2 * EIGHT } && at + EIGHT <= length {
                    self.eights(at);
                    at += EIGHT;
                }
                if at == length {
                    return;
                }
                return elements::<W>(self.woven, &self.rows, ZIPS, at, length);
            }
            while at < length {
                at = at.min(length - Smallest::BYTES);
                self.vectors::<Smallest>(at);
                at += Smallest::BYTES;
            }
        }
    }
}

/// Moves the elements of rows from byte `at` on one by one, to the woven row or from it. Out of line, so that it takes no registers from
/// the loops over vectors.
///
/// # Safety
/// The elements are readable on the side that is read, and writable on the other one.
#[cold]
#[inline(never)]
unsafe fn elements<const W: usize>(
    woven: *mut u8,
    rows: &[*mut u8],
    to_woven: bool,
    at: usize,
    length: usize,
) {
    for (row, own) in rows.iter().enumerate() {
        for at in (at..length).step_by(W) {
            // SAFETY: the caller vouches for the elements.
            unsafe {
                let (own, woven) = (own.add(at), woven.add(at * rows.len() + row * W));
                let (from, to) = if to_woven { (own, woven) } else { (woven, own) };
                copy_nonoverlapping(from, to, W);
            }
        }
    }
}
