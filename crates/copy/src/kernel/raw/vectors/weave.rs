//! Rows of the source side by side, and the reverse, by zipping and unzipping vectors.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::vector::{Vector, zip_all};

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

/// What is moved of rows, in bytes: some blocks, of each of them the bytes of each row from the first to the last one, and as many
/// times as many of the woven row as there are rows.
pub(super) struct Blocks {
    pub count: usize,
    /// From one block to the next in each row, and in the woven one.
    pub step: [usize; 2],
    pub from: usize,
    pub to: usize,
}

impl Blocks {
    /// One block.
    #[inline(always)]
    pub(super) fn one(from: usize, to: usize) -> Blocks {
        Blocks { count: 1, step: [0; 2], from, to }
    }
}

/// `K` rows of elements of `W` bytes, and one row that has their elements in turns. The first `TAKEN` of the rows are taken
/// from it, or, if that is 0, it is put together from all of them. What is read is not written to.
struct Weave<const W: usize, const K: usize, const TAKEN: usize> {
    woven: *mut u8,
    rows: [*mut u8; K],
}

/// Moves all blocks.
///
/// # Safety
/// `rows` are `K` places, of which only `TAKEN` are used if that is not 0. All bytes of the blocks are readable on the side that is
/// read and writable on the other one, at multiples of a vector if the blocks stream; they are whole elements. The processor has
/// the vector's instructions.
#[inline(always)]
pub(super) unsafe fn weave<V: Vector, const W: usize, const K: usize, const TAKEN: usize>(
    woven: *mut u8,
    rows: *const *mut u8,
    blocks: &Blocks,
) {
    let mut weave = Weave::<W, K, TAKEN> { woven, rows: [woven; K] };
    let mut row = 0;
    while row < K {
        // Each by itself: a load of what several stores have written waits for all stores before them, and those around the
        // cache take long.
        // SAFETY: there are `K` places.
        weave.rows[row] = unsafe { rows.add(row).read_volatile() };
        row += 1;
    }
    let is_one_vector = blocks.to - blocks.from == V::BYTES;
    for _ in 0..blocks.count {
        // SAFETY: what the caller vouches for.
        unsafe {
            if is_one_vector {
                weave.vectors::<V>(blocks.from);
            } else {
                weave.block::<V>(blocks);
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

impl<const W: usize, const K: usize, const TAKEN: usize> Weave<W, K, TAKEN> {
    /// Moves a vector of each row, from byte `at` of it on.
    ///
    /// # Safety
    /// On the side that is read, a vector of each row is readable there, and writable on the other side. The processor has the
    /// vector's instructions.
    #[inline(always)]
    unsafe fn vectors<V: Vector>(&self, at: usize) {
        // SAFETY: the vectors of the woven row begin `K` times as far in it.
        unsafe {
            if TAKEN > 0 {
                let vectors = V::load_unzipped::<W, K>(self.woven.add(at * K));
                let mut row = 0;
                while row < TAKEN {
                    vectors[row].store(self.rows[row].add(at));
                    row += 1;
                }
                return;
            }
            let mut vectors = [V::load(self.rows[0].add(at)); K];
            let mut row = 1;
            while row < K {
                vectors[row] = V::load(self.rows[row].add(at));
                row += 1;
            }
            V::store_zipped::<W, K>(vectors, self.woven.add(at * K));
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
            let woven = zip_all::<Smallest, W, K>(vectors);
            row = 0;
            while row < K / 2 {
                woven[row].store(self.woven.add(at * K + row * Smallest::BYTES));
                row += 1;
            }
        }
    }

    /// Moves all from byte `at` of each row on: whole vectors, then the smallest ones, the last of which overlaps what is before
    /// it and goes through the cache.
    ///
    /// # Safety
    /// The conditions of `weave`, for one block.
    #[inline(always)]
    unsafe fn block<V: Vector>(&self, blocks: &Blocks) {
        let (mut at, length) = (blocks.from, blocks.to);
        // SAFETY: the vectors end at most at `length`.
        unsafe {
            while at + V::BYTES <= length {
                self.vectors::<V>(at);
                at += V::BYTES;
            }
            if at < length && length < Smallest::BYTES {
                if const { TAKEN == 0 && Smallest::BYTES == 2 * EIGHT } && at + EIGHT <= length {
                    self.eights(at);
                    at += EIGHT;
                }
                if at == length {
                    return;
                }
                let count = if TAKEN == 0 { K } else { TAKEN };
                return elements::<W>(self.woven, &self.rows[..count], K, TAKEN == 0, at, length);
            }
            while at < length {
                at = at.min(length - Smallest::BYTES);
                self.vectors::<Smallest>(at);
                at += Smallest::BYTES;
            }
        }
    }
}

/// Moves the elements of some rows from byte `at` on one by one, to the woven row or from it; it has the elements of `count` rows.
/// Out of line, so that it takes no registers from the loops over vectors.
///
/// # Safety
/// The elements are readable on the side that is read, and writable on the other one.
#[cold]
#[inline(never)]
pub(super) unsafe fn elements<const W: usize>(
    woven: *mut u8,
    rows: &[*mut u8],
    count: usize,
    to_woven: bool,
    at: usize,
    length: usize,
) {
    for (row, own) in rows.iter().enumerate() {
        for at in (at..length).step_by(W) {
            // SAFETY: the caller vouches for the elements.
            unsafe {
                let (own, woven) = (own.add(at), woven.add(at * count + row * W));
                let (from, to) = if to_woven { (own, woven) } else { (woven, own) };
                copy_nonoverlapping(from, to, W);
            }
        }
    }
}
