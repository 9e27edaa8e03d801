//! The functions of the crates, and the arrays that both sides are given.

pub mod rten_gemm;
pub mod ssd1306;
pub mod tegra_swizzle;
pub mod tract_linalg;
pub mod transpose;
pub mod zarrs;
