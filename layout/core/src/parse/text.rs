//! Shapes from text.

use crate::fault::error::Error;
use crate::parse::array::array_text;
use crate::parse::shape::{each_array, shape_text};
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

impl Shape {
    /// Reads a shape and passes on each array in it, without a heap however long a tuple is.
    ///
    /// `each` gets the place of the array in nested tuples (the number of the part, outermost tuple first; nothing
    /// for a shape that is no tuple) and the array itself, which may be in a buffer.
    ///
    /// # Errors
    /// As for reading the whole shape. What `each` got until then is part of a wrong shape.
    ///
    /// # Examples
    /// ```
    /// use layout_core::Shape;
    ///
    /// let mut bytes = 0;
    /// Shape::for_each_array("(f32[2,3], (token[], s8[5]))", |place, array| {
    ///     assert_eq!(place, if bytes == 0 { &[0][..] } else { &[1, 1] });
    ///     bytes += array.bytes().unwrap_or(0);
    /// })?;
    /// assert_eq!(bytes, 29);
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    pub fn for_each_array(
        text: &str,
        each: impl FnMut(&[usize], &ArrayShape),
    ) -> Result<(), Error> {
        each_array(text, each)
    }
}
