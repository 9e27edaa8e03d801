//! Why a notation cannot express a layout, and why a text of a notation is not a layout of an array.

use core::fmt;

use crate::digit_order::DigitOrderError;
use crate::fault::error::Fault;
use crate::limits::Size;
use crate::shape::unknown_size::UnknownSize;

/// Why a notation cannot express a layout. Each method of [`notation`](crate::notation) names its own reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotationError {
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
    /// A tile does not divide the tile that it covers.
    Indivisible,
    /// A tile crosses the border between dimensions that `*` combines.
    CrossesDimensions,
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
    /// The layout is no order of digits.
    DigitOrder(DigitOrderError),
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

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotationError::UnknownSize(error) => return error.fmt(f),
            NotationError::Ragged { dim, size, tile } => {
                return write!(
                    f,
                    "tiles extend past the array: the size {size} of dimension {dim} is not a multiple of {tile}"
                );
            }
            NotationError::DigitOrder(error) => return error.fmt(f),
            NotationError::Ascending { dim } => {
                return write!(
                    f,
                    "a block of dimension {dim} is more minor in memory than one that it consists of"
                );
            }
            NotationError::Names { names, rank } => {
                return write!(
                    f,
                    "{names} names for {rank} dimensions: name each by another letter in lower case"
                );
            }
            NotationError::Empty => "the array has no elements",
            NotationError::Indivisible => "a tile does not divide the tile that it covers",
            NotationError::CrossesDimensions => {
                "a tile crosses the border between dimensions that `*` combines"
            }
            NotationError::Combined => "`*` combines dimensions",
            NotationError::Untiled => "the layout has no tiles",
            NotationError::TileTooLong => "a tile has more entries than there are dimensions to cover",
            NotationError::Order => {
                "the first tile covers other dimensions than the last ones in their order"
            }
            NotationError::Widened => "`PAD` widens a dimension",
            NotationError::Tail => "`L` adds slots after the last element",
            NotationError::ElementSize => "`E` packs or widens elements",
        })
    }
}

// A message has that of the error that it holds, so that is no source.
impl core::error::Error for NotationError {}

/// Why a text of another notation is not the layout of an array: what XLA's notation cannot say, or what does
/// not go with the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The array has another number of dimensions.
    Rank {
        /// Dimensions that the text gives.
        text: usize,
        /// Dimensions of the array.
        array: usize,
    },
    /// The text gives another size of a dimension, or too small a one where a layout may be padded.
    Size {
        /// The dimension.
        dim: usize,
        /// The size that the text gives.
        text: Size,
        /// The size that the array has.
        array: Size,
    },
    /// The size of a dimension is not a multiple of the blocks that the text gives.
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
    /// An axis of any size stands after another one of its dimension, so that where it counts depends on the
    /// size of the array.
    InnerAxis {
        /// The dimension.
        dim: usize,
    },
    /// The text is an order of digits that is not a layout of the array.
    DigitOrder(DigitOrderError),
    /// The array is not valid in this layout: padding takes it past a limit.
    Shape(Fault),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Rank { text, array } => {
                write!(f, "the text gives {text} dimensions, but the array has {array}")
            }
            LayoutError::Size { dim, text, array } => {
                write!(
                    f,
                    "the text gives {text} elements of dimension {dim}, but its size is {array}"
                )
            }
            LayoutError::Blocks { dim, size, block } => {
                write!(f, "the size {size} of dimension {dim} is not a multiple of {block}")
            }
            LayoutError::UnknownSize(error) => error.fmt(f),
            LayoutError::Broadcast { dim } => {
                write!(
                    f,
                    "a stride of dimension {dim} is 0: elements of a layout do not share a slot"
                )
            }
            LayoutError::Overlap { dim, stride, span } => write!(
                f,
                "the stride {stride} of dimension {dim} is less than the {span} slots that smaller strides cover: elements overlap"
            ),
            LayoutError::Hole { dim, stride, span } => write!(
                f,
                "the stride {stride} of dimension {dim} leaves holes in memory: smaller strides cover {span} of {stride} slots"
            ),
            LayoutError::InnerAxis { dim } => write!(
                f,
                "an axis without a size is not the first one of dimension {dim}: write its size"
            ),
            LayoutError::DigitOrder(error) => error.fmt(f),
            LayoutError::Shape(fault) => fault.fmt(f),
        }
    }
}

// A message has that of the error that it holds, so that is no source.
impl core::error::Error for LayoutError {}

impl From<DigitOrderError> for LayoutError {
    /// Sizes and ranks that do not go with the array are errors of their own.
    fn from(error: DigitOrderError) -> LayoutError {
        match error {
            DigitOrderError::OtherRank { rank, array } => LayoutError::Rank { text: rank, array },
            DigitOrderError::OtherSize { dim, digits, size } => {
                LayoutError::Size { dim, text: digits, array: size }
            }
            DigitOrderError::UnknownSize { dim } => LayoutError::UnknownSize(UnknownSize { dim }),
            DigitOrderError::Shape(fault) => LayoutError::Shape(fault),
            error => LayoutError::DigitOrder(error),
        }
    }
}
