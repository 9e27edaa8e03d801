//! The parts of a shape, to say where a fault is, with a span or without.

// A rule names a place and not a position: the parser knows where each place stands in its text, and types have
// no text.

use core::ops::Range;

use crate::base::{MAX_DIMS, MAX_SPLIT_INDICES, MAX_TILE_DIMS};
use crate::shape::Property;

reasons! {
    /// A part of a shape, in which a fault is. Numbers count from 0.
    pub enum Place {
        /// The whole shape, or no particular part.
        Shape => "";
        /// All dimensions.
        Dims => "";
        /// The order of the dimensions.
        MinorToMajor => "";
        /// One entry of the order; entry 0 is the most minor.
        MinorToMajorEntry(entry: usize) => "entry ", entry, " of the order: ";
        /// A property.
        Property(_property: Property) => "";
        /// The padded width of a dimension.
        PaddedDim(dim: usize) => "dimension ", dim, ": ";
        /// A tile.
        Tile(tile: usize) => "tile ", tile, ": ";
        /// One entry of a tile, numbered across all tiles.
        TileDim(entry: usize) => "tile entry ", entry, ": ";
        /// A split configuration.
        Split(split: usize) => "split ", split, ": ";
        /// A split index, numbered across all configurations.
        SplitIndex(index: usize) => "split index ", index, ": ";
        /// The swizzle.
        Swizzle => "";
    }
}

/// The location of a part: a range of bytes or of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first of these.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
}

impl Span {
    pub(crate) const NONE: Span = Span { start: 0, end: 0 };

    /// As a range.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) const fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }
}

/// Room for the parts of one kind.
// With 32, all of them are 4,096 bytes. At that distance a load waits for a store: reading a shape took a third longer.
const MOST: usize = 36;
const _: () = assert!(MAX_DIMS <= MOST && MAX_TILE_DIMS <= MOST && MAX_SPLIT_INDICES <= MOST);

/// The location of every part of an array's shape, recorded while it is read: by the kind of part and its number.
#[derive(Clone, Copy)]
pub(crate) struct Places([[Span; MOST]; 8]);

impl Places {
    /// No locations yet.
    pub(crate) const NONE: Places = Places([[Span::NONE; MOST]; 8]);

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
