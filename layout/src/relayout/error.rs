//! Slices that are too short for a copy.

use core::fmt;

/// One of the two sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The array that is read.
    Source,
    /// The array that is written.
    Destination,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Source => "source",
            Side::Destination => "destination",
        })
    }
}

/// A slice that is too short for its layout. Lengths are in elements; for packed elements in bytes.
///
/// # Examples
/// ```
/// use layout::copies::Side;
/// use layout::{Padding, layout, relayout};
///
/// type A = layout!(F32[3,5]);
/// type B = layout!(F32[3,5]{1,0:T(2,2)});
/// let error = relayout::<A, B, f32>(&[0.0; 15], &mut [0.0; 15], Padding::Zero).unwrap_err();
/// assert_eq!((error.side, error.needed, error.given), (Side::Destination, 24, 15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelayoutError {
    /// The slice that is too short; the source, if both are.
    pub side: Side,
    /// Length that the layout needs, padding included.
    pub needed: usize,
    /// Length of the slice.
    pub given: usize,
}

impl RelayoutError {
    /// The first `needed` of a source.
    #[inline(always)]
    pub(super) fn source<T>(src: &[T], needed: usize) -> Result<&[T], RelayoutError> {
        let given = src.len();
        src.get(..needed).ok_or(RelayoutError { side: Side::Source, needed, given })
    }

    /// The first `needed` of a destination.
    #[inline(always)]
    pub(super) fn destination<T>(dst: &mut [T], needed: usize) -> Result<&mut [T], RelayoutError> {
        let given = dst.len();
        dst.get_mut(..needed).ok_or(RelayoutError { side: Side::Destination, needed, given })
    }
}

impl fmt::Display for RelayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RelayoutError { side, needed, given } = self;
        write!(
            f,
            "the layout of the {side} needs a slice of {needed}, padding counted, and got one of {given}"
        )
    }
}

impl core::error::Error for RelayoutError {}
