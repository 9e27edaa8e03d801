//! Sizes for dimensions that are known at run time only.

use core::fmt;

use crate::base::text::Text;
use crate::fault::error::{Fault, Faults};
use crate::parse::check;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;

/// Why an array cannot have the sizes that were given. Sizes are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DimsError {
    /// Not one size for each dimension.
    Rank {
        /// Dimensions of the array.
        rank: usize,
        /// Sizes that were given.
        given: usize,
    },
    /// Another size than the one that the shape says.
    Static {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: usize,
        /// What was given.
        given: usize,
    },
    /// More than a bounded dimension (`<=N`) holds.
    Bounded {
        /// The dimension.
        dim: usize,
        /// Its bound.
        bound: usize,
        /// What was given.
        given: usize,
    },
    /// The rest of the shape does not go with the sizes: a count is above `isize::MAX`, or `SC` splits
    /// where there is nothing.
    Shape(Fault),
}

impl DimsError {
    /// The message.
    #[doc(hidden)]
    pub const fn line(&self) -> Text<640> {
        let mut text = Text::new();
        let (size, given) = match *self {
            DimsError::Rank { rank, given } => {
                text.str("an array of rank ");
                text.number(rank);
                text.str(" was given ");
                text.number(given);
                text.str(" sizes");
                return text;
            }
            DimsError::Static { dim, size, given } => {
                text.str("dimension ");
                text.number(dim);
                text.str(" has size ");
                (size, given)
            }
            DimsError::Bounded { dim, bound, given } => {
                text.str("dimension ");
                text.number(dim);
                text.str(" has size at most ");
                (bound, given)
            }
            DimsError::Shape(fault) => return fault.line(),
        };
        text.number(size);
        text.str(", but was given ");
        text.number(given);
        text
    }
}

impl fmt::Display for DimsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line().as_str())
    }
}

impl core::error::Error for DimsError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            DimsError::Shape(fault) => Some(fault),
            _ => None,
        }
    }
}

impl ArrayShape {
    /// The same shape with sizes in the place of `?`, dimension 0 first. A bounded dimension (`<=N`)
    /// stays what it is, since it is laid out with its bound whatever its size.
    ///
    /// # Errors
    /// If a size is another than a static dimension's or above a bound, or if a count is above
    /// `isize::MAX` with them.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_core::ArrayShape = "f32[?,<=8,5]{2,1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.padded_elements(), None);
    /// let known = shape.with_dims(&[3, 7, 5]).unwrap();
    /// assert_eq!(known.to_string(), "f32[3,<=8,5]{2,1,0:T(2,2)}");
    /// assert_eq!(known.padded_elements(), Some(144));
    /// let error = shape.with_dims(&[3, 7, 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "dimension 2 has size 5, but was given 6");
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    pub const fn with_dims(&self, dims: &[usize]) -> Result<ArrayShape, DimsError> {
        if dims.len() != self.rank() {
            return Err(DimsError::Rank { rank: self.rank(), given: dims.len() });
        }
        let mut shape = *self;
        let mut dim = 0;
        while dim < dims.len() {
            let given = dims[dim];
            match self.dims[dim] {
                Dim::Static(size) if given != size => {
                    return Err(DimsError::Static { dim, size, given });
                }
                Dim::Bounded(bound) if given > bound => {
                    return Err(DimsError::Bounded { dim, bound, given });
                }
                Dim::Unbounded => shape.dims[dim] = Dim::Static(given),
                _ => {}
            }
            dim += 1;
        }
        if self.is_unbounded() {
            let mut faults = Faults::new();
            check::array(&shape, &mut faults);
            if let Some(fault) = faults.get(0) {
                return Err(DimsError::Shape(fault));
            }
        }
        Ok(shape)
    }
}
