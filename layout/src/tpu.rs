//! The default layouts of the TPU compiler, and the tile formats of XLA's document "Tiled layout".

#[cfg(feature = "alloc")]
mod advise;

#[cfg(feature = "alloc")]
pub use advise::advise;
#[doc(inline)]
pub use layout_core::tpu::*;
