//! The values of the properties: `T(8,128)(2,1)`, `E(4)`, `SC(0:16,32)` and the others.

use crate::base::{MAX_DIMS, MAX_SIZE, MAX_TILES, Size};
use crate::fault::{FaultKind, Place};
use crate::parse::cursor::{Cursor, Next, list};
use crate::parse::integer::{Field, field};
use crate::parse::source::{Input, TokenKind};
use crate::shape::{Fill, Property, Splits, TileDim, Tiles};

const TILE: Field = field!(
    "a tile size",
    "write a number, or `*` to combine the dimension with the next more minor one",
    "write a size, or `*` (also `-1`) to combine the dimension with the next more minor one"
);

/// In a macro, which takes constants too.
const TILE_OF_RUST: Field = field!(
    "a tile size",
    "write a number or a constant, or `*` to combine the dimension with the next more minor one",
    "write a size, or `*` (also `-1`) to combine the dimension with the next more minor one"
);

const PADDED: Field = Field::plain(
    "expected a padded width",
    "give the padded width of each dimension, dimension 0 first: `PAD(3,5)`",
);

const NUMBER: Field =
    Field::plain("expected a number", "write one in decimal digits, as in `E(4)`");

const SPLIT: Field = Field::plain(
    "expected a number",
    "write the physical dimension, a colon and where to split, as in `SC(0:16,32)`",
);

impl Cursor<'_> {
    /// Reads the value of a property, after its letters. False if the end was not found.
    pub(crate) const fn property(&mut self, property: Property) -> bool {
        let letters = self.last;
        match property {
            Property::Tiles => self.shape.tiles = Tiles::NONE,
            Property::Splits => self.shape.splits = Splits::NONE,
            _ => {}
        }
        if matches!(property, Property::Tiles) && self.at("=") {
            return self.named_tiles();
        }
        if !self.at("(") {
            self.fault_of(property, FaultKind::PropertyValue { property });
            return false;
        }
        if !matches!(property, Property::Tiles | Property::Splits) {
            self.bump();
        }
        match property {
            Property::Tiles => self.tiles(),
            Property::Splits => self.splits(),
            Property::DimLevels => self.dim_levels(),
            Property::Padding => {
                let read = self.padding();
                self.places.set(Place::Property(property), letters.to(self.last));
                read
            }
            Property::Fill => self.fill(),
            Property::IndexType | Property::PointerType | Property::PhysicalShape => {
                let read = self.read_over(")");
                if !read {
                    self.expected_end(")");
                }
                let kind = FaultKind::Sparse { property };
                self.fault_in(kind, Place::Property(property), letters.to(self.last));
                read
            }
            _ => self.number(property),
        }
    }

    /// The value of `E`, `L`, `S` and `M`; whether it is in range is checked with the others.
    const fn number(&mut self, property: Property) -> bool {
        self.places.set(Place::Property(property), self.span);
        if !matches!(self.token.kind, TokenKind::Number) {
            self.fault_of(property, FaultKind::PropertyValue { property });
            self.skip_item(")");
        } else if let Some(integer) = self.integer(&NUMBER) {
            let number = integer.signed();
            let size = if integer.is_negative() { Size::MAX } else { number as Size };
            // A number that was cut off is not kept.
            let too_large = integer.magnitude > MAX_SIZE as u64;
            if too_large {
                self.fault_of(property, FaultKind::OutOfRange { property });
            }
            self.bump();
            match property {
                _ if too_large => {}
                Property::TailAlignment => {
                    self.shape.tail_alignment = if integer.is_negative() { 0 } else { size };
                }
                Property::ElementSize => {
                    self.shape.element_size = size;
                    self.written.element_size = Some(self.last);
                }
                Property::MemorySpace => self.shape.memory_space = number,
                _ => self.shape.metadata_prefix = size,
            }
        }
        self.end_of_value()
    }

    /// Reads tiles one after another. False where the end of one was not found.
    pub(crate) const fn tiles(&mut self) -> bool {
        while self.at("(") {
            let open = self.span;
            self.bump();
            let number = self.shape.tiles.len();
            let mut room = self.shape.tiles.begin();
            let closed = self.take(")")
                || list!(self, ")", {
                    let span = self.span;
                    let mut dim = self.tile_dim();
                    if !self.at(",") && !self.at(")") {
                        // More was meant than is read here.
                        dim = TileDim::Size(1);
                    }
                    if room {
                        self.places.set(Place::TileDim(self.shape.tiles.entries()), span);
                        room = self.shape.tiles.push(dim);
                        if !room {
                            self.fault(FaultKind::TOO_MANY_TILE_DIMS, span);
                        }
                    }
                });
            if !closed {
                return false;
            }
            let tile = open.to(self.last);
            if number < MAX_TILES {
                self.places.set(Place::Tile(number), tile);
            } else {
                self.fault(FaultKind::TOO_MANY_TILES, tile);
                self.skip_lists();
            }
        }
        true
    }

    /// An entry of a tile, counted through all tiles; 1, which is never a fault, if only the compiler knows it or it cannot be
    /// read.
    const fn tile_dim(&mut self) -> TileDim {
        if self.take("*") {
            return TileDim::Combined;
        }
        if self.is_minus_one() {
            self.bump();
            self.accept();
            return TileDim::Combined;
        }
        let start = self.span;
        if matches!(self.source, Input::Tokens(_)) && self.token.is_type_name() {
            self.syntax(
                "a tile size is a number or a constant, not a type",
                "if this is the name of a tile spec, write `T=Named`",
            );
            self.skip_item(")");
            return TileDim::Size(1);
        }
        let expression = self.expression();
        let field = if matches!(self.source, Input::Tokens(_)) { &TILE_OF_RUST } else { &TILE };
        let size = if expression.is_some() { Some(1) } else { self.size(field) };
        if size.is_some() && self.is_within_calculation() {
            self.skip_item(")");
            self.calculated(start.to(self.last));
        } else if let Some(size) = size {
            let entry = self.shape.tiles.entries();
            if entry < self.written.tile_expressions.len() {
                self.written.tile_expressions[entry] = expression;
            }
            return TileDim::Size(size);
        } else {
            self.skip_item(")");
        }
        TileDim::Size(1)
    }

    /// `T=Packed`: the name of a type that has the tiles.
    const fn named_tiles(&mut self) -> bool {
        self.bump();
        if matches!(self.source, Input::Text(_)) {
            self.syntax(
                "tiles can be named only in `layout!`",
                "write their sizes in parentheses: `T(8,128)`",
            );
            return false;
        }
        let start = self.span;
        if !self.path() {
            self.syntax(
                "expected the name of a tile spec",
                "declare one with `type Packed = layout::tiles!((8,128)(2,1));`",
            );
            return false;
        }
        self.written.named_tiles = Some(start.to(self.last));
        if self.at("<") {
            self.syntax(
                "a tile spec is named without generic arguments",
                "declare an alias for it: `type Packed = Spec<..>;`",
            );
            return false;
        }
        if self.at("(") {
            self.syntax(
                "no tiles may follow named tiles",
                "declare a tile spec that has these tiles too",
            );
            self.skip_lists();
        }
        true
    }

    /// `D(D,C+~)`, which has no effect on dense arrays.
    const fn dim_levels(&mut self) -> bool {
        if self.take(")") {
            return true;
        }
        list!(self, ")", {
            let level = self.token.is_word("D")
                || self.token.is_word("C")
                || self.token.is_word("S")
                || self.token.is_word("H");
            if !level {
                self.syntax(
                    "expected the level type of a dimension",
                    "write `D`, `C`, `S` or `H`, or leave out `D(..)`, which has no effect here",
                );
                self.skip_item(")");
            } else {
                self.bump();
                self.take("+");
                self.take("~");
            }
        })
    }

    const fn padding(&mut self) -> bool {
        let first = self.span;
        let faults = self.faults.count();
        let mut entries = 0;
        let mut last = first;
        let closed = self.take(")")
            || list!(self, ")", {
                let span = self.span;
                match self.size(&PADDED) {
                    Some(width) if entries < MAX_DIMS => {
                        self.shape.padded_dims[entries] = width;
                        self.places.set(Place::PaddedDim(entries), span);
                    }
                    Some(_) => {}
                    None => self.skip_item(")"),
                }
                entries += 1;
                last = self.last;
            });
        if !closed {
            return false;
        }
        if self.counted && entries != self.shape.rank() && self.faults.count() == faults {
            let kind = FaultKind::PaddingCount { entries, rank: self.shape.rank() };
            self.fault_in(kind, Place::Property(Property::Padding), first.to(last));
        }
        // Widths that could not be read, or may be those of other dimensions, are not checked.
        self.shape.has_padding = self.counted && self.faults.count() == faults;
        true
    }

    const fn fill(&mut self) -> bool {
        match Fill::from_name(self.token.text) {
            Some(fill) if self.token.is_word(fill.name()) => self.shape.fill = Some(fill),
            _ => {
                self.syntax(
                    "unknown padding value",
                    "write `zero`, `one`, `lowest`, `highest` or `unknown`",
                );
                return self.skip_to(")");
            }
        }
        self.bump();
        self.end_of_value()
    }

    /// The parenthesis after the only value of a property.
    const fn end_of_value(&mut self) -> bool {
        if self.take(")") {
            return true;
        }
        if self.at(",") {
            self.syntax("this property takes one value", "remove the others");
        } else {
            self.expected_end(")");
        }
        self.skip_to(")")
    }

    /// `SC(0:16,32)(1:8)`, after the letters.
    const fn splits(&mut self) -> bool {
        while self.take("(") {
            let span = self.span;
            let Some(dim) = self.dim_number(&SPLIT) else { return self.skip_splits() };
            self.places.set(Place::Split(self.shape.splits.len()), span);
            if !self.shape.splits.begin(dim) {
                self.fault(FaultKind::TOO_MANY_SPLITS, span);
            }
            if !self.take(":") {
                self.syntax("expected a colon", SPLIT.other.1);
                return self.skip_splits();
            }
            if self.take(")") {
                continue;
            }
            let closed = list!(self, ")", {
                let span = self.span;
                if let Some(index) = self.size(&SPLIT) {
                    self.places.set(
                        Place::SplitIndex(self.shape.splits.start(self.shape.splits.len())),
                        span,
                    );
                    if !self.shape.splits.push(index) {
                        self.fault(FaultKind::TOO_MANY_SPLIT_INDICES, span);
                        return self.skip_to(")");
                    }
                } else {
                    self.skip_item(")");
                }
            });
            if !closed {
                return false;
            }
        }
        true
    }

    /// Goes on after this split configuration and those that follow it.
    const fn skip_splits(&mut self) -> bool {
        let mut closed = self.skip_to(")");
        while closed && self.take("(") {
            closed = self.skip_to(")");
        }
        closed
    }
}
