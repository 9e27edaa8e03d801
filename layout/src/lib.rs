#![doc = include_str!("../../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// Constants and macros of this crate are used from the outside in the same words.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod array;
mod check;
mod compiled;
pub mod element;
mod eval;
mod layout;
mod list;
mod macros;
mod other;
pub mod property;
mod table;
mod text;
mod tiles;

/// Layouts as values: the same notation, checks and arithmetic at run time.
pub use layout_spec as spec;

pub use array::Array;
pub use layout::Layout;
pub use list::{AtMost, C, Star};
pub use other::{BufferOf, Opaque, Token};
pub use tiles::{Tiles, Untiled};

/// What the macros expand to; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::check::{Valid, check};
    pub use layout_macros::{layout, offset, tiles};
}
