//! Tiles as blocks of memory, and the outermost ones as a grid.

use crate::analysis::tiling::Tiling;
use crate::analysis::unknown::Amount;
use crate::limits::MAX_DIMS;
use crate::shape::array::ArrayShape;
use crate::shape::tiles::TileDim;

/// Why the tiles of a layout are no blocks of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGrid {
    /// The first tile combines dimensions, so that it is no box in the array.
    Combined,
    /// A later tile reaches across the tiles of the first, or pads between them.
    AcrossTiles,
}

/// The first tile of a layout, laid side by side over the array; without tiles one tile is the
/// whole array.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Elements of a tile along each dimension, dimension 0 first; 1 along those that the tile does
    /// not cover, 0 where it is a whole dimension of unknown size.
    pub size: [usize; MAX_DIMS],
    /// Tiles along each dimension, dimension 0 first; 0 where the size of the dimension is unknown or 0.
    pub count: [usize; MAX_DIMS],
    /// Slots of memory that a tile takes, padding included. Tiles lie one after another in the
    /// order of the layout.
    pub block: Amount,
}

impl Grid {
    /// No tiles at all.
    pub const NONE: Grid = Grid { size: [1; MAX_DIMS], count: [0; MAX_DIMS], block: Amount::ONE };
}

impl ArrayShape {
    /// Slots of memory that a tile of a level takes, 0 being the outermost, if such tiles are blocks
    /// of memory; without tiles those of the array.
    #[doc(hidden)]
    pub const fn block(&self, level: usize) -> Result<Amount, NoGrid> {
        let physical = Tiling::tiled(self);
        // The entries inside a tile, which are those that later tiles may cover.
        let mut inside = self.rank();
        let mut tile = level;
        while tile < self.tiles.len() {
            let covered = self.tiles.len_of(tile);
            let mut sizes = 0;
            let mut i = 0;
            while i < covered {
                if let TileDim::Size(_) = self.tiles.dim(tile, i) {
                    sizes += 1;
                }
                i += 1;
            }
            if tile == level {
                inside = sizes;
            } else if covered > inside {
                return Err(NoGrid::AcrossTiles);
            } else {
                inside = inside - covered + 2 * sizes;
            }
            tile += 1;
        }
        let mut block = Amount::ONE;
        let mut i = physical.len() - inside;
        while i < physical.len() {
            block.factor *= physical.entry(i).bound;
            block.unknowns |= physical.entry(i).unknowns;
            i += 1;
        }
        Ok(block)
    }

    /// The outermost tiling as a grid, if its tiles are blocks of memory.
    #[doc(hidden)]
    pub const fn grid(&self) -> Result<Grid, NoGrid> {
        let rank = self.rank();
        let len = if self.tiles.is_empty() { rank } else { self.tiles.len_of(0) };
        let mut i = 0;
        while !self.tiles.is_empty() && i < len {
            if let TileDim::Combined = self.tiles.dim(0, i) {
                return Err(NoGrid::Combined);
            }
            i += 1;
        }
        let block = match self.block(0) {
            Ok(block) => block,
            Err(error) => return Err(error),
        };
        let mut grid = Grid { size: [1; MAX_DIMS], count: [1; MAX_DIMS], block };
        let mut k = 0;
        while k < rank {
            let dim = self.minor_to_major[k];
            if k < len {
                grid.size[dim] = if self.tiles.is_empty() {
                    self.width(dim)
                } else {
                    match self.tiles.dim(0, len - 1 - k) {
                        TileDim::Size(size) => size,
                        TileDim::Combined => 1,
                    }
                };
            }
            // An array without elements has no memory, whatever pads it.
            grid.count[dim] = match (self.elements(), self.dims[dim].size()) {
                (Some(0), _) | (_, Some(0) | None) => 0,
                _ => self.width(dim).div_ceil(grid.size[dim]),
            };
            k += 1;
        }
        Ok(grid)
    }
}
