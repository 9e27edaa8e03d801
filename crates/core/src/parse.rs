//! The parser, for text and for the tokens of a macro.

mod array;
mod cursor;
mod integer;
mod layout;
mod property;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod source;
mod swizzle;
mod tiles;

pub use cursor::Written;
pub use shape::{ShapeSink, shape_of_tokens};
pub use source::{Token, TokenKind, skip_space};
pub use tiles::{TilesOfTokens, tiles_of_tokens};
