//! Sizes for dimensions that are known only at run time.

use core::fmt;

use crate::base::text::Text;
use crate::fault::error::Fault;
use crate::limits::Size;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;

/// Why an array cannot have the given sizes. Sizes are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DimsError {
    /// The number of sizes is not the rank.
    Rank {
        /// Dimensions of the array.
        rank: usize,
        /// Sizes that were given.
        given: usize,
    },
    /// The size differs from that of a static dimension.
    Static {
        /// The dimension.
        dim: usize,
        /// Its size in the shape.
        size: Size,
        /// The size that was given.
        given: Size,
    },
    /// The size exceeds the bound of a dimension (`<=N`).
    Bounded {
        /// The dimension.
        dim: usize,
        /// Its bound.
        bound: Size,
        /// The size that was given.
        given: Size,
    },
    /// The array has more slots in memory than 32 bits count, which offsets of `u32` need.
    Above32Bits {
        /// Slots in memory, in elements.
        slots: Size,
    },
    /// The shape is not valid with these sizes: a count is too large, or `SC` splits past the end of a
    /// dimension.
    Shape(Fault),
}

impl DimsError {
    #[doc(hidden)]
    pub const fn line(&self) -> Text<640> {
        let mut text = Text::new();
        let (size, given) = match *self {
            DimsError::Rank { rank, given } => {
                say!(text, "the array has rank ", rank, ", but the number of sizes is ", given);
                return text;
            }
            DimsError::Static { dim, size, given } => {
                say!(text, "dimension ", dim, " has size ");
                (size, given)
            }
            DimsError::Bounded { dim, bound, given } => {
                say!(text, "dimension ", dim, " has size at most ");
                (bound, given)
            }
            DimsError::Above32Bits { slots } => {
                say!(
                    text,
                    "the array has ",
                    slots,
                    " slots in memory, but 32 bits count at most ",
                    u32::MAX as Size,
                    ": use `offset` and `index`, which count in `usize`"
                );
                return text;
            }
            DimsError::Shape(fault) => return fault.line(),
        };
        say!(text, size, ", but was given ", given);
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
    /// The shape with each `?` replaced by a size. `dims` lists the sizes of all dimensions, dimension 0
    /// first. A bounded dimension (`<=N`) stays bounded, since its layout depends only on its bound.
    ///
    /// # Errors
    /// If a size differs from that of a static dimension or exceeds a bound, or if the shape is not valid
    /// with these sizes.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[?,<=8,5]{2,1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.padded_elements(), None);
    /// let known = shape.with_dims(&[3, 7, 5]).unwrap();
    /// assert_eq!(known.to_string(), "f32[3,<=8,5]{2,1,0:T(2,2)}");
    /// assert_eq!(known.padded_elements(), Some(144));
    /// let error = shape.with_dims(&[3, 7, 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "dimension 2 has size 5, but was given 6");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn with_dims(&self, dims: &[Size]) -> Result<ArrayShape, DimsError> {
        if dims.len() != self.rank() {
            return Err(DimsError::Rank { rank: self.rank(), given: dims.len() });
        }
        let mut fields = *self.fields();
        each!(for dim in 0..dims.len() {
            let given = dims[dim];
            match fields.dims[dim] {
                Dim::Static(size) if given != size => {
                    return Err(DimsError::Static { dim, size, given });
                }
                Dim::Bounded(bound) if given > bound => {
                    return Err(DimsError::Bounded { dim, bound, given });
                }
                Dim::Unbounded => fields.dims[dim] = Dim::Static(given),
                _ => {}
            }
        });
        if !self.is_unbounded() {
            return Ok(*self);
        }
        match fields.checked() {
            Ok(shape) => Ok(shape),
            Err(fault) => Err(DimsError::Shape(fault)),
        }
    }
}
