//! Other shapes made of a shape.

use crate::array::ArrayShape;
use crate::permutation;

impl ArrayShape {
    /// The array with its dimensions in another order, and no element moved: dimension `i` of the result is
    /// dimension `permutation[i]` of the array, and the layout names it so. `None` if the list is no permutation
    /// of the dimensions.
    ///
    /// All properties stay: tiles and `SC` go by the order in memory, and the widths of `PAD` go with their
    /// dimensions.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_spec::ArrayShape = "f32[10,20,30]{2,1,0:T(8,128)}".parse()?;
    /// let permuted = shape.permute_dimensions(&[1, 2, 0]).unwrap();
    /// assert_eq!(permuted.to_string(), "f32[20,30,10]{1,0,2:T(8,128)}");
    /// assert_eq!(permuted.offset(&[7, 11, 3]), shape.offset(&[3, 7, 11]));
    /// # Ok::<(), layout_spec::Error>(())
    /// ```
    #[doc(alias = "PermuteDimensions")]
    #[doc(alias = "ReorderLogicalDimensions")]
    pub const fn permute_dimensions(&self, permutation: &[usize]) -> Option<ArrayShape> {
        if permutation.len() != self.rank() {
            return None;
        }
        let Some(inverse) = permutation::inverse(permutation) else { return None };
        let mut shape = *self;
        let mut i = 0;
        while i < permutation.len() {
            shape.dims[i] = self.dims[permutation[i]];
            shape.padded_dims[i] = self.padded_dims[permutation[i]];
            shape.minor_to_major[i] = inverse.as_slice()[self.minor_to_major[i]];
            i += 1;
        }
        Some(shape)
    }
}
