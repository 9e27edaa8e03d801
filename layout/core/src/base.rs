//! For the packages beside this one: what a `const fn` needs and does not have.
//!
//! Building blocks: `for` loops, `?`, text and lists in a `const fn`, enumerations with names, and the limits.

#[macro_use]
mod each;
#[macro_use]
mod named;
#[macro_use]
pub mod text;
#[macro_use]
pub mod width;

pub mod limits;
pub mod list;
pub(crate) mod visible;
