//! Building blocks: `for` loops, `?`, text and lists in a `const fn`, enumerations with names, and the limits.

#[macro_use]
mod each;
#[macro_use]
mod named;
#[macro_use]
pub(crate) mod text;
#[macro_use]
pub(crate) mod width;

pub mod limits;
pub(crate) mod list;
pub(crate) mod visible;
