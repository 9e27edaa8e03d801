//! The values of explicit padding: `PAD(3,5)FILL(zero)`, from an older version of XLA's `Layout` message.

use crate::shape::element::ElementType;

named! {
    /// The value of the padding that `PAD` adds: XLA's former `padding_value`. Its name is the word in `FILL(..)`.
    pub enum Fill {
        /// Zero.
        Zero = "zero",
        /// One.
        One = "one",
        /// The lowest value of the element type.
        Lowest = "lowest",
        /// The highest value of the element type.
        Highest = "highest",
        /// Anything.
        Unknown = "unknown",
    }
}

/// Bits of the value 1 and of the highest and the lowest one, for floats.
const fn float(element: ElementType) -> Option<[u128; 3]> {
    // Infinities where the type has them, as in XLA's `MinValue` and `MaxValue`.
    Some(match element {
        ElementType::F4E2M1FN => [0x2, 0x7, 0xf],
        ElementType::F6E2M3FN => [0x08, 0x1f, 0x3f],
        ElementType::F6E3M2FN => [0x0c, 0x1f, 0x3f],
        ElementType::F8E3M4 => [0x30, 0x70, 0xf0],
        ElementType::F8E4M3 => [0x38, 0x78, 0xf8],
        ElementType::F8E4M3FN => [0x38, 0x7e, 0xfe],
        ElementType::F8E4M3FNUZ => [0x40, 0x7f, 0xff],
        ElementType::F8E4M3B11FNUZ => [0x58, 0x7f, 0xff],
        ElementType::F8E5M2 => [0x3c, 0x7c, 0xfc],
        ElementType::F8E5M2FNUZ => [0x40, 0x7f, 0xff],
        // Powers of two from 2⁻¹²⁷ to 2¹²⁷, without sign and without 0.
        ElementType::F8E8M0FNU => [0x7f, 0xfe, 0x00],
        ElementType::F16 => [0x3c00, 0x7c00, 0xfc00],
        ElementType::BF16 => [0x3f80, 0x7f80, 0xff80],
        ElementType::F32 => [0x3f80_0000, 0x7f80_0000, 0xff80_0000],
        ElementType::F64 => [0x3ff0 << 48, 0x7ff0 << 48, 0xfff0 << 48],
        _ => return None,
    })
}

impl Fill {
    /// The bits of the value in an element type; signed integers are sign-extended to 128 bits.
    ///
    /// Zero has all bits zero. The lowest and highest floats are infinities if the type has them. `None` for
    /// `unknown`, and for the lowest and highest complex number, since complex numbers have no order.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::Fill;
    /// use layout::ElementType;
    ///
    /// assert_eq!(Fill::Highest.bits(ElementType::S8), Some(127));
    /// assert_eq!(Fill::Lowest.bits(ElementType::F32).map(|bits| f32::from_bits(bits as u32)), Some(f32::NEG_INFINITY));
    /// assert_eq!(Fill::Unknown.bits(ElementType::F32), None);
    /// ```
    pub const fn bits(self, element: ElementType) -> Option<u128> {
        let [one, highest, lowest] = match (element, float(element)) {
            (_, Some(bits)) => bits,
            // The real part has the low bits.
            (ElementType::C64, _) => [0x3f80_0000, 0, 0],
            (ElementType::C128, _) => [0x3ff0 << 48, 0, 0],
            _ => {
                let ones = u128::MAX >> (128 - element.bits());
                if matches!(element.name().as_bytes()[0], b's') {
                    // One bit with a sign is 0 or −1.
                    let one = if ones == 1 { u128::MAX } else { 1 };
                    [one, ones >> 1, !(ones >> 1)]
                } else {
                    [1, ones, 0]
                }
            }
        };
        match self {
            Fill::Zero => Some(0),
            Fill::One => Some(one),
            Fill::Lowest | Fill::Highest
                if matches!(element, ElementType::C64 | ElementType::C128) =>
            {
                None
            }
            Fill::Lowest => Some(lowest),
            Fill::Highest => Some(highest),
            Fill::Unknown => None,
        }
    }
}
