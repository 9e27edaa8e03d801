//! Views as views of other layouts, where the compiler proves that no element moves.

mod methods;
pub(crate) mod reshape;
pub(crate) mod same;
pub(crate) mod stays;
pub(crate) mod transpose;

pub use methods::FirstSlots;
pub use reshape::reshape_is_bitcast;
pub use same::same_bytes;
pub use transpose::transpose_is_bitcast;
