//! The default layouts of the TPU compiler, and the tile formats of XLA's document "Tiled layout".

#[cfg(feature = "alloc")]
mod advise;
pub(crate) mod default;
pub(crate) mod expansion;
pub(crate) mod minor_dims;
mod xla_bytes;

#[cfg(feature = "alloc")]
pub use advise::advise;
pub use default::{TileFormat, Tpu};
#[doc(hidden)]
pub use expansion::cheaper_layouts;
pub use expansion::{cheaper_order, cheaper_tile};
