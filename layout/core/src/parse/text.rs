//! Shapes from text.

use crate::fault::error::Error;
use crate::parse::array::array_text;
use crate::parse::shape::shape_text;
use crate::shape::Shape;
use crate::shape::array::ArrayShape;

impl ArrayShape {
    /// Reads the text of an array's shape, also in a `const`.
    ///
    /// # Errors
    /// Every fault of the text, with its place. Tuples, tokens and opaque values are no arrays:
    /// `Shape` reads them.
    #[allow(clippy::result_large_err, reason = "an error in a `const` can own no heap")]
    pub const fn parse_const(text: &str) -> Result<ArrayShape, Error> {
        array_text(text)
    }
}

impl core::str::FromStr for ArrayShape {
    type Err = Error;

    fn from_str(text: &str) -> Result<ArrayShape, Error> {
        ArrayShape::parse_const(text)
    }
}

impl core::str::FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        shape_text(text)
    }
}
