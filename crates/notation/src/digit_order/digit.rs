//! A digit of a dimension.

use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS, Size};

/// Most digits of an order: each takes an entry of a tile, but one of each dimension.
pub const MAX_DIGITS: usize = MAX_TILE_DIMS + MAX_DIMS;

/// A digit of a dimension: `i / weight % size` of its coordinate `i`, or `i / weight` without a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DimDigit {
    /// The dimension.
    pub dim: usize,
    /// Elements along the dimension from one value of the digit to the next.
    pub weight: Size,
    /// Values of the digit; `None` for the rest of the dimension, of any size.
    pub size: Option<Size>,
}

impl DimDigit {
    /// A digit of one value, which counts nothing.
    pub const ONE: DimDigit = DimDigit { dim: 0, weight: 1, size: Some(1) };

    /// Elements of the dimension that the digit and those below it count; `None` for one of any size.
    pub fn end(&self) -> Option<Size> {
        self.size.map(|size| self.weight * size)
    }

    /// Values of the digit; 1 for one of any size.
    pub const fn values(&self) -> Size {
        match self.size {
            Some(size) => size,
            None => 1,
        }
    }
}
