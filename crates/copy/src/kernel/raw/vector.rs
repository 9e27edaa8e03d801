//! The operations on vectors that the kernels and the exchange of bits are made of.

use crate::kernel::raw::size::{LANE, VectorSize};

/// `for $i in 0..$end $body`, up to 16 times. LLVM does not unroll such a loop for every processor, and then the rows go
/// through memory. `$i` is a constant: where it is an index, or decides in a `const`, there is less to compile.
macro_rules! unrolled {
    ($i:ident in 0..$end:expr, $body:block) => {{
        const { assert!($end <= 16) };
        unrolled!($i in 0..$end, $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }};
    ($i:ident in 0..$end:expr, $body:block; $($value:literal)*) => {{
        $(
            if const { $value < $end } {
                #[allow(non_upper_case_globals, reason = "it stands for a variable")]
                const $i: usize = $value;
                $body
            }
        )*
    }};
}

/// Functions of a `Vector`.
macro_rules! functions {
    ($(
        $(#[$about:meta])*
        fn $name:ident $(<$(const $size:ident: usize),+>)? ($($arguments:tt)*) $(-> $result:ty)? $body:block
    )*) => {$(
        $(#[$about])*
        #[allow(unused_unsafe, reason = "some intrinsics are safe on some architectures")]
        #[inline(always)]
        unsafe fn $name $(<$(const $size: usize),+>)? ($($arguments)*) $(-> $result)? {
            // SAFETY: the caller vouches for the memory that the function of this name asks for, and for the
            // processor's instructions. Nothing else is accessed, and what need not be aligned is not taken to be so.
            unsafe { $body }
        }
    )*};
}

/// A vector. Its functions are inlined into kernels that are compiled for its instructions; each asks that the processor
/// has them. What is here is that of a vector of one lane.
pub(super) trait Vector: Copy {
    const BYTES: usize;
    const SIZE: VectorSize = VectorSize::of_bytes(Self::BYTES);
    const ZERO: Self;

    /// # Safety
    /// `BYTES` bytes are readable at `from`, and the processor has the vector's instructions.
    unsafe fn load(from: *const u8) -> Self;

    /// # Safety
    /// `BYTES` bytes are writable at `to`, and the processor has the vector's instructions.
    unsafe fn store(self, to: *mut u8);

    /// Whether there is `bytes` for the kernels; for the exchange of bits `SIZE` says so.
    #[allow(dead_code, reason = "a target without vectors has no kernel that asks")]
    const SHUFFLES: bool = false;

    /// Shifts each word of 64 bits to its high bits.
    ///
    /// # Safety
    /// The processor has the vector's instructions, and the shift is less than 64.
    unsafe fn up(self, shift: u32) -> Self;

    /// Shifts each word to its low bits.
    ///
    /// # Safety
    /// The conditions of `up`.
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

    functions! {
        /// Stores around the cache, if the architecture has `STREAMS`.
        ///
        /// # Safety
        /// The conditions of `store`, and `to` is a multiple of `BYTES`.
        fn stream(self, to: *mut u8) { self.store(to) }

        /// Elements of `W` bytes of two vectors in turns, in each lane by itself: what comes of the first half of both
        /// lanes, and of the second half. Words of 64 bits have no lanes.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) { (self, other) }

        /// The reverse: in each lane the elements of the two vectors at even places, and those at odd places.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn unzip_lanes<const W: usize>(self, other: Self) -> (Self, Self) { (self, other) }

        /// The lanes of as many vectors as a vector has lanes: those that are first in each, then those that are second,
        /// and so on. Vectors past that number are left as they are.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn turn(vectors: [Self; 4]) -> [Self; 4] { vectors }

        /// The first and the last lane of a vector of at most two.
        ///
        /// # Safety
        /// A lane is readable at each, and the processor has the vector's instructions.
        fn load_lanes(_first: *const u8, last: *const u8) -> Self { Self::load(last) }

        /// Stores one of at most two lanes.
        ///
        /// # Safety
        /// A lane is writable at `to`, and the processor has the vector's instructions.
        fn store_lane<const NUMBER: usize>(self, to: *mut u8) { self.store(to) }

        /// Exchanges which of two vectors a word is in for a bit of its place, which counts `WORDS`.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn cross<const WORDS: usize>(self, other: Self) -> (Self, Self) {
            match WORDS { 1 => self.zip_lanes::<8>(other), _ => (self, other) }
        }

        /// `Step::Permute`, for vectors that have it.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn permute(self, _table: &[u8; 64]) -> Self { self }

        /// `Step::Bytes`: puts bytes of each lane in the order of the table, for vectors that shuffle.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn bytes(self, _table: &[u8; 16]) -> Self { self }

        /// `Step::Fours`, for vectors that shuffle.
        ///
        /// # Safety
        /// The processor has the vector's instructions.
        fn fours(self, _table: &[u8; 16]) -> Self { self }
    }
}

/// A word, in which bits are exchanged on any processor.
impl Vector for u64 {
    const BYTES: usize = 8;
    const ZERO: u64 = 0;

    functions! {
        fn load(from: *const u8) -> u64 { u64::from_le_bytes(from.cast::<[u8; 8]>().read()) }
        fn store(self, to: *mut u8) { to.cast::<[u8; 8]>().write(self.to_le_bytes()) }
        fn up(self, shift: u32) -> u64 { self << shift }
        fn down(self, shift: u32) -> u64 { self >> shift }
        fn minus(self, other: u64) -> u64 { self.wrapping_sub(other) }
        fn select(self, mask: u64, other: u64) -> u64 { self & mask | other & !mask }
    }
}

/// Elements of `W` bytes of `K` rows in turns, in each lane by itself.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn zip_lanes<V: Vector, const W: usize, const K: usize>(
    mut rows: [V; K],
) -> [V; K] {
    unrolled!(_round in 0..K.ilog2(), {
        // SAFETY: the caller vouches for the vector's instructions.
        rows = unsafe { round::<V, W, K, false, true>(rows) };
    });
    rows
}

/// Elements of `W` bytes of `K` rows in turns, in whole vectors of at most two lanes.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn zip<V: Vector, const W: usize, const K: usize>(rows: [V; K]) -> [V; K] {
    // SAFETY: the caller vouches for the vector's instructions.
    unsafe {
        let rows = zip_lanes::<V, W, K>(rows);
        if V::BYTES == LANE { rows } else { round::<V, W, K, true, false>(rows) }
    }
}

/// Undoes `zip`.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn unzip<V: Vector, const W: usize, const K: usize>(mut rows: [V; K]) -> [V; K] {
    // SAFETY: the caller vouches for the vector's instructions.
    unsafe {
        if V::BYTES > LANE {
            rows = round::<V, W, K, true, true>(rows);
        }
        unrolled!(_round in 0..K.ilog2(), { rows = round::<V, W, K, false, false>(rows) });
        rows
    }
}

/// A round: rows of the first half with those of the second, which become neighbours (`ZIPS`), or the reverse. They exchange lanes (`CROSSES`),
/// or elements in each lane.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn round<
    V: Vector,
    const W: usize,
    const K: usize,
    const CROSSES: bool,
    const ZIPS: bool,
>(
    before: [V; K],
) -> [V; K] {
    let mut rows = before;
    unrolled!(i in 0..K / 2, {
        let a = before[const { if ZIPS { i } else { 2 * i } }];
        let b = before[const { if ZIPS { i + K / 2 } else { 2 * i + 1 } }];
        // SAFETY: the caller vouches for the vector's instructions.
        let (first, second) = unsafe {
            if CROSSES {
                a.cross::<2>(b)
            } else if ZIPS {
                a.zip_lanes::<W>(b)
            } else {
                a.unzip_lanes::<W>(b)
            }
        };
        rows[const { if ZIPS { 2 * i } else { i } }] = first;
        rows[const { if ZIPS { 2 * i + 1 } else { i + K / 2 } }] = second;
    });
    rows
}
