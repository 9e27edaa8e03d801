//! Explicit padding, from the old `Layout` message: `PAD(3,5)FILL(zero)`.

/// What the old `padding_value` says stands in the padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// Zero.
    Zero,
    /// One.
    One,
    /// The lowest value of the element type.
    Lowest,
    /// The highest value of the element type.
    Highest,
    /// Anything.
    Unknown,
}

impl Fill {
    /// Every value, in the order of the old enumeration.
    pub const ALL: &'static [Fill] =
        &[Fill::Zero, Fill::One, Fill::Lowest, Fill::Highest, Fill::Unknown];

    /// The word in `FILL(..)`.
    pub const fn name(self) -> &'static str {
        match self {
            Fill::Zero => "zero",
            Fill::One => "one",
            Fill::Lowest => "lowest",
            Fill::Highest => "highest",
            Fill::Unknown => "unknown",
        }
    }
}
