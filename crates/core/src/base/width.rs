//! Sizes in fewer bits than `Size` has: the same arithmetic in 32 of them, and those of the target's `usize`.

use crate::base::limits::Size;

/// The width of a `usize`: what layouts as types compute in.
pub const NATIVE: u32 = usize::BITS;

/// Computes with `u32` as the type `$word` if `$bits` is 32, else with `Size`.
///
/// A `const fn` cannot be generic over types that it computes with. What passes from one computation to the
/// next is a `Size` in both cases; LLVM drops the conversions.
#[doc(hidden)]
#[macro_export]
// Microcontrollers shall not divide in 64 bits. A core that is generic over the number would have turned every
// `const fn` into a macro, since traits cannot compute in a `const`.
macro_rules! in_width {
    ($bits:ident, $word:ident => $compute:block) => {
        if $bits == 32 {
            type $word = u32;
            $compute
        } else {
            type $word = $crate::Size;
            $compute
        }
    };
}

/// The lowest `BITS` bits of a number.
#[inline(always)]
pub const fn cut<const BITS: u32>(number: Size) -> Size {
    if BITS < Size::BITS { number & ((1 << BITS) - 1) } else { number }
}

/// The lesser of two sizes, in a `const fn` too.
pub const fn least(a: Size, b: Size) -> Size {
    if a < b { a } else { b }
}

/// The larger of two sizes.
pub const fn greatest(a: Size, b: Size) -> Size {
    if a > b { a } else { b }
}

/// A size as a `usize`: the one way from the core's numbers to those of the target.
///
/// No size of a layout's type is cut off, nor one of `with_dims`: both are checked against the target's
/// `isize::MAX` (`ArrayShape::fault_within`). What no array has becomes the largest `usize`: the size that stands
/// for one that is not known, and a number in a text that no dimension has.
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "`Size` is wider on 32-bit targets")]
// The only way from a `Size` to a `usize`. It cuts nothing off, since types are checked against the target's
// limit; numbers that no array has, such as that for "not known", become the largest `usize`.
pub const fn native(size: Size) -> usize {
    if size > usize::MAX as Size { usize::MAX } else { size as usize }
}

/// A stride or an offset as a `usize`, its lowest bits: below 0 it is so in two's complement.
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "`Size` is wider on 32-bit targets")]
pub const fn wrapped(size: Size) -> usize {
    size as usize
}

/// Copies sizes as [`native`] ones.
#[inline(always)]
pub fn copy_native(from: &[Size], to: &mut [usize]) {
    // At opt-level 1, LLVM leaves a loop.
    #[cfg(target_pointer_width = "64")]
    to.copy_from_slice(from);
    #[cfg(not(target_pointer_width = "64"))]
    for (to, from) in to.iter_mut().zip(from) {
        *to = native(*from);
    }
}

/// Copies coordinates or sizes of the target.
#[inline(always)]
pub fn copy_sizes(from: &[usize], to: &mut [Size]) {
    #[cfg(target_pointer_width = "64")]
    to.copy_from_slice(from);
    #[cfg(not(target_pointer_width = "64"))]
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from as Size;
    }
}
