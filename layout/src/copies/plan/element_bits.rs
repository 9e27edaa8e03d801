//! Bits of the elements of both sides.

use layout_copy::__private::packed::{Extend, Widths};
use layout_core::{ArrayShape, Size};

use crate::copies::error::CopyError;

/// Bits of an element in the source and in the destination: equal, or 1, 2 or 4 in one of them and 8 in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ElementBits(pub(super) [usize; 2]);

impl ElementBits {
    pub(super) const fn of(bits: [usize; 2]) -> Result<ElementBits, CopyError> {
        match bits {
            [1 | 2 | 4, 8] | [8, 1 | 2 | 4] => Ok(ElementBits(bits)),
            [1 | 2 | 4 | 8 | 16 | 32 | 64 | 128, b] if b == bits[0] => Ok(ElementBits(bits)),
            [source, destination] => Err(CopyError::ElementBits { source, destination }),
        }
    }

    /// Of elements of whole bytes, on either side.
    pub(super) fn of_bytes([source, destination]: [usize; 2]) -> Result<ElementBits, CopyError> {
        if source != destination || source == 0 {
            let [source, destination] = [source, destination].map(|bytes| bytes.saturating_mul(8));
            return Err(CopyError::ElementBits { source, destination });
        }
        let bits = source.checked_mul(8).filter(|bits| *bits <= isize::MAX as usize);
        Ok(ElementBits([bits.ok_or(CopyError::TooLarge { bytes: source as Size })?; 2]))
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

    /// Bytes of an element, 0 of a narrower one.
    pub(super) fn element(self) -> usize {
        self.0[0].min(self.0[1]) / 8
    }

    /// Elements in a byte, on both sides; 1 where they take whole bytes.
    pub(super) fn per_byte(self) -> [Size; 2] {
        self.0.map(|bits| (8 / bits).max(1) as Size)
    }

    /// The widths of a copy to a layout: those of whole bytes are that of one element.
    pub(super) fn widths(self, to: &ArrayShape) -> Widths {
        let [src, dst] = self.0;
        let fixed = self.element();
        let is_signed = to.element_type().is_signed_integer();
        Widths {
            src: if src < 8 { src as u32 } else { 8 },
            dst: if dst < 8 { dst as u32 } else { 8 },
            fixed: if fixed > 0 { fixed.trailing_zeros() as u8 } else { 0 },
            extend: if is_signed { Extend::Sign } else { Extend::Zeros },
            mirrors: [false; 2],
        }
    }
}
