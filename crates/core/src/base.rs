//! What the packages of this library share: `for` loops, `?`, text and lists in a `const fn`, enumerations with names, and the
//! limits.

#[macro_use]
mod each;
#[macro_use]
mod errors;
#[macro_use]
mod named;
#[macro_use]
pub mod text;
#[macro_use]
pub mod width;

pub mod limits;
pub mod list;
mod lists;
mod visible;

pub use limits::*;
pub use list::*;
pub(crate) use lists::*;
pub use text::*;
pub use visible::*;
pub use width::*;
