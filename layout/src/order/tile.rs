//! Where a tile lies.

use core::fmt;
use core::ops::Range;

use crate::compiled::AnyLayout;
use crate::spec::index::AnyIndex;

/// What a tile or a region belongs to: a layout that is a type, or a [`DynLayout`](crate::dynamic::DynLayout).
pub trait Tiled {
    /// One coordinate for each dimension.
    type Index: AnyIndex;
    /// The sizes that its type does not say.
    type Sizes: Copy;
}

impl<L: AnyLayout> Tiled for L {
    type Index = L::Index;
    type Sizes = L::Sizes;
}

/// A tile of the outermost tiling, in memory `S`: see [`Memory::tiles`](crate::memory::Memory::tiles). Without memory, it says where the tile
/// lies: see [`tiles`](crate::Array::tiles) of a layout.
pub struct Tile<L: Tiled, S = ()> {
    pub(crate) origin: L::Index,
    pub(crate) extent: L::Index,
    pub(crate) sizes: L::Sizes,
    pub(crate) is_full: bool,
    pub(crate) start: usize,
    pub(crate) length: usize,
    pub(crate) slots: S,
}

impl<L: Tiled, S: Clone> Clone for Tile<L, S> {
    fn clone(&self) -> Self {
        Tile { slots: self.slots.clone(), ..*self }
    }
}

impl<L: Tiled, S: Copy> Copy for Tile<L, S> {}

/// Where the tile lies.
impl<L: Tiled, S> Tile<L, S> {
    /// Index of the tile's first element.
    #[inline(always)]
    #[must_use]
    pub fn origin(&self) -> L::Index {
        self.origin
    }

    /// Elements of the tile along each dimension, dimension 0 first: smaller than the tile at the edge of the array, 0 where the tile is
    /// padding alone.
    #[inline(always)]
    #[must_use]
    pub fn extent(&self) -> L::Index {
        self.extent
    }

    /// Whether the tile has no padding of its dimensions.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Where the tile lies in memory, in elements, padding included.
    #[inline(always)]
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

impl<L: Tiled, S> fmt::Debug for Tile<L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tile")
            .field("origin", &self.origin)
            .field("extent", &self.extent)
            .finish_non_exhaustive()
    }
}
