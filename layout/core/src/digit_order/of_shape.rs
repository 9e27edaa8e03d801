//! The order of the digits of a layout.

use crate::digit_order::{DigitOrder, DigitOrderError, DimDigit, MAX_DIGITS};
use crate::limits::{MAX_BOUNDS, Size};
use crate::shape::array::ArrayShape;
use crate::shape::tiles::TileDim;

/// A stretch of digits of a dimension: all from `low` up to `high`, or all above if there is no `high`.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub dim: usize,
    pub low: Size,
    pub high: Option<Size>,
}

/// The bounds of a tiled array, the most major first.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    bounds: [Bound; MAX_BOUNDS],
    len: usize,
}

impl Bounds {
    pub(crate) const fn as_slice(&self) -> &[Bound] {
        crate::base::text::part(&self.bounds, 0, self.len)
    }
}

impl ArrayShape {
    /// The order of the layout's digits for every size: each dimension has a rest, which takes what its blocks
    /// do not.
    ///
    /// # Errors
    /// If a `*` combines dimensions, if a tile does not divide the tile that it covers, or if `PAD` widens a
    /// dimension.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[40,3]{1,0:T(16,1)}".parse()?;
    /// let order = shape.digit_order().unwrap();
    /// let sizes = order.digits().iter().map(|digit| (digit.dim, digit.size));
    /// assert!(sizes.eq([(0, None), (1, None), (0, Some(16))]));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn digit_order(&self) -> Result<DigitOrder, DigitOrderError> {
        self.ordered(false)
    }

    /// The order of the layout's digits for its own sizes, of which no dimension has a rest.
    ///
    /// # Errors
    /// Those of [`digit_order`](Self::digit_order), if a tile extends past the array, and if a size is unknown.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// let order = shape.sized_digit_order().unwrap();
    /// let sizes = order.digits().iter().map(|digit| (digit.dim, digit.size));
    /// assert!(sizes.eq([(0, Some(2)), (1, Some(3)), (0, Some(2)), (1, Some(2))]));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn sized_digit_order(&self) -> Result<DigitOrder, DigitOrderError> {
        self.ordered(true)
    }

    /// The bounds of the tiled array, those of one value included.
    pub(crate) const fn tiled_bounds(&self, is_sized: bool) -> Result<Bounds, DigitOrderError> {
        if self.is_widened() {
            return Err(DigitOrderError::Widened);
        }
        let mut bounds = [Bound { dim: 0, low: 1, high: None }; MAX_BOUNDS];
        let mut len = self.rank();
        let mut at = 0;
        while at < len {
            let dim = self.ordered_dim(len - 1 - at);
            let high = match self.dim(dim).size() {
                _ if !is_sized => None,
                Some(size) => Some(size),
                None => return Err(DigitOrderError::UnknownSize { dim }),
            };
            bounds[at] = Bound { dim, low: 1, high };
            at += 1;
        }
        each!(for tile in 0..self.tiles().len() {
            let entries = self.tiles().len_of(tile);
            // A tile with more entries than there are bounds covers bounds of 1 before them.
            while len < entries {
                let mut at = len;
                while at > 0 {
                    bounds[at] = bounds[at - 1];
                    at -= 1;
                }
                bounds[0] = Bound { dim: 0, low: 1, high: Some(1) };
                len += 1;
            }
            let first = len - entries;
            each!(for at in first..first + entries {
                let TileDim::Size(size) = self.tiles().dim(tile, at - first) else {
                    return Err(DigitOrderError::Combined);
                };
                let bound = bounds[at];
                let middle = match bound.low.checked_mul(size) {
                    Some(middle) => middle,
                    None => return Err(DigitOrderError::Size { dim: bound.dim }),
                };
                let divides = match bound.high {
                    Some(high) => high.is_multiple_of(middle),
                    None => true,
                };
                if !divides {
                    return Err(DigitOrderError::Indivisible { tile });
                }
                bounds[at].low = middle;
                bounds[len] = Bound { high: Some(middle), ..bound };
                len += 1;
            });
        });
        Ok(Bounds { bounds, len })
    }

    const fn ordered(&self, is_sized: bool) -> Result<DigitOrder, DigitOrderError> {
        let bounds = match self.tiled_bounds(is_sized) {
            Ok(bounds) => bounds,
            Err(error) => return Err(error),
        };
        let mut digits = [DimDigit::NONE; MAX_BOUNDS];
        let mut count = 0;
        each!(for at in 0..bounds.len {
            let Bound { dim, low, high } = bounds.bounds[at];
            let size = match high {
                Some(high) => Some(high / low),
                None => None,
            };
            if !matches!(size, Some(1)) {
                if count == MAX_DIGITS {
                    return Err(DigitOrderError::TooManyDigits);
                }
                digits[count] = DimDigit { dim, weight: low, size };
                count += 1;
            }
        });
        DigitOrder::new(self.rank(), crate::base::text::part(&digits, 0, count))
    }
}
