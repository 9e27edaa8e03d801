//! The functions of XLA's `IndexUtil`, `LayoutUtil` and `ShapeUtil` that are not methods of a shape.
//!
//! The others are methods of [`ArrayShape`](crate::ArrayShape). Search for any function by XLA's name.

pub use crate::bitcast::stride::byte_strides_are_major_to_minor;
pub use crate::edit::compare::Equal;
pub use crate::edit::index::{IndicesInOrder, bump_indices, compare_indices};
pub use crate::edit::order::{ascending_order, descending_order};
pub use crate::edit::reshape::{
    DimPairs, SizeOneChanges, dims_unmodified_by_reshape, inserted_or_deleted_size_one_dims,
    normalized_transpose,
};
#[cfg(feature = "alloc")]
pub use crate::edit::subshape::Subshapes;
