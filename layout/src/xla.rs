//! Functions of XLA's `IndexUtil`, `LayoutUtil` and `ShapeUtil`, under XLA's names.
//!
//! What most programs need of them are methods: of [`ArrayShape`](crate::ArrayShape), [`Shape`](crate::Shape) and
//! [`permutation`](mod@crate::permutation). Search the documentation for any function by XLA's name.

pub(crate) mod decompose;
mod dims;
mod index;
mod order;
mod reshape;
mod stride;

pub use crate::xla_size::{
    array_size, get_dimension_number, max_elements_in_per_split, max_split_size,
    true_num_dimensions,
};
pub use dims::*;
pub use index::*;
#[cfg(feature = "alloc")]
pub use layout_core::Subshapes;
pub use layout_core::{Equal, ascending_order, descending_order, same_dimensions};
pub use order::*;
pub use reshape::*;
pub use stride::*;
