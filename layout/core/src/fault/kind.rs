//! Everything that can be wrong with a shape, with its message and what to write instead.

use crate::base::limits::Size;
use crate::base::text::Part::{Counted as counted, Quoted as quoted};
use crate::base::text::Text;
use crate::shape::{ElementType, Property, SwizzleUnit};

/// Room for the longest message or help, in bytes.
pub(crate) type Message = Text<320>;

/// What is wrong with a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The text violates the grammar.
    Syntax {
        /// What is wrong.
        what: &'static str,
        /// What to write instead.
        instead: &'static str,
    },
    /// No element type has this name.
    UnknownElementType {
        /// The type with the most similar name, if one is similar.
        nearest: Option<ElementType>,
    },
    /// The name is a word for several element types, such as `f8`.
    SeveralElementTypes {
        /// How the names of these begin.
        prefix: &'static str,
    },
    /// The order lists more or fewer dimensions than the array has.
    MinorToMajorCount {
        /// Entries of the order.
        entries: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// The order lists a dimension that the array does not have.
    MinorToMajorRange {
        /// Dimensions of the array.
        rank: usize,
    },
    /// The order lists a dimension twice.
    MinorToMajorRepeated {
        /// The repeated dimension.
        dim: usize,
        /// A dimension that is not in the order.
        missing: usize,
    },
    /// A size of a tile is 0.
    ZeroTile,
    /// A tile has no entries.
    EmptyTile,
    /// `*` is the last entry of its tile, so there is nothing to combine with.
    CombinedLast,
    /// The properties are not in XLA's order.
    PropertyOrder {
        /// The property that comes too late.
        found: Property,
        /// The property before which it belongs.
        before: Property,
    },
    /// A property is given twice.
    PropertyRepeated {
        /// The property.
        property: Property,
    },
    /// The letters of a property are not in capitals.
    PropertyCase {
        /// The property.
        property: Property,
    },
    /// A property has no value, or one that cannot be read.
    PropertyValue {
        /// The property.
        property: Property,
    },
    /// A type gives a property its default value.
    Default {
        /// The property.
        property: Property,
    },
    /// The value of a property is out of its range.
    OutOfRange {
        /// The property.
        property: Property,
    },
    /// A property of sparse arrays, which are not supported.
    Sparse {
        /// The property.
        property: Property,
    },
    /// `PAD` does not give one width for each dimension.
    PaddingCount {
        /// Widths given.
        entries: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// `PAD` gives a width below the size of the dimension.
    PaddingNarrow {
        /// Size of the dimension.
        size: Size,
    },
    /// `FILL` without `PAD`.
    FillAlone,
    /// `PAD` widens a dimension without bound.
    PaddingUnbounded,
    /// `SC` splits a dimension that the array does not have.
    SplitRange {
        /// Dimensions of the array.
        rank: usize,
    },
    /// `SC` splits a dimension twice.
    SplitRepeated {
        /// The physical dimension; 0 is the most major.
        dim: usize,
    },
    /// Split indices are not above 0 and increasing.
    SplitOrder,
    /// A split index is past the end of its dimension.
    SplitIndex {
        /// Size of the dimension.
        size: Size,
    },
    /// A size is not a multiple of the packed format's block.
    NotMultiple {
        /// Number of the dimension.
        dim: usize,
        /// Its size.
        size: Size,
        /// The number of which it has to be a multiple.
        multiple: Size,
    },
    /// The number of a dimension, or the place for a new one, is out of range.
    NoDim {
        /// The number that was given.
        dim: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// The list is not a permutation of the dimensions.
    NotPermutation {
        /// Dimensions of the array.
        rank: usize,
    },
    /// The shapes differ in where tuples and buffers are, or in the number of their parts.
    Structure,
    /// The number of sizes is not the rank.
    SizeCount {
        /// Sizes that were given.
        given: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// The size that is given differs from that of a static dimension.
    OtherSize {
        /// The dimension.
        dim: usize,
        /// Its size in the shape.
        size: Size,
        /// The size that was given.
        given: Size,
    },
    /// The size that is given exceeds the bound of a dimension (`<=N`).
    AboveBound {
        /// The dimension.
        dim: usize,
        /// Its bound.
        bound: Size,
        /// The size that was given.
        given: Size,
    },
    /// The array has more slots in memory than 32 bits count, which offsets of `u32` need.
    Above32Bits {
        /// Slots in memory, in elements.
        slots: Size,
    },
    /// The default layout of a TPU depends on a size that is known only at run time (`?`).
    DefaultOfUnknownSize {
        /// The dimension.
        dim: usize,
    },
    /// TPUs have no default layout for elements of this type.
    NoDefaultLayout {
        /// Their type.
        element: ElementType,
    },
    /// The bits that a swizzle exchanges overlap those that it reads.
    SwizzleOverlap {
        /// Bits that are exchanged.
        bits: u8,
        /// How far above them those are that are read.
        shift: i8,
    },
    /// A swizzle reads or exchanges bits that no offset has.
    SwizzleTooHigh,
    /// A swizzle of bytes splits elements, or a swizzle of elements splits bytes.
    SwizzleSplits {
        /// The unit of the swizzle.
        unit: SwizzleUnit,
        /// Bits of an element.
        element_bits: Size,
    },
    /// A swizzle exchanges elements with memory past the end of the array.
    SwizzleLeaves {
        /// Slots of the array.
        slots: Size,
        /// Slots of a block within which the swizzle exchanges elements.
        block: Size,
    },
    /// A type has properties after its swizzle.
    SwizzleBefore,
    /// The text is not one of a swizzle.
    SwizzleText,
    /// XLA's notation has no swizzle.
    SwizzleOfXla,
    /// A number of elements or bytes is too large.
    Overflow {
        /// What is counted.
        count: Count,
        /// The largest number allowed: [`MAX_SIZE`](crate::limits::MAX_SIZE), or for a type the target's
        /// `isize::MAX`.
        limit: Size,
    },
    /// A limit of the library is exceeded.
    TooMany {
        /// The things that are too many, in the plural.
        what: &'static str,
        /// The largest number allowed.
        limit: usize,
    },
}

/// The number of elements or bytes that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// Elements of the array.
    Elements,
    /// Elements, with the padding of `PAD`.
    Padded,
    /// Elements, padded to whole tiles.
    Tiled,
    /// Elements, rounded up to a multiple of `L(n)`.
    Aligned,
    /// Bytes in memory.
    Bytes,
    /// A number of a property, such as the bytes of `M(n)`.
    Number,
}

impl FaultKind {
    pub(crate) const fn syntax(what: &'static str, instead: &'static str) -> FaultKind {
        FaultKind::Syntax { what, instead }
    }

    /// What is wrong.
    pub(crate) const fn message(&self) -> Message {
        self.message_and_help().0
    }

    /// What to write instead; empty where the message says all.
    pub(crate) const fn help(&self) -> Message {
        self.message_and_help().1
    }

    const fn message_and_help(&self) -> (Message, Message) {
        match *self {
            FaultKind::Syntax { what, instead } => (text!(what), text!(instead)),
            FaultKind::UnknownElementType { nearest } => (
                text!("unknown element type"),
                match nearest {
                    Some(nearest) => text!("did you mean ", quoted(nearest.name()), "?"),
                    None => {
                        text!("write one of XLA's names, such as `f32`, `bf16`, `s8`, `u4`, `pred`")
                    }
                },
            ),
            FaultKind::SeveralElementTypes { prefix } => (
                text!(quoted(prefix), " stands for several element types"),
                text!("write one of ", &ElementType::list_of_family(prefix)),
            ),
            FaultKind::MinorToMajorCount { entries, rank } => (
                text!(
                    "the order lists ",
                    counted(entries, "dimension"),
                    ", but the array has ",
                    rank
                ),
                match rank {
                    0 => text!("a scalar has no dimensions to order: leave the numbers out"),
                    1 => text!("the order of a one-dimensional array is `0`"),
                    _ => text!(
                        "list each of 0 to ",
                        rank - 1,
                        " once, most minor (fastest varying) first"
                    ),
                },
            ),
            FaultKind::MinorToMajorRange { rank } => {
                (text!("the array does not have this dimension"), dimensions(rank))
            }
            FaultKind::MinorToMajorRepeated { dim, missing } => (
                text!("dimension ", dim, " is ordered twice"),
                text!("dimension ", missing, " is missing from the order"),
            ),
            FaultKind::ZeroTile => (
                text!("a tile cannot have size 0"),
                text!("write 1, which leaves the dimension as it is, or more"),
            ),
            FaultKind::EmptyTile => (
                text!("a tile needs at least one size"),
                text!("write the sizes, most major first, as in `(8,128)`, or leave the tile out"),
            ),
            FaultKind::CombinedLast => (
                text!("`*` (also written `-1`) cannot be the last entry of a tile"),
                text!(
                    "`*` combines a dimension with the next more minor one: ",
                    "`(*,2)` tiles the last two dimensions as one"
                ),
            ),
            FaultKind::PropertyOrder { found, before } => (
                text!(quoted(found.name()), " belongs before ", quoted(before.name())),
                text!("the order is ", Property::ORDER),
            ),
            FaultKind::PropertyRepeated { property } => (
                text!(quoted(property.name()), " is given twice"),
                match property {
                    Property::Tiles => {
                        text!("further tiles follow the first without a letter: `T(8,128)(2,1)`")
                    }
                    _ => text!("remove one of the two"),
                },
            ),
            FaultKind::PropertyCase { property } => (
                text!("properties are written in capitals"),
                text!("write ", quoted(property.example())),
            ),
            FaultKind::PropertyValue { property } => (
                text!("expected the value of ", quoted(property.name())),
                text!("write it in parentheses, as in ", quoted(property.example())),
            ),
            FaultKind::Default { property } => (
                text!(quoted(property.name()), " is set to its default"),
                text!("leave it out: each layout then has exactly one type"),
            ),
            FaultKind::OutOfRange { property } => {
                (text!(quoted(property.name()), " is out of range"), property.range())
            }
            FaultKind::Sparse { property } => (
                text!(quoted(property.name()), " is for sparse arrays, but this array is dense"),
                text!("remove it"),
            ),
            FaultKind::PaddingCount { entries, rank } => (
                text!(
                    "`PAD` gives ",
                    counted(entries, "width"),
                    ", but the array has ",
                    counted(rank, "dimension")
                ),
                text!("give the padded width of each dimension, dimension 0 first"),
            ),
            FaultKind::PaddingNarrow { size } => (
                text!("`PAD` is narrower than the dimension, which has size ", size),
                text!("write the width including the padding, ", size, " or more"),
            ),
            FaultKind::NotMultiple { dim, size, multiple } => (
                text!(
                    "the packed format takes multiples of ",
                    multiple,
                    ", but dimension ",
                    dim,
                    " has size ",
                    size
                ),
                text!("pad the array to ", (size / multiple + 1).saturating_mul(multiple)),
            ),
            FaultKind::FillAlone => (
                text!("`FILL` is the value of `PAD`'s padding, but there is no `PAD`"),
                text!("write `PAD(..)` before it, with the padded width of each dimension"),
            ),
            FaultKind::PaddingUnbounded => (
                text!("`PAD` cannot widen a dimension of unknown size"),
                text!("write the size of the dimension, or a bound for it as in `<=1024`"),
            ),
            FaultKind::SplitRange { rank } => {
                (text!("the array does not have this dimension to split"), dimensions(rank))
            }
            FaultKind::SplitRepeated { dim } => (
                text!("physical dimension ", dim, " is split twice"),
                text!("give all indices of a dimension together, as in `SC(0:16,32)`"),
            ),
            FaultKind::SplitOrder => (
                text!("split indices must increase, starting above 0"),
                text!("each index is where the next part begins: `SC(0:16,32)`"),
            ),
            FaultKind::SplitIndex { size } => (
                text!("the split index is past the end of its dimension, which has size ", size),
                text!("each index is where the next part begins: write less than ", size),
            ),
            FaultKind::NoDim { dim, rank } => (
                text!("dimension ", dim, " is out of range for an array of rank ", rank),
                dimensions(rank),
            ),
            FaultKind::NotPermutation { rank } => (
                text!("the list is not a permutation of the dimensions of an array of rank ", rank),
                text!("list each dimension once; they are numbered from 0"),
            ),
            FaultKind::Structure => (
                text!("the shapes differ in their tuples or buffers"),
                text!("give a shape with the same parts"),
            ),
            FaultKind::SizeCount { given, rank } => (
                text!("the array has rank ", rank, ", but the number of sizes is ", given),
                Message::new(),
            ),
            FaultKind::OtherSize { dim, size, given } => (
                text!("dimension ", dim, " has size ", size, ", but was given ", given),
                Message::new(),
            ),
            FaultKind::AboveBound { dim, bound, given } => (
                text!("dimension ", dim, " has size at most ", bound, ", but was given ", given),
                Message::new(),
            ),
            FaultKind::Above32Bits { slots } => (
                text!(
                    "the array has ",
                    slots,
                    " slots in memory, but 32 bits count at most ",
                    u32::MAX as Size,
                    ": use `offset` and `index`, which count in `usize`"
                ),
                Message::new(),
            ),
            FaultKind::DefaultOfUnknownSize { dim } => (
                text!(
                    "the default layout depends on the size of dimension ",
                    dim,
                    ", which is known only at run time (`?`)"
                ),
                text!("write its tiles, as in `{1,0:T(8,128)}`"),
            ),
            FaultKind::NoDefaultLayout { element } => (
                text!("TPUs have no default layout for elements of type ", quoted(element.name())),
                text!("write its tiles, as in `{1,0:T(32,128)(32,1)E(1)}`"),
            ),
            FaultKind::SwizzleOverlap { bits, shift } => (
                text!(
                    "the swizzle exchanges ",
                    bits as usize,
                    " bits, which overlap the bits ",
                    shift.unsigned_abs() as usize,
                    " places away that it reads"
                ),
                text!(
                    "the third number is at least as large as the first one: write ",
                    bits as usize,
                    " or more, or exchange fewer bits"
                ),
            ),
            FaultKind::SwizzleTooHigh => (
                text!("the swizzle reaches bits that no offset has"),
                text!(
                    "the three numbers together are at most 62, counted in bytes and in elements"
                ),
            ),
            FaultKind::SwizzleSplits { unit: SwizzleUnit::Bytes, element_bits } => (
                text!(
                    "the swizzle moves fewer bytes than an element of ",
                    element_bits,
                    " bits has, or elements do not fill its units"
                ),
                text!(
                    "write a larger second number: 2 to its power is the number of bytes that stay together"
                ),
            ),
            FaultKind::SwizzleSplits { unit: SwizzleUnit::Elements, element_bits } => (
                text!(
                    "the swizzle moves elements of ",
                    element_bits,
                    " bits, which do not fill bytes"
                ),
                text!(
                    "write a larger second number: 2 to its power is the number of elements that stay together"
                ),
            ),
            FaultKind::SwizzleLeaves { slots, block } => (
                text!(
                    "the swizzle exchanges elements within blocks of ",
                    block,
                    ", but the array has ",
                    slots,
                    " slots in memory"
                ),
                text!("pad the memory to whole blocks: `L(", block, ")`, or pad a dimension"),
            ),
            FaultKind::SwizzleBefore => {
                (text!("properties follow the swizzle"), text!("list the swizzle last, once"))
            }
            FaultKind::SwizzleText => (
                text!("unknown swizzle"),
                text!(
                    "write `32B`, `64B`, `128B` or `128B_ATOM_32B`, or CuTe's three numbers on bytes or on elements: ",
                    "`bytes<3,4,3>`, `elements<3,3,3>`"
                ),
            ),
            FaultKind::SwizzleOfXla => (
                text!("XLA's notation has no swizzle"),
                text!(
                    "print the array without it, by `without_swizzle`, and say the swizzle apart"
                ),
            ),
            FaultKind::Overflow { count, limit } => {
                let bits = limit.count_ones() as usize;
                (text!(count.what(), " than 2^", bits, "-1"), count.help(bits))
            }
            FaultKind::TooMany { what, limit } => (
                text!("more than ", limit, " ", what),
                text!("this is a limit of the library: leave out the rest"),
            ),
        }
    }
}

impl Count {
    const fn what(self) -> &'static str {
        match self {
            Count::Number => "the number is larger",
            Count::Elements => "the array has more elements",
            Count::Padded => "padded by `PAD`, the array has more elements",
            Count::Tiled => "padded to whole tiles, the array has more elements",
            Count::Aligned => "rounded up by `L`, the array has more elements",
            Count::Bytes => "the array takes more bytes in memory",
        }
    }

    const fn help(self, bits: usize) -> Message {
        match self {
            Count::Number => text!("write a smaller number"),
            Count::Elements => text!("make a dimension smaller; one of size 0 does not help"),
            Count::Padded => text!("make a padded width smaller"),
            Count::Tiled => text!("make the tile smaller: the array is padded up to whole tiles"),
            Count::Aligned => text!("make `L` smaller"),
            Count::Bytes => text!(
                "make this smaller: the size in bytes, padding included, has to fit in ",
                bits,
                " bits"
            ),
        }
    }
}

/// The valid numbers of dimensions, for the help about an invalid one.
const fn dimensions(rank: usize) -> Message {
    match rank {
        0 => text!("a scalar has no dimensions: leave the number out"),
        1 => text!("the only dimension is 0"),
        _ => text!("the dimensions are 0 to ", rank - 1),
    }
}
