//! Arithmetic in fewer bits than a `usize` has, by the same code.

/// The width of a `usize`.
pub const NATIVE: u32 = usize::BITS;

/// The lowest `BITS` bits of a number.
///
/// Where each number that enters a computation and each result in it is cut, the compiler computes in that
/// width: a generic `const fn` cannot do arithmetic of another type.
#[inline(always)]
pub const fn cut<const BITS: u32>(number: usize) -> usize {
    if BITS < NATIVE { number & ((1 << BITS) - 1) } else { number }
}
