//! Shapes of all kinds: arrays, buffers, tokens, opaque values, and tuples of shapes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::ops::Range;

#[cfg(feature = "alloc")]
use crate::fault::FaultKind;
use crate::fault::error::Error;
#[cfg(feature = "alloc")]
use crate::fault::place::Span;
use crate::parse::cursor::Cursor;
#[cfg(feature = "alloc")]
use crate::parse::cursor::Next;
use crate::parse::source::Source;
#[cfg(feature = "alloc")]
use crate::parse::source::Token;
use crate::shape::Shape;

/// Reads a text that is a shape.
#[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
pub(crate) fn shape_text(text: &str) -> Result<Shape, Error> {
    Reader::new(Source::Text(text)).whole()
}

/// A shape that was read from the tokens of a macro.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct Parsed {
    /// The shape; an array with named tiles has no tiles in it.
    pub shape: Shape,
    /// What is written of each array, in the order in which they stand.
    pub arrays: Vec<Written>,
}

/// The tokens of parts of an array.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct Written {
    /// The array.
    pub whole: Range<usize>,
    /// The size of each dimension.
    pub dims: Vec<Range<usize>>,
    /// The layout with its braces, where there is one.
    pub layout: Option<Range<usize>>,
    /// The name of the tiles, where they are named (`T=Packed`).
    pub named_tiles: Option<Range<usize>>,
}

/// Reads the tokens of `layout!`.
///
/// # Errors
/// Every fault, its range counted in tokens.
#[cfg(feature = "alloc")]
#[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
pub fn shape_of_tokens(tokens: &[Token<'_>]) -> Result<Parsed, Error> {
    let mut reader = Reader::new(Source::Tokens(tokens));
    let shape = reader.whole()?;
    Ok(Parsed { shape, arrays: reader.arrays })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    #[cfg(feature = "alloc")]
    arrays: Vec<Written>,
    #[cfg(feature = "alloc")]
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(source: Source<'a>) -> Reader<'a> {
        Reader {
            cursor: Cursor::new(source),
            #[cfg(feature = "alloc")]
            arrays: Vec::new(),
            #[cfg(feature = "alloc")]
            depth: 0,
        }
    }

    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    fn whole(&mut self) -> Result<Shape, Error> {
        let shape = self.shape();
        if shape.is_some() {
            self.cursor.expect_nothing_more();
        }
        match (self.cursor.error(), shape) {
            (None, Some(shape)) => Ok(shape),
            (Some(error), _) => Err(error),
            (None, None) => unreachable!("a shape that is not read has a fault"),
        }
    }

    /// `None` where the end of the shape was not found.
    fn shape(&mut self) -> Option<Shape> {
        if self.cursor.at("(") {
            return self.tuple();
        }
        if self.cursor.token.is_word("token") {
            return self.without_dims(Shape::Token);
        }
        if self.cursor.token.is_word("opaque") {
            return self.without_dims(Shape::Opaque);
        }
        if self.cursor.token.is_word("b") {
            return self.buffer();
        }
        self.array().map(Shape::Array)
    }

    fn array(&mut self) -> Option<crate::ArrayShape> {
        #[cfg(feature = "alloc")]
        let start = self.cursor.span.start;
        let shape = self.cursor.array();
        #[cfg(feature = "alloc")]
        {
            let range = |span: Span| span.start..span.end;
            let written = &self.cursor.written;
            self.arrays.push(Written {
                whole: start..self.cursor.last.end,
                dims: written.dims.map(range).to_vec(),
                layout: written.layout.map(range),
                named_tiles: written.named_tiles.map(range),
            });
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
            cursor.syntax("a token or opaque value has no layout", "end it at the brackets");
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
        let array = self.array()?;
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

    #[cfg(not(feature = "alloc"))]
    fn tuple(&mut self) -> Option<Shape> {
        self.cursor.syntax("tuples need a heap", "enable the feature `alloc` of this crate");
        None
    }

    #[cfg(feature = "alloc")]
    fn tuple(&mut self) -> Option<Shape> {
        if self.depth == crate::limits::MAX_NESTING {
            let what = "shapes nested in one another";
            let kind = FaultKind::TooMany { what, limit: crate::limits::MAX_NESTING };
            self.cursor.fault(kind, self.cursor.span);
            return None;
        }
        self.depth += 1;
        let tuple = self.parts().map(|parts| Shape::Tuple(parts.into()));
        self.depth -= 1;
        tuple
    }

    /// The parts of a tuple, from its parenthesis on.
    #[cfg(feature = "alloc")]
    fn parts(&mut self) -> Option<Vec<Shape>> {
        self.cursor.bump();
        let mut parts = Vec::new();
        if !self.cursor.take(")") {
            loop {
                match self.shape() {
                    Some(shape) => parts.push(shape),
                    // The next parts can be read all the same, up to the limits of an error.
                    None if self.cursor.faults.is_full() => return None,
                    None => {
                        self.cursor.skip_item(")");
                        if self.cursor.is_end() {
                            return None;
                        }
                    }
                }
                match self.cursor.next(")") {
                    Next::Item => {}
                    Next::End => break,
                    Next::Broken => return None,
                }
            }
        }
        Some(parts)
    }
}
