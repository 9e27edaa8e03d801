//! `{1,0:T(8,128)E(4)}`: the order of the dimensions and the properties.

use crate::base::MAX_DIMS;
use crate::fault::{FaultKind, Place};
use crate::parse::cursor::Cursor;
use crate::parse::integer::{Field, field};
use crate::parse::source::TokenKind;
use crate::rules::Given;
use crate::shape::Property;

const ORDER: Field = field!(
    "the number of a dimension",
    "a layout begins with the order of the dimensions, most minor first: `{1,0}`",
    "dimensions are numbered from 0"
);

const COLON: &str = "write one before the properties: `{1,0:T(2,2)}`";

impl Cursor<'_> {
    /// Reads the layout, or sets the default one. False where its end was not found.
    pub(crate) const fn layout(&mut self) -> bool {
        self.shape.set_default_order();
        let open = self.span;
        let close = if self.at("{") {
            "}"
        } else if self.at("<") {
            ">"
        } else {
            return true;
        };
        self.bump();
        if self.shape.rank == 0 && self.counted && self.at(close) {
            self.syntax_at(
                open.to(self.span),
                "a scalar has no dimensions to order",
                "leave the braces out, or give a property as in `f32[]{:T(128)}`",
            );
            self.bump();
            return true;
        }
        self.places.set(Place::MinorToMajor, open);
        if !self.at(":") && !self.at(close) && !self.order(close) {
            return self.skip_to(close);
        }
        if (self.at(":") || self.at(close))
            && self.places.find(Place::MinorToMajor).start == open.start
        {
            // No order at all.
            if self.shape.rank > 0 && self.counted {
                let kind = FaultKind::MinorToMajorCount { entries: 0, rank: self.shape.rank() };
                self.fault_in(kind, Place::MinorToMajor, self.span);
            }
        }
        if self.take(":") {
            return self.properties(close);
        }
        if self.take(close) {
            return true;
        }
        self.expected_end_of_order(close);
        self.skip_to(close)
    }

    /// Reads the order. False where it is followed by neither a colon nor the end.
    const fn order(&mut self, close: &'static str) -> bool {
        let mut entries = [0; MAX_DIMS];
        let mut count = 0;
        let mut read = true;
        let mut trailing = self.span;
        let start = self.span;
        loop {
            let span = self.span;
            match self.dim_number(&ORDER) {
                Some(dim) if count < MAX_DIMS => {
                    entries[count] = dim;
                    self.places.set(Place::MinorToMajorEntry(count), span);
                }
                Some(_) => {}
                None => {
                    read = false;
                    if !self.at(",") && !self.at(":") && !self.at(close) {
                        return false;
                    }
                }
            }
            count += 1;
            if count == self.shape.rank() + 1 {
                trailing = span;
            }
            if !self.at(",") {
                break;
            }
            self.bump();
            if self.at(":") || self.at(close) {
                self.trailing_comma();
                // Where entries are missing, the comma may be right.
                read &= count == self.shape.rank();
                break;
            }
            if Property::from_letters(self.token.text).is_some() {
                self.syntax_at(self.last, "expected a colon", COLON);
                return false;
            }
        }
        self.places.set(Place::MinorToMajor, start.to(self.last));
        let ends = self.at(":") || self.at(close);
        if !self.counted || !read || !ends {
            return true;
        }
        if count != self.shape.rank() {
            let kind = FaultKind::MinorToMajorCount { entries: count, rank: self.shape.rank() };
            let first = if count > self.shape.rank() { trailing } else { start };
            self.fault_in(kind, Place::MinorToMajor, first.to(self.last));
            // Nor is the number of other lists judged: sizes may be missing.
            self.counted = false;
        } else {
            self.shape.minor_to_major = entries;
        }
        true
    }

    const fn expected_end_of_order(&mut self, close: &'static str) {
        if self.at("(") {
            self.syntax("expected `:T` before the tiles", "write tiles as in `{1,0:T(2,2)}`");
        } else if self.token.is_word("T") {
            self.syntax("expected a colon", COLON);
        } else if self.is_end() {
            self.expected_end(close);
        } else if matches!(self.token.kind, TokenKind::Number) {
            self.syntax("expected a comma", "separate the dimensions by commas: `{1,0}`");
        } else {
            self.syntax(
                "expected the end of the layout",
                "close it, or write properties after a colon: `{1,0:T(2,2)}`",
            );
        }
    }

    /// Reads the properties and the end of the layout. False where the end was not found.
    const fn properties(&mut self, close: &'static str) -> bool {
        let mut given = Given::NOTHING;
        loop {
            if self.take(close) {
                return true;
            }
            if self.is_end() || self.at(")") || self.at("]") || self.at("}") {
                self.expected_end(close);
                return false;
            }
            if self.at(",") {
                self.syntax(
                    "tiles and properties follow one another without commas",
                    "remove the comma",
                );
                self.bump();
                // Tiles, which continue those before the comma.
                self.skip_lists();
                continue;
            }
            let word = self.span;
            let is_word = matches!(self.token.kind, TokenKind::Word);
            let is_named = !self.at("(");
            let Some(property) = self.property_letters() else {
                if !is_word {
                    // Where the next property begins cannot be told.
                    return self.skip_to(close);
                }
                // An unknown property: the next one begins after its value, if it has one.
                self.bump();
                if !self.at("(") {
                    return self.skip_to(close);
                }
                self.skip_lists();
                continue;
            };
            if is_named && let Some(fault) = given.add(property) {
                self.fault_in(fault, Place::Property(property), word);
            }
            self.places.set(Place::Property(property), word);
            if !self.property(property) {
                return self.skip_to(close);
            }
        }
    }

    /// Reads the letters of a property. Tiles without their `T` are taken for tiles.
    const fn property_letters(&mut self) -> Option<Property> {
        if self.at("(") {
            self.syntax("tiles are introduced by `T`", "write `T` before them: `T(2,2)`");
            return Some(Property::Tiles);
        }
        if let Some(property) = Property::from_letters(self.token.text) {
            self.bump();
            self.accept();
            return Some(property);
        }
        if let Some(property) = Property::from_name(self.token.text) {
            self.fault_of(property, FaultKind::PropertyCase { property });
            return None;
        }
        let (what, instead) = if self.token.text.eq_ignore_ascii_case("swizzle") {
            (
                "a swizzle is not a property of the layout",
                "write it after the braces: `f16[64,64]{1,0}, swizzle = 128B`",
            )
        } else if self.at(":") {
            ("one colon is enough for all properties", "remove this one")
        } else if self.at(">") || self.at("}") {
            (
                "this does not close the layout",
                "a layout ends with `}` if it begins with `{`, with `>` if it begins with `<`",
            )
        } else {
            (
                "unknown property",
                "the properties are PAD FILL T L E S SC M, in this order; write named tiles as `T=Name`",
            )
        };
        self.syntax(what, instead);
        None
    }
}
