//! Shapes of all kinds, tuples above all: comparing them, and changing what is inside.

use alloc::vec;
use alloc::vec::Vec;

use layout_core::{Equal, Fault, FaultKind, Shape, Size};

/// Whether shapes are built alike.
const STRUCTURE: Equal = Equal::new().ignore_element_type().ignore_dimensions().ignore_layout();

/// Whether a shape is a prefix of another one: the same shape; or the empty tuple, which is a prefix of every shape; or a
/// tuple each of whose parts is a prefix of the corresponding part of the other one, a tuple of at least as many parts.
///
/// So tuples may end early at every depth, while arrays have to be equal, layouts included.
///
/// # Examples
/// ```
/// use layout::xla::is_prefix;
///
/// let shape = |text: &str| text.parse::<layout::Shape>();
/// let whole = shape("(f32[2], (s32[], token[]), pred[])")?;
/// assert!(is_prefix(&shape("(f32[2], (s32[]))")?, &whole));
/// assert!(!is_prefix(&shape("(f32[2], pred[])")?, &whole));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "IsPrefix")]
pub fn is_prefix(prefix: &Shape, shape: &Shape) -> bool {
    match (prefix, shape) {
        (Shape::Tuple(parts), _) if parts.is_empty() => true,
        (Shape::Tuple(parts), Shape::Tuple(others)) => {
            parts.len() <= others.len()
                && parts.iter().zip(others.iter()).all(|(part, other)| is_prefix(part, other))
        }
        (prefix, shape) => prefix == shape,
    }
}

/// Mutable access to the shape at a shape index; `None` if the index is out of range.
#[doc(alias = "GetMutableSubshape")]
pub fn get_mutable_subshape<'a>(shape: &'a mut Shape, index: &[usize]) -> Option<&'a mut Shape> {
    index.iter().try_fold(shape, |shape, &part| match shape {
        Shape::Tuple(parts) => parts.get_mut(part),
        _ => None,
    })
}

/// Changes every leaf; the function gets its index.
///
/// # Examples
/// ```
/// use layout::{Shape, xla};
///
/// let mut shape: Shape = "(f32[3,5]{0,1}, token[])".parse()?;
/// xla::for_each_mutable_leaf_shape(&mut shape, |_, leaf| {
///     if let Shape::Array(array) = leaf {
///         *array = array.without_layout().unwrap();
///     }
/// });
/// assert_eq!(shape.to_string(), "(f32[3,5]{1,0}, token[])");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("ForEachMutableSubshape", "ForEachMutableLeafShape"))]
pub fn for_each_mutable_leaf_shape(
    shape: &mut Shape,
    mut change: impl FnMut(&[usize], &mut Shape),
) {
    // Not by recursion: a value may be nested deeper than the parser allows.
    let mut open = vec![(Vec::new(), shape)];
    while let Some((index, shape)) = open.pop() {
        match shape {
            Shape::Tuple(parts) => {
                let parts = parts.iter_mut().enumerate().rev();
                open.extend(parts.map(|(number, part)| ([&index[..], &[number]].concat(), part)));
            }
            leaf => change(&index, leaf),
        }
    }
}

/// A shape with the layout of each array taken from another shape with the same structure. Sizes and element types may
/// differ.
///
/// # Errors
/// If the structures differ, or if a layout does not fit its array: the ranks differ, or padding makes
/// the array too large.
///
/// # Examples
/// ```
/// use layout::xla::copy_layout_between_shapes;
///
/// let shape = |text: &str| text.parse::<layout::Shape>();
/// let (device, host) = (shape("(f32[9,9]{0,1:T(2,2)}, token[])")?, shape("(f32[3,5], token[])")?);
/// let copied = copy_layout_between_shapes(&device, &host).unwrap();
/// assert_eq!(copied.to_string(), "(f32[3,5]{0,1:T(2,2)}, token[])");
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "CopyLayoutBetweenShapes")]
pub fn copy_layout_between_shapes(from: &Shape, to: &Shape) -> Result<Shape, Fault> {
    if !STRUCTURE.shapes(to, from) {
        return Err(Fault::of_whole(FaultKind::Structure));
    }
    let mut shape = to.clone();
    let mut failed = None;
    // Leaves come in the same order from both.
    let mut layouts = from.leaves();
    for_each_mutable_leaf_shape(&mut shape, |_, leaf| {
        if let (
            Shape::Array(array) | Shape::Buffer(array),
            Some((_, Shape::Array(layout) | Shape::Buffer(layout))),
        ) = (leaf, layouts.next())
        {
            match array.with_layout_of(layout) {
                Ok(changed) => *array = changed,
                Err(fault) => failed = failed.or(Some(fault)),
            }
        }
    });
    failed.map_or(Ok(shape), Err)
}

/// Size of a shape in bytes as XLA counts it: an array's elements without padding, a tuple's pointers to its parts, 0 for
/// a token. `None` if a dimension has no bound.
#[doc(alias = "ByteSizeOf")]
pub fn byte_size_of(shape: &Shape, pointer_bytes: Size) -> Option<Size> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => array.unpadded_bytes(),
        Shape::Tuple(parts) => (parts.len() as Size).checked_mul(pointer_bytes),
        Shape::Opaque => Some(pointer_bytes),
        _ => Some(0),
    }
}

/// Size of the elements of all arrays inside in bytes, without padding. `None` if a dimension has no bound, if a shape is
/// opaque, and if the sum overflows.
///
/// ```
/// use layout::{Shape, xla};
///
/// let shape: Shape = "(s32[16,32,64], s8[16,32,64])".parse()?;
/// assert_eq!(xla::byte_size_of_elements_recursive(&shape), Some(163_840));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "ByteSizeOfElementsRecursive")]
pub fn byte_size_of_elements_recursive(shape: &Shape) -> Option<Size> {
    shape.leaves().try_fold(0 as Size, |sum, (_, leaf)| match leaf {
        Shape::Opaque => None,
        leaf => sum.checked_add(byte_size_of(leaf, 0)?),
    })
}
