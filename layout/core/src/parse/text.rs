//! Parsing shapes from text.

use crate::fault::Error;
use crate::parse::array::array_text;
use crate::parse::shape::{each_array, shape_text};
use crate::shape::{ArrayShape, Shape};

impl ArrayShape {
    /// Parses the shape of an array; usable in a `const`.
    ///
    /// # Errors
    /// Every fault of the text, with its place. Tuples, tokens and opaque values are not arrays: parse them
    /// as a [`Shape`].
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
    /// Parses a shape and calls a function for each array in it; needs no heap, however long the tuples are.
    ///
    /// `each` gets the shape index of the array (the number of the part, outermost tuple first; `[]` if the
    /// shape is not a tuple) and the array itself, which may be in a buffer.
    ///
    /// # Errors
    /// Every fault of the shape. `each` may have been called before, for parts of the faulty shape.
    ///
    /// # Examples
    /// ```
    /// use layout::Shape;
    ///
    /// let mut bytes = 0;
    /// Shape::for_each_array("(f32[2,3], (token[], s8[5]))", |place, array| {
    ///     assert_eq!(place, if bytes == 0 { &[0][..] } else { &[1, 1] });
    ///     bytes += array.bytes().unwrap_or(0);
    /// })?;
    /// assert_eq!(bytes, 29);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn for_each_array(
        text: &str,
        each: impl FnMut(&[usize], &ArrayShape),
    ) -> Result<(), Error> {
        each_array(text, each)
    }
}
