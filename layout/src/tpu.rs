//! Layouts that the compilers of TPUs choose, and what padding costs.

pub use layout_core::tpu::*;
