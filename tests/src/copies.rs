//! Copies by every path against the naive model.

mod case;
mod dynamic;
mod exhaustive;
mod paths;
mod shrink;
mod types;

pub use case::Case;
pub use exhaustive::exhaustive;
pub use paths::{PATHS, Path};
pub use shrink::{Failure, Tally, again, again_between, check};
