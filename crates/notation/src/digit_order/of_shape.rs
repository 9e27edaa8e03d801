//! The order of the digits of a layout.

use crate::digit_order::DigitOrder;
use crate::digit_order::error::NotExpressible;
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::{ArrayShape, TileDim, UnknownSize};

impl DigitOrder {
    /// The order of a layout's digits for every size: each dimension has a digit of any size, which takes what its
    /// blocks do not.
    ///
    /// # Errors
    /// If a `*` combines dimensions, if a tile does not divide the tile that it covers, or if `PAD` widens a
    /// dimension.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::digit_order::DigitOrder;
    ///
    /// let shape: layout::ArrayShape = "f32[40,3]{1,0:T(16,1)}".parse()?;
    /// let order = DigitOrder::of(&shape)?;
    /// let sizes = order.digits().iter().map(|digit| (digit.dim, digit.size));
    /// assert!(sizes.eq([(0, None), (1, None), (0, Some(16))]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &ArrayShape) -> Result<DigitOrder, NotExpressible> {
        DigitOrder::with_sizes(shape, false)
    }

    /// The order of a layout's digits for its own sizes: all of them have a size.
    ///
    /// # Errors
    /// Those of [`of`](Self::of), if a tile extends past the array, if a size is unknown, and if there are no elements.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::digit_order::DigitOrder;
    ///
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// let order = DigitOrder::sized_of(&shape)?;
    /// let sizes = order.digits().iter().map(|digit| (digit.dim, digit.size));
    /// assert!(sizes.eq([(0, Some(2)), (1, Some(3)), (0, Some(2)), (1, Some(2))]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sized_of(shape: &ArrayShape) -> Result<DigitOrder, NotExpressible> {
        match shape.elements() {
            Some(0) => Err(NotExpressible::Empty),
            _ => DigitOrder::with_sizes(shape, true),
        }
    }

    fn with_sizes(shape: &ArrayShape, is_sized: bool) -> Result<DigitOrder, NotExpressible> {
        let mut digits = DigitOrder::bounds(shape, is_sized)?;
        // They are all of each dimension, and no more than there can be: each takes an entry of a tile, but one.
        digits.join();
        Ok(DigitOrder { digits, rank: shape.rank() })
    }

    /// What tiling makes of the dimensions, in the order of memory, digits of one value too.
    pub(crate) fn bounds(
        shape: &ArrayShape,
        is_sized: bool,
    ) -> Result<DigitSequence, NotExpressible> {
        if !shape.swizzle().is_none() {
            return Err(NotExpressible::Swizzle);
        }
        if shape.is_widened() {
            return Err(NotExpressible::Widened);
        }
        let mut digits = DigitSequence::EMPTY;
        for physical in (0..shape.rank()).rev() {
            let dim = shape.minor_to_major()[physical];
            let size = shape.dims()[dim].size().filter(|_| is_sized);
            if is_sized && size.is_none() {
                return Err(NotExpressible::UnknownSize(UnknownSize { dim }));
            }
            digits.push(DimDigit { dim, weight: 1, size });
        }
        for (number, tile) in shape.tiles().iter().enumerate() {
            if tile.contains(&TileDim::Combined) {
                return Err(NotExpressible::Combined);
            }
            // A tile with more entries than there are digits covers digits of one value before them.
            while digits.len() < tile.len() {
                digits.insert(0, DimDigit::ONE);
            }
            if !digits.tile(&tile) {
                return Err(NotExpressible::Indivisible { tile: Some(number) });
            }
        }
        Ok(digits)
    }
}
