//! Why a copy between values is not planned.

use core::fmt;

use layout_copy::bitcast::OtherArray;
use layout_core::{Size, UnknownSize};

use crate::memory::strided::StridesError;
use crate::relayout::error::Side;

/// Why the library cannot copy between two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutPlanError {
    /// A size is known at run time only (`?`): [`ArrayShape::with_dims`](layout_core::ArrayShape::with_dims) gives it.
    UnknownSize(UnknownSize),
    /// The strides of a side are not those of memory: of the source, or of the destination.
    Strides(Side, StridesError),
    /// The layouts are of arrays with other dimensions or another element type.
    OtherArray(OtherArray),
    /// The layouts have elements of sizes that are not copied.
    ElementBits {
        /// Bits of an element in the source.
        source: usize,
        /// Bits of an element in the destination.
        destination: usize,
    },
    /// A layout has more bytes than this machine addresses.
    TooLarge {
        /// Bytes of the larger one.
        bytes: Size,
    },
}

impl fmt::Display for RelayoutPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelayoutPlanError::UnknownSize(error) => error.fmt(f),
            RelayoutPlanError::Strides(side, error) => write!(f, "the {side}: {error}"),
            RelayoutPlanError::OtherArray(error) => error.fmt(f),
            RelayoutPlanError::ElementBits { source, destination } => write!(
                f,
                "elements of {source} bits are not copied to elements of {destination} bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8"
            ),
            RelayoutPlanError::TooLarge { bytes } => {
                write!(f, "a layout of {bytes} bytes is larger than this machine's memory")
            }
        }
    }
}

impl core::error::Error for RelayoutPlanError {}
