//! What can be wrong with arrays of layouts that are known at run time only.

use alloc::boxed::Box;
use core::fmt;

use layout_copy::bitcast::NotBitcast;
use layout_core::__private::NO_EVEN_ROWS;
use layout_core::base::text::HELP;
use layout_core::{ArrayShape, Error, UnknownSize};

use crate::copies::error::CopyError;
#[cfg(feature = "bytemuck")]
use crate::memory::error::MemoryError;
use crate::order::region::SliceError;

/// Why a function of [`dynamic`](crate::dynamic) failed. If two layouts differ, the text names both and the first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DynError {
    /// A size is not known (`?`): [`ArrayShape::with_dims`] gives it.
    UnknownSize(UnknownSize),
    /// The array needs more memory than this machine can address.
    TooLarge(Box<ArrayShape>),
    /// A type of Rust does not store the elements of the layout.
    Stored {
        /// The layout.
        shape: Box<ArrayShape>,
        /// The type's name.
        stored: &'static str,
        /// Bits of a value.
        bits: usize,
    },
    /// The slice has too few elements or bytes; a vector or a list has not exactly the number of the layout.
    Length {
        /// The layout.
        shape: Box<ArrayShape>,
        /// The unit of the lengths: elements or bytes.
        of: &'static str,
        /// Length that the layout needs.
        needed: usize,
        /// Length that was given.
        given: usize,
    },
    /// An array of `ndarray` has other sizes.
    OtherDims {
        /// The layout.
        shape: Box<ArrayShape>,
        /// The sizes that were given.
        given: alloc::vec::Vec<usize>,
    },
    /// The slice of bytes is too short, or not aligned for the elements.
    #[cfg(feature = "bytemuck")]
    Bytes(MemoryError),
    /// The tiles are not contiguous in memory.
    NoTiles {
        /// The layout.
        shape: Box<ArrayShape>,
        /// Why, and what to use instead.
        why: &'static str,
    },
    /// The elements of a row are not evenly spaced.
    NoRows(Box<ArrayShape>),
    /// The offset is not a sum of coordinates times strides.
    NoStrides(Box<ArrayShape>),
    /// A range is out of bounds or reversed.
    Slice(SliceError),
    /// An element would have another offset in the new layout.
    Moved {
        /// The layout of the memory, and the requested one.
        shapes: Box<[ArrayShape; 2]>,
        /// The first difference.
        why: Box<NotBitcast>,
    },
    /// A copy is not made.
    Copy(CopyError),
    /// A text that is not a shape.
    Text(Error),
}

impl DynError {
    pub(super) fn moved(shapes: [&ArrayShape; 2], why: NotBitcast) -> DynError {
        DynError::Moved { shapes: Box::new(shapes.map(|shape| *shape)), why: Box::new(why) }
    }

    pub(super) fn length(
        shape: &ArrayShape,
        of: &'static str,
        needed: usize,
        given: usize,
    ) -> DynError {
        DynError::Length { shape: Box::new(*shape), of, needed, given }
    }
}

impl fmt::Display for DynError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DynError::UnknownSize(error) => error.fmt(f),
            DynError::TooLarge(shape) => {
                write!(f, "`{shape}` takes more bytes or elements than this machine addresses")
            }
            DynError::Stored { shape, stored, bits } => write!(
                f,
                "`{stored}`, of {bits} bits, does not store elements of `{shape}`, which are `{}` and take {} bits in memory{HELP}`bytes_view` and `zeroed_bytes` take elements of every type",
                shape.element_type(),
                shape.element_bits(),
            ),
            DynError::Length { shape, of, needed, given } => {
                write!(f, "`{shape}` needs {needed} {of}, and got {given}")
            }
            DynError::OtherDims { shape, given } => {
                write!(f, "`{shape}` is not the layout of an array of sizes {given:?}")
            }
            #[cfg(feature = "bytemuck")]
            DynError::Bytes(error) => error.fmt(f),
            DynError::NoTiles { shape, why } => write!(f, "`{shape}`: {why}"),
            DynError::NoRows(shape) => write!(f, "`{shape}`: {NO_EVEN_ROWS}"),
            DynError::NoStrides(shape) => write!(
                f,
                "`{shape}` has no strides, so that `ndarray` cannot view it: `to_ndarray` copies"
            ),
            DynError::Slice(error) => error.fmt(f),
            DynError::Moved { shapes, why } => {
                write!(f, "memory of `{}` is not memory of `{}`: {why}", shapes[0], shapes[1])
            }
            DynError::Copy(error) => error.fmt(f),
            DynError::Text(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for DynError {}

error_of! { DynError {
    UnknownSize(UnknownSize);
    Slice(SliceError);
    #[cfg(feature = "bytemuck")] Bytes(MemoryError);
    Copy(CopyError);
    Text(Error);
} }
