//! The one place with `unsafe`: plain numbers as units of their size, and vector kernels on them.
#![allow(unsafe_code, reason = "vectors are loaded and stored by address")]

/// Bytes of a line of memory, which a store around the cache has to fill at once.
pub(in crate::relayout) const LINE: usize = 64;

mod exchange;
mod packed;
mod units;
#[cfg_attr(
    not(any(
        // Without SSE2 there is nothing to compile them for, unless they are chosen at run time.
        all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2")),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    path = "raw/no_vectors.rs"
)]
mod vectors;

pub(in crate::relayout) use exchange::{
    Ahead, End, Pass, REGISTER_BITS, Step, Sums, Tables, Vectors,
};
pub(in crate::relayout) use packed::{Work, bytes, bytes_mut, compiled_for, fence};
pub use units::Unit;
pub(super) use units::{aligned, bytes_of_units, cast};
pub(in crate::relayout) use vectors::Kernels;
pub(super) use vectors::copy;
