//! The order of the dimensions in memory: questions about it, and other orders.

use crate::analysis::size::Index;
use crate::edit::{EditError, permutation};
use crate::fault::FaultKind;
use crate::fault::error::Fault;
use crate::fault::place::Place;
use crate::limits::MAX_DIMS;
use crate::shape::array::ArrayShape;

/// The order `rank-1, …, 1, 0`, in which the last dimension is the most minor: XLA's default. `None`
/// above [`MAX_DIMS`] dimensions.
///
/// ```
/// assert_eq!(layout_core::xla::descending_order(3).unwrap(), [2, 1, 0]);
/// ```
#[doc(alias = "MakeDescendingLayout")]
#[doc(alias = "GetDefaultLayoutForRank")]
#[doc(alias = "GetDefaultLayoutForR2")]
#[doc(alias = "GetDefaultLayoutForR3")]
#[doc(alias = "GetDefaultLayoutForR4")]
pub const fn descending_order(rank: usize) -> Option<Index> {
    match ascending_order(rank) {
        Some(order) => Some(reversed(order.as_slice())),
        None => None,
    }
}

/// The order `0, 1, …, rank-1`, in which dimension 0 is the most minor. `None` above [`MAX_DIMS`]
/// dimensions.
///
/// ```
/// assert_eq!(layout_core::xla::ascending_order(3).unwrap(), [0, 1, 2]);
/// ```
#[doc(alias = "MakeAscendingLayout")]
pub const fn ascending_order(rank: usize) -> Option<Index> {
    if rank > MAX_DIMS {
        return None;
    }
    Some(Index::of(&SAME, rank))
}

/// Every dimension with its own name.
const SAME: [usize; MAX_DIMS] = {
    let mut names = [0; MAX_DIMS];
    let mut dim = 0;
    while dim < MAX_DIMS {
        names[dim] = dim;
        dim += 1;
    }
    names
};

/// At most `MAX_DIMS` numbers, the last one first.
const fn reversed(list: &[usize]) -> Index {
    let mut result = Index::new();
    let mut i = list.len();
    while i > 0 {
        i -= 1;
        result.push(list[i]);
    }
    result
}

impl ArrayShape {
    /// Numbers of the dimensions, the most major (slowest varying in memory) first.
    ///
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!(shape.major_to_minor(), [1, 2, 0]);
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    pub const fn major_to_minor(&self) -> Index {
        reversed(self.minor_to_major())
    }

    /// The dimension that is number `physical` from major to minor; 0 asks for the most major one.
    /// `None` if there are no more dimensions than that.
    ///
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!((shape.major(0), shape.minor(0), shape.major(3)), (Some(1), Some(0), None));
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "Major")]
    pub const fn major(&self, physical: usize) -> Option<usize> {
        if physical < self.rank() { self.minor(self.rank() - 1 - physical) } else { None }
    }

    /// The dimension that is number `physical` from minor to major; 0 asks for the most minor one.
    /// `None` if there are no more dimensions than that.
    #[doc(alias = "Minor")]
    pub const fn minor(&self, physical: usize) -> Option<usize> {
        if physical < self.rank() { Some(self.minor_to_major[physical]) } else { None }
    }

    /// For each dimension its place from major to minor, 0 being the most major:
    /// `major(logical_to_physical()[dim])` is `dim`.
    ///
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!(shape.logical_to_physical(), [2, 0, 1]);
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "MakeLogicalToPhysical")]
    pub const fn logical_to_physical(&self) -> Index {
        let mut places = [0; MAX_DIMS];
        let mut i = 0;
        while i < self.rank() {
            places[self.minor_to_major[i]] = self.rank() - 1 - i;
            i += 1;
        }
        Index::of(&places, self.rank())
    }

    /// The place of one dimension from major to minor, 0 being the most major; `None` if there is no
    /// such dimension.
    pub const fn physical_dim(&self, dim: usize) -> Option<usize> {
        if dim < self.rank() { Some(self.logical_to_physical().as_slice()[dim]) } else { None }
    }

    /// Whether the order descends, as XLA's default does: the last dimension is the most minor, then
    /// the one in front of it, and so on.
    #[doc(alias = "IsMonotonicWithDim0Major")]
    #[doc(alias = "HasDescendingLayout")]
    pub const fn is_monotonic_with_dim0_major(&self) -> bool {
        let mut i = 1;
        while i < self.rank() {
            if self.minor_to_major[i - 1] < self.minor_to_major[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether the order ascends: dimension 0 is the most minor, then 1, and so on.
    #[doc(alias = "IsMonotonicWithDim0Minor")]
    #[doc(alias = "HasAscendingLayout")]
    pub const fn is_monotonic_with_dim0_minor(&self) -> bool {
        let mut i = 1;
        while i < self.rank() {
            if self.minor_to_major[i - 1] > self.minor_to_major[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether the last dimension is the most minor one; true of scalars.
    #[doc(alias = "LastDimIsMinorMost")]
    pub const fn last_dim_is_minor_most(&self) -> bool {
        self.rank() == 0 || self.minor_to_major[0] == self.rank() - 1
    }

    /// Whether no dimension of more than one element is more major than this one; false if there is
    /// no such dimension.
    ///
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[1,1,16,1,279]{4,0,1,2,3}".parse()?;
    /// assert!(shape.is_effectively_most_major_dimension(2));
    /// assert!(!shape.is_effectively_most_major_dimension(4));
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "IsEffectivelyMostMajorDimension")]
    pub const fn is_effectively_most_major_dimension(&self, dim: usize) -> bool {
        let mut i = self.rank();
        while i > 0 {
            i -= 1;
            if self.minor_to_major[i] == dim {
                return true;
            }
            if !matches!(self.dims[self.minor_to_major[i]].size(), Some(1)) {
                return false;
            }
        }
        false
    }

    /// Whether these dimensions, in whatever order they are given, lie side by side in the order.
    /// False if one is given twice or does not exist.
    ///
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[2,3,4,5]{0,3,1,2}".parse()?;
    /// assert!(shape.are_dimensions_consecutive(&[1, 0, 3]));
    /// assert!(!shape.are_dimensions_consecutive(&[0, 1]));
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "AreDimensionsConsecutive")]
    pub const fn are_dimensions_consecutive(&self, dims: &[usize]) -> bool {
        let mut set = 0u32;
        let mut i = 0;
        while i < dims.len() {
            let place = match self.physical_dim(dims[i]) {
                Some(place) if set & 1 << place == 0 => place,
                _ => return false,
            };
            set |= 1 << place;
            i += 1;
        }
        if set == 0 {
            return true;
        }
        let places = set >> set.trailing_zeros();
        places.count_ones() == places.trailing_ones()
    }

    /// The array in another order, the most minor dimension first. Tiles cover the dimensions that
    /// are most minor then, `PAD`'s widths and `SC`'s indices stay with their dimensions.
    ///
    /// # Errors
    /// If the order is no permutation of the dimensions, or if padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[20,30]{1,0:T(8,128)}".parse()?;
    /// let other = shape.with_minor_to_major(&[0, 1]).unwrap();
    /// assert_eq!(other.to_string(), "f32[20,30]{0,1:T(8,128)}");
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "MakeLayout")]
    pub const fn with_minor_to_major(&self, order: &[usize]) -> Result<ArrayShape, Fault> {
        if order.len() != self.rank() {
            let kind = FaultKind::MinorToMajorCount { entries: order.len(), rank: self.rank() };
            return Err(Fault::of_value(kind, Place::MinorToMajor));
        }
        let mut shape = *self;
        let mut i = 0;
        while i < order.len() {
            shape.minor_to_major[i] = order[i];
            i += 1;
        }
        if permutation::is_permutation(order) {
            shape.splits = self.renamed_splits(&shape, &SAME);
        }
        shape.checked()
    }

    /// The same, the most major dimension first.
    ///
    /// # Errors
    /// As for [`with_minor_to_major`](Self::with_minor_to_major).
    #[doc(alias = "MakeLayoutFromMajorToMinor")]
    pub const fn with_major_to_minor(&self, order: &[usize]) -> Result<ArrayShape, Fault> {
        if order.len() != self.rank() {
            return self.with_minor_to_major(order);
        }
        self.with_minor_to_major(reversed(order).as_slice())
    }

    /// Minor to major descending: the last dimension is the most minor.
    pub(crate) const fn set_default_order(&mut self) {
        let rank = self.rank();
        let mut i = 0;
        while i < rank {
            self.minor_to_major[i] = rank - 1 - i;
            i += 1;
        }
    }

    /// The array in the default order, with all else of its layout: `{rank-1,…,1,0}`.
    ///
    /// # Errors
    /// If padding makes the result too large.
    #[doc(alias = "SetToDefaultLayout")]
    pub const fn with_default_order(&self) -> Result<ArrayShape, Fault> {
        match descending_order(self.rank()) {
            Some(order) => self.with_minor_to_major(order.as_slice()),
            None => Ok(*self),
        }
    }

    /// The array with one dimension moved in front of all others: it is the most major one then.
    ///
    /// # Errors
    /// If there is no such dimension, or if padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[2,3,4]{2,1,0:S(1)}".parse()?;
    /// assert_eq!(shape.move_dim_to_major(1).unwrap().to_string(), "f32[2,3,4]{2,0,1:S(1)}");
    /// assert_eq!(shape.move_dim_to_minor(1).unwrap().to_string(), "f32[2,3,4]{1,2,0:S(1)}");
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[doc(alias = "MoveDimToMajor")]
    pub const fn move_dim_to_major(&self, dim: usize) -> Result<ArrayShape, EditError> {
        self.move_dim(dim, self.rank())
    }

    /// The array with one dimension moved behind all others: it is the most minor one then.
    ///
    /// # Errors
    /// As for [`move_dim_to_major`](Self::move_dim_to_major).
    #[doc(alias = "MoveDimToMinor")]
    pub const fn move_dim_to_minor(&self, dim: usize) -> Result<ArrayShape, EditError> {
        self.move_dim(dim, 0)
    }

    /// The dimension moved in front of place `before` of the order.
    const fn move_dim(&self, dim: usize, before: usize) -> Result<ArrayShape, EditError> {
        if dim >= self.rank() {
            return Err(EditError::Dim { dim, rank: self.rank() });
        }
        let mut order = Index::new();
        let mut i = 0;
        while i <= self.rank() {
            if i == before {
                order.push(dim);
            }
            if i < self.rank() && self.minor_to_major[i] != dim {
                order.push(self.minor_to_major[i]);
            }
            i += 1;
        }
        match self.with_minor_to_major(order.as_slice()) {
            Ok(shape) => Ok(shape),
            Err(fault) => Err(EditError::Shape(fault)),
        }
    }
}
