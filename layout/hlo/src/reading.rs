//! The text: what stands where in it, and the errors of what does not belong there.

#[cfg(feature = "alloc")]
pub(crate) mod attributes;
#[cfg(feature = "alloc")]
pub(crate) mod cache;
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "see `scan`"))]
mod cursor;
pub(crate) mod error;
#[cfg(feature = "alloc")]
pub(crate) mod escape;
pub(crate) mod found;
pub(crate) mod lex;
mod mark;
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "`Module` asks for more than `Shapes`")
)]
pub(crate) mod scan;
pub(crate) mod shapes;
