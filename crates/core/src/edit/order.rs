//! The order of the dimensions in memory: asking about it, and changing it.

use crate::analysis::size::DimNumbers;
use crate::base::{MAX_DIMS, subslice};
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::ArrayShape;

/// At most `MAX_DIMS` numbers, the last one first.
pub const fn reversed(list: &[usize]) -> DimNumbers {
    let mut result = DimNumbers::new();
    each!(for i in (0..list.len()).rev() {
        result.push(list[i]);
    });
    result
}

impl ArrayShape {
    /// Order of the dimensions in memory, most major (slowest varying) first.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!(shape.major_to_minor(), [1, 2, 0]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("Major", "MakeLogicalToPhysical", "IsMonotonicWithDim0Major"))]
    #[doc(alias("HasDescendingLayout", "LastDimIsMinorMost", "IsEffectivelyMostMajorDimension"))]
    pub const fn major_to_minor(&self) -> DimNumbers {
        reversed(self.minor_to_major())
    }

    /// The array with another order of dimensions, most minor first. Tiles cover the new most minor
    /// dimensions; `PAD`'s widths and `SC`'s indices stay with their dimensions.
    ///
    /// # Errors
    /// If the order is not a permutation of the dimensions, or if padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[20,30]{1,0:T(8,128)}".parse()?;
    /// let other = shape.with_minor_to_major(&[0, 1]).unwrap();
    /// assert_eq!(other.to_string(), "f32[20,30]{0,1:T(8,128)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("MakeLayout", "MakeAscendingLayout", "MakeLayoutFromMajorToMinor"))]
    #[doc(alias("MoveDimToMajor", "MoveDimToMinor"))]
    pub const fn with_minor_to_major(&self, order: &[usize]) -> Result<ArrayShape, Fault> {
        if order.len() != self.rank() {
            let (entries, rank) = (order.len(), self.rank());
            return FaultKind::MinorToMajorCount { entries, rank }.at(Place::MinorToMajor);
        }
        let mut fields = *self.fields();
        let mut names = [None; MAX_DIMS];
        each!(for i in 0..order.len() {
            fields.minor_to_major[i] = order[i];
            names[i] = Some(i);
        });
        fields.take_splits(self, &names);
        fields.checked()
    }

    /// The array in the default order of dimensions, the last one the most minor; the rest of its layout stays.
    ///
    /// # Errors
    /// If padding makes the result too large.
    #[doc(alias("SetToDefaultLayout", "MakeDescendingLayout", "GetDefaultLayoutForRank"))]
    pub const fn with_default_order(&self) -> Result<ArrayShape, Fault> {
        let mut fields = *self.fields();
        fields.set_default_order();
        self.with_minor_to_major(subslice(&fields.minor_to_major, 0, self.rank()))
    }
}
