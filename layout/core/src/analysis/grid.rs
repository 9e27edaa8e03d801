//! Tiles as contiguous blocks, and the outermost tiles as a grid.

use crate::analysis::tiling::Tiling;
use crate::analysis::unknown::Amount;
use crate::base::limits::{MAX_DIMS, Size};
use crate::shape::array::ArrayShape;
use crate::shape::tiles::TileDim;

/// Why the tiles of a layout are not contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGrid {
    /// The first tile combines dimensions, so tiles are not boxes of the array.
    Combined,
    /// A later tile spans several of the first one's tiles, or pads between them.
    AcrossTiles,
    /// A swizzle exchanges elements of several tiles, or within one.
    Swizzle,
}

/// The array as a grid of its first tile; without tiles, the whole array is one tile.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Size of a tile along each dimension, dimension 0 first; 1 for dimensions that the tile does not cover,
    /// 0 for a whole dimension of unknown size.
    pub size: [Size; MAX_DIMS],
    /// Number of tiles along each dimension, dimension 0 first; 0 if the size of the dimension is unknown or
    /// 0.
    pub count: [Size; MAX_DIMS],
    /// Size of a tile in memory, in elements, padding included. Tiles follow one another in the order of the
    /// layout.
    pub block: Amount,
}

impl Grid {
    /// No tiles at all.
    pub const NONE: Grid = Grid { size: [1; MAX_DIMS], count: [0; MAX_DIMS], block: Amount::ONE };
}

impl ArrayShape {
    /// Size in memory of a tile of a level, in elements, if such tiles are contiguous; level 0 is the
    /// outermost. Without tiles, the size of the array.
    #[doc(hidden)]
    pub const fn block(&self, level: usize) -> Result<Amount, NoGrid> {
        if !self.swizzle().is_none() {
            return Err(NoGrid::Swizzle);
        }
        let physical = Tiling::tiled(self.fields());
        // The entries inside a tile, which are those that later tiles may cover.
        let mut inside = self.rank();
        each!(for tile in level..self.tiles().len() {
            let covered = self.tiles().len_of(tile);
            let mut sizes = 0;
            each!(for dim in self.tiles().get(tile) {
                sizes += matches!(dim, TileDim::Size(_)) as usize;
            });
            if tile == level {
                inside = sizes;
            } else if covered > inside {
                return Err(NoGrid::AcrossTiles);
            } else {
                inside = inside - covered + 2 * sizes;
            }
        });
        let mut block = Amount::ONE;
        each!(for i in physical.len() - inside..physical.len() {
            block = block.times(physical.entry(i).bound);
        });
        Ok(block)
    }

    /// The outermost tiling as a grid, if its tiles are contiguous.
    #[doc(hidden)]
    pub const fn grid(&self) -> Result<Grid, NoGrid> {
        let tile = if self.tiles().is_empty() { &[] } else { self.tiles().get(0) };
        each!(for dim in tile {
            if let TileDim::Combined = dim {
                return Err(NoGrid::Combined);
            }
        });
        let block = match self.block(0) {
            Ok(block) => block,
            Err(error) => return Err(error),
        };
        let mut grid = Grid { size: [1; MAX_DIMS], count: [1; MAX_DIMS], block };
        each!(for k in 0..self.rank() {
            let dim = self.ordered_dim(k);
            if tile.is_empty() {
                grid.size[dim] = self.width(dim);
            } else if k < tile.len()
                && let TileDim::Size(size) = tile[tile.len() - 1 - k]
            {
                grid.size[dim] = size;
            }
            // An array without elements has no memory, even if it is padded.
            grid.count[dim] = match (self.elements(), self.dim(dim).size()) {
                (Some(0), _) | (_, Some(0) | None) => 0,
                _ => self.width(dim).div_ceil(grid.size[dim]),
            };
        });
        Ok(grid)
    }
}
