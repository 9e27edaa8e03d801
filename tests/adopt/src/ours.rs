//! What the authors of the crates would write.

pub mod rten_gemm;
pub mod ssd1306;
pub mod tegra_swizzle;
pub mod tract_linalg;
pub mod transpose;
pub mod zarrs;
