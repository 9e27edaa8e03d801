//! Why a notation cannot express a layout.

use core::fmt;

use crate::digit_order::DigitOrderError;
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

impl core::error::Error for NotationError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            NotationError::UnknownSize(error) => Some(error),
            NotationError::DigitOrder(error) => Some(error),
            _ => None,
        }
    }
}
