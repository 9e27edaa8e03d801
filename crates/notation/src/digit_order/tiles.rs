//! An order of digits as an order of dimensions and tiles.

use crate::digit_order::error::NotThisLayout;
use crate::digit_order::search::Keys;
use crate::digit_order::{DigitOrder, MAX_DIGITS};
use layout_core::analysis::DimDigit;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, Size};
use layout_core::{ArrayShape, Dim, TileDim, Tiles};

/// See [`DigitOrder::layout`].
pub(super) fn layout(order: &DigitOrder, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
    NotThisLayout::same_rank(order.rank, array)?;
    for dim in (0..order.rank).filter(|dim| !order.is_open(*dim)) {
        let given = order.size_of(dim);
        match array.dims()[dim] {
            Dim::Static(size) | Dim::Bounded(size) if size == given => {}
            Dim::Static(array) | Dim::Bounded(array) => {
                return Err(NotThisLayout::Size { dim, given, array });
            }
            Dim::Unbounded => return Err(NotThisLayout::unknown(dim)),
        }
    }
    let keys = Keys::fewest(order)?;
    let tiles = DigitsByDim::new(order, &keys).tiles().ok_or(NotThisLayout::TooManyTiles)?;
    let mut minor_to_major = [0; MAX_DIMS];
    for (to, from) in minor_to_major.iter_mut().zip(keys.dims[..order.rank].iter().rev()) {
        *to = usize::from(*from);
    }
    Ok(array.laid_out(&minor_to_major[..order.rank], &tiles)?)
}

/// The digits in the order that they have without tiles.
struct DigitsByDim {
    /// Each with its key.
    digits: [(DimDigit, u8); MAX_DIGITS],
    /// Where each dimension, in its order, ends among them.
    ends: [usize; MAX_DIMS],
    rank: usize,
    tiles: usize,
}

impl DigitsByDim {
    fn new(order: &DigitOrder, keys: &Keys) -> DigitsByDim {
        let (mut digits, mut ends) = ([(DimDigit::ONE, 0); MAX_DIGITS], [0; MAX_DIMS]);
        let mut len = 0;
        for (end, dim) in ends.iter_mut().zip(&keys.dims[..order.rank]) {
            let start = len;
            for (digit, &key) in order.digits().iter().zip(&keys.keys) {
                if digit.dim == usize::from(*dim) {
                    digits[len] = (*digit, key);
                    len += 1;
                }
            }
            digits[start..len].sort_unstable_by_key(|(digit, _)| core::cmp::Reverse(digit.weight));
            *end = len;
        }
        DigitsByDim { digits, ends, rank: order.rank, tiles: keys.tiles }
    }

    /// The tiles of the keys; `None` if they have too many sizes.
    fn tiles(&self) -> Option<Tiles> {
        // Bounds: stretches of digits in the order without tiles.
        let mut bounds = [(0, 0); MAX_BOUNDS];
        let mut len = self.rank;
        let mut start = 0;
        for (bound, &end) in bounds.iter_mut().zip(&self.ends[..self.rank]) {
            *bound = (start, end);
            start = end;
        }
        let mut tiles = Tiles::NONE;
        for tile in 0..self.tiles {
            let end = len;
            let is_cut = |&(from, to): &(usize, usize)| self.cut(from, to, tile) < to;
            let Some(first) = bounds[..end].iter().position(is_cut) else { continue };
            if !tiles.begin() {
                return None;
            }
            for at in first..end {
                let (from, to) = bounds[at];
                let cut = self.cut(from, to, tile);
                let below = self.digits[cut..to].iter().map(|(digit, _)| digit.values());
                if !tiles.push(TileDim::Size(below.product::<Size>())) {
                    return None;
                }
                bounds[at].1 = cut;
                bounds[len] = (cut, to);
                len += 1;
            }
        }
        Some(tiles)
    }

    /// Where a tile cuts a bound: from there on its digits move back.
    fn cut(&self, from: usize, to: usize, tile: usize) -> usize {
        let moved = self.digits[from..to].iter().rev().take_while(|(_, key)| key >> tile & 1 == 1);
        to - moved.count()
    }
}
