//! Shapes inside tuples, by their indices.
//!
//! A shape index names a part of a tuple of tuples: `[1, 0]` is the first part of the second part;
//! `[]` is the whole.

use alloc::vec;
use alloc::vec::Vec;

use crate::shape::Shape;

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
    #[doc(alias("GetSubshape", "TryGetSubshape", "IndexIsValid", "GetMutableSubshape"))]
    pub fn subshape(&self, index: &[usize]) -> Option<&Shape> {
        index.iter().try_fold(self, |shape, &part| shape.parts().get(part))
    }

    /// The parts of a tuple; empty for other shapes.
    #[doc(alias("GetTupleElementShape", "TupleElementCount", "IsNestedTuple"))]
    #[doc(alias = "MakeMaybeTupleShape")]
    pub fn parts(&self) -> &[Shape] {
        match self {
            Shape::Tuple(parts) => parts,
            _ => &[],
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
    #[doc(alias("ForEachSubshape", "SubshapeCount", "IsPrefix"))]
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
    #[doc(alias("ForEachMutableSubshape", "ForEachMutableLeafShape"))]
    #[doc(alias = "ByteSizeOfElementsRecursive")]
    pub fn leaves(&self) -> impl Iterator<Item = (Vec<usize>, &Shape)> {
        self.subshapes().filter(|(_, shape)| !matches!(shape, Shape::Tuple(_)))
    }

    /// The leaves in order, without their indices.
    #[doc(alias = "FlattenTupleShape")]
    pub fn flatten(&self) -> Vec<&Shape> {
        self.leaves().map(|(_, shape)| shape).collect()
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
        self.open.extend(parts.map(|(number, part)| ([&index[..], &[number]].concat(), part)));
        Some((index, shape))
    }
}
