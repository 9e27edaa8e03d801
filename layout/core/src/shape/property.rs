//! The properties of a layout, which follow its colon, and their order.

use crate::base::text::Text;
use crate::limits::MAX_SIZE_BITS;

/// A property of a layout: what may follow its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// `D(..)`: dimension levels, which XLA reads and ignores.
    DimLevels,
    /// `PAD(3,5)`: padded widths.
    Padding,
    /// `FILL(zero)`: the value of the padding.
    Fill,
    /// `T(8,128)(2,1)`: tiles.
    Tiles,
    /// `L(1024)`: the number of elements is rounded up to a multiple.
    TailAlignment,
    /// `#(u32)`: index type of a sparse array.
    IndexType,
    /// `*(u32)`: pointer type of a sparse array.
    PointerType,
    /// `E(4)`: bits of an element in memory.
    ElementSize,
    /// `S(1)`: memory space.
    MemorySpace,
    /// `SC(0:16)`: split configurations.
    Splits,
    /// `P(..)`: physical shape of a sparse array.
    PhysicalShape,
    /// `M(1024)`: bytes of metadata before the array.
    MetadataPrefix,
}

impl Property {
    /// Every property, in the order in which they are written.
    pub const ALL: &'static [Property] = &[
        Property::DimLevels,
        Property::Padding,
        Property::Fill,
        Property::Tiles,
        Property::TailAlignment,
        Property::IndexType,
        Property::PointerType,
        Property::ElementSize,
        Property::MemorySpace,
        Property::Splits,
        Property::PhysicalShape,
        Property::MetadataPrefix,
    ];

    /// The letters that introduce the property.
    pub const fn letters(self) -> &'static str {
        match self {
            Property::DimLevels => "D",
            Property::Padding => "PAD",
            Property::Fill => "FILL",
            Property::Tiles => "T",
            Property::TailAlignment => "L",
            Property::IndexType => "#",
            Property::PointerType => "*",
            Property::ElementSize => "E",
            Property::MemorySpace => "S",
            Property::Splits => "SC",
            Property::PhysicalShape => "P",
            Property::MetadataPrefix => "M",
        }
    }

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

    /// The property of those letters in lower or mixed case.
    pub(crate) const fn from_any_case(letters: &str) -> Option<Property> {
        each!(for i in 0..Self::ALL.len() {
            if crate::base::text::equal_ignoring_case(letters, Self::ALL[i].letters()) {
                return Some(Self::ALL[i]);
            }
        });
        None
    }

    /// The property of those letters.
    pub(crate) const fn from_letters(letters: &str) -> Option<Property> {
        match Self::from_any_case(letters) {
            Some(property) if crate::base::text::equal(letters, property.letters()) => {
                Some(property)
            }
            _ => None,
        }
    }

    /// What the number of the property may be.
    pub(crate) const fn range<const N: usize>(self) -> Text<N> {
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
