//! Bits of the elements of both sides.

use layout_core::__private::native;
use layout_core::{ArrayShape, Size};

use crate::relayout::value::error::RelayoutPlanError;

/// Bits of an element in the source and in the destination: equal, or 1, 2 or 4 in one of them and 8 in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::relayout) struct ElementBits(pub(in crate::relayout) [usize; 2]);

impl ElementBits {
    pub(in crate::relayout) fn of(
        shapes: [&ArrayShape; 2],
    ) -> Result<ElementBits, RelayoutPlanError> {
        match shapes.map(|shape| native(shape.element_bits())) {
            bits @ ([1 | 2 | 4, 8] | [8, 1 | 2 | 4]) => Ok(ElementBits(bits)),
            bits @ [1 | 2 | 4 | 8 | 16 | 32 | 64 | 128, b] if b == bits[0] => Ok(ElementBits(bits)),
            [source, destination] => Err(RelayoutPlanError::ElementBits { source, destination }),
        }
    }

    pub(super) fn bytes(self, slots: usize, side: usize) -> usize {
        match self.0[side] {
            bits @ 8.. => slots * (bits / 8),
            bits => slots.div_ceil(8 / bits),
        }
    }

    /// Slots in bytes of the destination.
    pub(super) fn slots(self, bytes: usize) -> usize {
        match self.0[1] {
            bits @ 8.. => bytes / (bits / 8),
            bits => bytes.saturating_mul(8 / bits),
        }
    }

    /// Bytes of an element where both sides have as many whole ones, else 0, as plans are told.
    pub(super) fn element(self) -> Size {
        (self.0[0].min(self.0[1]) / 8) as Size
    }

    /// Elements in a byte, on both sides; 1 where they take whole bytes.
    pub(super) fn per_byte(self) -> [Size; 2] {
        self.0.map(|bits| (8 / bits).max(1) as Size)
    }
}
