//! An order of digits as an order of dimensions and tiles.

use crate::base::text::part;
use crate::digit_order::search::Keys;
use crate::digit_order::{DigitOrder, DigitOrderError, MAX_DIGITS};
use crate::limits::{MAX_BOUNDS, MAX_DIMS, Size};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::{TileDim, Tiles};

/// See [`DigitOrder::layout`].
pub(super) const fn layout(
    order: &DigitOrder,
    array: &ArrayShape,
) -> Result<ArrayShape, DigitOrderError> {
    if order.rank != array.rank() {
        return Err(DigitOrderError::OtherRank { rank: order.rank, array: array.rank() });
    }
    let mut dim = 0;
    while dim < order.rank {
        let (digits, has_rest) = order.size_of(dim);
        match array.dims[dim] {
            _ if has_rest => {}
            Dim::Static(size) | Dim::Bounded(size) if size == digits => {}
            Dim::Static(size) | Dim::Bounded(size) => {
                return Err(DigitOrderError::OtherSize { dim, digits, size });
            }
            Dim::Unbounded => return Err(DigitOrderError::UnknownSize { dim }),
        }
        dim += 1;
    }
    let keys = match Keys::fewest(order) {
        Ok(keys) => keys,
        Err(error) => return Err(error),
    };
    let Some(tiles) = DigitsByDim::new(order, &keys).tiles() else {
        return Err(DigitOrderError::TooManyTiles);
    };
    let mut dims = [0; MAX_DIMS];
    let mut i = 0;
    while i < order.rank {
        dims[i] = keys.dims[order.rank - 1 - i] as usize;
        i += 1;
    }
    match array.laid_out(part(&dims, 0, order.rank), &tiles) {
        Ok(shape) => Ok(shape),
        Err(fault) => Err(DigitOrderError::Shape(fault)),
    }
}

/// The digits in the order that they have without tiles.
struct DigitsByDim<'a> {
    order: &'a DigitOrder,
    keys: &'a Keys,
    /// Numbers of digits in memory.
    digits: [u8; MAX_DIGITS],
    /// Where each dimension, in its order, ends among them.
    ends: [u8; MAX_DIMS],
}

impl DigitsByDim<'_> {
    const fn new<'a>(order: &'a DigitOrder, keys: &'a Keys) -> DigitsByDim<'a> {
        let (mut digits, mut ends) = ([0; MAX_DIGITS], [0; MAX_DIMS]);
        let mut len = 0;
        let mut at = 0;
        while at < order.rank {
            let start = len;
            let mut i = 0;
            while i < order.len {
                if order.digits[i].dim == keys.dims[at] as usize {
                    // By descending weight.
                    let mut to = len;
                    while to > start
                        && order.digits[digits[to - 1] as usize].weight < order.digits[i].weight
                    {
                        digits[to] = digits[to - 1];
                        to -= 1;
                    }
                    digits[to] = i as u8;
                    len += 1;
                }
                i += 1;
            }
            ends[at] = len as u8;
            at += 1;
        }
        DigitsByDim { order, keys, digits, ends }
    }

    /// The tiles of the keys; `None` if they have too many sizes.
    const fn tiles(&self) -> Option<Tiles> {
        // Bounds: stretches of digits in the order without tiles.
        let mut bounds = [(0u8, 0u8); MAX_BOUNDS];
        let mut len = self.order.rank;
        let mut start = 0;
        let mut at = 0;
        while at < len {
            bounds[at] = (start, self.ends[at]);
            start = self.ends[at];
            at += 1;
        }
        let mut tiles = Tiles::NONE;
        let mut tile = 0;
        while tile < self.keys.tiles {
            let mut first = len;
            let mut at = len;
            while at > 0 {
                at -= 1;
                if self.cut(bounds[at], tile) < bounds[at].1 {
                    first = at;
                }
            }
            if first < len {
                if !tiles.begin() {
                    return None;
                }
                let end = len;
                let mut at = first;
                while at < end {
                    let (from, to) = bounds[at];
                    let cut = self.cut((from, to), tile);
                    if !tiles.push(TileDim::Size(self.product(cut, to))) {
                        return None;
                    }
                    bounds[at].1 = cut;
                    bounds[len] = (cut, to);
                    len += 1;
                    at += 1;
                }
            }
            tile += 1;
        }
        Some(tiles)
    }

    /// Where a tile cuts a bound: from there on its digits move back.
    const fn cut(&self, (from, to): (u8, u8), tile: usize) -> u8 {
        let mut cut = to;
        while cut > from && self.key(cut - 1) >> tile & 1 == 1 {
            cut -= 1;
        }
        cut
    }

    /// The key of the digit at a place.
    const fn key(&self, place: u8) -> u8 {
        self.keys.keys[self.digits[place as usize] as usize]
    }

    /// Values of the digits of a stretch.
    const fn product(&self, from: u8, to: u8) -> Size {
        let mut product = 1;
        let mut place = from;
        while place < to {
            if let Some(size) = self.order.digits[self.digits[place as usize] as usize].size {
                product *= size;
            }
            place += 1;
        }
        product
    }
}
