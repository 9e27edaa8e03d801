//! Tiling step by step, as XLA's document "Tiled layout" explains it.

use crate::analysis::tiling::Tiling;
use crate::base::{Bounds, List};
use crate::shape::ArrayShape;

/// One tile applied as pad–reshape–transpose. All lists are in physical order, most major first.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TileStep {
    /// Number of the tile; tile 0 is applied first.
    pub tile: usize,
    /// Dimensions before padding: each `*` is combined with its neighbour, and dimensions of size 1 are
    /// prepended if the tile has more entries than the array has dimensions.
    pub combined: Bounds,
    /// Dimensions padded to whole tiles.
    pub padded: Bounds,
    /// Dimensions after the reshape: each one under the tile becomes two, the number of tiles and the size of
    /// the tile.
    pub reshaped: Bounds,
    /// The transpose: dimension `i` of the result is reshaped dimension `permutation[i]`.
    pub permutation: List<64, usize>,
    /// Dimensions after the transpose.
    pub result: Bounds,
}

/// Iterator over the tiles of a layout, one [`TileStep`] for each.
#[derive(Clone, Debug)]
pub struct PadReshapeTranspose<'a> {
    shape: &'a ArrayShape,
    tiling: Tiling,
    tile: usize,
}

impl PadReshapeTranspose<'_> {
    /// The steps of tiling, one pad–reshape–transpose for each tile. Empty if a dimension has no bound.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::PadReshapeTranspose;
    ///
    /// let shape: layout::ArrayShape =
    ///     "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}".parse()?;
    /// let step = PadReshapeTranspose::of(&shape).next().unwrap();
    /// assert_eq!(*step.combined, [112, 110]);
    /// assert_eq!(*step.padded, [112, 111]);
    /// assert_eq!(*step.reshaped, [56, 2, 37, 3]);
    /// assert_eq!(*step.permutation, [0, 2, 1, 3]);
    /// assert_eq!(*step.result, [56, 37, 2, 3]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn of(shape: &ArrayShape) -> PadReshapeTranspose<'_> {
        let tile = if shape.is_unbounded() { shape.tiles().len() } else { 0 };
        let mut tiling = Tiling::NONE;
        tiling.begin(shape.fields());
        PadReshapeTranspose { shape, tiling, tile }
    }
}

impl Iterator for PadReshapeTranspose<'_> {
    type Item = TileStep;

    fn next(&mut self) -> Option<TileStep> {
        if self.tile == self.shape.tiles().len() {
            return None;
        }
        let covered = self.tiling.combine(self.shape.tiles(), self.tile);
        let combined = self.tiling.bounds();
        self.tiling.split(self.shape.tiles(), self.tile, covered);
        let result = self.tiling.bounds();

        let before = combined.len() - covered;
        let (mut padded, mut reshaped) = (combined, result);
        for i in 0..covered {
            let (count, size) = (result[before + i], result[before + covered + i]);
            padded.set(before + i, count * size);
            reshaped.set(before + 2 * i, count);
            reshaped.set(before + 2 * i + 1, size);
        }
        let mut permutation = List::new();
        let counts = (0..covered).map(|i| before + 2 * i);
        let sizes = (0..covered).map(|i| before + 2 * i + 1);
        for from in (0..before).chain(counts).chain(sizes) {
            permutation.push(from);
        }
        self.tile += 1;
        Some(TileStep { tile: self.tile - 1, combined, padded, reshaped, permutation, result })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.shape.tiles().len() - self.tile;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PadReshapeTranspose<'_> {}
