//! Building blocks: text and lists that a `const` can make, and the limits.

pub mod limits;
pub(crate) mod list;
pub(crate) mod text;
pub(crate) mod visible;
pub(crate) mod width;
