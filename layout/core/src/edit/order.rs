//! The order of the dimensions in memory: asking about it, and changing it.

use crate::analysis::size::DimNumbers;
use crate::edit::EditError;
use crate::fault::FaultKind;
use crate::fault::error::Fault;
use crate::fault::place::Place;
use crate::limits::MAX_DIMS;
use crate::shape::array::ArrayShape;

/// The order `rank-1, …, 1, 0`, in which the last dimension is the most minor: XLA's default. `None`
/// above [`MAX_DIMS`] dimensions.
///
/// ```
/// assert_eq!(layout::xla::descending_order(3).unwrap(), [2, 1, 0]);
/// ```
#[doc(alias = "MakeDescendingLayout")]
#[doc(alias = "GetDefaultLayoutForRank")]
#[doc(alias = "GetDefaultLayoutForR2")]
#[doc(alias = "GetDefaultLayoutForR3")]
#[doc(alias = "GetDefaultLayoutForR4")]
pub const fn descending_order(rank: usize) -> Option<DimNumbers> {
    match ascending_order(rank) {
        Some(order) => Some(reversed(order.as_slice())),
        None => None,
    }
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
    Some(DimNumbers::of(&SAME, rank))
}

/// The identity permutation.
const SAME: [usize; MAX_DIMS] = {
    let mut names = [0; MAX_DIMS];
    each!(for dim in 0..MAX_DIMS {
        names[dim] = dim;
    });
    names
};

/// At most `MAX_DIMS` numbers, the last one first.
const fn reversed(list: &[usize]) -> DimNumbers {
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

    /// The dimension at place `physical` from major to minor; 0 is the most major. `None` if `physical` is
    /// out of range.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!((shape.major(0), shape.minor(0), shape.major(3)), (Some(1), Some(0), None));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "Major")]
    pub const fn major(&self, physical: usize) -> Option<usize> {
        if physical < self.rank() { self.minor(self.rank() - 1 - physical) } else { None }
    }

    /// The dimension at place `physical` from minor to major; 0 is the most minor. `None` if `physical` is
    /// out of range.
    #[doc(alias = "Minor")]
    pub const fn minor(&self, physical: usize) -> Option<usize> {
        if physical < self.rank() { Some(self.ordered_dim(physical)) } else { None }
    }

    /// The place of each dimension from major to minor; 0 is the most major:
    /// `major(logical_to_physical()[dim])` is `dim`.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[2,3,4]{0,2,1}".parse()?;
    /// assert_eq!(shape.logical_to_physical(), [2, 0, 1]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "MakeLogicalToPhysical")]
    pub const fn logical_to_physical(&self) -> DimNumbers {
        let mut places = [0; MAX_DIMS];
        each!(for i in 0..self.rank() {
            places[self.ordered_dim(i)] = self.rank() - 1 - i;
        });
        DimNumbers::of(&places, self.rank())
    }

    /// The place of a dimension from major to minor; 0 is the most major. `None` if `dim` is out of range.
    pub const fn physical_dim(&self, dim: usize) -> Option<usize> {
        if dim < self.rank() { Some(self.logical_to_physical().as_slice()[dim]) } else { None }
    }

    /// Whether the order descends, as XLA's default does: the last dimension is the most minor, then the one
    /// before it, and so on.
    #[doc(alias = "IsMonotonicWithDim0Major")]
    #[doc(alias = "HasDescendingLayout")]
    pub const fn is_monotonic_with_dim0_major(&self) -> bool {
        each!(for i in 1..self.rank() {
            if self.ordered_dim(i - 1) < self.ordered_dim(i) {
                return false;
            }
        });
        true
    }

    /// Whether the order ascends: dimension 0 is the most minor, then 1, and so on.
    #[doc(alias = "IsMonotonicWithDim0Minor")]
    #[doc(alias = "HasAscendingLayout")]
    pub const fn is_monotonic_with_dim0_minor(&self) -> bool {
        each!(for i in 1..self.rank() {
            if self.ordered_dim(i - 1) > self.ordered_dim(i) {
                return false;
            }
        });
        true
    }

    /// Whether the last dimension is the most minor; true for scalars.
    #[doc(alias = "LastDimIsMinorMost")]
    pub const fn last_dim_is_minor_most(&self) -> bool {
        self.rank() == 0 || self.ordered_dim(0) == self.rank() - 1
    }

    /// Whether every more major dimension has size 1; false if `dim` is out of range.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[1,1,16,1,279]{4,0,1,2,3}".parse()?;
    /// assert!(shape.is_effectively_most_major_dimension(2));
    /// assert!(!shape.is_effectively_most_major_dimension(4));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "IsEffectivelyMostMajorDimension")]
    pub const fn is_effectively_most_major_dimension(&self, dim: usize) -> bool {
        each!(for i in (0..self.rank()).rev() {
            if self.ordered_dim(i) == dim {
                return true;
            }
            if !matches!(self.dim(self.ordered_dim(i)).size(), Some(1)) {
                return false;
            }
        });
        false
    }

    /// Whether these dimensions, listed in any order, are adjacent in the order in memory. False if one is
    /// listed twice or out of range.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[2,3,4,5]{0,3,1,2}".parse()?;
    /// assert!(shape.are_dimensions_consecutive(&[1, 0, 3]));
    /// assert!(!shape.are_dimensions_consecutive(&[0, 1]));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "AreDimensionsConsecutive")]
    pub const fn are_dimensions_consecutive(&self, dims: &[usize]) -> bool {
        let mut set = 0u32;
        each!(for i in 0..dims.len() {
            let place = match self.physical_dim(dims[i]) {
                Some(place) if set & 1 << place == 0 => place,
                _ => return false,
            };
            set |= 1 << place;
        });
        if set == 0 {
            return true;
        }
        let places = set >> set.trailing_zeros();
        places.count_ones() == places.trailing_ones()
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
            let kind = FaultKind::MinorToMajorCount { entries: order.len(), rank: self.rank() };
            return Err(Fault::of_value(kind, Place::MinorToMajor));
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

    /// The array with another order of dimensions, most major first.
    ///
    /// # Errors
    /// See [`with_minor_to_major`](Self::with_minor_to_major).
    #[doc(alias = "MakeLayoutFromMajorToMinor")]
    pub const fn with_major_to_minor(&self, order: &[usize]) -> Result<ArrayShape, Fault> {
        if order.len() != self.rank() {
            return self.with_minor_to_major(order);
        }
        self.with_minor_to_major(reversed(order).as_slice())
    }

    /// The array in the default order, `{rank-1,…,1,0}`; the rest of its layout stays.
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

    /// The array with one dimension made the most major; the others keep their order.
    ///
    /// # Errors
    /// If `dim` is out of range, or if padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[2,3,4]{2,1,0:S(1)}".parse()?;
    /// assert_eq!(shape.move_dim_to_major(1).unwrap().to_string(), "f32[2,3,4]{2,0,1:S(1)}");
    /// assert_eq!(shape.move_dim_to_minor(1).unwrap().to_string(), "f32[2,3,4]{1,2,0:S(1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "MoveDimToMajor")]
    pub const fn move_dim_to_major(&self, dim: usize) -> Result<ArrayShape, EditError> {
        self.move_dim(dim, self.rank())
    }

    /// The array with one dimension made the most minor; the others keep their order.
    ///
    /// # Errors
    /// See [`move_dim_to_major`](Self::move_dim_to_major).
    #[doc(alias = "MoveDimToMinor")]
    pub const fn move_dim_to_minor(&self, dim: usize) -> Result<ArrayShape, EditError> {
        self.move_dim(dim, 0)
    }

    /// The dimension moved before place `before` of the order.
    const fn move_dim(&self, dim: usize, before: usize) -> Result<ArrayShape, EditError> {
        if dim >= self.rank() {
            return Err(EditError::Dim { dim, rank: self.rank() });
        }
        let mut order = DimNumbers::new();
        each!(for i in 0..=self.rank() {
            if i == before {
                order.push(dim);
            }
            if i < self.rank() && self.ordered_dim(i) != dim {
                order.push(self.ordered_dim(i));
            }
        });
        match self.with_minor_to_major(order.as_slice()) {
            Ok(shape) => Ok(shape),
            Err(fault) => Err(EditError::Shape(fault)),
        }
    }
}
