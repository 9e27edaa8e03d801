//! The tiles of a layout, without memory.

use crate::compiled::{self, AnyLayout};
use crate::order::grid::{Places, block};
use crate::order::run::walk;
use crate::order::tile::Tile;

/// The tiles of a layout's outermost tiling in the order of memory: see [`tiles`](crate::Array::tiles).
pub struct LayoutTiles<L: AnyLayout> {
    places: Places<L>,
    sizes: L::Sizes,
    start: usize,
    left: usize,
}

impl<L: AnyLayout> LayoutTiles<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let () = L::HAS_GRID;
        let left = compiled::tiled_slots::<L>(&sizes) / block::<L>(&sizes).max(1);
        LayoutTiles { places: Places::new(sizes), sizes, start: 0, left }
    }
}

impl<L: AnyLayout> Iterator for LayoutTiles<L> {
    type Item = Tile<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<Tile<L>> {
        self.left = self.left.checked_sub(1)?;
        let tile = self.places.next().at_slot(self.sizes, self.start);
        self.start += tile.length;
        Some(tile)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for LayoutTiles<L> {}

walk! { LayoutTiles<L> { left, start, places, sizes } }
