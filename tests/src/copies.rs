//! Copies by every path against the naive model.

mod case;
mod exhaustive;
mod paths;
mod shrink;

pub use case::Case;
pub use exhaustive::exhaustive;
pub use paths::{PATHS, Path};
pub use shrink::{Failure, Tally, again, check};
