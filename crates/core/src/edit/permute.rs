//! Permuting dimensions.

use crate::base::{MAX_DIMS, subslice};
use crate::edit::permutation;
use crate::edit::remap::Origin;
use crate::shape::ArrayShape;

impl ArrayShape {
    /// The array with its dimensions permuted, and every element in its place: dimension `i` of the result is
    /// dimension `permutation[i]` of the array, under its new number in the layout too. `None` if the list is
    /// not a permutation of the dimensions.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[10,20,30]{2,1,0:T(8,128)}".parse()?;
    /// let permuted = shape.permute_dimensions(&[1, 2, 0]).unwrap();
    /// assert_eq!(permuted.to_string(), "f32[20,30,10]{1,0,2:T(8,128)}");
    /// assert_eq!(permuted.digits()?.offset(&[7, 11, 3]), shape.digits()?.offset(&[3, 7, 11]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("PermuteDimensions", "PermuteDimensionsIgnoringLayout"))]
    #[doc(alias = "ReorderLogicalDimensions")]
    pub const fn permute_dimensions(&self, permutation: &[usize]) -> Option<ArrayShape> {
        if permutation.len() != self.rank() || !permutation::is_permutation(permutation) {
            return None;
        }
        let mut dims = [Origin::Old(0); MAX_DIMS];
        each!(for i in 0..permutation.len() {
            dims[i] = Origin::Old(permutation[i]);
        });
        // Every element stays where it is.
        Some(self.remapped(subslice(&dims, 0, permutation.len()), 0).trusted())
    }

    /// The array with its dimensions renumbered from major to minor, and every element in its place.
    #[doc(alias("MakeShapeWithDescendingLayoutAndSamePhysicalLayout", "DecomposeBitcast"))]
    #[doc(alias = "DecomposeBitcastToTrt")]
    pub const fn descending(&self) -> ArrayShape {
        match self.permute_dimensions(self.major_to_minor().as_slice()) {
            Some(shape) => shape,
            None => *self,
        }
    }
}
