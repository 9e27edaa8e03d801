//! The outermost tiling as a grid, and walking over it.

use core::ops::Range;

use layout_core::__private::native;

use crate::compiled::{self, AnyLayout};
use crate::order::{odometer, odometer::advance, run::walk, tile::Tile};

/// Elements of a tile along a dimension.
#[inline(always)]
pub(crate) fn size<L: AnyLayout>(sizes: &L::Sizes, dim: usize) -> usize {
    match L::GRID.size[dim] {
        0 if const { !L::IS_FIXED } => L::dims(sizes).as_ref()[dim],
        size => native(size),
    }
}

/// Tiles along each dimension.
#[inline(always)]
pub(crate) fn counts<L: AnyLayout>(sizes: &L::Sizes) -> L::Index {
    let mut tiles = L::ORIGIN;
    if const { !L::IS_FIXED } && compiled::slots::<L>(sizes) == 0 {
        return tiles;
    }
    // Once: they are many numbers.
    let counts = L::counts(sizes);
    for (dim, tiles) in tiles.as_mut().iter_mut().enumerate() {
        *tiles = native(L::GRID.count[dim].value(&counts));
    }
    tiles
}

/// Slots of a tile.
#[inline(always)]
pub(crate) fn block<L: AnyLayout>(sizes: &L::Sizes) -> usize {
    if const { L::GRID.block.known().is_some() } {
        const { native(L::GRID.block.factor) }
    } else {
        native(L::GRID.block.value(&L::counts(sizes)))
    }
}

impl<L: AnyLayout> Tile<L> {
    /// The tile whose first element has an index, from a slot on.
    #[inline(always)]
    pub(super) fn at(sizes: L::Sizes, origin: L::Index, start: usize) -> Self {
        let (dims, mut extent, mut is_full) = (L::dims(&sizes), origin, true);
        for (dim, extent) in extent.as_mut().iter_mut().enumerate() {
            // A tile that lies in padding alone has no elements.
            let (left, of_tile) =
                (dims.as_ref()[dim].saturating_sub(*extent), size::<L>(&sizes, dim));
            *extent = left.min(of_tile);
            is_full &= *extent == of_tile;
        }
        Tile { origin, extent, sizes, is_full, start, length: block::<L>(&sizes), slots: () }
    }

    /// The tile at a position in the grid; `None` outside of it.
    #[inline(always)]
    pub(crate) fn of_grid(sizes: L::Sizes, mut tile: L::Index) -> Option<Self> {
        let (order, counts) = (const { L::VALUE.minor_to_major() }, counts::<L>(&sizes));
        let number = odometer::number(tile.as_ref(), order, |dim| counts.as_ref()[dim])?;
        for (dim, coordinate) in tile.as_mut().iter_mut().enumerate() {
            *coordinate *= size::<L>(&sizes, dim);
        }
        Some(Tile::at(sizes, tile, number * block::<L>(&sizes)))
    }
}

/// The dimensions but for the most minor one, the most minor first.
const fn major<L: AnyLayout>() -> &'static [usize] {
    match L::VALUE.minor_to_major() {
        [_, major @ ..] => major,
        [] => &[],
    }
}

/// The rows of a tile in the order of memory, but for those that are padding: the index of the first element, and the slots in the tile.
pub struct RowsOfTile<L: AnyLayout> {
    origin: L::Index,
    extent: L::Index,
    sizes: L::Sizes,
    /// The next row's place in the tile; the coordinate along the row is 0.
    local: L::Index,
    /// Number of the next row.
    next: usize,
    /// Rows of the tile. Slots after them belong to entries of the tile that the array does not have.
    count: usize,
}

impl<L: AnyLayout> RowsOfTile<L> {
    #[inline(always)]
    pub(crate) fn new<S>(tile: &Tile<L, S>) -> Self {
        let (&Tile { origin, extent, sizes, .. }, mut count) = (tile, 1);
        for dim in 0..const { L::SIZES.len() } {
            if dim != const { L::MINOR } {
                count *= size::<L>(&sizes, dim);
            }
        }
        RowsOfTile { origin, extent, sizes, local: L::ORIGIN, next: 0, count }
    }

    /// Slots of a row: the size of the tile along the most minor dimension.
    #[inline(always)]
    fn slots(&self) -> usize {
        if const { L::SIZES.is_empty() } { 1 } else { size::<L>(&self.sizes, const { L::MINOR }) }
    }

    /// Index of the next row's first element, or `None` if the row is padding.
    #[inline(always)]
    fn index(&mut self) -> Option<L::Index> {
        let mut index = self.origin;
        let mut is_inside = true;
        for (dim, coordinate) in index.as_mut().iter_mut().enumerate() {
            let local = self.local.as_ref()[dim];
            *coordinate += local;
            is_inside &= local < self.extent.as_ref()[dim];
        }
        advance(self.local.as_mut(), const { major::<L>() }, |dim| {
            (1, size::<L>(&self.sizes, dim))
        });
        is_inside.then_some(index)
    }

    /// Elements of a row that is not padding.
    #[inline(always)]
    fn length(&self) -> usize {
        self.extent.as_ref().get(L::MINOR).copied().unwrap_or(1)
    }
}

impl<L: AnyLayout> Iterator for RowsOfTile<L> {
    type Item = (L::Index, Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (slots, length) = (self.slots(), self.length());
        while self.next < self.count {
            let start = self.next * slots;
            self.next += 1;
            if let Some(index) = self.index() {
                return Some((index, start..start + length));
            }
        }
        None
    }
}

walk! { RowsOfTile<L> { next, origin, extent, sizes, local, count } }

/// Slots of a tile; `None` if it is known at run time only how many: without tiles they are those of the array.
pub(crate) const fn tile_elements<L: AnyLayout>() -> Option<usize> {
    Some(native(some!(L::GRID.block.known())))
}

/// The largest power of two that divides a number of elements, in bytes; 1 if they are not whole bytes.
pub(crate) const fn alignment<L: AnyLayout>(elements: usize) -> usize {
    if elements == 0 {
        return 1;
    }
    // Of the bits, which may not fit where the bytes do.
    let power = elements.trailing_zeros() + L::BITS.trailing_zeros();
    1 << power.saturating_sub(3)
}
