//! The values of explicit padding: `PAD(3,5)FILL(zero)`, from an older version of XLA's `Layout` message.

use crate::shape::element::{ElementType, Values};

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
        let ones = u128::MAX >> (128 - element.bits());
        let (one, range) = match element.values() {
            Values::Unsigned => (1, Some([0, ones])),
            // One bit with a sign is 0 or −1.
            Values::Signed => {
                (if ones == 1 { u128::MAX } else { 1 }, Some([!(ones >> 1), ones >> 1]))
            }
            Values::Float([one, highest, lowest]) => (one, Some([lowest, highest])),
            Values::Complex(one) => (one, None),
        };
        match (self, range) {
            (Fill::Zero, _) => Some(0),
            (Fill::One, _) => Some(one),
            (Fill::Lowest, Some([lowest, _])) => Some(lowest),
            (Fill::Highest, Some([_, highest])) => Some(highest),
            (Fill::Lowest | Fill::Highest, None) | (Fill::Unknown, _) => None,
        }
    }
}
