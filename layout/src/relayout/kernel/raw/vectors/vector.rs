//! The few operations on vectors that the kernels are made of.

use crate::relayout::kernel::raw::vectors::weave::{unzip_all, zip_all};

/// A vector. Its functions are inlined into kernels that are compiled for its instructions.
pub(super) trait Vector: Copy {
    /// Bytes.
    const BYTES: usize;

    /// # Safety
    /// `BYTES` bytes are readable at `from`, and the processor has the vector's instructions.
    unsafe fn load(from: *const u8) -> Self;

    /// # Safety
    /// `BYTES` bytes are writable at `to`, and the processor has the vector's instructions.
    unsafe fn store(self, to: *mut u8);

    /// Stores around the cache, if the architecture has `STREAMS`.
    ///
    /// # Safety
    /// As `store`, and `to` is a multiple of `BYTES`.
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller vouches for what `store` asks.
        unsafe { self.store(to) }
    }

    /// Whether the vector is a line and parts of it can be loaded.
    const HAS_PARTS: bool = false;

    /// A vector of which only some bytes are read, which are not 0 in the other one: these, from `first` on as many as
    /// `count`, come from the same places after `from`, which itself can lie before what is readable.
    ///
    /// # Safety
    /// The vector `HAS_PARTS`, `count` bytes are readable at `from + first`, and the processor has the vector's
    /// instructions.
    #[inline(always)]
    unsafe fn with_part(self, from: *const u8, first: usize, count: usize) -> Self {
        let _ = (from, first, count);
        self
    }

    /// Elements of `W` bytes of two vectors in turns: what comes of the first half of both, and of
    /// the second half.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self);

    /// The reverse: the elements of the two vectors at even places, and those at odd places.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self);

    /// Stores the elements of `K` rows in turns.
    ///
    /// # Safety
    /// `K` vectors are writable at `to`, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn store_zipped<const W: usize, const K: usize>(rows: [Self; K], to: *mut u8) {
        // SAFETY: `row` is below `K`, and the caller vouches for `K` vectors at `to` and for the instructions.
        unsafe {
            let vectors = zip_all::<Self, W, K>(rows);
            let mut row = 0;
            while row < K {
                vectors[row].store(to.add(row * Self::BYTES));
                row += 1;
            }
        }
    }

    /// The reverse: the next vector of each of `K` rows.
    ///
    /// # Safety
    /// `K` vectors are readable at `from`, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn load_unzipped<const W: usize, const K: usize>(from: *const u8) -> [Self; K] {
        // SAFETY: `row` is below `K`, and the caller vouches for `K` vectors at `from` and for the instructions.
        unsafe {
            let mut vectors = [Self::load(from); K];
            let mut row = 1;
            while row < K {
                vectors[row] = Self::load(from.add(row * Self::BYTES));
                row += 1;
            }
            unzip_all::<Self, W, K>(vectors)
        }
    }
}

/// Bytes of a lane, within which squares are transposed.
pub(super) const LANE: usize = 16;

/// A vector in which squares are transposed. What is here is that of a vector of one lane.
pub(super) trait Square: Vector {
    /// As `zip`, in each lane by itself.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the vector's instructions.
        unsafe { self.zip::<W>(other) }
    }

    /// The lanes of as many vectors as a vector has lanes: those that are first in each, then those that are second,
    /// and so on. Vectors past that number are left as they are.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn turn(vectors: [Self; 4]) -> [Self; 4] {
        vectors
    }
}
