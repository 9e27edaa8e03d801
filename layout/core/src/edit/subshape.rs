//! Shapes inside tuples, by their indices.
//!
//! A shape index names a part of a tuple of tuples: `[1, 0]` is the first part of the second part;
//! `[]` is the whole.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::limits::Size;
use crate::edit::compare::Equal;
use crate::fault::{Fault, FaultKind};
use crate::shape::Shape;

/// Whether shapes are built alike.
const STRUCTURE: Equal = Equal::new().ignore_element_type().ignore_dimensions().ignore_layout();

impl Shape {
    /// The shape at a shape index; `[]` is the shape itself. `None` if the index is out of range.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::Shape = "(f32[], (s32[2], token[]))".parse()?;
    /// assert_eq!(shape.subshape(&[1, 0]).unwrap().to_string(), "s32[2]{0}");
    /// assert_eq!(shape.subshape(&[0, 0]), None);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("GetSubshape", "TryGetSubshape", "IndexIsValid"))]
    pub fn subshape(&self, index: &[usize]) -> Option<&Shape> {
        index.iter().try_fold(self, |shape, &part| shape.parts().get(part))
    }

    /// Mutable access to the shape at a shape index.
    #[doc(alias = "GetMutableSubshape")]
    pub fn subshape_mut(&mut self, index: &[usize]) -> Option<&mut Shape> {
        index.iter().try_fold(self, |shape, &part| match shape {
            Shape::Tuple(parts) => parts.get_mut(part),
            _ => None,
        })
    }

    /// The parts of a tuple; empty for other shapes.
    #[doc(alias("GetTupleElementShape", "TupleElementCount"))]
    pub fn parts(&self) -> &[Shape] {
        match self {
            Shape::Tuple(parts) => parts,
            _ => &[],
        }
    }

    /// Whether the shape is a tuple that contains a tuple.
    #[doc(alias = "IsNestedTuple")]
    pub fn is_nested_tuple(&self) -> bool {
        self.parts().iter().any(|part| matches!(part, Shape::Tuple(_)))
    }

    /// Whether the shape is a prefix of another one: the same shape; or the empty tuple, which is a prefix
    /// of every shape; or a tuple each of whose parts is a prefix of the corresponding part of the other
    /// one, a tuple of at least as many parts.
    ///
    /// So tuples may end early at every depth, while arrays have to be equal, layouts included.
    ///
    /// # Examples
    /// ```
    /// let shape = |text: &str| text.parse::<layout::Shape>();
    /// let whole = shape("(f32[2], (s32[], token[]), pred[])")?;
    /// assert!(shape("(f32[2], (s32[]))")?.is_prefix_of(&whole));
    /// assert!(!shape("(f32[2], pred[])")?.is_prefix_of(&whole));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "IsPrefix")]
    pub fn is_prefix_of(&self, other: &Shape) -> bool {
        match (self, other) {
            (Shape::Tuple(parts), _) if parts.is_empty() => true,
            (Shape::Tuple(parts), Shape::Tuple(others)) => {
                parts.len() <= others.len()
                    && parts.iter().zip(others.iter()).all(|(part, other)| part.is_prefix_of(other))
            }
            (shape, other) => shape == other,
        }
    }

    /// Iterates over all shapes inside, with their indices: the shape itself first, each tuple before its
    /// parts.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::Shape = "(f32[], (token[]))".parse()?;
    /// let indices = shape.subshapes().map(|(index, _)| index).collect::<Vec<_>>();
    /// assert_eq!(indices, [vec![], vec![0], vec![1], vec![1, 0]]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("ForEachSubshape", "SubshapeCount"))]
    pub fn subshapes(&self) -> Subshapes<'_> {
        Subshapes { open: vec![(Vec::new(), self)] }
    }

    /// Iterates over the leaves, the shapes inside that are not tuples, with their indices. An empty tuple
    /// has no leaves.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::Shape = "(f32[], (s32[2], token[]))".parse()?;
    /// let leaves = shape.leaves().map(|(index, leaf)| (index, leaf.to_string())).collect::<Vec<_>>();
    /// assert_eq!(leaves[1], (vec![1, 0], "s32[2]{0}".to_string()));
    /// assert_eq!(leaves.len(), 3);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("GetLeafShapes", "GetLeafCount", "ForEachLeafShape", "IsLeafIndex"))]
    pub fn leaves(&self) -> impl Iterator<Item = (Vec<usize>, &Shape)> {
        self.subshapes().filter(|(_, shape)| !matches!(shape, Shape::Tuple(_)))
    }

    /// The leaves in order, without their indices.
    #[doc(alias = "FlattenTupleShape")]
    pub fn flatten(&self) -> Vec<&Shape> {
        self.leaves().map(|(_, shape)| shape).collect()
    }

    /// Changes every leaf; the function gets its index.
    ///
    /// # Examples
    /// ```
    /// use layout::Shape;
    ///
    /// let mut shape: Shape = "(f32[3,5]{0,1}, token[])".parse()?;
    /// shape.for_each_leaf_mut(|_, leaf| {
    ///     if let Shape::Array(array) = leaf {
    ///         *array = array.without_layout().unwrap();
    ///     }
    /// });
    /// assert_eq!(shape.to_string(), "(f32[3,5]{1,0}, token[])");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("ForEachMutableSubshape", "ForEachMutableLeafShape"))]
    pub fn for_each_leaf_mut(&mut self, mut change: impl FnMut(&[usize], &mut Shape)) {
        // Not by recursion: a value may be nested deeper than the parser allows.
        let mut open = vec![(Vec::new(), self)];
        while let Some((index, shape)) = open.pop() {
            match shape {
                Shape::Tuple(parts) => {
                    let parts = parts.iter_mut().enumerate().rev();
                    open.extend(parts.map(|(number, part)| (child(&index, number), part)));
                }
                leaf => change(&index, leaf),
            }
        }
    }

    /// The shape with the layout of each array taken from another shape with the same structure. Sizes and
    /// element types may differ.
    ///
    /// # Errors
    /// If the structures differ, or if a layout does not fit its array: the ranks differ, or padding makes
    /// the array too large.
    ///
    /// # Examples
    /// ```
    /// let shape = |text: &str| text.parse::<layout::Shape>();
    /// let (host, device) = (shape("(f32[3,5], token[])")?, shape("(f32[9,9]{0,1:T(2,2)}, token[])")?);
    /// let copied = host.with_layouts_of(&device).unwrap();
    /// assert_eq!(copied.to_string(), "(f32[3,5]{0,1:T(2,2)}, token[])");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "CopyLayoutBetweenShapes")]
    pub fn with_layouts_of(&self, other: &Shape) -> Result<Shape, Fault> {
        if !STRUCTURE.shapes(self, other) {
            return Err(Fault::of_whole(FaultKind::Structure));
        }
        let mut shape = self.clone();
        let mut failed = None;
        // Leaves come in the same order from both.
        let mut layouts = other.leaves();
        shape.for_each_leaf_mut(|_, leaf| {
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

    /// Size of the shape in bytes as XLA counts it: an array's elements without padding, a tuple's pointers
    /// to its parts, 0 for a token. `None` if a dimension has no bound.
    #[doc(alias = "ByteSizeOf")]
    pub fn unpadded_bytes(&self, pointer_bytes: Size) -> Option<Size> {
        match self {
            Shape::Array(array) | Shape::Buffer(array) => array.unpadded_bytes(),
            Shape::Tuple(parts) => (parts.len() as Size).checked_mul(pointer_bytes),
            Shape::Token => Some(0),
            Shape::Opaque => Some(pointer_bytes),
        }
    }

    /// Size of the elements of all arrays inside in bytes, without padding. `None` if a dimension has no
    /// bound, if a shape is opaque, and if the sum overflows.
    ///
    /// ```
    /// let shape: layout::Shape = "(s32[16,32,64], s8[16,32,64])".parse()?;
    /// assert_eq!(shape.unpadded_bytes_recursive(), Some(163_840));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "ByteSizeOfElementsRecursive")]
    pub fn unpadded_bytes_recursive(&self) -> Option<Size> {
        self.leaves().try_fold(0 as Size, |sum, (_, leaf)| match leaf {
            Shape::Opaque => None,
            leaf => sum.checked_add(leaf.unpadded_bytes(0)?),
        })
    }

    /// A single shape as it is; any other number of shapes as a tuple.
    #[doc(alias = "MakeMaybeTupleShape")]
    pub fn maybe_tuple(mut shapes: Vec<Shape>) -> Shape {
        match shapes.pop() {
            Some(shape) if shapes.is_empty() => shape,
            last => {
                shapes.extend(last);
                Shape::Tuple(shapes.into())
            }
        }
    }
}

/// Iterator over all shapes inside a shape; made by [`Shape::subshapes`].
#[derive(Clone, Debug)]
pub struct Subshapes<'a> {
    /// The shapes still to visit, the next one last.
    open: Vec<(Vec<usize>, &'a Shape)>,
}

impl<'a> Iterator for Subshapes<'a> {
    type Item = (Vec<usize>, &'a Shape);

    fn next(&mut self) -> Option<(Vec<usize>, &'a Shape)> {
        let (index, shape) = self.open.pop()?;
        let parts = shape.parts().iter().enumerate().rev();
        self.open.extend(parts.map(|(number, part)| (child(&index, number), part)));
        Some((index, shape))
    }
}

fn child(index: &[usize], number: usize) -> Vec<usize> {
    let mut child = Vec::with_capacity(index.len() + 1);
    child.extend_from_slice(index);
    child.push(number);
    child
}
