//! The layout that a sequence of packs makes.

use crate::digit_order::{DigitOrder, DigitOrderError, DimDigit};
use crate::limits::{MAX_BOUNDS, MAX_DIMS};
use crate::notation::error::LayoutError;
use crate::notation::linalg_pack::Packs;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::{TileDim, Tiles};
use crate::shape::unknown_size::UnknownSize;

impl Packs {
    /// The array in this layout: memory holds the last result in row-major order. Its element type and properties
    /// stay, except for `PAD`.
    ///
    /// Where a pack tiles the most minor dimensions in their order, it is a tile as it stands. Other packs are a
    /// [`DigitOrder`], and padding is then that of dimensions alone.
    ///
    /// # Errors
    /// - [`Rank`](LayoutError::Rank) or [`Size`](LayoutError::Size) if the array has other dimensions than the
    ///   tensor, and [`UnknownSize`](LayoutError::UnknownSize) if one has a size in the text and `?` in the array.
    /// - [`DigitOrder`](LayoutError::DigitOrder) if a pack names a dimension that there is not, or pads a tile.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let rank = array.rank();
        let first = &self.list[0];
        let said = match (&self.source, &first.outer_dims_perm) {
            (Some(sizes), _) => sizes.len,
            (None, Some(permutation)) => permutation.len(),
            (None, None) => rank,
        };
        if said != rank {
            return Err(LayoutError::Rank { text: said, array: rank });
        }
        for dim in 0..rank {
            let Some(text) = self.source.and_then(|sizes| sizes.list[dim]) else { continue };
            match array.dim(dim) {
                Dim::Unbounded => return Err(LayoutError::UnknownSize(UnknownSize { dim })),
                Dim::Static(size) | Dim::Bounded(size) if size != text => {
                    return Err(LayoutError::Size { dim, text, array: size });
                }
                _ => {}
            }
        }
        if let Some(tiles) = self.as_tiles(rank) {
            let mut minor_to_major = [0; MAX_DIMS];
            for (physical, dim) in minor_to_major[..rank].iter_mut().rev().enumerate() {
                *dim = first.outer(physical);
            }
            return array.laid_out(&minor_to_major[..rank], &tiles).map_err(LayoutError::Shape);
        }
        Ok(self.digit_order(rank)?.layout(array)?)
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
    fn digit_order(&self, rank: usize) -> Result<DigitOrder, DigitOrderError> {
        let none = DimDigit { dim: 0, weight: 1, size: None };
        let mut bounds = [none; MAX_BOUNDS];
        for (dim, bound) in bounds[..rank].iter_mut().enumerate() {
            bound.dim = dim;
        }
        let mut len = rank;
        for (number, pack) in self.packs().iter().enumerate() {
            let before = len;
            if let Some(permutation) = pack.outer_dims_perm
                && permutation.len() != before
            {
                let dim = permutation.len().max(before) - 1;
                return Err(DigitOrderError::NoSuchDimension { dim, rank: before });
            }
            for (&pos, &size) in pack.inner_dims_pos.iter().zip(&*pack.inner_tiles) {
                let bound = bounds[..before]
                    .get_mut(pos)
                    .ok_or(DigitOrderError::NoSuchDimension { dim: pos, rank: before })?;
                let inner = DimDigit { size: Some(size), ..*bound };
                bound.size = match bound.size {
                    Some(count) if count.is_multiple_of(size) => Some(count / size),
                    Some(_) => return Err(DigitOrderError::Indivisible { tile: number }),
                    None => None,
                };
                let weight = bound.weight.checked_mul(size);
                bound.weight = weight.ok_or(DigitOrderError::Size { dim: bound.dim })?;
                // There is room: dimensions and sizes of tiles are together at most as many as bounds.
                bounds[len] = inner;
                len += 1;
            }
            let ordered = bounds;
            for (at, bound) in bounds[..before].iter_mut().enumerate() {
                *bound = ordered[pack.outer(at)];
            }
        }
        DigitOrder::new(rank, &bounds[..len])
    }
}
