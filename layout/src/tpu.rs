//! Layouts that the compilers of TPUs choose, what padding costs, and blocks of Pallas kernels.

#[cfg(feature = "pallas")]
pub mod pallas;

pub use layout_core::tpu::*;
