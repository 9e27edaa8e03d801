//! Inserting, deleting and permuting dimensions.

use layout_core::Origin;
use layout_core::base::text::subslice;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Dim, permutation};
use layout_core::{Fault, FaultKind, Place};

/// The array without the listed dimensions. A dimension may be listed twice.
///
/// # Errors
/// If a dimension is out of range, or if padding makes the result too large.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[5,3,2,7,9]{2,0,1,4,3}".parse()?;
/// assert_eq!(xla::delete_dimensions(&shape, &[3, 1, 2]).unwrap().to_string(), "f32[5,9]{0,1}");
/// assert!(xla::delete_dimensions(&shape, &[5]).is_err());
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("DeleteDimension", "DeleteDimensions"))]
pub const fn delete_dimensions(shape: &ArrayShape, dims: &[usize]) -> Result<ArrayShape, Fault> {
    let mut keep = [true; MAX_DIMS];
    each!(for i in 0..dims.len() {
        if dims[i] >= shape.rank() {
            return Err(no_dim(shape, dims[i]));
        }
        keep[dims[i]] = false;
    });
    kept_dimensions(shape, &keep)
}

/// The array with only the dimensions for whose numbers `keep` returns true.
///
/// # Errors
/// If padding makes the result too large.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[5,3,2]{2,0,1}".parse()?;
/// let even = xla::filter_dimensions(&shape, |dim| dim % 2 == 0).unwrap();
/// assert_eq!(even.to_string(), "f32[5,2]{1,0}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("FilterDimensions", "DropDegenerateDimensions"))]
pub fn filter_dimensions(
    shape: &ArrayShape,
    mut keep: impl FnMut(usize) -> bool,
) -> Result<ArrayShape, Fault> {
    let mut kept = [true; MAX_DIMS];
    for (dim, kept) in kept.iter_mut().enumerate().take(shape.rank()) {
        *kept = keep(dim);
    }
    kept_dimensions(shape, &kept)
}

/// The array with new dimensions from number `at` on; those from there on move up. They are inserted one by one, the last
/// one first. In memory each is just more major than the dimension that had its number; at the end of all dimensions it is the most minor.
///
/// # Errors
/// If `at` exceeds the rank, and those of [`insert_dimension`].
///
/// # Examples
/// ```
/// use layout::xla;
/// use layout::shape::Dim::Static;
///
/// let shape: layout::ArrayShape = "f32[10,20,30]{0,2,1}".parse()?;
/// let inserted = xla::insert_dimensions_at_index(&shape, 1, &[Static(40), Static(50)]).unwrap();
/// assert_eq!(inserted.to_string(), "f32[10,40,50,20,30]{0,4,3,2,1}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("InsertDimensionsAtIndex", "InsertDimensionAtIndex"))]
pub const fn insert_dimensions_at_index(
    shape: &ArrayShape,
    at: usize,
    sizes: &[Dim],
) -> Result<ArrayShape, Fault> {
    if at > shape.rank() {
        return Err(no_dim(shape, at));
    }
    let mut shape = *shape;
    each!(for i in (0..sizes.len()).rev() {
        let order = match permutation::inverse(shape.minor_to_major()) {
            Some(places) if at < shape.rank() => places.as_slice()[at] + 1,
            _ => 0,
        };
        shape = ok!(insert_dimension(&shape, at, order, sizes[i]));
    });
    Ok(shape)
}

/// The array with a new dimension of number `at`, and at place `physical` of the order from minor to major. Padding widths and
/// splits stay with their dimensions, and tiles cover the new most minor ones.
///
/// # Errors
/// If there is no such number or place, if the array has [`MAX_DIMS`] dimensions already, or if padding makes the result
/// too large; if `PAD` is given and the size is `?`.
///
/// # Examples
/// ```
/// use layout::xla;
/// use layout::shape::Dim::Static;
///
/// let shape: layout::ArrayShape = "bf16[20,30]{0,1:T(8,128)(2,1)}".parse()?;
/// let inserted = |at, physical| xla::insert_dimension(&shape, at, physical, Static(4)).unwrap();
/// assert_eq!(inserted(0, 2).to_string(), "bf16[4,20,30]{1,2,0:T(8,128)(2,1)}");
/// assert_eq!(inserted(2, 0).to_string(), "bf16[20,30,4]{2,0,1:T(8,128)(2,1)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("AppendMajorDimension", "AppendMinorDimension", "PrependMajorDimension"))]
pub const fn insert_dimension(
    shape: &ArrayShape,
    at: usize,
    physical: usize,
    size: Dim,
) -> Result<ArrayShape, Fault> {
    if shape.rank() == MAX_DIMS {
        let kind = FaultKind::TooMany { what: "dimensions", limit: MAX_DIMS };
        return Err(Fault::of_value(kind, Place::Dims));
    }
    if at > shape.rank() || physical > shape.rank() {
        return Err(no_dim(shape, if at > shape.rank() { at } else { physical }));
    }
    let mut dims = [Origin::New(size); MAX_DIMS];
    each!(for dim in 0..shape.rank() {
        dims[if dim < at { dim } else { dim + 1 }] = Origin::Old(dim);
    });
    shape.remapped(subslice(&dims, 0, shape.rank() + 1), physical).checked()
}

const fn no_dim(shape: &ArrayShape, dim: usize) -> Fault {
    Fault::of_whole(FaultKind::NoDim { dim, rank: shape.rank() })
}

const fn kept_dimensions(shape: &ArrayShape, keep: &[bool; MAX_DIMS]) -> Result<ArrayShape, Fault> {
    let (mut dims, mut rank) = ([Origin::Old(0); MAX_DIMS], 0);
    each!(for dim in 0..shape.rank() {
        if keep[dim] {
            dims[rank] = Origin::Old(dim);
            rank += 1;
        }
    });
    shape.remapped(subslice(&dims, 0, rank), 0).checked()
}
