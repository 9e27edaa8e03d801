//! Sizes as numbers of fewer bits: of the target's `usize`, or of 32 by the same code.

use crate::limits::Size;

/// The width of a `usize`: what layouts as types compute in.
pub const NATIVE: u32 = usize::BITS;

/// The lowest `BITS` bits of a number.
///
/// Where each number that enters a computation and each result in it is cut, the compiler computes in that
/// width: a generic `const fn` cannot do arithmetic of another type.
#[inline(always)]
pub const fn cut<const BITS: u32>(number: Size) -> Size {
    if BITS < Size::BITS { number & ((1 << BITS) - 1) } else { number }
}

/// A size as a `usize`: the one way from the core's numbers to those of the target.
///
/// No size of a layout's type is cut off, nor one of `with_dims`: both are checked against the target's
/// `isize::MAX` (`ArrayShape::fault_within`). What no array has becomes the largest `usize`: the size that stands
/// for one that is not known, and a number in a text that no dimension has.
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "`Size` is wider on 32-bit targets")]
pub const fn native(size: Size) -> usize {
    if size > usize::MAX as Size { usize::MAX } else { size as usize }
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
