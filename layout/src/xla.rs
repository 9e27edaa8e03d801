//! Functions of XLA's `IndexUtil`, `LayoutUtil` and `ShapeUtil`, under XLA's names.
//!
//! What most programs need of them are methods: of [`ArrayShape`](crate::ArrayShape), [`Shape`](crate::Shape) and
//! [`permutation`](mod@crate::permutation). Search the documentation for any function by XLA's name. Those that are one
//! expression here have no function:
//!
//! | XLA | write |
//! |---|---|
//! | `Major(i)`, `Minor(i)` | `shape.major_to_minor()[i]`, `shape.minor_to_major()[i]` |
//! | `MakeLogicalToPhysical` | `permutation::inverse(&shape.major_to_minor())` |
//! | `IsMonotonicWithDim0Major`, `HasDescendingLayout` | `shape.major_to_minor().is_sorted()` |
//! | `IsMonotonicWithDim0Minor`, `HasAscendingLayout` | `shape.minor_to_major().is_sorted()` |
//! | `LastDimIsMinorMost` | `shape.major_to_minor().last().is_none_or(\|dim\| dim + 1 == shape.rank())` |
//! | `IsEffectivelyMostMajorDimension` | `shape.major_to_minor().iter().find(\|at\| **at == dim \|\| shape.dims()[**at].size() != Some(1)) == Some(&dim)` |
//! | `MakeLayoutFromMajorToMinor` | `shape.with_minor_to_major(..)` with the order reversed |
//! | `MakeShapeWithDescendingLayoutAndSamePhysicalLayout` | [`shape.descending()`](crate::ArrayShape::descending) |
//! | `MakeShapeWithDenseLayout` | [`ArrayShape::of_lists(element, dims, order, tiles)`](crate::ArrayShape::of_lists) |
//! | `CopyLayoutBetweenShapes` of arrays | [`to.with_layout_of(&from)`](crate::ArrayShape::with_layout_of) |
//! | `Compatible` | [`Equal`]`::new().ignore_layout().ignore_dynamic_dimension().shapes(&a, &b)`, or `.arrays(&a, &b)` |
//! | `CompatibleIgnoringElementType`, `CompatibleIgnoringFpPrecision` | the same with `.ignore_element_type()`, or `.ignore_fp_precision()` |
//! | `DeviceShapeToHostShape` | `shape.without_layout()?.with_minor_to_major(shape.minor_to_major())` |
//! | `DeviceShapeIsHostShape` | `!shape.has_properties()`, and no swizzle |
//! | `PermuteDimensionsIgnoringLayout` | `shape.permute_dimensions(by)`, and then `with_minor_to_major(shape.minor_to_major())` |
//! | `HasDegenerateDimensions` | `shape.dims().iter().any(\|dim\| dim.size() == Some(1))` |
//! | `DropDegenerateDimensions` | `filter_dimensions(&shape, \|dim\| shape.dims()[dim].size() != Some(1))` |
//! | `InsertDimensionAtIndex` | `insert_dimensions_at_index(&shape, at, &[size])` |
//! | `AppendMajorDimension`, `AppendMinorDimension` | `insert_dimension(&shape, rank, rank, size)`, `insert_dimension(&shape, rank, 0, size)` |
//! | `PrependMajorDimension` | `insert_dimension(&shape, 0, rank, size)` |
//! | `IsUntiledLayout` | `shape.tiles().is_empty() \|\| reshape_is_bitcast(&shape, &shape.without_tiles())` |
//! | `ByteStridesIsMajorToMinor` | `unpacked_byte_strides(&ArrayShape::new(element, &dims)?).is_some_and(\|own\| own == strides)` |
//! | `CompareIndices` | `a.cmp(&b)` |
//! | `IndexInBounds` | `index.len() == shape.rank() && index.iter().zip(shape.dims()).all(\|(at, dim)\| dim.size().is_none_or(\|size\| *at < size))` |
//! | `IsNestedTuple` | `shape.parts().iter().any(\|part\| matches!(part, Shape::Tuple(_)))` |
//! | `MakeMaybeTupleShape` | `match <[Shape; 1]>::try_from(shapes) { Ok([shape]) => shape, Err(shapes) => Shape::Tuple(shapes.into()) }` |
//!
//! # Examples
//! ```
//! use layout::shape::Dim::Static;
//! use layout::{ArrayShape, Shape, permutation, xla};
//!
//! let shape: ArrayShape = "f32[1,8,128]{1,2,0:T(8,128)}".parse()?;
//! assert_eq!(permutation::inverse(&shape.major_to_minor()).unwrap(), [0, 2, 1]);
//! assert!(!shape.major_to_minor().is_sorted() && shape.has_properties());
//! let host = shape.without_layout()?.with_minor_to_major(shape.minor_to_major())?;
//! assert_eq!(host.to_string(), "f32[1,8,128]{1,2,0}");
//! let dropped = xla::filter_dimensions(&shape, |dim| shape.dims()[dim].size() != Some(1))?;
//! assert_eq!(dropped.to_string(), "f32[8,128]{0,1:T(8,128)}");
//! let more = xla::insert_dimension(&shape, 0, shape.rank(), Static(4))?;
//! assert_eq!(more.to_string(), "f32[4,1,8,128]{2,3,1,0:T(8,128)}");
//!
//! let is_most_major = |dim| {
//!     let order = shape.major_to_minor();
//!     order.iter().find(|at| **at == dim || shape.dims()[**at].size() != Some(1)) == Some(&dim)
//! };
//! assert!(is_most_major(2) && !is_most_major(1));
//! let maybe_tuple = |shapes: Vec<Shape>| match <[Shape; 1]>::try_from(shapes) {
//!     Ok([shape]) => shape,
//!     Err(shapes) => Shape::Tuple(shapes.into()),
//! };
//! let pair = maybe_tuple(vec![Shape::Token, maybe_tuple(vec![shape.into()])]);
//! assert!(!pair.parts().iter().any(|part| matches!(part, Shape::Tuple(_))));
//! assert_eq!(maybe_tuple(vec![]), "()".parse()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![doc(alias(
    "Major",
    "Minor",
    "MakeLogicalToPhysical",
    "IsMonotonicWithDim0Major",
    "HasDescendingLayout",
    "IsMonotonicWithDim0Minor",
    "HasAscendingLayout",
    "LastDimIsMinorMost",
    "MakeShapeWithDescendingLayoutAndSamePhysicalLayout",
    "MakeShapeWithDenseLayout",
    "DeviceShapeToHostShape",
    "DeviceShapeIsHostShape",
    "PermuteDimensionsIgnoringLayout",
    "HasDegenerateDimensions",
    "CompareIndices",
    "Compatible",
    "CompatibleIgnoringElementType",
    "CompatibleIgnoringFpPrecision",
    "IsEffectivelyMostMajorDimension",
    "MakeLayoutFromMajorToMinor",
    "IsUntiledLayout",
    "ByteStridesIsMajorToMinor",
    "IndexInBounds",
    "IsNestedTuple",
    "MakeMaybeTupleShape"
))]

pub(crate) mod decompose;
mod dims;
mod index;
mod order;
mod reshape;
#[cfg(feature = "alloc")]
mod shapes;
mod stride;

pub use crate::array::xla_size::{
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
#[cfg(feature = "alloc")]
pub use shapes::*;
pub use stride::*;
