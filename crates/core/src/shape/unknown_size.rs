//! The error of functions that need sizes, for a shape with unknown ones.

use core::fmt;

use crate::base::Line;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;

/// A size is needed that is known at run time only (`?`).
///
/// [`ArrayShape::with_dims`] gives a shape its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSize {
    /// The dimension.
    pub dim: usize,
}

impl UnknownSize {
    /// What is wrong; usable in a `const`.
    #[doc(hidden)]
    pub const fn line(&self) -> Line {
        text!("the size of dimension ", self.dim, " is known at run time only (`?`)")
    }
}

impl fmt::Display for UnknownSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.line().as_str())
    }
}

impl core::error::Error for UnknownSize {}

impl ArrayShape {
    /// The first dimension whose size is known at run time only (`?`), as an error.
    pub const fn unknown_size(&self) -> Option<UnknownSize> {
        each!(for dim in 0..self.rank() {
            if matches!(self.dim(dim), Dim::Unbounded) {
                return Some(UnknownSize { dim });
            }
        });
        None
    }
}
