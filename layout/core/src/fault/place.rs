//! The parts of a shape, to say where a fault is, with a span or without.

use crate::base::limits::{MAX_DIMS, MAX_SPLIT_INDICES, MAX_TILE_DIMS};
use crate::base::text::Text;
use crate::shape::Property;

/// A part of a shape, in which a fault is. Numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The whole shape, or no particular part.
    Shape,
    /// All dimensions.
    Dims,
    /// The order of the dimensions.
    MinorToMajor,
    /// One entry of the order; entry 0 is the most minor.
    MinorToMajorEntry(usize),
    /// A property.
    Property(Property),
    /// The padded width of a dimension.
    PaddedDim(usize),
    /// A tile.
    Tile(usize),
    /// One entry of a tile, numbered across all tiles.
    TileDim(usize),
    /// A split configuration.
    Split(usize),
    /// A split index, numbered across all configurations.
    SplitIndex(usize),
    /// The swizzle.
    Swizzle,
}

impl Place {
    /// Writes the place in words, for messages without a text.
    pub(crate) const fn write<const N: usize>(self, out: &mut Text<N>) {
        match self {
            Place::Shape
            | Place::Dims
            | Place::Property(_)
            | Place::MinorToMajor
            | Place::Swizzle => {}
            Place::MinorToMajorEntry(entry) => say!(out, "entry ", entry, " of the order: "),
            Place::PaddedDim(dim) => say!(out, "dimension ", dim, ": "),
            Place::Tile(tile) => say!(out, "tile ", tile, ": "),
            Place::TileDim(entry) => say!(out, "tile entry ", entry, ": "),
            Place::Split(split) => say!(out, "split ", split, ": "),
            Place::SplitIndex(index) => say!(out, "split index ", index, ": "),
        }
    }
}

/// The location of a part: a range of bytes or of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub(crate) const NONE: Span = Span { start: 0, end: 0 };

    pub(crate) const fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }
}

/// Most parts of one kind.
const MOST: usize = 32;
const _: () = assert!(MAX_DIMS <= MOST && MAX_TILE_DIMS <= MOST && MAX_SPLIT_INDICES <= MOST);

/// The location of every part of an array's shape, recorded while it is read: by the kind of part and its number.
#[derive(Clone, Copy)]
pub(crate) struct Places([[Span; MOST]; 8]);

impl Places {
    pub(crate) const fn new() -> Places {
        Places([[Span::NONE; MOST]; 8])
    }

    pub(crate) const fn find(&self, place: Place) -> Span {
        let (kind, number) = place.kind_and_number();
        self.0[kind][number]
    }

    /// Records a part; what exceeds a limit of the library is a fault elsewhere.
    pub(crate) const fn set(&mut self, place: Place, span: Span) {
        let (kind, number) = place.kind_and_number();
        if number < MOST {
            self.0[kind][number] = span;
        }
    }
}

impl Place {
    const fn kind_and_number(self) -> (usize, usize) {
        match self {
            Place::Shape => (0, 0),
            Place::Dims => (0, 1),
            Place::MinorToMajor => (0, 2),
            Place::Swizzle => (0, 3),
            Place::MinorToMajorEntry(entry) => (1, entry),
            Place::Property(property) => (2, property as usize),
            Place::PaddedDim(dim) => (3, dim),
            Place::Tile(tile) => (4, tile),
            Place::TileDim(entry) => (5, entry),
            Place::Split(split) => (6, split),
            Place::SplitIndex(index) => (7, index),
        }
    }
}
