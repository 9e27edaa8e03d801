//! The tiles of a layout, without memory.

use core::ops::Range;

use crate::compiled::{self, AnyLayout};
use crate::walk::grid::{Places, TilePlace, block};
use crate::walk::run::walk;

/// Where a tile lies.
macro_rules! places {
    ($($tile:ident<$($lifetime:lifetime,)? $($of:ident $(: $bound:ident)?),*>;)*) => {$(
        impl<$($lifetime,)? $($of $(: $bound)?),*> $tile<$($lifetime,)? $($of),*> {
            /// Index of the tile's first element.
            #[inline(always)]
            #[must_use]
            pub fn origin(&self) -> L::Index {
                self.place.origin
            }

            /// Elements of the tile along each dimension, dimension 0 first: smaller than the tile at the edge of the
            /// array, 0 where the tile is padding alone.
            #[inline(always)]
            #[must_use]
            pub fn extent(&self) -> L::Index {
                self.place.extent
            }

            /// Whether the tile has no padding of its dimensions.
            #[inline(always)]
            #[must_use]
            pub fn is_full(&self) -> bool {
                self.place.is_full(&self.sizes)
            }
        }

        impl<$($lifetime,)? $($of $(: $bound)?),*> core::fmt::Debug for $tile<$($lifetime,)? $($of),*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($tile))
                    .field("origin", &self.origin())
                    .field("extent", &self.extent())
                    .finish_non_exhaustive()
            }
        }
    )*};
}

pub(crate) use places;

/// A tile of a layout's outermost tiling, which says where it lies in the array and in memory: see
/// [`tiles`](crate::Array::tiles).
pub struct LayoutTile<L: AnyLayout> {
    place: TilePlace<L>,
    sizes: L::Sizes,
    start: usize,
}

copy! { LayoutTile<L: AnyLayout> }

impl<L: AnyLayout> LayoutTile<L> {
    /// Where the tile lies in memory, in elements, padding included.
    #[inline(always)]
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + block::<L>(&self.sizes)
    }
}

places! {
    LayoutTile<L: AnyLayout>;
}

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
    type Item = LayoutTile<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<LayoutTile<L>> {
        self.left = self.left.checked_sub(1)?;
        let tile = LayoutTile { place: self.places.next(), sizes: self.sizes, start: self.start };
        self.start += block::<L>(&self.sizes);
        Some(tile)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<L: AnyLayout> ExactSizeIterator for LayoutTiles<L> {}

walk! { LayoutTiles<L> { left, start, places, sizes } }
