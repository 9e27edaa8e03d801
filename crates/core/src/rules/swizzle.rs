//! Making swizzles, and the rules for their numbers.

use crate::base::Size;
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::{Swizzle, SwizzleUnit};

/// The most bits that a swizzle reaches, so that its period is a size of an array.
const MAX_BITS: u32 = 62;

impl Swizzle {
    /// CuTe's `Swizzle<bits, base, shift>` on elements or bytes.
    ///
    /// # Errors
    /// If `|shift|` is less than `bits`, or if a bit is beyond those of an offset.
    pub const fn new(unit: SwizzleUnit, bits: u8, base: u8, shift: i8) -> Result<Swizzle, Fault> {
        if shift.unsigned_abs() < bits {
            return FaultKind::SwizzleOverlap { bits, shift }.at(Place::Swizzle);
        }
        Swizzle::of_numbers(unit, bits, base, shift).within_offsets()
    }

    /// The swizzle, if all bits that it reaches are those of an offset.
    const fn within_offsets(self) -> Result<Swizzle, Fault> {
        let reach = self.bits() as u32 + self.base() as u32 + self.shift().unsigned_abs() as u32;
        if reach > MAX_BITS {
            return FaultKind::SwizzleTooHigh.at(Place::Swizzle);
        }
        Ok(self)
    }

    /// This swizzle with elements of `element_bits` bits as its unit.
    ///
    /// # Errors
    /// If it is on bytes and takes elements apart, if elements of this width do not fill a power of two of bytes, or if a bit
    /// is beyond those of an offset in elements.
    pub const fn on_elements(self, element_bits: Size) -> Result<Swizzle, Fault> {
        self.counted_in(SwizzleUnit::Elements, element_bits)
    }

    /// This swizzle with bytes as its unit, for elements of `element_bits` bits.
    ///
    /// # Errors
    /// If it is on elements narrower than a byte and takes bytes apart, if elements of this width do not fill a power of two
    /// of bytes, or if a bit is beyond those of an offset in bytes.
    pub const fn on_bytes(self, element_bits: Size) -> Result<Swizzle, Fault> {
        self.counted_in(SwizzleUnit::Bytes, element_bits)
    }

    const fn counted_in(self, unit: SwizzleUnit, element_bits: Size) -> Result<Swizzle, Fault> {
        match self.in_unit(unit, element_bits) {
            Some(swizzle) => swizzle.within_offsets(),
            None => FaultKind::SwizzleSplits { unit: self.unit(), element_bits }.at(Place::Swizzle),
        }
    }
}
