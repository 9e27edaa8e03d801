//! Changing a shape: its order, its tiles, its dimensions, its element type.
//!
//! All edits treat a layout in the same way: tiles, `L`, `E`, `S`, `M` and `FILL` stay as they are; `PAD`'s
//! widths and `SC`'s indices stay with their dimensions. Tiles cover the most minor dimensions of the result,
//! so elements may move: [`reshape_is_bitcast`](crate::bitcast::reshape_is_bitcast) says whether they do.

pub(crate) mod compare;
pub(crate) mod order;
pub mod permutation;
pub(crate) mod permute;
pub(crate) mod remap;
#[cfg(feature = "alloc")]
pub(crate) mod subshape;
pub(crate) mod with;
pub(crate) mod with_dims;
