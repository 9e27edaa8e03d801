//! The order of the dimensions in memory: asking about it, and changing it.

use crate::analysis::size::DimNumbers;
use crate::base::limits::MAX_DIMS;
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::ArrayShape;

/// The order `rank-1, …, 1, 0`, in which the last dimension is the most minor: XLA's default. `None`
/// above [`MAX_DIMS`] dimensions.
///
/// ```
/// assert_eq!(layout::xla::descending_order(3).unwrap(), [2, 1, 0]);
/// ```
#[doc(alias(
    "MakeDescendingLayout",
    "GetDefaultLayoutForRank",
    "GetDefaultLayoutForR2",
    "GetDefaultLayoutForR3",
    "GetDefaultLayoutForR4"
))]
pub const fn descending_order(rank: usize) -> Option<DimNumbers> {
    Some(reversed(some!(ascending_order(rank)).as_slice()))
}

/// The order `0, 1, …, rank-1`, in which dimension 0 is the most minor. `None` above [`MAX_DIMS`]
/// dimensions.
///
/// ```
/// assert_eq!(layout::xla::ascending_order(3).unwrap(), [0, 1, 2]);
/// ```
#[doc(alias = "MakeAscendingLayout")]
pub const fn ascending_order(rank: usize) -> Option<DimNumbers> {
    if rank > MAX_DIMS {
        return None;
    }
    let mut order = DimNumbers::new();
    each!(for dim in 0..rank {
        order.push(dim);
    });
    Some(order)
}

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
    #[doc(alias = "MakeLayout")]
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
}
