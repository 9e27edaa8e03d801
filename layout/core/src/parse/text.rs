//! Parsing shapes from text.

use crate::fault::Error;
use crate::parse::array::array_text;
use crate::parse::shape::{each_array, shape_text};
#[cfg(feature = "alloc")]
use crate::parse::{cursor::Cursor, source::Input};
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

    /// This array (its element type and sizes) in another layout, given as text: `{1,0:T(8,128)}`, or
    /// `{1,0}, swizzle = 128B`. The text replaces the whole layout, `E` included.
    ///
    /// # Errors
    /// Every fault of the text. It is marked where it stands after the array, as in `f32[3,5]{1,1}`, and ranges count from
    /// there.
    ///
    /// # Examples
    /// ```
    /// let array: layout::ArrayShape = "bf16[300,500]".parse()?;
    /// let tiled = array.with_layout_text("{1,0:T(8,128)(2,1)}")?;
    /// assert_eq!(tiled.to_string(), "bf16[300,500]{1,0:T(8,128)(2,1)}");
    ///
    /// let error = array.with_layout_text("{0}").unwrap_err();
    /// assert_eq!(error.to_string(), "\
    /// the order lists 1 dimension, but the array has 2
    ///   | bf16[300,500]{0}
    ///   |               ^
    ///   = help: list each of 0 to 1 once, most minor (fastest varying) first");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn with_layout_text(&self, text: &str) -> Result<ArrayShape, Error> {
        let mut cursor = Cursor::new(Input::Text(text));
        if !cursor.at("{") && !cursor.at("<") {
            cursor.syntax(
                "a layout begins with a brace",
                "write it without element type and sizes, as in `{1,0:T(8,128)}`",
            );
        }
        cursor.finish(())?;
        let shape = alloc::format!("{self}");
        let (array, _) = shape.split_once('{').unwrap_or((&shape, ""));
        array_text(&alloc::format!("{array}{text}"))
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
