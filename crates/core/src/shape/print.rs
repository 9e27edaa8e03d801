//! The canonical text, as XLA prints it.

use core::fmt;

use crate::base::{Piece, Text};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::element::ElementType;
use crate::shape::property::Property;
use crate::shape::tiles::{TileDim, Tiles};

/// Longest canonical text of an array within the stated limits, in bytes; the numbers of all
/// kinds have at most 19 digits.
pub const MAX_TEXT: usize = 3072;

impl ArrayShape {
    /// The canonical text; usable in a `const`.
    #[doc(hidden)]
    pub const fn text(&self) -> Text<MAX_TEXT> {
        let mut out = Text::new();
        array(&mut out, self.element_type(), self.dims());
        self.layout(&mut out);
        if !self.swizzle().is_none() {
            out.str(", swizzle = ");
            self.swizzle().write(&mut out);
        }
        out
    }

    /// The text of the layout alone, such as `{1,0:T(8,128)}`.
    pub(crate) const fn layout_text(&self) -> Text<MAX_TEXT> {
        let mut out = Text::new();
        self.layout(&mut out);
        out
    }

    const fn layout(&self, out: &mut Text<MAX_TEXT>) {
        if self.rank() > 0 || self.has_properties() {
            out.byte(b'{');
            each!(for i in 0..self.rank() {
                comma(out, i);
                say!(out, self.ordered_dim(i));
            });
            if self.has_properties() {
                out.byte(b':');
                self.properties(out);
            }
            out.byte(b'}');
        }
    }

    /// Whether the layout is more than an order of the dimensions.
    #[doc(alias = "DeviceShapeIsHostShape")]
    pub const fn has_properties(&self) -> bool {
        self.fields().has_padding
            || self.fill().is_some()
            || !self.tiles().is_empty()
            || self.tail_padding_alignment() != 1
            || self.fields().element_size != 0
            || self.fields().memory_space != 0
            || !self.splits().is_empty()
            || self.fields().metadata_prefix != 0
    }

    const fn properties(&self, out: &mut Text<MAX_TEXT>) {
        if let Some(widths) = self.padded_dimensions() {
            say!(out, Property::Padding.name(), "(", Piece::List(widths, ","), ")");
        }
        if let Some(fill) = self.fill() {
            say!(out, Property::Fill.name(), "(", fill.name(), ")");
        }
        if !self.tiles().is_empty() {
            out.str(Property::Tiles.name());
            self.tiles().write(out);
        }
        number(out, Property::TailAlignment, self.tail_padding_alignment() as i64, 1);
        number(out, Property::ElementSize, self.fields().element_size as i64, 0);
        number(out, Property::MemorySpace, self.fields().memory_space, 0);
        if !self.splits().is_empty() {
            out.str(Property::Splits.name());
            each!(for split in 0..self.splits().len() {
                let indices = Piece::List(self.splits().indices(split), ",");
                say!(out, "(", self.splits().dim(split), ":", indices, ")");
            });
        }
        number(out, Property::MetadataPrefix, self.fields().metadata_prefix as i64, 0);
    }
}

impl Tiles {
    /// The tiles without the letter `T`: `(8,128)(2,1)`.
    pub(crate) const fn write<const N: usize>(&self, out: &mut Text<N>) {
        each!(for tile in 0..self.len() {
            out.byte(b'(');
            each!(for i in 0..self.len_of(tile) {
                comma(out, i);
                match self.dim(tile, i) {
                    TileDim::Size(size) => out.number(size),
                    TileDim::Combined => out.byte(b'*'),
                }
            });
            out.byte(b')');
        });
    }

    /// The tiles without the letter `T`; usable in a `const`.
    #[doc(hidden)]
    pub const fn text(&self) -> Text<MAX_TEXT> {
        let mut out = Text::new();
        self.write(&mut out);
        out
    }
}

/// An array without its layout, such as `f32[3,<=5]`.
pub const fn array<const N: usize>(out: &mut Text<N>, element: ElementType, dims: &[Dim]) {
    say!(out, element.name(), "[");
    each!(for i in 0..dims.len() {
        comma(out, i);
        dim(out, dims[i]);
    });
    out.byte(b']');
}

/// A size, with `<=` before a bound, or `?`.
pub const fn dim<const N: usize>(out: &mut Text<N>, dim: Dim) {
    match dim {
        Dim::Static(size) => out.number(size),
        Dim::Bounded(bound) => say!(out, "<=", bound),
        Dim::Unbounded => out.byte(b'?'),
    }
}

const fn comma<const N: usize>(out: &mut Text<N>, number: usize) {
    if number > 0 {
        out.byte(b',');
    }
}

const fn number(out: &mut Text<MAX_TEXT>, property: Property, number: i64, default: i64) {
    if number != default {
        say!(out, property.name(), "(", Piece::Signed(number), ")");
    }
}

impl fmt::Display for ArrayShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}

/// The tiles without their letter: `(8,128)(2,1)`.
impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}
