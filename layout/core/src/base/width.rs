//! The same arithmetic in the width of the target and in 32 bits.

/// The width of a `usize`.
pub const NATIVE: u32 = usize::BITS;

/// Computes with `u32` as the type `$word` if `$bits` is 32, else with `usize`.
///
/// A `const fn` cannot be generic over types that it computes with. What passes from one computation to the
/// next is a `usize` in both cases; LLVM drops the conversions.
#[doc(hidden)]
#[macro_export]
macro_rules! in_width {
    ($bits:ident, $word:ident => $compute:block) => {
        if $bits == 32 {
            type $word = u32;
            $compute
        } else {
            type $word = usize;
            $compute
        }
    };
}

/// The lowest `BITS` bits of a number.
#[inline(always)]
pub const fn cut<const BITS: u32>(number: usize) -> usize {
    if BITS < NATIVE { number & ((1 << BITS) - 1) } else { number }
}
