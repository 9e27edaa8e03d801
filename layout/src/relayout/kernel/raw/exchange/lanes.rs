//! What a vector of packed elements can do.

/// Words of 64 bits side by side.
pub(super) trait Lanes: Copy {
    const ZERO: Self;

    /// # Safety
    /// A vector is readable at `from`, and the processor has the vector's instructions.
    unsafe fn load(from: *const u8) -> Self;

    /// # Safety
    /// A vector is writable at `to`, and the processor has the vector's instructions.
    unsafe fn store(self, to: *mut u8);

    /// A store around the cache.
    ///
    /// # Safety
    /// As `store`, and `to` is aligned to a vector.
    unsafe fn stream(self, to: *mut u8);

    /// Asks for the memory at an address, which may be any, into the second cache.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn prefetch(_: *const u8) {}

    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn up(self, shift: u32) -> Self;

    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn down(self, shift: u32) -> Self;

    /// The difference of words.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn minus(self, other: Self) -> Self;

    /// The bits of this one at a mask of words, and the other's elsewhere.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn select(self, mask: u64, other: Self) -> Self;

    /// Exchanges which of two vectors a word is in for a bit of its place, which counts `WORDS`.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn cross<const WORDS: usize>(self, other: Self) -> (Self, Self);

    /// `Step::Zip`, for vectors of 16 bytes and more.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn zip<const BYTES: usize>(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// `Step::Unzip`, for vectors of 16 bytes.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn unzip<const BYTES: usize>(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// `Step::Permute`, for vectors that have it.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn permute(self, _: &[u8; 64]) -> Self {
        self
    }

    /// `Step::Bytes`, for vectors that shuffle.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn bytes(self, _: &[u8; 16]) -> Self {
        self
    }

    /// `Step::Fours`, for vectors that shuffle.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn fours(self, _: &[u8; 16]) -> Self {
        self
    }
}

impl Lanes for u64 {
    const ZERO: u64 = 0;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> u64 {
        // SAFETY: the caller vouches for the word.
        u64::from_le_bytes(unsafe { from.cast::<[u8; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the word.
        unsafe { to.cast::<[u8; 8]>().write(self.to_le_bytes()) }
    }

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller vouches for the word.
        unsafe { self.store(to) }
    }

    #[inline(always)]
    unsafe fn up(self, shift: u32) -> u64 {
        self << shift
    }

    #[inline(always)]
    unsafe fn down(self, shift: u32) -> u64 {
        self >> shift
    }

    #[inline(always)]
    unsafe fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    unsafe fn select(self, mask: u64, other: u64) -> u64 {
        self & mask | other & !mask
    }

    #[inline(always)]
    unsafe fn cross<const WORDS: usize>(self, other: u64) -> (u64, u64) {
        (self, other)
    }
}
