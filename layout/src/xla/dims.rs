//! Inserting, deleting and permuting dimensions.

use layout_core::Origin;
use layout_core::base::text::part;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Dim};
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
#[doc(alias = "FilterDimensions")]
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

/// The array without its dimensions of size 1; bounded dimensions count with their bounds.
///
/// # Errors
/// If padding makes the result too large.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[1,8,1,128]{3,1,2,0:T(8,128)}".parse()?;
/// let dropped = xla::drop_degenerate_dimensions(&shape).unwrap();
/// assert_eq!(dropped.to_string(), "f32[8,128]{1,0:T(8,128)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "DropDegenerateDimensions")]
pub const fn drop_degenerate_dimensions(shape: &ArrayShape) -> Result<ArrayShape, Fault> {
    let mut keep = [true; MAX_DIMS];
    each!(for dim in 0..shape.rank() {
        keep[dim] = !matches!(shape.dim(dim).size(), Some(1));
    });
    kept_dimensions(shape, &keep)
}

/// The array with a new dimension number `at`. In memory it is just more major than the dimension that
/// had this number; at the end of all dimensions it is the most minor. Dimensions from `at` on move up by
/// one.
///
/// # Errors
/// If `at` exceeds the rank, if the result is too large or has too many dimensions, or if the new
/// dimension has no bound and the layout has `PAD`.
///
/// # Examples
/// ```
/// use layout::xla;
/// use layout::shape::Dim;
///
/// let shape: layout::ArrayShape = "f32[10,20,30]{0,2,1}".parse()?;
/// let inserted = xla::insert_dimension_at_index(&shape, 1, Dim::Static(40)).unwrap();
/// assert_eq!(inserted.to_string(), "f32[10,40,20,30]{0,3,2,1}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "InsertDimensionAtIndex")]
pub const fn insert_dimension_at_index(
    shape: &ArrayShape,
    at: usize,
    size: Dim,
) -> Result<ArrayShape, Fault> {
    insert_dimensions_at_index(shape, at, &[size])
}

/// The array with several new dimensions, inserted at `at` one by one, the last one first.
///
/// # Errors
/// See [`insert_dimension_at_index`].
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
#[doc(alias = "InsertDimensionsAtIndex")]
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
        let order = match place(&shape, at) {
            Some(place) => place + 1,
            None => 0,
        };
        shape = ok!(inserted(&shape, at, order, sizes[i]));
    });
    Ok(shape)
}

/// The array with a new dimension, the last and most major one.
///
/// # Errors
/// See [`insert_dimension_at_index`].
#[doc(alias = "AppendMajorDimension")]
pub const fn append_major_dimension(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
    inserted(shape, shape.rank(), shape.rank(), size)
}

/// The array with a new dimension, the last and most minor one.
///
/// # Errors
/// See [`insert_dimension_at_index`].
#[doc(alias = "AppendMinorDimension")]
pub const fn append_minor_dimension(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
    inserted(shape, shape.rank(), 0, size)
}

/// The array with a new dimension, the first and most major one.
///
/// # Errors
/// See [`insert_dimension_at_index`].
///
/// # Examples
/// ```
/// use layout::xla;
/// use layout::shape::Dim::Static;
///
/// let shape: layout::ArrayShape = "bf16[20,30]{0,1:T(8,128)(2,1)}".parse()?;
/// let first = xla::prepend_major_dimension(&shape, Static(4)).unwrap();
/// assert_eq!(first.to_string(), "bf16[4,20,30]{1,2,0:T(8,128)(2,1)}");
/// let last = xla::append_major_dimension(&shape, Static(4)).unwrap();
/// assert_eq!(last.to_string(), "bf16[20,30,4]{0,1,2:T(8,128)(2,1)}");
/// let minor = xla::append_minor_dimension(&shape, Static(4)).unwrap();
/// assert_eq!(minor.to_string(), "bf16[20,30,4]{2,0,1:T(8,128)(2,1)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "PrependMajorDimension")]
pub const fn prepend_major_dimension(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
    inserted(shape, 0, shape.rank(), size)
}

/// A dimension at number `at` and at place `order` from minor to major.
const fn inserted(
    shape: &ArrayShape,
    at: usize,
    order: usize,
    size: Dim,
) -> Result<ArrayShape, Fault> {
    if shape.rank() == MAX_DIMS {
        let kind = FaultKind::TooMany { what: "dimensions", limit: MAX_DIMS };
        return Err(Fault::of_value(kind, Place::Dims));
    }
    let mut dims = [Origin::New(size); MAX_DIMS];
    each!(for dim in 0..shape.rank() {
        dims[if dim < at { dim } else { dim + 1 }] = Origin::Old(dim);
    });
    shape.remapped(part(&dims, 0, shape.rank() + 1), order).checked()
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
    shape.remapped(part(&dims, 0, rank), 0).checked()
}

/// The place of a dimension from minor to major.
const fn place(shape: &ArrayShape, dim: usize) -> Option<usize> {
    each!(for place in 0..shape.rank() {
        if shape.ordered_dim(place) == dim {
            return Some(place);
        }
    });
    None
}

/// The array with its dimensions permuted, but the order in memory as written: its numbers then refer to
/// the new dimensions.
///
/// # Errors
/// If the list is not a permutation of the dimensions, or if padding makes the result too large.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[10,100,1000]{2,1,0}".parse()?;
/// let permuted = xla::permute_dimensions_ignoring_layout(&shape, &[1, 2, 0]).unwrap();
/// assert_eq!(permuted.to_string(), "f32[100,1000,10]{2,1,0}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "PermuteDimensionsIgnoringLayout")]
pub const fn permute_dimensions_ignoring_layout(
    shape: &ArrayShape,
    permutation: &[usize],
) -> Result<ArrayShape, Fault> {
    let Some(permuted) = shape.permute_dimensions(permutation) else {
        return Err(Fault::of_whole(FaultKind::NotPermutation { rank: shape.rank() }));
    };
    permuted.with_minor_to_major(shape.minor_to_major())
}

/// The array with its dimensions renumbered from major to minor, and every element in its place: the
/// order of the result descends.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[128,24,4,48,48]{2,4,3,1,0}".parse()?;
/// let descending = xla::make_shape_with_descending_layout_and_same_physical_layout(&shape);
/// assert_eq!(descending.to_string(), "f32[128,24,48,48,4]{4,3,2,1,0}");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MakeShapeWithDescendingLayoutAndSamePhysicalLayout")]
pub const fn make_shape_with_descending_layout_and_same_physical_layout(
    shape: &ArrayShape,
) -> ArrayShape {
    shape.descending()
}
