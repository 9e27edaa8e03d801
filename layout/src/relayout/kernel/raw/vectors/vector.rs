//! The few operations on vectors that the kernels are made of.

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
