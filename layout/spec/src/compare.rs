//! Equality of shapes, with what to leave out.

use crate::array::ArrayShape;
use crate::tiles::{TileDim, Tiles};

/// Whether two lists hold the same numbers.
pub(crate) const fn same_numbers(a: &[usize], b: &[usize]) -> bool {
    let mut is_same = a.len() == b.len();
    let mut i = 0;
    while is_same && i < a.len() {
        is_same = a[i] == b[i];
        i += 1;
    }
    is_same
}

pub(crate) const fn same_tiles(a: &Tiles, b: &Tiles) -> bool {
    let mut is_same = a.len() == b.len();
    let mut tile = 0;
    while is_same && tile < a.len() {
        is_same = a.len_of(tile) == b.len_of(tile);
        let mut i = 0;
        while is_same && i < a.len_of(tile) {
            is_same = match (a.dim(tile, i), b.dim(tile, i)) {
                (TileDim::Size(a), TileDim::Size(b)) => a == b,
                (TileDim::Combined, TileDim::Combined) => true,
                _ => false,
            };
            i += 1;
        }
        tile += 1;
    }
    is_same
}

impl ArrayShape {
    /// Whether all that decides where elements of arrays with the same dimensions lie is the same.
    pub(crate) const fn lies_like(&self, other: &ArrayShape) -> bool {
        same_numbers(self.minor_to_major(), other.minor_to_major())
            && same_padding(self, other)
            && same_tiles(&self.tiles, &other.tiles)
            && self.tail_alignment == other.tail_alignment
    }
}

const fn same_padding(a: &ArrayShape, b: &ArrayShape) -> bool {
    match (a.padded_dimensions(), b.padded_dimensions()) {
        (Some(a), Some(b)) => same_numbers(a, b),
        (None, None) => true,
        _ => false,
    }
}
