#![doc = include_str!("../README.md")]

#[allow(missing_docs, reason = "cubecl's macros make public functions without")]
mod coords;
mod error;
#[allow(missing_docs, reason = "cubecl's macros make public types without")]
mod kernel;
mod launch;
mod plan;
mod vector;

pub use coords::{IndexCoords, Rank};
pub use error::LayoutError;
pub use kernel::{XlaLayout, XlaLayoutExpand};
pub use launch::{XlaLayoutCompilationArg, XlaLayoutLaunch};
