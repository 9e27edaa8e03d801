//! Why a layout is not expressed otherwise, and why something is not a layout of an array.

use core::fmt;

use crate::digit_order::digit::MAX_DIGITS;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, MAX_TILES, Size};
use layout_core::{Fault, UnknownSize};

/// Why a layout cannot be expressed: in another notation, or as an order of digits. Each function names its own reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotExpressible {
    /// A size is needed that is known at run time only (`?`).
    UnknownSize(UnknownSize),
    /// The array has no elements.
    Empty,
    /// Tiles extend past the array: the size of a dimension is not a multiple of the tile along it.
    Ragged {
        /// The dimension.
        dim: usize,
        /// Its size in elements.
        size: Size,
        /// Elements of a tile along the dimension.
        tile: Size,
    },
    /// A tile does not divide the tile that it covers, or the array.
    Indivisible {
        /// The number of the tile, where it is known; the first is 0.
        tile: Option<usize>,
    },
    /// A tile crosses the border between dimensions that `*` combines.
    CrossesDimensions,
    /// The layout is swizzled.
    Swizzle,
    /// `*` combines dimensions.
    Combined,
    /// The layout has no tiles.
    Untiled,
    /// A tile has more entries than what it covers has dimensions.
    TileTooLong,
    /// The first tile covers other dimensions than the last ones in their order.
    Order,
    /// `PAD` widens a dimension.
    Widened,
    /// `L` adds slots after the last element.
    Tail,
    /// `E` packs or widens elements.
    ElementSize,
    /// A block of a dimension is more minor in memory than one that it counts in, which a tag reads the other
    /// way round.
    Ascending {
        /// The dimension.
        dim: usize,
    },
    /// The names of the dimensions are not as many as there are, or not different letters in lower case.
    Names {
        /// Names.
        names: usize,
        /// Dimensions of the array.
        rank: usize,
    },
}

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotExpressible::UnknownSize(error) => error.fmt(f),
            NotExpressible::Empty => f.write_str("the array has no elements"),
            NotExpressible::Ragged { dim, size, tile } => write!(
                f,
                "tiles extend past the array: the size {size} of dimension {dim} is not a multiple of {tile}"
            ),
            NotExpressible::Indivisible { tile: None } => {
                f.write_str("a tile does not divide the tile that it covers")
            }
            NotExpressible::Indivisible { tile: Some(tile) } => {
                write!(f, "tile {tile} does not divide what it covers")
            }
            NotExpressible::CrossesDimensions => {
                f.write_str("a tile crosses the border between dimensions that `*` combines")
            }
            NotExpressible::Swizzle => f.write_str(
                "the layout is swizzled, which is not an order of digits: print it `without_swizzle`",
            ),
            NotExpressible::Combined => f.write_str("`*` combines dimensions"),
            NotExpressible::Untiled => f.write_str("the layout has no tiles"),
            NotExpressible::TileTooLong => {
                f.write_str("a tile has more entries than there are dimensions to cover")
            }
            NotExpressible::Order => f.write_str(
                "the first tile covers other dimensions than the last ones in their order",
            ),
            NotExpressible::Widened => f.write_str("`PAD` widens a dimension"),
            NotExpressible::Tail => f.write_str("`L` adds slots after the last element"),
            NotExpressible::ElementSize => f.write_str("`E` packs or widens elements"),
            NotExpressible::Ascending { dim } => write!(
                f,
                "a block of dimension {dim} is more minor in memory than one that it consists of"
            ),
            NotExpressible::Names { names, rank } => write!(
                f,
                "{names} names for {rank} dimensions: name each by another letter in lower case"
            ),
        }
    }
}

// The message includes the inner error's, so `source` does not return that error.
impl core::error::Error for NotExpressible {}

/// Why digits, strides or a text of another notation are not a layout of an array: what XLA's notation cannot say, or
/// what does not go with the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotThisLayout {
    /// The array has another number of dimensions.
    Rank {
        /// Dimensions that the text or the digits give.
        given: usize,
        /// Dimensions of the array.
        array: usize,
    },
    /// The text or the digits give another size of a dimension, or too small a one where a layout may be padded.
    Size {
        /// The dimension.
        dim: usize,
        /// The size that is given.
        given: Size,
        /// The size that the array has.
        array: Size,
    },
    /// The size of a dimension is not a multiple of the blocks that are given, or is 0.
    Blocks {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: Size,
        /// Elements of a block.
        block: Size,
    },
    /// A size is needed that is known at run time only (`?`).
    UnknownSize(UnknownSize),
    /// Elements share a slot: a stride along the dimension is 0.
    Broadcast {
        /// The dimension.
        dim: usize,
    },
    /// A stride is below the span of what the smaller strides cover, so that elements share slots or interleave.
    Overlap {
        /// The dimension of the stride.
        dim: usize,
        /// The stride, in elements.
        stride: Size,
        /// The span of the smaller strides, in elements.
        span: Size,
    },
    /// No element is in some slots between others: a stride is above the span of what the smaller strides cover, and
    /// these are not all of a dimension, which `PAD` would widen. A tile that pads what another tile has cut makes such
    /// holes too, but a text is not read as such tiles.
    Hole {
        /// The dimension of the stride.
        dim: usize,
        /// The stride, in elements.
        stride: Size,
        /// The span of the smaller strides, in elements.
        span: Size,
    },
    /// The first element is not at offset 0.
    Start {
        /// Its offset before the swizzle, in elements.
        start: Size,
    },
    /// An axis of any size stands after another one of its dimension, so that where it counts depends on the
    /// size of the array.
    InnerAxis {
        /// The dimension.
        dim: usize,
    },
    /// A dimension of any size is more minor in memory than a block of a given size, which only a tile would cut off:
    /// tiles put what they cut off after all that has any size.
    OpenAfterBlock {
        /// The dimension of any size.
        dim: usize,
    },
    /// The layout takes more tiles, or more entries of tiles, than there can be.
    TooManyTiles,
    /// A tile does not divide the tile that it covers.
    Indivisible {
        /// The tile, the first is 0.
        tile: usize,
    },
    /// A digit or a tile names a dimension that the array does not have.
    NoSuchDimension {
        /// The dimension.
        dim: usize,
        /// Dimensions that there are.
        rank: usize,
    },
    /// A digit has no values, or its dimension more than [`MAX_SIZE`] elements.
    DigitSize {
        /// The dimension.
        dim: usize,
    },
    /// No digit of a dimension has the weight that follows from the others.
    DigitGap {
        /// The dimension.
        dim: usize,
        /// The weight that is missing.
        weight: Size,
    },
    /// Two digits of a dimension count the same elements.
    DigitOverlap {
        /// The dimension.
        dim: usize,
        /// The weight at which they do.
        weight: Size,
    },
    /// There are more digits than [`MAX_DIGITS`].
    TooManyDigits,
    /// There are more dimensions than an array has, [`MAX_DIMS`].
    TooManyDimensions {
        /// Dimensions.
        rank: usize,
    },
    /// The size of a dimension is negative, in numbers of PJRT.
    NegativeSize {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: i64,
    },
    /// The length of PJRT's `tile_dims` is not the sum of `tile_dim_sizes`.
    TileDims {
        /// Entries in `tile_dims`.
        entries: usize,
        /// Sum of `tile_dim_sizes`.
        sum: usize,
    },
    /// An entry of a tile is negative, but not −2⁶³, in numbers of PJRT.
    TileDim {
        /// Its position in `tile_dims`.
        entry: usize,
        /// Its value.
        size: i64,
    },
    /// The array is not valid in this layout: padding takes it past a limit, or numbers are not those of a layout.
    Shape(Fault),
}

impl NotThisLayout {
    /// The size of a dimension is needed, but unknown.
    pub(crate) const fn unknown(dim: usize) -> NotThisLayout {
        NotThisLayout::UnknownSize(UnknownSize { dim })
    }
}

impl fmt::Display for NotThisLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NotThisLayout::Rank { given, array } => {
                write!(f, "the layout has {given} dimensions, but the array has {array}")
            }
            NotThisLayout::Size { dim, given, array } => write!(
                f,
                "the layout gives {given} elements of dimension {dim}, but its size is {array}"
            ),
            NotThisLayout::Blocks { dim, size: 0, block } => {
                write!(f, "the size of dimension {dim} is 0: write a multiple of {block}")
            }
            NotThisLayout::Blocks { dim, size, block } => {
                write!(f, "the size {size} of dimension {dim} is not a multiple of {block}")
            }
            NotThisLayout::UnknownSize(error) => error.fmt(f),
            NotThisLayout::Broadcast { dim } => write!(
                f,
                "a stride of dimension {dim} is 0: elements of a layout do not share a slot"
            ),
            NotThisLayout::Overlap { dim, stride, span } => write!(
                f,
                "the stride {stride} of dimension {dim} is less than the {span} slots that smaller strides cover: elements overlap"
            ),
            NotThisLayout::Hole { dim, stride, span } => write!(
                f,
                "the stride {stride} of dimension {dim} leaves holes in memory: smaller strides cover {span} of {stride} slots"
            ),
            NotThisLayout::Start { start } => write!(
                f,
                "the layout starts at offset {start}, and that of an array at 0: lay out the array that this is a slice of"
            ),
            NotThisLayout::InnerAxis { dim } => write!(
                f,
                "an axis without a size is not the first one of dimension {dim}: write its size"
            ),
            NotThisLayout::OpenAfterBlock { dim } => write!(
                f,
                "dimension {dim}, of any size, is more minor in memory than a block, where no tile puts it: write its size out"
            ),
            NotThisLayout::TooManyTiles => write!(
                f,
                "this takes more tiles than a layout has: at most {MAX_TILES} with {MAX_TILE_DIMS} sizes in all"
            ),
            NotThisLayout::Indivisible { tile } => {
                write!(f, "tile {tile} does not divide the tile that it covers")
            }
            NotThisLayout::NoSuchDimension { dim, rank } => {
                write!(f, "dimension {dim} is out of range for an array of rank {rank}")
            }
            NotThisLayout::DigitSize { dim } => {
                write!(f, "the digits of dimension {dim} make no size from 1 to {MAX_SIZE}")
            }
            NotThisLayout::DigitGap { dim, weight } => {
                write!(f, "no digit of dimension {dim} counts every {weight} elements")
            }
            NotThisLayout::DigitOverlap { dim, weight } => {
                write!(f, "two digits of dimension {dim} count every {weight} elements")
            }
            NotThisLayout::TooManyDigits => write!(f, "more than {MAX_DIGITS} digits"),
            NotThisLayout::TooManyDimensions { rank } => {
                write!(f, "{rank} dimensions, but an array has at most {MAX_DIMS}")
            }
            NotThisLayout::NegativeSize { dim, size } => {
                write!(f, "dimension {dim} has the negative size {size}")
            }
            NotThisLayout::TileDims { entries, sum } => {
                write!(f, "tile_dims has {entries} entries, but tile_dim_sizes add up to {sum}")
            }
            NotThisLayout::TileDim { entry, size } => write!(
                f,
                "entry {entry} of tile_dims is {size}: write a positive size, or -2^63 for `*`"
            ),
            NotThisLayout::Shape(fault) => fault.fmt(f),
        }
    }
}

// The message includes the inner error's, so `source` does not return that error.
impl core::error::Error for NotThisLayout {}

impl From<Fault> for NotThisLayout {
    fn from(fault: Fault) -> NotThisLayout {
        NotThisLayout::Shape(fault)
    }
}
