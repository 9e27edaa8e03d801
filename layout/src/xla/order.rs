//! The order of the dimensions in memory.

use layout_core::DimNumbers;
use layout_core::descending_order;
use layout_core::{ArrayShape, permutation};
use layout_core::{Fault, FaultKind};

/// Whether these dimensions, listed in any order, are adjacent in the order in memory. False if one is
/// listed twice or out of range.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[2,3,4,5]{0,3,1,2}".parse()?;
/// assert!(xla::are_dimensions_consecutive(&shape, &[1, 0, 3]));
/// assert!(!xla::are_dimensions_consecutive(&shape, &[0, 1]));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "AreDimensionsConsecutive")]
pub const fn are_dimensions_consecutive(shape: &ArrayShape, dims: &[usize]) -> bool {
    let Some(places) = permutation::inverse(shape.minor_to_major()) else { return false };
    let mut set = 0u32;
    each!(for &dim in dims {
        if dim >= shape.rank() || set & 1 << places.as_slice()[dim] != 0 {
            return false;
        }
        set |= 1 << places.as_slice()[dim];
    });
    if set == 0 {
        return true;
    }
    let places = set >> set.trailing_zeros();
    places.count_ones() == places.trailing_ones()
}

/// The array in the default order, `{rank-1,…,1,0}`; the rest of its layout stays.
///
/// # Errors
/// If padding makes the result too large.
#[doc(alias = "SetToDefaultLayout")]
pub const fn set_to_default_layout(shape: &ArrayShape) -> Result<ArrayShape, Fault> {
    match descending_order(shape.rank()) {
        Some(order) => shape.with_minor_to_major(order.as_slice()),
        None => Ok(*shape),
    }
}

/// The array with one dimension made the most major; the others keep their order.
///
/// # Errors
/// If `dim` is out of range, or if padding makes the result too large.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[2,3,4]{2,1,0:S(1)}".parse()?;
/// assert_eq!(xla::move_dim_to_major(&shape, 1).unwrap().to_string(), "f32[2,3,4]{2,0,1:S(1)}");
/// assert_eq!(xla::move_dim_to_minor(&shape, 1).unwrap().to_string(), "f32[2,3,4]{1,2,0:S(1)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MoveDimToMajor")]
pub const fn move_dim_to_major(shape: &ArrayShape, dim: usize) -> Result<ArrayShape, Fault> {
    move_dim(shape, dim, shape.rank())
}

/// The array with one dimension made the most minor; the others keep their order.
///
/// # Errors
/// See [`move_dim_to_major`].
#[doc(alias = "MoveDimToMinor")]
pub const fn move_dim_to_minor(shape: &ArrayShape, dim: usize) -> Result<ArrayShape, Fault> {
    move_dim(shape, dim, 0)
}

/// The dimension moved before place `before` of the order.
const fn move_dim(shape: &ArrayShape, dim: usize, before: usize) -> Result<ArrayShape, Fault> {
    if dim >= shape.rank() {
        return Err(Fault::of_whole(FaultKind::NoDim { dim, rank: shape.rank() }));
    }
    let mut order = DimNumbers::new();
    each!(for i in 0..=shape.rank() {
        if i == before {
            order.push(dim);
        }
        if i < shape.rank() && shape.ordered_dim(i) != dim {
            order.push(shape.ordered_dim(i));
        }
    });
    shape.with_minor_to_major(order.as_slice())
}
