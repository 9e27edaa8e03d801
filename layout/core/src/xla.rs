//! Functions of XLA's `IndexUtil`, `LayoutUtil` and `ShapeUtil`, under XLA's names.
//!
//! What most programs need of them are methods: of [`ArrayShape`](crate::ArrayShape), [`Shape`](crate::Shape) and
//! [`permutation`](crate::permutation). Search the documentation for any function by XLA's name.

mod dims;
mod index;
mod order;
mod reshape;
mod size;
mod stride;
#[cfg(feature = "alloc")]
mod subshape;

pub use crate::edit::compare::{Equal, same_dimensions};
pub use crate::edit::order::{ascending_order, descending_order};
pub use dims::*;
pub use index::*;
pub use order::*;
pub use reshape::*;
pub use size::*;
pub use stride::*;
#[cfg(feature = "alloc")]
pub use subshape::Subshapes;
