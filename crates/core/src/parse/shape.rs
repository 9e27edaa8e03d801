//! Shapes of all kinds: arrays, buffers, tokens, opaque values, and tuples of shapes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::base::MAX_NESTING;
use crate::fault::{Error, FaultKind};
use crate::parse::cursor::{Cursor, Next, Written, list};
use crate::parse::source::{Input, Token};
use crate::shape::{ArrayShape, Shape};

impl core::str::FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        ShapeReader::new(Input::Text(text), WholeShape::default()).whole().map(WholeShape::shape)
    }
}

impl Shape {
    /// Parses a shape and calls a function for each array in it; needs no heap, however long the tuples are.
    ///
    /// `each` gets the shape index of the array (the number of the part, outermost tuple first; `[]` if the
    /// shape is not a tuple) and the array itself, which may be in a buffer.
    ///
    /// # Errors
    /// The faults of the shape. `each` may have been called before, for parts of the faulty shape.
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
        let arrays = Arrays { path: [0; MAX_NESTING], depth: 0, each };
        ShapeReader::new(Input::Text(text), arrays).whole().map(drop)
    }
}

/// What is done with the parts of a shape, in their order in the text. After a fault, parts can be missing.
pub trait ShapeSink {
    /// Whether there can be tuples.
    const HAS_TUPLES: bool = true;

    /// A shape that is not a tuple.
    fn leaf(&mut self, shape: Shape);

    /// The start of a tuple.
    fn open(&mut self);

    /// The end of the tuple that was opened last.
    fn close(&mut self);

    /// What is written of the array that comes next, if tokens are read.
    fn array(&mut self, _: &Written) {}
}

/// The shape itself.
#[derive(Default)]
struct WholeShape {
    shape: Option<Shape>,
    /// The parts so far of the tuples that are open.
    #[cfg(feature = "alloc")]
    open: Vec<Vec<Shape>>,
}

impl WholeShape {
    fn shape(self) -> Shape {
        self.shape.unwrap_or_else(|| unreachable!("a shape that is not read has a fault"))
    }
}

impl ShapeSink for WholeShape {
    const HAS_TUPLES: bool = cfg!(feature = "alloc");

    fn leaf(&mut self, shape: Shape) {
        #[cfg(feature = "alloc")]
        if let Some(parts) = self.open.last_mut() {
            parts.push(shape);
            return;
        }
        self.shape = Some(shape);
    }

    fn open(&mut self) {
        #[cfg(feature = "alloc")]
        self.open.push(Vec::new());
    }

    fn close(&mut self) {
        #[cfg(feature = "alloc")]
        if let Some(parts) = self.open.pop() {
            self.leaf(Shape::Tuple(parts.into()));
        }
    }
}

/// A call for each array.
struct Arrays<F> {
    /// The number of the present part in each tuple that is open.
    path: [usize; MAX_NESTING],
    depth: usize,
    each: F,
}

impl<F: FnMut(&[usize], &ArrayShape)> Arrays<F> {
    fn next(&mut self) {
        if let Some(last) = self.path[..self.depth].last_mut() {
            *last += 1;
        }
    }
}

impl<F: FnMut(&[usize], &ArrayShape)> ShapeSink for Arrays<F> {
    fn leaf(&mut self, shape: Shape) {
        if let Shape::Array(array) | Shape::Buffer(array) = &shape {
            (self.each)(&self.path[..self.depth], array);
        }
        self.next();
    }

    fn open(&mut self) {
        self.path[self.depth] = 0;
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.next();
    }
}

/// Reads the tokens of `layout!`: an array with named tiles has no tiles, and a size that is an expression is `?`.
///
/// # Errors
/// The faults, their ranges counted in tokens.
pub fn shape_of_tokens<S: ShapeSink>(tokens: &[Token<'_>], sink: S) -> Result<S, Error> {
    ShapeReader::new(Input::Tokens(tokens), sink).whole()
}

struct ShapeReader<'a, S> {
    cursor: Cursor<'a>,
    sink: S,
    depth: usize,
}

impl<'a, S: ShapeSink> ShapeReader<'a, S> {
    fn new(source: Input<'a>, sink: S) -> ShapeReader<'a, S> {
        ShapeReader { cursor: Cursor::new(source), sink, depth: 0 }
    }
    fn whole(mut self) -> Result<S, Error> {
        if self.shape().is_some() {
            self.cursor.expect_nothing_more();
        }
        self.cursor.finish(()).map(|()| self.sink)
    }

    /// `None` where the end of the shape was not found.
    fn shape(&mut self) -> Option<()> {
        if self.cursor.at("(") {
            return self.tuple();
        }
        let leaf = if self.cursor.token.is_word("token") {
            self.without_dims(Shape::Token)
        } else if self.cursor.token.is_word("opaque") {
            self.without_dims(Shape::Opaque)
        } else if self.cursor.token.is_word("b") {
            self.buffer()
        } else {
            self.array(self.depth == 0).map(Shape::Array)
        };
        self.sink.leaf(leaf?);
        Some(())
    }

    fn array(&mut self, may_be_swizzled: bool) -> Option<ArrayShape> {
        let shape = match may_be_swizzled {
            true => self.cursor.swizzled_array(),
            false => self.cursor.array(),
        };
        if matches!(self.cursor.source, Input::Tokens(_)) {
            self.sink.array(&self.cursor.written);
        }
        shape
    }

    /// `token[]` and `opaque[]`.
    fn without_dims(&mut self, shape: Shape) -> Option<Shape> {
        let cursor = &mut self.cursor;
        cursor.bump();
        if !cursor.take("[") {
            cursor.syntax("the brackets are missing", "write `token[]` or `opaque[]`");
            return None;
        }
        if !cursor.at("]") {
            cursor.syntax("a token or opaque value has no dimensions", "leave the brackets empty");
            if !cursor.skip_to("]") {
                return None;
            }
        } else {
            cursor.bump();
        }
        if cursor.at("{") || cursor.at("<") {
            cursor.syntax("a token or opaque value has no layout", "leave out the braces");
            return None;
        }
        Some(shape)
    }

    /// `b(f32[2]{0})`.
    fn buffer(&mut self) -> Option<Shape> {
        self.cursor.bump();
        if !self.cursor.take("(") {
            self.cursor.syntax("the buffer's array is missing", "write it as in `b(f32[2]{0})`");
            return None;
        }
        let token = self.cursor.token;
        let nested = ["b", "token", "opaque"].iter().any(|word| token.is_word(word));
        if nested || self.cursor.at("(") || self.cursor.at(")") {
            self.cursor.syntax("a buffer holds one array", "write it as in `b(f32[2]{0})`");
            self.cursor.skip_to(")");
            return None;
        }
        let array = self.array(false)?;
        if !self.cursor.take(")") {
            if self.cursor.at(",") {
                self.cursor.syntax("a buffer holds one array", "close it with `)`");
            } else {
                self.cursor.expected_end(")");
            }
            return None;
        }
        Some(Shape::Buffer(array))
    }

    fn tuple(&mut self) -> Option<()> {
        if !S::HAS_TUPLES {
            self.cursor.syntax("tuples need a heap", "enable the feature `alloc` of this crate");
            return None;
        }
        if self.depth == MAX_NESTING {
            self.cursor.fault(FaultKind::TOO_DEEP, self.cursor.span);
            return None;
        }
        self.depth += 1;
        self.sink.open();
        let end = self.parts();
        self.sink.close();
        self.depth -= 1;
        end
    }

    /// The parts of a tuple, from its parenthesis on.
    fn parts(&mut self) -> Option<()> {
        self.cursor.bump();
        if self.cursor.take(")") {
            return Some(());
        }
        let closed = list!(self.cursor, ")", {
            if self.shape().is_none() {
                // The next parts can be read all the same, up to the limits of an error.
                if self.cursor.faults.is_full() {
                    return None;
                }
                self.cursor.skip_item(")");
                if self.cursor.is_end() {
                    return None;
                }
            }
        });
        closed.then_some(())
    }
}
