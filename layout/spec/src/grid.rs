//! The outermost tiling of a layout as a grid of blocks in memory.

use crate::array::ArrayShape;
use crate::limits::MAX_DIMS;
use crate::tiles::TileDim;
use crate::tiling::Tiling;
use crate::unknown::Amount;

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
    /// Tiles along each dimension, dimension 0 first; 0 where the size of the dimension is unknown.
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
    /// The outermost tiling as a grid, if its tiles are blocks of memory.
    #[doc(hidden)]
    pub const fn grid(&self) -> Result<Grid, NoGrid> {
        let rank = self.rank();
        let mut grid = Grid { size: [1; MAX_DIMS], count: [1; MAX_DIMS], block: Amount::ONE };
        let physical = Tiling::tiled(self);
        let len = if self.tiles.is_empty() { rank } else { self.tiles.len_of(0) };

        // The entries inside a tile, which are those that later tiles may cover.
        let mut inside = len;
        let mut tile = 0;
        while tile < self.tiles.len() {
            let covered = self.tiles.len_of(tile);
            let mut sizes = 0;
            let mut i = 0;
            while i < covered {
                match self.tiles.dim(tile, i) {
                    TileDim::Size(_) => sizes += 1,
                    TileDim::Combined if tile == 0 => return Err(NoGrid::Combined),
                    TileDim::Combined => {}
                }
                i += 1;
            }
            if tile > 0 {
                if covered > inside {
                    return Err(NoGrid::AcrossTiles);
                }
                inside = inside - covered + 2 * sizes;
            }
            tile += 1;
        }
        let mut i = physical.len() - inside;
        while i < physical.len() {
            grid.block.factor *= physical.entry(i).bound;
            grid.block.unknowns |= physical.entry(i).unknowns;
            i += 1;
        }

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
                (Some(0), _) | (_, None) => 0,
                _ => self.width(dim).div_ceil(grid.size[dim]),
            };
            k += 1;
        }
        Ok(grid)
    }
}
