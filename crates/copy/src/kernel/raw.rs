//! The one place with `unsafe`: elements as bytes, and vector kernels on them.
#![allow(unsafe_code, reason = "vectors are loaded and stored by address")]

#[macro_use]
mod vector;

mod bits;
mod compiled;
mod inline;
pub(super) mod machine;
mod memory;
mod size;
#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2")),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    allow(unused, reason = "there are no vectors for the kernels")
)]
mod vectors;

pub(crate) use bits::{
    Ahead, COUNTED, End, FixedPass, Pass, Step, Sums, Tables, are_certain, largest_vectors,
    run_fixed, vectors_of,
};
pub(crate) use compiled::{Vectorized, compiled_for};
pub use inline::{InlineMemory, Nested, Whole};
pub(crate) use memory::Destination;
pub use memory::{Memory, bytes, bytes_mut};
pub(crate) use size::{LINE, REGISTER_BITS, VectorSize};
pub(crate) use vectors::kernels::VectorKernels;
pub(super) use vectors::{BytesMover, Walker, copy};
