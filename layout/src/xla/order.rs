//! The order of the dimensions in memory.

use layout_core::DimNumbers;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Dim, ElementType, Tiles};
use layout_core::{Fault, FaultKind};
use layout_core::{descending_order, reversed};

/// The dimension at place `physical` from major to minor; 0 is the most major. `None` if `physical` is
/// out of range.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
/// assert_eq!((xla::major(&shape, 0), xla::minor(&shape, 0), xla::major(&shape, 3)), (Some(1), Some(0), None));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "Major")]
pub const fn major(shape: &ArrayShape, physical: usize) -> Option<usize> {
    if physical < shape.rank() { minor(shape, shape.rank() - 1 - physical) } else { None }
}

/// The dimension at place `physical` from minor to major; 0 is the most minor. `None` if `physical` is
/// out of range.
#[doc(alias = "Minor")]
pub const fn minor(shape: &ArrayShape, physical: usize) -> Option<usize> {
    if physical < shape.rank() { Some(shape.ordered_dim(physical)) } else { None }
}

/// The place of each dimension from major to minor; 0 is the most major:
/// `major(logical_to_physical()[dim])` is `dim`.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
/// assert_eq!(xla::make_logical_to_physical(&shape), [2, 0, 1]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MakeLogicalToPhysical")]
pub const fn make_logical_to_physical(shape: &ArrayShape) -> DimNumbers {
    let mut places = [0; MAX_DIMS];
    each!(for i in 0..shape.rank() {
        places[shape.ordered_dim(i)] = shape.rank() - 1 - i;
    });
    DimNumbers::of(&places, shape.rank())
}

/// Whether the order descends, as XLA's default does: the last dimension is the most minor, then the one
/// before it, and so on.
#[doc(alias("IsMonotonicWithDim0Major", "HasDescendingLayout"))]
pub const fn is_monotonic_with_dim0_major(shape: &ArrayShape) -> bool {
    each!(for i in 1..shape.rank() {
        if shape.ordered_dim(i - 1) < shape.ordered_dim(i) {
            return false;
        }
    });
    true
}

/// Whether the order ascends: dimension 0 is the most minor, then 1, and so on.
#[doc(alias("IsMonotonicWithDim0Minor", "HasAscendingLayout"))]
pub const fn is_monotonic_with_dim0_minor(shape: &ArrayShape) -> bool {
    each!(for i in 1..shape.rank() {
        if shape.ordered_dim(i - 1) > shape.ordered_dim(i) {
            return false;
        }
    });
    true
}

/// Whether the last dimension is the most minor; true for scalars.
#[doc(alias = "LastDimIsMinorMost")]
pub const fn last_dim_is_minor_most(shape: &ArrayShape) -> bool {
    shape.rank() == 0 || shape.ordered_dim(0) == shape.rank() - 1
}

/// Whether every more major dimension has size 1; false if `dim` is out of range.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[1,1,16,1,279]{4,0,1,2,3}".parse()?;
/// assert!(xla::is_effectively_most_major_dimension(&shape, 2));
/// assert!(!xla::is_effectively_most_major_dimension(&shape, 4));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "IsEffectivelyMostMajorDimension")]
pub const fn is_effectively_most_major_dimension(shape: &ArrayShape, dim: usize) -> bool {
    each!(for i in (0..shape.rank()).rev() {
        if shape.ordered_dim(i) == dim {
            return true;
        }
        if !matches!(shape.dim(shape.ordered_dim(i)).size(), Some(1)) {
            return false;
        }
    });
    false
}

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
    let places = make_logical_to_physical(shape);
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

/// The array with another order of dimensions, most major first.
///
/// # Errors
/// See [`with_minor_to_major`](ArrayShape::with_minor_to_major).
#[doc(alias = "MakeLayoutFromMajorToMinor")]
pub const fn make_layout_from_major_to_minor(
    shape: &ArrayShape,
    order: &[usize],
) -> Result<ArrayShape, Fault> {
    if order.len() != shape.rank() {
        return shape.with_minor_to_major(order);
    }
    shape.with_minor_to_major(reversed(order).as_slice())
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

/// The array as hosts store it: the same order of dimensions, and no properties.
///
/// # Errors
/// If the elements exceed [`MAX_SIZE`](crate::shape::limits::MAX_SIZE) bytes without the `E` that packs them.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "s4[3,5]{0,1:T(2,2)E(4)S(1)}".parse()?;
/// assert_eq!(xla::device_shape_to_host_shape(&shape).unwrap().to_string(), "s4[3,5]{0,1}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "DeviceShapeToHostShape")]
pub const fn device_shape_to_host_shape(shape: &ArrayShape) -> Result<ArrayShape, Fault> {
    shape.fields().order_alone().checked()
}

/// Whether the layout is only an order of the dimensions, without properties.
#[doc(alias = "DeviceShapeIsHostShape")]
pub const fn device_shape_is_host_shape(shape: &ArrayShape) -> bool {
    !shape.has_properties() && shape.swizzle().is_none()
}

/// The second array in the layout of the first: its order and every property.
///
/// # Errors
/// If the ranks differ (a fault of the order), or if `PAD`, `SC` or padding of the first array does not fit the
/// dimensions of the second.
///
/// # Examples
/// ```
/// use layout::xla;
/// use layout::ArrayShape;
///
/// let (plain, tiled): (ArrayShape, ArrayShape) = ("f32[3,5]".parse()?, "u8[9,9]{0,1:T(2,2)}".parse()?);
/// assert_eq!(xla::copy_layout_between_shapes(&tiled, &plain).unwrap().to_string(), "f32[3,5]{0,1:T(2,2)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "CopyLayoutBetweenShapes")]
pub const fn copy_layout_between_shapes(
    from: &ArrayShape,
    to: &ArrayShape,
) -> Result<ArrayShape, Fault> {
    to.with_layout_of(from)
}

/// An array with an order of dimensions, most minor first, and tiles.
///
/// # Errors
/// If there are more than [`MAX_DIMS`] dimensions, if the order is not a permutation of them, if a tile is not valid,
/// or if the array exceeds [`MAX_SIZE`](crate::shape::limits::MAX_SIZE) bytes, padding included.
///
/// # Examples
/// ```
/// use layout::shape::Dim::Static;
/// use layout::ElementType;
/// use layout::tpu::TileFormat;
/// use layout::xla::make_shape_with_dense_layout;
///
/// let tiles = TileFormat::Bits16.tiles();
/// let dims = [Static(20), Static(300)];
/// let shape = make_shape_with_dense_layout(ElementType::BF16, &dims, &[1, 0], &tiles).unwrap();
/// assert_eq!(shape.to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
/// ```
#[doc(alias = "MakeShapeWithDenseLayout")]
pub const fn make_shape_with_dense_layout(
    element: ElementType,
    dims: &[Dim],
    minor_to_major: &[usize],
    tiles: &Tiles,
) -> Result<ArrayShape, Fault> {
    let shape = ok!(ArrayShape::new(element, dims));
    ok!(shape.with_minor_to_major(minor_to_major)).with_tiles(tiles)
}
