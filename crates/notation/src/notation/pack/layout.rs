//! The layout that a sequence of packs makes.

use crate::digit_order::DigitOrder;
use crate::digit_order::NotThisLayout;
use crate::notation::pack::Packs;
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, TileDim, Tiles};

impl Packs {
    /// The array in this layout: memory holds the last result in row-major order. Its element type and properties
    /// stay, except for `PAD`.
    ///
    /// Where a pack tiles the most minor dimensions in their order, it is a tile as it stands. Other packs are a
    /// [`DigitOrder`], and padding is then that of dimensions alone.
    ///
    /// # Errors
    /// - [`Rank`](NotThisLayout::Rank) if `outer_dims_perm` of the first pack has other dimensions than the array.
    /// - [`NoSuchDimension`](NotThisLayout::NoSuchDimension) if a pack names a dimension that the array does not have, and
    ///   [`Indivisible`](NotThisLayout::Indivisible) if it pads a tile.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let rank = array.rank();
        let first = &self.list[0];
        let given = first.outer_dims_perm.map_or(rank, |permutation| permutation.len());
        NotThisLayout::same_rank(given, array)?;
        if let Some(tiles) = self.as_tiles(rank) {
            let mut minor_to_major = [0; MAX_DIMS];
            for (physical, dim) in minor_to_major[..rank].iter_mut().rev().enumerate() {
                *dim = first.outer(physical);
            }
            return Ok(array.laid_out(&minor_to_major[..rank], &tiles)?);
        }
        self.digit_order(rank)?.layout(array)
    }

    /// The packs as tiles, if each covers the most minor dimensions in their order.
    fn as_tiles(&self, rank: usize) -> Option<Tiles> {
        let mut tiles = Tiles::NONE;
        let mut bounds = rank;
        for (number, pack) in self.packs().iter().enumerate() {
            let count = pack.inner_tiles.len();
            let first = bounds.checked_sub(count)?;
            // The order of dimensions is that of the first pack; its tile counts in that order.
            let order = |bound| if number == 0 { pack.outer(bound) } else { bound };
            let is_in_order = number == 0
                || pack.outer_dims_perm.is_none_or(|order| order.iter().copied().eq(0..bounds));
            if !is_in_order || !pack.inner_dims_pos.iter().copied().eq((first..bounds).map(order)) {
                return None;
            }
            if count > 0 && !tiles.begin() {
                return None;
            }
            for &size in &*pack.inner_tiles {
                if !tiles.push(TileDim::Size(size)) {
                    return None;
                }
            }
            bounds += count;
        }
        Some(tiles)
    }

    /// The order of the digits that the packs make of an array with `rank` dimensions, for every size.
    fn digit_order(&self, rank: usize) -> Result<DigitOrder, NotThisLayout> {
        let mut digits = DigitSequence::EMPTY;
        for dim in 0..rank {
            digits.push(DimDigit { dim, weight: 1, size: None });
        }
        for (tile, pack) in self.packs().iter().enumerate() {
            let outer = digits.len();
            let no_dimension = |dim| NotThisLayout::NoSuchDimension { dim, rank: outer };
            match pack.outer_dims_perm.map(|permutation| permutation.len()) {
                Some(len) if len != outer => return Err(no_dimension(len.max(outer) - 1)),
                _ => {}
            }
            for (&pos, &size) in pack.inner_dims_pos.iter().zip(&*pack.inner_tiles) {
                if pos >= outer {
                    return Err(no_dimension(pos));
                }
                // There is room: dimensions and sizes of tiles are together at most as many as digits.
                let below = digits.cut(pos, size).ok_or(NotThisLayout::Indivisible { tile })?;
                digits.push(below);
            }
            let permuted = (0..outer).map(|dim| pack.outer(dim)).chain(outer..digits.len());
            digits = digits.rearranged(permuted);
        }
        DigitOrder::new(rank, digits.as_slice())
    }
}
