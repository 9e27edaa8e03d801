//! The grammar. One parser reads text and the tokens of a macro.

mod array;
mod cursor;
mod integer;
mod layout;
mod property;
mod shape;
mod source;
mod tiles;

pub(crate) use array::array_text;
pub(crate) use shape::shape_text;
#[cfg(feature = "alloc")]
pub use shape::{Parsed, Written, shape_of_tokens};
pub(crate) use source::skip_space;
pub use source::{Token, TokenKind};
pub use tiles::tiles_of_tokens;
