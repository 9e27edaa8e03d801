//! The text: what stands where in it, and the errors of what does not belong there.

pub(crate) mod attributes;
pub(crate) mod cursor;
pub(crate) mod error;
pub(crate) mod escape;
pub(crate) mod lex;
pub(crate) mod occurrence;
