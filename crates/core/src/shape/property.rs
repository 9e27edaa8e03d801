//! The properties of a layout, which follow its colon, and their order.

use crate::base::{MAX_SIZE_BITS, Text, equal};

named! {
    /// A property of a layout: what may follow its colon. Its name is the letters that introduce it.
    #[non_exhaustive]
    pub enum Property {
        /// `D(..)`: dimension levels, which XLA reads and ignores.
        DimLevels = "D",
        /// `PAD(3,5)`: padded widths.
        Padding = "PAD",
        /// `FILL(zero)`: the value of the padding.
        Fill = "FILL",
        /// `T(8,128)(2,1)`: tiles.
        Tiles = "T",
        /// `L(1024)`: the number of elements is rounded up to a multiple.
        TailAlignment = "L",
        /// `#(u32)`: index type of a sparse array.
        IndexType = "#",
        /// `*(u32)`: pointer type of a sparse array.
        PointerType = "*",
        /// `E(4)`: bits of an element in memory.
        ElementSize = "E",
        /// `S(1)`: memory space.
        MemorySpace = "S",
        /// `SC(0:16)`: split configurations.
        Splits = "SC",
        /// `P(..)`: physical shape of a sparse array.
        PhysicalShape = "P",
        /// `M(1024)`: bytes of metadata before the array.
        MetadataPrefix = "M",
    }
}

impl Property {
    /// The order of the properties that a dense array can have.
    pub(crate) const ORDER: &'static str = "PAD FILL T L E S SC M";

    /// An example of the property with a value.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Property::DimLevels => "D(D,D)",
            Property::Padding => "PAD(3,5)",
            Property::Fill => "FILL(zero)",
            Property::Tiles => "T(8,128)",
            Property::TailAlignment => "L(1024)",
            Property::IndexType => "#(u32)",
            Property::PointerType => "*(u32)",
            Property::ElementSize => "E(4)",
            Property::MemorySpace => "S(1)",
            Property::Splits => "SC(0:16,32)",
            Property::PhysicalShape => "P(s32[10]{0})",
            Property::MetadataPrefix => "M(1024)",
        }
    }

    /// The property of those letters, in capitals.
    pub(crate) const fn from_letters(letters: &str) -> Option<Property> {
        let property = some!(Self::from_name(letters));
        if equal(letters, property.name()) { Some(property) } else { None }
    }

    /// What the number of the property may be.
    pub(crate) const fn range(self) -> Text<320> {
        match self {
            Property::TailAlignment => {
                text!("`L(n)` rounds up to a multiple of n elements, n at least 1")
            }
            Property::ElementSize => {
                text!("`E(n)` gives the bits of an element in memory, 1 to 1024")
            }
            Property::MemorySpace => text!("`S(n)` names a memory space, -128 to 127"),
            Property::MetadataPrefix => {
                text!("`M(n)` is a number of bytes before the array, 0 to 2^", MAX_SIZE_BITS, "-1")
            }
            _ => text!("write another number"),
        }
    }
}
