//! Why a layout cannot be used in a kernel.

use std::error::Error;
use std::fmt;

use layout::shape::Fault;

/// Why a layout cannot be used in a kernel. Sizes are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The size of a dimension is known at run time only (`?`), and none was given.
    UnknownSize {
        /// The dimension.
        dim: usize,
    },
    /// The sizes do not go with the layout.
    Dims(Fault),
    /// A number of the layout is above `u32::MAX`: kernels compute in 32 bits.
    Above32Bits {
        /// Elements in memory, padding included, or the size of a tile or dimension that is too large by itself.
        size: usize,
    },
    /// The coordinates are those of arrays of another rank.
    Rank {
        /// Dimensions of the layout.
        rank: usize,
        /// How many coordinates the type of coordinates has.
        coords: usize,
    },
    /// The elements of a vector would not be contiguous elements of one row.
    VectorSize {
        /// Elements of a vector.
        vector_size: usize,
        /// The dimension along which elements are contiguous, if there is one.
        dim: Option<usize>,
        /// The longest vector that the layout has.
        longest: usize,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::UnknownSize { dim } => write!(
                f,
                "the size of dimension {dim} is known at run time only (`?`): give all sizes, with `with_dims`"
            ),
            LayoutError::Dims(error) => error.fmt(f),
            LayoutError::Above32Bits { size } => write!(
                f,
                "{size} does not fit in 32 bits, in which kernels compute: slice the array, at most {} elements \
                 in memory",
                u32::MAX
            ),
            LayoutError::Rank { rank, coords } => write!(
                f,
                "the layout has rank {rank}, but the type of the coordinates has {coords}: use `CoordsDyn` or \
                 the type for this rank"
            ),
            LayoutError::VectorSize { vector_size, dim, longest } => {
                write!(f, "vectors of {vector_size} elements would not be contiguous elements")?;
                if let Some(dim) = dim {
                    write!(f, " along dimension {dim}")?;
                }
                write!(f, ": at most {longest} can be used, or a divisor of it")
            }
        }
    }
}

impl Error for LayoutError {}

impl From<Fault> for LayoutError {
    fn from(error: Fault) -> Self {
        LayoutError::Dims(error)
    }
}
