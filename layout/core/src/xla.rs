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
pub use dims::{
    append_major_dimension, append_minor_dimension, delete_dimensions, drop_degenerate_dimensions,
    filter_dimensions, insert_dimension_at_index, insert_dimensions_at_index,
    make_shape_with_descending_layout_and_same_physical_layout, permute_dimensions_ignoring_layout,
    prepend_major_dimension,
};
pub use index::{
    IndicesInOrder, bump_indices, compare_indices, get_dimension_stride, index_in_bounds,
    indices_in_order, linear_index_to_multidimensional_index,
    multidimensional_index_to_linear_index,
};
pub use order::{
    are_dimensions_consecutive, copy_layout_between_shapes, device_shape_is_host_shape,
    device_shape_to_host_shape, is_effectively_most_major_dimension, is_monotonic_with_dim0_major,
    is_monotonic_with_dim0_minor, last_dim_is_minor_most, major, make_layout_from_major_to_minor,
    make_logical_to_physical, make_shape_with_dense_layout, minor, move_dim_to_major,
    move_dim_to_minor, set_to_default_layout,
};
pub use reshape::{
    DimPairs, SizeOneChanges, dims_unmodified_by_reshape, inserted_or_deleted_size_one_dims,
    normalized_transpose,
};
pub use size::{
    array_size, get_dimension_number, max_elements_in_per_split, max_split_size,
    true_num_dimensions,
};
pub use stride::{
    array_data_size, byte_strides, byte_strides_are_major_to_minor, has_degenerate_dimensions,
    is_untiled_layout, packed_factor_for_1d_interleaved_array, unpacked_byte_strides,
};
#[cfg(feature = "alloc")]
pub use subshape::Subshapes;
