//! Which swizzles there are, and which an array can have.

use core::fmt;

use crate::base::limits::Size;
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::{ArrayShape, Swizzle, SwizzleUnit};

/// The most bits that a swizzle reaches, so that its period is a size of an array.
const MAX_BITS: u32 = 62;

impl Swizzle {
    /// CuTe's `Swizzle<bits, base, shift>` on elements or bytes.
    ///
    /// # Errors
    /// If `|shift|` is less than `bits`, or if a bit is beyond those of an offset.
    pub const fn new(unit: SwizzleUnit, bits: u8, base: u8, shift: i8) -> Result<Swizzle, Fault> {
        if shift.unsigned_abs() < bits {
            return Err(Fault::of_value(FaultKind::SwizzleOverlap { bits, shift }, Place::Swizzle));
        }
        Swizzle::of_numbers(unit, bits, base, shift).within_offsets()
    }

    /// The swizzle, if all bits that it reaches are those of an offset.
    const fn within_offsets(self) -> Result<Swizzle, Fault> {
        let reach = self.bits() as u32 + self.base() as u32 + self.shift().unsigned_abs() as u32;
        if reach > MAX_BITS {
            return Err(Fault::of_value(FaultKind::SwizzleTooHigh, Place::Swizzle));
        }
        Ok(self)
    }

    /// This swizzle with elements of `element_bits` bits as its unit.
    ///
    /// # Errors
    /// If it is on bytes and takes elements apart, if elements of this width do not fill a power of two of bytes, or if a bit
    /// is beyond those of an offset in elements.
    pub const fn on_elements(self, element_bits: Size) -> Result<Swizzle, Fault> {
        self.or_fault(self.in_elements(element_bits), element_bits)
    }

    /// This swizzle with bytes as its unit, for elements of `element_bits` bits.
    ///
    /// # Errors
    /// If it is on elements narrower than a byte and takes bytes apart, if elements of this width do not fill a power of two
    /// of bytes, or if a bit is beyond those of an offset in bytes.
    pub const fn on_bytes(self, element_bits: Size) -> Result<Swizzle, Fault> {
        self.or_fault(self.in_bytes(element_bits), element_bits)
    }

    const fn or_fault(self, found: Option<Swizzle>, element_bits: Size) -> Result<Swizzle, Fault> {
        match found {
            Some(swizzle) => swizzle.within_offsets(),
            None => {
                let kind = FaultKind::SwizzleSplits { unit: self.unit(), element_bits };
                Err(Fault::of_value(kind, Place::Swizzle))
            }
        }
    }
}

impl ArrayShape {
    /// The array under a swizzle, in place of the one that it has: the offset of each element is that of the layout, XORed
    /// with bits of itself. [`Swizzle::NONE`] takes it away.
    ///
    /// XLA's notation has no swizzle: [`Display`](fmt::Display) writes it after the shape as `layout!` takes it, and
    /// [`xla_text`](Self::xla_text) is an error.
    ///
    /// # Errors
    /// If it takes elements apart, or if it exchanges elements with memory past the end of the array.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, Swizzle};
    ///
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// let tile = rows.with_swizzle(Swizzle::MODE_128B)?;
    /// assert_eq!(tile.to_string(), "f16[64,64]{1,0}, swizzle = 128B");
    /// assert_eq!(tile.digits()?.offset(&[1, 0]), Some(64 + 8));
    /// assert_eq!(*tile.digits()?.index(64 + 8).unwrap(), [1, 0]);
    ///
    /// let ragged: ArrayShape = "f16[3,10]".parse()?;
    /// assert_eq!(
    ///     ragged.with_swizzle(Swizzle::MODE_128B).unwrap_err().help().to_string(),
    ///     "pad the memory to whole blocks: `L(64)`, or pad a dimension",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_swizzle(&self, swizzle: Swizzle) -> Result<ArrayShape, Fault> {
        self.fields().with_swizzle(swizzle).checked()
    }

    /// The canonical text if it is one of XLA's: the array has no swizzle.
    ///
    /// # Errors
    /// If it has one, which XLA's notation does not.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, Swizzle};
    ///
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// assert_eq!(rows.xla_text()?.to_string(), "f16[64,64]{1,0}");
    /// let error = rows.with_swizzle(Swizzle::MODE_128B)?.xla_text().map(|_| ()).unwrap_err();
    /// assert_eq!(error.message().to_string(), "XLA's notation has no swizzle");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn xla_text(&self) -> Result<impl fmt::Display + use<>, Fault> {
        if self.swizzle().is_none() {
            Ok(*self)
        } else {
            Err(Fault::of_value(FaultKind::SwizzleOfXla, Place::Swizzle))
        }
    }
}
