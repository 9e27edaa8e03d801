//! `f32[3,<=5]`, followed by the layout.

use crate::base::{MAX_DIMS, MAX_SIZE, substr};
use crate::fault::{Error, FaultKind, Faults, Place, Span};
use crate::parse::cursor::{Cursor, Next, Written};
use crate::parse::integer::{Field, field};
use crate::parse::source::{Input, TokenKind};
use crate::rules::check;
use crate::shape::{ArrayFields, ArrayShape, Dim, ElementType, Splits, Swizzle};

impl ArrayShape {
    /// Parses the shape of an array; usable in a `const`.
    ///
    /// # Errors
    /// The faults of the text, with their places. Tuples, tokens and opaque values are not arrays: parse them
    /// as a [`Shape`](crate::Shape).
    pub const fn parse_const(text: &str) -> Result<ArrayShape, Error> {
        let mut cursor = Cursor::new(Input::Text(text));
        let other = cursor.token.is_word("token")
            || cursor.token.is_word("opaque")
            || cursor.token.is_word("b")
            || cursor.at("(");
        let shape = if other {
            cursor.syntax(
                "this is not the shape of an array",
                "write one as in `f32[3,5]{1,0}`; parse tuples, buffers and tokens as a `Shape`",
            );
            None
        } else {
            let shape = cursor.swizzled_array();
            if shape.is_some() {
                cursor.expect_nothing_more();
            }
            shape
        };
        match ok!(cursor.finish(shape)) {
            Some(shape) => Ok(shape),
            // A shape that is not read has a fault.
            None => unreachable!(),
        }
    }

    /// This array (its element type and sizes) in another layout, given as text: `{1,0:T(8,128)}`, or
    /// `{1,0}, swizzle = 128B`. The text replaces the whole layout, `E` included.
    ///
    /// # Errors
    /// The faults of the text. They are marked where they stand after the array, as in `f32[3,5]{1,1}`, and ranges count from
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
        ArrayShape::parse_const(&alloc::format!("{array}{text}"))
    }
}

impl core::str::FromStr for ArrayShape {
    type Err = Error;

    fn from_str(text: &str) -> Result<ArrayShape, Error> {
        ArrayShape::parse_const(text)
    }
}

const DIM: Field = field!(
    "the size of a dimension",
    "write a number, `?` for a size that is known at run time, or `<=` and a bound, as in `f32[?,<=5]`",
    "write the size, 0 or more"
);

const SOME_ELEMENT_TYPE: &str =
    "write one of XLA's names, such as `f32`, `bf16`, `s8`, `u4`, `pred`";

/// In a macro, which takes constants too.
const DIM_OF_RUST: Field = field!(
    "the size of a dimension",
    "write a number or a constant, `?` for a size that is known at run time, or `<=` and a bound, as in `F32[?,<=5]`",
    "write the size, 0 or more"
);

impl Cursor<'_> {
    /// Reads an array's shape and checks it. `None` where it cannot be read to its end.
    pub(crate) const fn array(&mut self) -> Option<ArrayShape> {
        // A new cursor has no array yet.
        if self.last.end > 0 {
            (self.written, self.shape) = (Written::NOTHING, ArrayFields::scalar(ElementType::U8));
        }
        let start = self.span;
        self.shape.element = some!(self.element_type());
        let sized = some!(self.dims());
        let (layout, before) = (self.span, self.faults.count());
        let read = self.layout();
        if self.span.start > layout.start {
            self.written.layout = Some(layout.to(self.last));
        }
        self.written.whole = start.to(self.last);
        self.places.set(Place::Shape, self.written.whole);
        // What could not be read is not checked.
        let mut known = self.shape;
        let has_faults = self.faults.count() > before || !sized || !self.counted;
        known.has_padding &= sized;
        if has_faults && !known.has_padding {
            known.fill = None;
        }
        if !self.counted {
            known.splits = Splits::NONE;
        }
        let mut found = Faults::NONE;
        check::array(&known, MAX_SIZE, &mut found);
        self.add_faults(&found);
        // Whoever asks for a shape looks for faults first.
        if read { Some(self.shape.trusted()) } else { None }
    }

    const fn element_type(&mut self) -> Option<ElementType> {
        if !matches!(self.token.kind, TokenKind::Word) {
            let (what, instead) = match self.token.text.as_bytes() {
                [] => ("a shape is missing", "write one, as in `f32[3,5]{1,0:T(2,2)}`"),
                [b'"', ..] => ("a shape is not a string", "write it without the quotes"),
                _ => ("a shape begins with its element type", SOME_ELEMENT_TYPE),
            };
            self.syntax(what, instead);
            return None;
        }
        let element = match ElementType::from_name(self.token.text) {
            Some(element) => element,
            None => {
                self.unknown_element_type();
                ElementType::U8
            }
        };
        self.bump();
        Some(element)
    }

    const fn unknown_element_type(&mut self) {
        let nearest = ElementType::nearest(self.token.text);
        let kind = match (ElementType::family(self.token.text), self.source) {
            (Some(prefix), _) => FaultKind::SeveralElementTypes { prefix },
            (None, Input::Tokens(_)) if nearest.is_none() => FaultKind::Syntax {
                what: "unknown element type",
                instead: "write one of XLA's names, such as `F32`, `BF16`, `S8`, `U4`, `PRED`; \
                 a type parameter `E` stands in `Array<E, (C<3>, C<5>), order!(1, 0), tiles!((8,128))>`",
            },
            _ => FaultKind::UnknownElementType { nearest },
        };
        self.fault(kind, self.span);
    }

    /// Reads the dimensions: whether each has a size that is known here. `None` where their end was not found.
    const fn dims(&mut self) -> Option<bool> {
        let open = self.span;
        if !self.take("[") {
            self.syntax(
                "the dimensions are missing",
                "write them in brackets after the element type: `f32[3,5]`, or `f32[]` for a scalar",
            );
            return None;
        }
        self.counted = true;
        let (mut sized, mut is_open) = (true, !self.take("]"));
        while is_open {
            let start = self.span;
            let (counted, is_one) = (self.counted, self.is_one_size());
            let mut dim = self.dim();
            if dim.is_some() && self.is_within_calculation() {
                dim = None;
                self.skip_item("]");
                self.calculated(start.to(self.last));
            } else if dim.is_none() {
                // Of a bound that lacks its `=`, and no bracket.
                self.take("<");
                self.skip_item("]");
            }
            if is_one {
                self.counted = counted;
            }
            sized &= dim.is_some();
            if (self.shape.rank as usize) < MAX_DIMS {
                // A dimension that cannot be read is not checked.
                let number = self.shape.rank as usize;
                let (size, expression) = match dim {
                    Some(read) => read,
                    None => (Dim::Unbounded, None),
                };
                (self.shape.dims[number], self.written.dims[number]) = (size, start.to(self.last));
                self.written.expressions[number] = expression;
                sized &= expression.is_none();
                self.shape.rank += 1;
            } else if self.counted {
                (self.counted, sized) = (false, false);
                self.fault(FaultKind::TOO_MANY_DIMS, start.to(self.last));
            }
            let before = self.faults.count();
            let next = self.next("]");
            // After a fault of the list it is not known how many were meant.
            self.counted &= self.faults.count() == before;
            match next {
                Next::Item => {}
                Next::End => is_open = false,
                Next::Broken => return None,
            }
        }
        self.places.set(Place::Dims, open.to(self.last));
        Some(sized)
    }

    /// Reads a dimension; of one whose size is an expression of Rust, which only the compiler can evaluate, where that stands.
    const fn dim(&mut self) -> Option<(Dim, Option<Span>)> {
        if self.take("?") {
            return Some((Dim::Unbounded, None));
        }
        let bounded = self.take("<=");
        if bounded && self.at("?") {
            self.syntax(
                "a bound is a number",
                "write the largest size, as in `<=1024`; a size without a bound is `?` alone",
            );
            return None;
        }
        let expression = self.expression();
        if expression.is_some() {
            return Some((Dim::Unbounded, expression));
        }
        let field = if matches!(self.source, Input::Tokens(_)) { &DIM_OF_RUST } else { &DIM };
        let size = some!(self.size(field));
        Some((if bounded { Dim::Bounded(size) } else { Dim::Static(size) }, None))
    }

    /// Notes that a size is calculated where only a block can be.
    pub(super) const fn calculated(&mut self, item: Span) {
        let instead = "write it as a block: `{ 2 * N }`";
        self.syntax_at(item, "a size that is calculated needs braces", instead);
    }

    /// Whether the size that was read is the beginning of an expression of Rust.
    pub(super) const fn is_within_calculation(&self) -> bool {
        let operators: &[&str] = &["+", "-", "*", "/", "%", "<", ">", "&", "|", "^", ".", "("];
        each!(for i in 0..operators.len() {
            // `>` closes nothing here.
            if self.at(operators[i]) {
                return matches!(self.source, Input::Tokens(_));
            }
        });
        let is_negative =
            matches!(self.token.kind, TokenKind::Number) && self.token.text.as_bytes()[0] == b'-';
        matches!(self.source, Input::Tokens(_)) && (is_negative || self.token.is_word("as"))
    }

    /// Reads over a path such as `sizes::ROWS`, or a block. A text has none.
    pub(super) const fn expression(&mut self) -> Option<Span> {
        if matches!(self.source, Input::Text(_)) {
            return None;
        }
        let start = self.span;
        if self.take("{") {
            self.read_over("}");
            return Some(start.to(self.last));
        }
        if !matches!(self.token.kind, TokenKind::Word) || self.token.is_word("_") {
            return None;
        }
        self.path();
        Some(start.to(self.last))
    }

    /// Reads a path of Rust. False where a name of it is missing.
    pub(super) const fn path(&mut self) -> bool {
        loop {
            let is_separated = !self.take(":") || self.take(":");
            if !is_separated || !matches!(self.token.kind, TokenKind::Word) {
                return false;
            }
            self.bump();
            if !self.at(":") {
                return true;
            }
        }
    }

    /// Reads an array, and `, swizzle = 128B` after it, which is not XLA's. Macros read that as an option.
    pub(crate) const fn swizzled_array(&mut self) -> Option<ArrayShape> {
        match (self.array(), self.source) {
            (Some(shape), Input::Text(text))
                if self.at(",") && self.source.token(self.span.end).0.is_word("swizzle") =>
            {
                self.swizzle(text, shape)
            }
            (shape, _) => shape,
        }
    }

    const fn swizzle(&mut self, text: &str, shape: ArrayShape) -> Option<ArrayShape> {
        self.bump();
        self.bump();
        if !self.take("=") {
            self.syntax("expected `=`", "write it as in `f16[64,64]{1,0}, swizzle = 128B`");
            return None;
        }
        let value = Span { start: self.span.start, end: text.len() };
        while !self.is_end() {
            self.bump();
        }
        let swizzled = match Swizzle::parse(substr(text, value.start, value.end)) {
            // A layout with a fault is not looked at again.
            Ok(_) if self.faults.count() > 0 => Ok(shape),
            Ok(swizzle) => shape.with_swizzle(swizzle),
            Err(fault) => Err(fault),
        };
        match swizzled {
            Ok(shape) => Some(shape),
            Err(fault) => {
                self.fault_in(fault.kind(), Place::Swizzle, value);
                None
            }
        }
    }

    /// Notes a fault if anything follows the shape. After a fault of the shape that may belong to it.
    pub(crate) const fn expect_nothing_more(&mut self) {
        if self.is_end() || self.faults.count() > 0 {
            return;
        }
        if self.at("(") || self.at(":") || self.token.is_word("T") {
            self.syntax(
                "tiles belong inside the layout",
                "write them after the order of the dimensions: `{1,0:T(8,128)}`",
            );
        } else if self.at("{") || self.at("<") {
            self.syntax("a shape has one layout", "write all of it between one pair of braces");
        } else {
            self.syntax("nothing may follow a shape", "remove this");
        }
    }
}
