//! Tiles as contiguous blocks, and the outermost tiles as a grid.

use crate::analysis::tiling::Tiling;
use crate::analysis::unknown::Amount;
use crate::base::{MAX_DIMS, PerDim};
use crate::shape::{ArrayShape, TileDim};

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

impl NoGrid {
    /// Why, and what to use instead.
    pub const fn line(self) -> &'static str {
        match self {
            NoGrid::Combined => {
                "the first tile combines dimensions (`*`), so tiles are not boxes of the array: use `runs()`"
            }
            NoGrid::AcrossTiles => {
                "a later tile spans several of the first one's tiles, so these are not contiguous: use `runs()`"
            }
            NoGrid::Swizzle => {
                "the layout is swizzled, so tiles are not contiguous: use `offset` or `runs()`"
            }
        }
    }
}

/// The array as a grid of its first tile; without tiles, the whole array is one tile.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Size of a tile along each dimension, dimension 0 first; 1 for dimensions that the tile does not cover,
    /// 0 for a whole dimension of unknown size.
    pub size: PerDim,
    /// Number of tiles along each dimension, dimension 0 first; 0 in an array without elements.
    pub count: [Amount; MAX_DIMS],
    /// Size of a tile in memory, in elements, padding included. Tiles follow one another in the order of the
    /// layout.
    pub block: Amount,
}

impl Grid {
    /// No tiles at all.
    pub const NONE: Grid =
        Grid { size: [1; MAX_DIMS], count: [Amount::ZERO; MAX_DIMS], block: Amount::ONE };
}

impl ArrayShape {
    /// Size in memory of a tile of a level, in elements, if such tiles are contiguous; level 0 is the
    /// outermost. Without tiles, the size of the array.
    ///
    /// # Errors
    /// Why they are not contiguous.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::NoGrid;
    ///
    /// let shape: layout::ArrayShape = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(shape.block(0).unwrap().known(), Some(1024));
    /// assert_eq!(shape.block(1).unwrap().known(), Some(2));
    ///
    /// let shape: layout::ArrayShape = "f32[4,4]{1,0:T(2)(2,2)}".parse()?;
    /// assert_eq!(shape.block(0), Err(NoGrid::AcrossTiles));
    /// # Ok::<(), layout::Error>(())
    /// ```
    // The length of a tile is a constant, so that loops over tiles are as fast as by hand. The length of a run
    // is known at run time only; in a cache that costs a quarter (AMD Zen 4, `--bench walk`).
    pub const fn block(&self, level: usize) -> Result<Amount, NoGrid> {
        let (_, _, block) = ok!(self.tile_in_memory(level));
        Ok(block)
    }

    /// The array tiled, how many of its physical dimensions count tiles of a level, and the size of one.
    const fn tile_in_memory(&self, level: usize) -> Result<(Tiling, usize, Amount), NoGrid> {
        if !self.swizzle().is_none() {
            return Err(NoGrid::Swizzle);
        }
        let physical = Tiling::of(self);
        let outside = physical.len() - ok!(self.entries_inside(level));
        let mut block = Amount::ONE;
        each!(for i in outside..physical.len() {
            block = block.times(physical.entry(i).bound);
        });
        Ok((physical, outside, block))
    }

    /// How many of the physical dimensions count within a tile of a level: the most minor ones. Later tiles may cover no others.
    const fn entries_inside(&self, level: usize) -> Result<usize, NoGrid> {
        let mut inside = self.rank();
        each!(for tile in level..self.tiles().len() {
            let covered = self.tiles().len_of(tile);
            let mut sizes = 0;
            each!(for entry in 0..covered {
                sizes += matches!(self.tiles().dim(tile, entry), TileDim::Size(_)) as usize;
            });
            if tile == level {
                inside = sizes;
            } else if covered > inside {
                return Err(NoGrid::AcrossTiles);
            } else {
                inside = inside - covered + 2 * sizes;
            }
        });
        Ok(inside)
    }

    /// Size along each dimension of a tile of the outermost tiling, as [`Grid::size`] has it; `None` if the tile combines
    /// dimensions.
    pub(crate) const fn tile_sizes(&self) -> Option<PerDim> {
        let mut sizes = [1; MAX_DIMS];
        if self.tiles().is_empty() {
            each!(for dim in 0..self.rank() {
                sizes[dim] = self.width(dim);
            });
            return Some(sizes);
        }
        let len = self.tiles().len_of(0);
        each!(for entry in 0..len {
            let TileDim::Size(size) = self.tiles().dim(0, entry) else { return None };
            // An entry past the array's dimensions covers none of them.
            if len - 1 - entry < self.rank() {
                sizes[self.ordered_dim(len - 1 - entry)] = size;
            }
        });
        Some(sizes)
    }

    /// The outermost tiling as a grid, if its tiles are contiguous.
    #[doc(hidden)]
    pub const fn grid(&self) -> Result<Grid, NoGrid> {
        let Some(size) = self.tile_sizes() else { return Err(NoGrid::Combined) };
        let (physical, outside, block) = ok!(self.tile_in_memory(0));
        let mut grid = Grid { size, count: [Amount::ONE; MAX_DIMS], block };
        each!(for place in 0..self.rank() {
            // Without tiles all dimensions are inside.
            if place < outside {
                grid.count[self.ordered_dim(place)] = physical.entry(outside - 1 - place).bound;
            }
        });
        // An array without elements has no memory, even if it is padded.
        if !self.fields().has_elements() {
            grid.count = [Amount::ZERO; MAX_DIMS];
        }
        Ok(grid)
    }
}
