//! x

mod coords;
mod error;
mod kernel;
mod launch;
mod plan;
mod vector;
pub use coords::*;
pub use error::LayoutError;
pub use launch::{XlaLayoutCompilationArg, XlaLayoutLaunch};
pub use kernel::XlaLayout;
