//! The tiles of a layout, or of a part of an array, without memory.

use core::ops::Range;

use crate::compiled::{self, AnyLayout};
#[cfg(feature = "rayon")]
use crate::order::odometer;
use crate::order::{grid::block, grid::counts, grid::size, region::Region, run::walk, tile::Tile};

/// The tiles of a layout's outermost tiling in the order of memory: see [`tiles`](crate::Array::tiles).
///
/// Each tile is reached from the one before by an addition, without a division.
pub struct LayoutTiles<L: AnyLayout> {
    sizes: L::Sizes,
    /// Index of the next tile's first element, of those between two indices.
    origin: L::Index,
    low: L::Index,
    high: L::Index,
    /// Slots from one tile to the next along each dimension, and from the last one back to the first.
    steps: L::Index,
    back: L::Index,
    /// Where the next tile begins in memory.
    start: usize,
    left: usize,
}

impl<L: AnyLayout> LayoutTiles<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let () = L::HAS_GRID;
        let mut high = counts::<L>(&sizes);
        for (dim, high) in high.as_mut().iter_mut().enumerate() {
            *high *= size::<L>(&sizes, dim);
        }
        let left = compiled::tiled_slots::<L>(&sizes) / block::<L>(&sizes).max(1);
        LayoutTiles { left, ..Self::between(sizes, L::ORIGIN, high) }
    }

    /// The tiles that make up a region. `None` if it cuts a tile.
    pub(crate) fn of_region(region: &Region<L>, sizes: L::Sizes) -> Option<Self> {
        let dims = L::dims(&sizes);
        let (low, mut high, mut left) = (region.start(), region.limit(), 1);
        for (dim, high) in high.as_mut().iter_mut().enumerate() {
            let (start, limit, size) = (low.as_ref()[dim], *high, size::<L>(&sizes, dim).max(1));
            if start >= limit {
                return Some(LayoutTiles { left: 0, ..Self::between(sizes, L::ORIGIN, L::ORIGIN) });
            }
            let ends = limit.is_multiple_of(size) || limit == dims.as_ref()[dim];
            if !ends || !start.is_multiple_of(size) {
                return None;
            }
            *high = limit.next_multiple_of(size);
            left *= (*high - start) / size;
        }
        Some(LayoutTiles { left, ..Self::between(sizes, low, high) })
    }

    /// The slots of the tiles, if these follow one another.
    pub(crate) fn stretch(&self) -> Option<Range<usize>> {
        if self.left == 0 {
            return Some(0..0);
        }
        let length = block::<L>(&self.sizes);
        let steps = self.back.as_ref().iter().zip(self.steps.as_ref());
        // From the first tile to the last one.
        let slots = steps.map(|(all, one)| all - one).sum::<usize>() + length;
        (slots == self.left * length).then(|| self.start..self.start + slots)
    }

    /// The tiles from one on, of all tiles of the layout.
    #[cfg(feature = "rayon")]
    pub(crate) fn from(&self, number: usize) -> Self {
        let (mut tiles, order) = (self.clone(), L::VALUE.minor_to_major());
        let counts = counts::<L>(&self.sizes);
        let origin = tiles.origin.as_mut();
        odometer::numbered(number, order, |dim| counts.as_ref()[dim], origin);
        for (dim, origin) in origin.iter_mut().enumerate() {
            *origin *= size::<L>(&self.sizes, dim);
        }
        (tiles.start, tiles.left) = (number * block::<L>(&self.sizes), self.left - number);
        tiles
    }

    #[inline(always)]
    fn between(sizes: L::Sizes, low: L::Index, high: L::Index) -> Self {
        let (tiles, mut step, mut start) = (counts::<L>(&sizes), block::<L>(&sizes), 0);
        let (mut steps, mut back) = (L::ORIGIN, L::ORIGIN);
        for &dim in const { L::VALUE.minor_to_major() } {
            let size = size::<L>(&sizes, dim).max(1);
            let [first, end] = [low, high].map(|index| index.as_ref()[dim] / size);
            steps.as_mut()[dim] = step;
            back.as_mut()[dim] = (end - first) * step;
            start += first * step;
            step *= tiles.as_ref()[dim];
        }
        LayoutTiles { sizes, origin: low, low, high, steps, back, start, left: 0 }
    }
}

impl<L: AnyLayout> Iterator for LayoutTiles<L> {
    type Item = Tile<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<Tile<L>> {
        self.left = self.left.checked_sub(1)?;
        let tile = Tile::at(self.sizes, self.origin, self.start);
        for &dim in const { L::VALUE.minor_to_major() } {
            let coordinate = &mut self.origin.as_mut()[dim];
            *coordinate += size::<L>(&self.sizes, dim);
            self.start += self.steps.as_ref()[dim];
            if *coordinate < self.high.as_ref()[dim] {
                break;
            }
            *coordinate = self.low.as_ref()[dim];
            self.start -= self.back.as_ref()[dim];
        }
        Some(tile)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for LayoutTiles<L> {}

walk! { LayoutTiles<L> { left, sizes, origin, low, high, steps, back, start } }
