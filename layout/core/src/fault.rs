//! Everything that can be wrong with a shape, with its message and what to write instead.

pub(crate) mod error;
pub(crate) mod place;

use crate::base::text::Text;
use crate::limits::Size;
use crate::shape::element::ElementType;
use crate::shape::property::Property;

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
    /// A size is not a multiple of what the packed format takes.
    NotMultiple {
        /// Number of the dimension.
        dim: usize,
        /// Its size.
        size: Size,
        /// What it has to be a multiple of.
        multiple: Size,
    },
    /// A number of elements or bytes is too large.
    Overflow {
        /// What is counted.
        count: Count,
        /// The most that there can be: [`MAX_SIZE`](crate::limits::MAX_SIZE), or for a type the target's
        /// `isize::MAX`.
        limit: Size,
    },
    /// A limit of the library is exceeded.
    TooMany {
        /// What there is too much of.
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

    pub(crate) const fn message(&self) -> Message {
        let mut out = Message::new();
        match *self {
            FaultKind::Syntax { what, .. } => out.str(what),
            FaultKind::UnknownElementType { .. } => out.str("unknown element type"),
            FaultKind::MinorToMajorCount { entries, rank } => {
                out.str("the order lists ");
                counted(&mut out, entries, "dimension");
                out.str(", but the array has ");
                out.count(rank);
            }
            FaultKind::MinorToMajorRange { .. } => {
                out.str("the array does not have this dimension");
            }
            FaultKind::MinorToMajorRepeated { dim, .. } => {
                out.str("dimension ");
                out.count(dim);
                out.str(" is ordered twice");
            }
            FaultKind::ZeroTile => out.str("a tile cannot have size 0"),
            FaultKind::EmptyTile => out.str("a tile needs at least one size"),
            FaultKind::CombinedLast => {
                out.str("`*` (also written `-1`) cannot be the last entry of a tile");
            }
            FaultKind::PropertyOrder { found, before } => {
                quoted(&mut out, found.letters());
                out.str(" belongs before ");
                quoted(&mut out, before.letters());
            }
            FaultKind::PropertyRepeated { property } => {
                quoted(&mut out, property.letters());
                out.str(" is given twice");
            }
            FaultKind::PropertyCase { .. } => out.str("properties are written in capitals"),
            FaultKind::PropertyValue { property } => {
                out.str("expected the value of ");
                quoted(&mut out, property.letters());
            }
            FaultKind::Default { property } => {
                quoted(&mut out, property.letters());
                out.str(" is set to its default");
            }
            FaultKind::OutOfRange { property } => {
                quoted(&mut out, property.letters());
                out.str(" is out of range");
            }
            FaultKind::Sparse { property } => {
                quoted(&mut out, property.letters());
                out.str(" is for sparse arrays, but this array is dense");
            }
            FaultKind::PaddingCount { entries, rank } => {
                out.str("`PAD` gives ");
                counted(&mut out, entries, "width");
                out.str(", but the array has ");
                counted(&mut out, rank, "dimension");
            }
            FaultKind::PaddingNarrow { size } => {
                out.str("`PAD` is narrower than the dimension, which has size ");
                out.number(size);
            }
            FaultKind::NotMultiple { dim, size, multiple } => {
                out.str("the packed format takes multiples of ");
                out.number(multiple);
                out.str(", but dimension ");
                out.count(dim);
                out.str(" has size ");
                out.number(size);
            }
            FaultKind::FillAlone => {
                out.str("`FILL` is the value of `PAD`'s padding, but there is no `PAD`");
            }
            FaultKind::PaddingUnbounded => {
                out.str("`PAD` cannot widen a dimension of unknown size")
            }
            FaultKind::SplitRange { .. } => {
                out.str("the array does not have this dimension to split")
            }
            FaultKind::SplitRepeated { dim } => {
                out.str("physical dimension ");
                out.count(dim);
                out.str(" is split twice");
            }
            FaultKind::SplitOrder => out.str("split indices must increase, starting above 0"),
            FaultKind::SplitIndex { size } => {
                out.str("the split index is past the end of its dimension, which has size ");
                out.number(size);
            }
            FaultKind::Overflow { count, limit } => {
                out.str(match count {
                    Count::Number => "the number is larger than ",
                    Count::Elements => "the array has more elements than ",
                    Count::Padded => "padded by `PAD`, the array has more elements than ",
                    Count::Tiled => "padded to whole tiles, the array has more elements than ",
                    Count::Aligned => "rounded up by `L`, the array has more elements than ",
                    Count::Bytes => "the array takes more bytes in memory than ",
                });
                out.str("2^");
                out.number(limit.count_ones() as Size);
                out.str("-1");
            }
            FaultKind::TooMany { what, limit } => {
                out.str("more than ");
                out.count(limit);
                out.str(" ");
                out.str(what);
            }
        }
        out
    }

    pub(crate) const fn help(&self) -> Message {
        let mut out = Message::new();
        match *self {
            FaultKind::Syntax { instead, .. } => out.str(instead),
            FaultKind::UnknownElementType { nearest: Some(nearest) } => {
                out.str("did you mean ");
                quoted(&mut out, nearest.name());
                out.str("?");
            }
            FaultKind::UnknownElementType { nearest: None } => {
                out.str("write one of XLA's names, such as `f32`, `bf16`, `s8`, `u4`, `pred`");
            }
            FaultKind::MinorToMajorCount { rank: 0, .. } => {
                out.str("a scalar has no dimensions to order: leave the numbers out");
            }
            FaultKind::MinorToMajorCount { rank: 1, .. } => {
                out.str("the order of a one-dimensional array is `0`");
            }
            FaultKind::MinorToMajorCount { rank, .. } => {
                out.str("list each of 0 to ");
                out.count(rank.saturating_sub(1));
                out.str(" once, most minor (fastest varying) first");
            }
            FaultKind::MinorToMajorRange { rank } | FaultKind::SplitRange { rank } => {
                if rank == 0 {
                    out.str("a scalar has no dimensions: leave the number out");
                } else if rank == 1 {
                    out.str("the only dimension is 0");
                } else {
                    out.str("the dimensions are 0 to ");
                    out.count(rank - 1);
                }
            }
            FaultKind::MinorToMajorRepeated { missing, .. } => {
                out.str("dimension ");
                out.count(missing);
                out.str(" is missing from the order");
            }
            FaultKind::ZeroTile => {
                out.str("write 1, which leaves the dimension as it is, or more");
            }
            FaultKind::EmptyTile => {
                out.str(
                    "write the sizes, most major first, as in `(8,128)`, or leave the tile out",
                );
            }
            FaultKind::CombinedLast => {
                out.str("`*` combines a dimension with the next more minor one: ");
                out.str("`(*,2)` tiles the last two dimensions as one");
            }
            FaultKind::PropertyOrder { .. } => {
                out.str("the order is ");
                out.str(Property::ORDER);
            }
            FaultKind::PropertyRepeated { property: Property::Tiles } => {
                out.str("further tiles follow the first without a letter: `T(8,128)(2,1)`");
            }
            FaultKind::PropertyRepeated { .. } => out.str("remove one of the two"),
            FaultKind::PropertyCase { property } => {
                out.str("write ");
                quoted(&mut out, property.example());
            }
            FaultKind::PropertyValue { property } => {
                out.str("write it in parentheses, as in ");
                quoted(&mut out, property.example());
            }
            FaultKind::Default { .. } => {
                out.str("leave it out: each layout then has exactly one type");
            }
            FaultKind::OutOfRange { property } => out.str(property.range()),
            FaultKind::Sparse { .. } => out.str("remove it"),
            FaultKind::PaddingCount { .. } => {
                out.str("give the padded width of each dimension, dimension 0 first");
            }
            FaultKind::PaddingNarrow { size } => {
                out.str("write the width including the padding, ");
                out.number(size);
                out.str(" or more");
            }
            FaultKind::NotMultiple { size, multiple, .. } => {
                out.str("pad the array to ");
                out.number((size / multiple + 1).saturating_mul(multiple));
            }
            FaultKind::FillAlone => {
                out.str("write `PAD(..)` before it, with the padded width of each dimension");
            }
            FaultKind::PaddingUnbounded => {
                out.str("write the size of the dimension, or a bound for it as in `<=1024`");
            }
            FaultKind::SplitRepeated { .. } => {
                out.str("give all indices of a dimension together, as in `SC(0:16,32)`");
            }
            FaultKind::SplitOrder => {
                out.str("each index is where the next part begins: `SC(0:16,32)`")
            }
            FaultKind::SplitIndex { size } => {
                out.str("each index is where the next part begins: write less than ");
                out.number(size);
            }
            FaultKind::Overflow { count: Count::Bytes, limit } => {
                out.str("make this smaller: the size in bytes, padding included, has to fit in ");
                out.number(limit.count_ones() as Size);
                out.str(" bits");
            }
            FaultKind::Overflow { count: Count::Number, .. } => {
                out.str("write a smaller number");
            }
            FaultKind::Overflow { count: Count::Elements, .. } => {
                out.str("make a dimension smaller; one of size 0 does not help");
            }
            FaultKind::Overflow { count: Count::Padded, .. } => {
                out.str("make a padded width smaller");
            }
            FaultKind::Overflow { count: Count::Tiled, .. } => {
                out.str("make the tile smaller: the array is padded up to whole tiles");
            }
            FaultKind::Overflow { count: Count::Aligned, .. } => {
                out.str("make `L` smaller");
            }
            FaultKind::TooMany { .. } => {
                out.str("this is a limit of the library: leave out the rest")
            }
        }
        out
    }
}

const fn quoted(out: &mut Message, text: &str) {
    out.str("`");
    out.str(text);
    out.str("`");
}

const fn counted(out: &mut Message, count: usize, what: &str) {
    out.count(count);
    out.str(" ");
    out.str(what);
    if count != 1 {
        out.str("s");
    }
}
