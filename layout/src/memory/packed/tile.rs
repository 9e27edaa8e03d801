//! A packed view tile by tile.

use crate::compiled::AnyLayout;
use crate::memory::packed::bits::{BitOrder, LowFirst, PackedBits};
use crate::walk::grid::{RowsOfTile, TilePlace, block};
use crate::walk::tiles::places;

/// A tile of the outermost tiling of packed elements: see [`PackedView::tiles`](crate::PackedView::tiles).
pub struct PackedTile<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    place: TilePlace<L>,
    sizes: L::Sizes,
    slots: PackedBits<'a, L, O>,
}

impl<'a, L: AnyLayout, O: BitOrder> PackedTile<'a, L, O> {
    /// The tile of a number in the order of memory.
    pub(super) fn new(
        number: usize,
        place: TilePlace<L>,
        bytes: &'a [u8],
        sizes: L::Sizes,
    ) -> Self {
        let length = block::<L>(&sizes);
        let slots = PackedBits::new(bytes, number * length..(number + 1) * length);
        PackedTile { place, sizes, slots }
    }

    /// The values of every slot, in the order of memory, padding included.
    #[must_use]
    pub fn slots(&self) -> PackedBits<'a, L, O> {
        self.slots.clone()
    }

    /// The rows of the tile, along the most minor dimension, each with the index of its first element;
    /// without the padding at the edge of the array. Compile error if later tiles split rows.
    pub fn rows(&self) -> impl Iterator<Item = (L::Index, PackedBits<'a, L, O>)> + use<'a, L, O> {
        let () = L::HAS_ROWS;
        let mut rows = RowsOfTile::new(self.place, self.sizes);
        let (length, count, slots) = (rows.length(), rows.count(), rows.slots());
        let all = self.slots.clone();
        (0..count).filter_map(move |row| {
            rows.next().map(|index| (index, all.part(row * slots..row * slots + length)))
        })
    }
}

impl<L: AnyLayout, O: BitOrder> Clone for PackedTile<'_, L, O> {
    fn clone(&self) -> Self {
        PackedTile { place: self.place, slots: self.slots.clone(), sizes: self.sizes }
    }
}

places! { PackedTile<'a, L: AnyLayout, O: BitOrder>; }
