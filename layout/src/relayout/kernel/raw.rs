//! The one place with `unsafe`: plain numbers as units of their size, and vector kernels on them.
#![allow(unsafe_code, reason = "vectors are loaded and stored by address")]

mod exchange;
mod packed;
mod units;
// Without SSE2 there is nothing to compile the kernels for, unless they are chosen at run time.
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2")))]
mod x86;

pub(in crate::relayout) use exchange::{Swap, exchange};
pub(in crate::relayout) use packed::{Work, bytes, bytes_mut, compiled_for, fence, stream};
pub(super) use units::{Units, units, units_of_bytes};
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2")))]
pub(super) use x86::copy;

/// There are no vectors, and nothing is moved.
#[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2"))))]
pub(super) fn copy<U>(
    _: &layout_core::__private::Plan,
    _: &[U],
    _: &mut [U],
    _: super::settings::InstructionSet,
    _: bool,
) -> bool {
    false
}
