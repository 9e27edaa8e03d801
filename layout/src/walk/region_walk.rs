//! Walking over a part of an array: its indices, its runs and its tiles.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use layout_core::__private::{RegionCursor, Walk, native};

use crate::compiled::{self, AnyLayout};
use crate::walk::grid;
use crate::walk::odometer::Counted;
use crate::walk::region::Region;
use crate::walk::run::{Run, RunWalk, index};

/// The runs of a layout, or its rows, cut to a region, in the order of memory. Indices count from the start of the
/// region on.
pub(crate) struct RegionRuns<L: AnyLayout, const ROWS: bool> {
    cursor: RegionCursor,
    /// The walk, if it is not a constant.
    walk: Option<Walk>,
    of: PhantomData<fn() -> L>,
}

impl<L: AnyLayout, const ROWS: bool> RegionRuns<L, ROWS> {
    pub(crate) fn new(sizes: L::Sizes, region: Region<L>) -> Self {
        let walk = if const { L::IS_FIXED } {
            None
        } else {
            let digits = compiled::digits::<L>(&sizes);
            let rows = if ROWS { Walk::rows(&digits, L::MINOR) } else { None };
            Some(rows.unwrap_or_else(|| L::WALK.with_sizes(&digits, L::MINOR)))
        };
        let cursor = RegionCursor::new(Self::walk(&walk), region.walked());
        RegionRuns { cursor, walk, of: PhantomData }
    }

    fn walk(walk: &Option<Walk>) -> &Walk {
        walk.as_ref().unwrap_or(RunWalk::<L, ROWS>::WALK)
    }

    /// Slots from one element of a run or row to the next.
    pub(crate) fn stride(&self) -> usize {
        native(Self::walk(&self.walk).stride())
    }
}

impl<L: AnyLayout, const ROWS: bool> FusedIterator for RegionRuns<L, ROWS> {}

impl<L: AnyLayout, const ROWS: bool> Iterator for RegionRuns<L, ROWS> {
    type Item = Run<L::Index>;

    fn next(&mut self) -> Option<Run<L::Index>> {
        let run = self.cursor.next(Self::walk(&self.walk))?;
        Some(Run {
            index: index::<L>(&run),
            offset: native(run.offset),
            length: native(run.length),
        })
    }
}

/// The tiles of the outermost tiling that make up a region, as positions in the grid, in the order of
/// memory.
pub(crate) struct RegionTiles<L: AnyLayout> {
    first: L::Index,
    counted: Counted<L>,
}

impl<L: AnyLayout> RegionTiles<L> {
    /// `None` if the region is not made up of tiles: if it begins within one, or ends within one that does
    /// not end with the array.
    pub(crate) fn new(region: &Region<L>, sizes: L::Sizes) -> Option<Self> {
        let () = L::HAS_GRID;
        let (dims, is_empty) = (L::dims(&sizes), region.dims().as_ref().contains(&0));
        let (mut first, mut counts) = (region.start(), region.limit());
        for (dim, count) in counts.as_mut().iter_mut().enumerate() {
            let (start, limit) = (first.as_ref()[dim], *count);
            // A dimension without elements has tiles of no size.
            let size = grid::size::<L>(&sizes, dim).max(1);
            let ends = limit.is_multiple_of(size) || limit == dims.as_ref()[dim];
            let is_cut = !ends || !start.is_multiple_of(size);
            if is_cut && !is_empty {
                return None;
            }
            first.as_mut()[dim] = start / size;
            *count = if is_empty { 0 } else { limit.div_ceil(size) - start / size };
        }
        let counted = Counted::new(counts, const { L::VALUE.minor_to_major() });
        Some(RegionTiles { first, counted })
    }
}

impl<L: AnyLayout> Iterator for RegionTiles<L> {
    type Item = L::Index;

    fn next(&mut self) -> Option<L::Index> {
        let mut tile = self.counted.next()?;
        for (coordinate, first) in tile.as_mut().iter_mut().zip(self.first.as_ref()) {
            *coordinate += first;
        }
        Some(tile)
    }
}
