//! The parts of a shape, to say where a fault is, with a span or without.

use crate::base::text::Text;
use crate::limits::{MAX_DIMS, MAX_SPLIT_INDICES, MAX_SPLITS, MAX_TILE_DIMS, MAX_TILES};
use crate::shape::property::Property;

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
}

impl Place {
    /// Writes the place in words, for messages without a text.
    pub(crate) const fn write<const N: usize>(self, out: &mut Text<N>) {
        match self {
            Place::Shape | Place::Dims | Place::Property(_) | Place::MinorToMajor => {}
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

/// The location of every part of an array's shape, recorded while it is read.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub shape: Span,
    pub dims: Span,
    pub minor_to_major: Span,
    pub minor_to_major_entries: [Span; MAX_DIMS],
    pub properties: [Span; Property::ALL.len()],
    pub padded_dims: [Span; MAX_DIMS],
    pub tiles: [Span; MAX_TILES],
    pub tile_dims: [Span; MAX_TILE_DIMS],
    pub splits: [Span; MAX_SPLITS],
    pub split_indices: [Span; MAX_SPLIT_INDICES],
}

impl Places {
    pub(crate) const fn new() -> Places {
        Places {
            shape: Span::NONE,
            dims: Span::NONE,
            minor_to_major: Span::NONE,
            minor_to_major_entries: [Span::NONE; MAX_DIMS],
            properties: [Span::NONE; Property::ALL.len()],
            padded_dims: [Span::NONE; MAX_DIMS],
            tiles: [Span::NONE; MAX_TILES],
            tile_dims: [Span::NONE; MAX_TILE_DIMS],
            splits: [Span::NONE; MAX_SPLITS],
            split_indices: [Span::NONE; MAX_SPLIT_INDICES],
        }
    }

    pub(crate) const fn find(&self, place: Place) -> Span {
        match place {
            Place::Shape => self.shape,
            Place::Dims => self.dims,
            Place::MinorToMajor => self.minor_to_major,
            Place::MinorToMajorEntry(entry) => self.minor_to_major_entries[entry],
            Place::Property(property) => self.properties[property as usize],
            Place::PaddedDim(dim) => self.padded_dims[dim],
            Place::Tile(tile) => self.tiles[tile],
            Place::TileDim(entry) => self.tile_dims[entry],
            Place::Split(split) => self.splits[split],
            Place::SplitIndex(index) => self.split_indices[index],
        }
    }
}
