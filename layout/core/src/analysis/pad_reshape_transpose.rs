//! Tiling step by step, as the document explains it.

use core::fmt;

use crate::analysis::tiling::Tiling;
use crate::base::list::List;
use crate::limits::MAX_BOUNDS;
use crate::shape::array::ArrayShape;

/// Bounds of an array, the most major first.
pub type Bounds = List<MAX_BOUNDS>;

/// What one tile does to the array in memory. All bounds are in physical order, the most major
/// first.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TileStep {
    /// The tile's number, the first applied being 0.
    pub tile: usize,
    /// The bounds with every `*` joined to its neighbour, and with size-1 bounds in front where
    /// the tile is longer than the array.
    pub combined: Bounds,
    /// Those padded up to whole tiles.
    pub padded: Bounds,
    /// Each padded bound under the tile cut in two: how many tiles, and the size of the tile.
    pub reshaped: Bounds,
    /// How the reshaped dimensions are transposed: bound `i` of the result is reshaped bound
    /// `permutation[i]`.
    pub permutation: Bounds,
    /// The bounds after this tile.
    pub result: Bounds,
}

/// The tiles of a layout, one step for each.
#[derive(Clone)]
pub struct PadReshapeTranspose<'a> {
    shape: &'a ArrayShape,
    tiling: Tiling,
    tile: usize,
}

impl fmt::Debug for PadReshapeTranspose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PadReshapeTranspose")
            .field("shape", self.shape)
            .field("tile", &self.tile)
            .finish_non_exhaustive()
    }
}

impl ArrayShape {
    /// Tiling as pad–reshape–transpose, a step for each tile in turn. Nothing is yielded where a
    /// dimension has no bound.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_core::ArrayShape =
    ///     "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}".parse()?;
    /// let step = shape.pad_reshape_transpose().next().unwrap();
    /// assert_eq!(*step.combined, [112, 110]);
    /// assert_eq!(*step.padded, [112, 111]);
    /// assert_eq!(*step.reshaped, [56, 2, 37, 3]);
    /// assert_eq!(*step.permutation, [0, 2, 1, 3]);
    /// assert_eq!(*step.result, [56, 37, 2, 3]);
    /// # Ok::<(), layout_core::Error>(())
    /// ```
    pub fn pad_reshape_transpose(&self) -> PadReshapeTranspose<'_> {
        let tile = if self.is_unbounded() { self.tiles.len() } else { 0 };
        PadReshapeTranspose { shape: self, tiling: Tiling::new(self), tile }
    }
}

impl Iterator for PadReshapeTranspose<'_> {
    type Item = TileStep;

    fn next(&mut self) -> Option<TileStep> {
        if self.tile == self.shape.tiles.len() {
            return None;
        }
        self.tiling.combine(&self.shape.tiles, self.tile);
        let combined = self.tiling.bounds();
        let covered = self.tiling.reshape(&self.shape.tiles, self.tile);
        let reshaped = self.tiling.bounds();
        self.tiling.transpose(covered);

        let before = combined.len() - covered;
        let mut padded = combined;
        for i in 0..covered {
            padded.set(before + i, reshaped[before + 2 * i] * reshaped[before + 2 * i + 1]);
        }
        let mut permutation = Bounds::new();
        let counts = (0..covered).map(|i| before + 2 * i);
        let sizes = (0..covered).map(|i| before + 2 * i + 1);
        for from in (0..before).chain(counts).chain(sizes) {
            permutation.push(from);
        }
        self.tile += 1;
        let result = self.tiling.bounds();
        Some(TileStep { tile: self.tile - 1, combined, padded, reshaped, permutation, result })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.shape.tiles.len() - self.tile;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PadReshapeTranspose<'_> {}
