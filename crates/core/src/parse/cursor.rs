//! The parser's position in the tokens, its faults, and how it goes on after one.

use crate::base::{MAX_DIMS, MAX_TILE_DIMS, equal};
use crate::fault::{Error, Fault, FaultKind, Faults, Place, Places, Span};
use crate::parse::source::{Input, Token, TokenKind};
use crate::shape::{ArrayFields, ElementType, Property};

/// The state of the parser.
pub(crate) struct Cursor<'a> {
    pub source: Input<'a>,
    /// The token to be read next.
    pub token: Token<'a>,
    pub span: Span,
    /// The token read last.
    pub last: Span,
    pub faults: Faults,
    /// The array that is read, as far as it is read.
    pub shape: ArrayFields,
    /// Where its parts stand; those that it does not have, where an array before had them. Nobody asks for these.
    pub places: Places,
    /// Whether a fault was noted and nothing was read since as it should be: what comes next is not counted as another fault.
    quiet: bool,
    /// Whether brackets were passed over, or do not match: nothing that follows is judged.
    lost: bool,
    /// Whether it is known how many dimensions the array has.
    pub counted: bool,
    /// What is written of the array read last.
    pub written: Written,
}

/// Where parts of an array stand that macros ask for.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The array.
    pub whole: Span,
    /// The size of each dimension.
    pub dims: [Span; MAX_DIMS],
    /// The expression of Rust that is the size, or the bound, of a dimension: a path or a block.
    pub expressions: [Option<Span>; MAX_DIMS],
    /// The layout with its braces, where there is one.
    pub layout: Option<Span>,
    /// The bits of an element (`E`).
    pub element_size: Option<Span>,
    /// The name of the tiles, where they are named (`T=Packed`).
    pub named_tiles: Option<Span>,
    /// The expression of Rust that is the size of an entry, counted through all tiles.
    pub tile_expressions: [Option<Span>; MAX_TILE_DIMS],
}

impl Written {
    pub(crate) const NOTHING: Written = Written {
        whole: Span::NONE,
        dims: [Span::NONE; MAX_DIMS],
        expressions: [None; MAX_DIMS],
        layout: None,
        element_size: None,
        named_tiles: None,
        tile_expressions: [None; MAX_TILE_DIMS],
    };
}

/// What follows an item of a list.
pub(crate) enum Next {
    Item,
    End,
    /// The list is broken off; the fault is noted.
    Broken,
}

/// `list!(cursor, ")", { .. })` runs the block, which reads an item, for each item of a list up to its end. It is false where
/// the list is broken off.
macro_rules! list {
    ($cursor:expr, $close:expr, $item:block) => {
        loop {
            $item
            match $cursor.next($close) {
                Next::Item => {}
                Next::End => break true,
                Next::Broken => break false,
            }
        }
    };
}
pub(super) use list;

impl<'a> Cursor<'a> {
    pub(crate) const fn new(source: Input<'a>) -> Cursor<'a> {
        let (token, span) = source.token(0);
        Cursor {
            source,
            token,
            span,
            last: Span::NONE,
            faults: Faults::NONE,
            shape: ArrayFields::scalar(ElementType::U8),
            places: Places::NONE,
            quiet: false,
            lost: false,
            counted: true,
            written: Written::NOTHING,
        }
    }

    pub(crate) const fn is_end(&self) -> bool {
        matches!(self.token.kind, TokenKind::End)
    }

    pub(crate) const fn at(&self, symbol: &str) -> bool {
        matches!(self.token.kind, TokenKind::Symbol) && equal(self.token.text, symbol)
    }

    pub(crate) const fn bump(&mut self) {
        self.last = self.span;
        if !self.is_end() {
            (self.token, self.span) = self.source.token(self.span.end);
        }
    }

    /// Reads the symbol if it stands here.
    pub(crate) const fn take(&mut self, symbol: &str) -> bool {
        let taken = self.at(symbol);
        if taken {
            self.bump();
            // Commas and colons stand between things, and are no sign that one was read.
            self.quiet &= matches!(symbol.as_bytes()[0], b',' | b':');
        }
        taken
    }

    /// What was read is as it should be.
    pub(crate) const fn accept(&mut self) {
        self.quiet = false;
    }

    /// A fault of no part in particular.
    pub(crate) const fn fault(&mut self, kind: FaultKind, span: Span) {
        self.fault_in(kind, Place::Shape, span);
    }

    /// A fault of a part.
    pub(crate) const fn fault_in(&mut self, kind: FaultKind, place: Place, span: Span) {
        // What is refused has a fault at least.
        if !self.quiet && !self.lost || self.faults.count() == 0 {
            self.faults.add(Fault::of_source(kind, place, span));
        }
        self.quiet = true;
    }

    /// Notes the faults of values where these stand.
    pub(crate) const fn add_faults(&mut self, found: &Faults) {
        each!(for &Fault { kind, place, .. } in found.as_slice() {
            if !self.lost {
                self.faults.add(Fault::of_source(kind, place, self.places.find(place)));
            }
        });
    }

    /// A fault of a property, at the token to be read next.
    pub(crate) const fn fault_of(&mut self, property: Property, kind: FaultKind) {
        self.fault_in(kind, Place::Property(property), self.span);
    }

    /// A fault of the grammar at the token to be read next.
    pub(crate) const fn syntax(&mut self, what: &'static str, instead: &'static str) {
        self.syntax_at(self.span, what, instead);
    }

    pub(crate) const fn syntax_at(&mut self, at: Span, what: &'static str, instead: &'static str) {
        self.fault(FaultKind::Syntax { what, instead }, at);
    }

    /// The fault of the comma that was just read, which ends a list.
    pub(crate) const fn trailing_comma(&mut self) {
        self.syntax_at(self.last, "nothing follows the comma", "remove the comma");
    }

    /// Reads what follows an item of a list that ends with `close`: the comma or the end.
    pub(crate) const fn next(&mut self, close: &'static str) -> Next {
        if self.take(close) {
            return Next::End;
        }
        if self.take(",") {
            if self.at(close) {
                self.trailing_comma();
                self.bump();
                return Next::End;
            }
            self.accept();
            return Next::Item;
        }
        let closes = self.at(")") || self.at("]") || self.at("}") || self.at(">");
        if self.is_end() || closes {
            self.expected_end(close);
        } else {
            self.syntax("expected a comma", "separate the items of a list by commas");
        }
        self.skip_item(close);
        if self.take(",") {
            Next::Item
        } else if self.take(close) {
            Next::End
        } else {
            Next::Broken
        }
    }

    /// The fault of a list, a layout or a shape that is not closed.
    pub(crate) const fn expected_end(&mut self, close: &'static str) {
        match close.as_bytes()[0] {
            b')' => self.syntax("expected `)`", "close the list that `(` opened"),
            b']' => self.syntax("expected `]`", "close the dimensions that `[` opened"),
            b'}' => self.syntax("expected `}`", "close the layout that `{` opened"),
            _ => self.syntax("expected `>`", "close the layout that `<` opened"),
        }
    }

    /// Goes on to the next comma or closing bracket of this level.
    pub(crate) const fn skip_item(&mut self, close: &str) {
        let mut depth = 0usize;
        while !self.is_end() {
            if depth == 0 && (self.at(",") || self.at(close)) {
                return;
            }
            let is_open = self.at("(") || self.at("[") || self.at("{");
            // Brackets of Rust's tokens always match.
            self.lost |= matches!(self.source, Input::Text(_)) && (is_open || self.at("<"));
            if is_open {
                depth += 1;
            } else if self.at(")") || self.at("]") || self.at("}") {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            self.bump();
        }
        self.lost = true;
    }

    /// Skips lists in parentheses, one after another.
    pub(crate) const fn skip_lists(&mut self) {
        while self.take("(") {
            self.skip_to(")");
        }
    }

    /// Goes on to the closing bracket of this level and reads it.
    pub(crate) const fn skip_to(&mut self, close: &str) -> bool {
        self.skip_item(close);
        while self.take(",") {
            self.skip_item(close);
        }
        self.take(close)
    }

    /// Goes on after the closing bracket of this level, where what stands before it may be anything.
    pub(crate) const fn read_over(&mut self, close: &str) -> bool {
        let lost = self.lost;
        let closed = self.skip_to(close);
        self.lost = lost;
        closed
    }

    /// What was read; if there is a fault, the error, with the text where there is one.
    pub(crate) const fn finish<T: Copy>(&self, read: T) -> Result<T, Error> {
        if self.faults.count() == 0 {
            return Ok(read);
        }
        let faults = self.faults.sorted();
        Err(match self.source {
            Input::Text(text) => Error::of_text(faults, text),
            Input::Tokens(_) => Error::of_tokens(faults),
        })
    }
}
