//! Building blocks: text and lists that a `const` can make, and the limits.

#[macro_use]
mod each;
pub mod limits;
#[macro_use]
mod named;
#[macro_use]
pub(crate) mod text;

pub(crate) mod list;
pub(crate) mod visible;
pub(crate) mod width;
