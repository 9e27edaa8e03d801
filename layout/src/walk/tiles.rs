//! The tiles of a layout, without memory.

use crate::compiled::AnyLayout;
use crate::memory::tile::Tile;
use crate::walk::grid::{count, size};
use crate::walk::odometer::advance;
use crate::walk::region::Region;
use crate::walk::run::walk;

/// The tiles of a layout's outermost tiling, or those that make up a region of it, in the order of memory: see
/// [`tiles`](crate::Array::tiles).
pub struct LayoutTiles<L: AnyLayout> {
    sizes: L::Sizes,
    /// Positions in the grid.
    tiles: Region<L>,
    /// Within these, the position of the next tile.
    next: L::Index,
    left: usize,
}

impl<L: AnyLayout> LayoutTiles<L> {
    #[inline(always)]
    pub(crate) fn new(sizes: L::Sizes) -> Self {
        let mut limit = L::ORIGIN;
        for (dim, limit) in limit.as_mut().iter_mut().enumerate() {
            *limit = count::<L>(&sizes, dim);
        }
        LayoutTiles::of(sizes, Region::of(L::ORIGIN, limit))
    }

    /// `None` if the region cuts a tile.
    pub(crate) fn within(region: &Region<L>, sizes: L::Sizes) -> Option<Self> {
        let (dims, is_empty) = (L::dims(&sizes), region.dims().as_ref().contains(&0));
        if is_empty {
            return Some(LayoutTiles::of(sizes, *region));
        }
        let (mut first, mut end) = (region.start(), region.limit());
        for (dim, end) in end.as_mut().iter_mut().enumerate() {
            let (size, start) = (size::<L>(&sizes, dim), &mut first.as_mut()[dim]);
            let ends = end.is_multiple_of(size) || *end == dims.as_ref()[dim];
            if !ends || !start.is_multiple_of(size) {
                return None;
            }
            (*start, *end) = (*start / size, end.div_ceil(size));
        }
        Some(LayoutTiles::of(sizes, Region::of(first, end)))
    }

    #[inline(always)]
    fn of(sizes: L::Sizes, tiles: Region<L>) -> Self {
        let () = L::HAS_GRID;
        let left = tiles.dims().as_ref().iter().product();
        LayoutTiles { sizes, tiles, next: L::ORIGIN, left }
    }
}

impl<L: AnyLayout> Iterator for LayoutTiles<L> {
    type Item = Tile<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<Tile<L>> {
        self.left = self.left.checked_sub(1)?;
        let (tile, counts) = (self.tiles.moved(&self.next), self.tiles.dims());
        advance(self.next.as_mut(), L::VALUE.minor_to_major(), |dim| (1, counts.as_ref()[dim]));
        Tile::at(&self.sizes, tile)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for LayoutTiles<L> {}

walk! { LayoutTiles<L> { left, tiles, next, sizes } }
