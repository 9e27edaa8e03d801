//! A packed view tile by tile.

use core::fmt;
use core::iter::FusedIterator;

use crate::compiled::{self, AnyLayout};
use crate::memory::packed::bits::{BitOrder, LowFirst, PackedBits};
use crate::memory::packed::{PackedView, PackedViewMut};
use crate::memory::tile::places;
use crate::walk::grid::{Places, RowsOfTile, TilePlace, block};

/// A tile of the outermost tiling of packed elements: see [`PackedView::tiles`].
pub struct PackedTile<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    place: TilePlace<L>,
    sizes: L::Sizes,
    slots: PackedBits<'a, L, O>,
}

impl<'a, L: AnyLayout, O: BitOrder> PackedTile<'a, L, O> {
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

impl<'a, L: AnyLayout, O: BitOrder> PackedView<'a, L, O> {
    /// The tiles of the outermost tiling in the order of memory: see [`View::tiles`](crate::View::tiles).
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, layout};
    ///
    /// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
    /// let bytes: Vec<u8> = (0..12).collect();
    /// let view = PackedView::<A>::new(&bytes)?;
    /// let tile = view.tile([1, 1]).unwrap();
    /// assert_eq!((tile.origin(), tile.extent()), ([2, 2], [1, 2]));
    /// assert!(tile.slots().eq([-8, 0, -7, 0]));
    /// assert_eq!(view.tiles().len(), 6);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn tiles(
        &self,
    ) -> impl ExactSizeIterator<Item = PackedTile<'a, L, O>> + FusedIterator + use<'a, L, O> {
        let () = L::HAS_GRID;
        let (bytes, sizes) = (self.as_bytes(), self.layout().sizes());
        let length = block::<L>(&sizes);
        let count = compiled::tiled_slots::<L>(&sizes) / length.max(1);
        let mut places = Places::<L>::new(sizes);
        (0..count).map(move |number| {
            let slots = PackedBits::new(bytes, number * length..(number + 1) * length);
            PackedTile { place: places.next(), slots, sizes }
        })
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    #[must_use]
    pub fn tile(&self, tile: L::Index) -> Option<PackedTile<'a, L, O>> {
        let () = L::HAS_GRID;
        let sizes = self.layout().sizes();
        let number = TilePlace::<L>::number(&sizes, &tile)?;
        let length = block::<L>(&sizes);
        let slots = PackedBits::new(self.as_bytes(), number * length..(number + 1) * length);
        Some(PackedTile { place: TilePlace::of(&sizes, tile), slots, sizes })
    }
}

impl<L: AnyLayout, O: BitOrder> PackedViewMut<'_, L, O> {
    /// The tiles of the outermost tiling in the order of memory: see [`PackedView::tiles`].
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = PackedTile<'_, L, O>> + FusedIterator {
        let () = L::HAS_GRID;
        self.as_view().tiles()
    }

    /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
    #[must_use]
    pub fn tile(&self, tile: L::Index) -> Option<PackedTile<'_, L, O>> {
        let () = L::HAS_GRID;
        self.as_view().tile(tile)
    }
}
