//! Bitcasts: reshapes and transposes that leave every element where it is, so nothing is copied.
//!
//! XLA's `ReshapeIsBitcast` and `TransposeIsBitcast` compare only the order of the dimensions. Here tiles,
//! padding and the bits of an element count too: a bitcast is one for which every element has the same offset
//! in both layouts.
//!
//! Most layouts are compared without looking at elements. Where that does not decide (a `*` over padding, or
//! tiles that do not divide one another), offsets are compared element by element, which takes time linear in
//! the number of elements and no memory.
//!
//! Memory space, splits and metadata (`S`, `SC`, `M`) are not compared: they do not change the offsets of
//! elements.

pub(crate) mod check;
mod groups;
mod not_bitcast;
pub(crate) mod other_array;
pub(crate) mod same;

pub use check::{
    check_reshape_is_bitcast, check_transpose_is_bitcast, reshape_is_bitcast, transpose_is_bitcast,
};
pub use not_bitcast::NotBitcast;
pub use other_array::OtherArray;
pub use same::same_bytes;
