//! The tiles of a layout: `T(8,128)(2,1)`.

use crate::base::{List, Lists, MAX_TILE_DIMS, MAX_TILES, Number, Size};

/// One entry of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileDim {
    /// Size of the tile along this dimension, in elements.
    Size(Size),
    /// `*`, also written `-1`: combines the dimension with the next more minor one.
    Combined,
}

impl TileDim {
    /// The size; 1 for a `*`.
    pub const fn size(self) -> Size {
        match self {
            TileDim::Size(size) => size,
            TileDim::Combined => 1,
        }
    }

    const fn stored(self) -> Size {
        match self {
            // It is too large as well.
            TileDim::Size(COMBINED) => COMBINED - 1,
            TileDim::Size(size) => size,
            TileDim::Combined => COMBINED,
        }
    }
}

impl Number for TileDim {
    const ZERO: TileDim = TileDim::Size(0);
}

/// The entries of one tile.
pub type TileDims = List<32, TileDim>;

/// The number that encodes `*` among sizes: no tile is this large.
const COMBINED: Size = Size::MAX;

/// The tiles of a layout, in the order in which they are applied. Entries are listed major to minor.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// The size of each entry, or `COMBINED`.
    sizes: Lists<MAX_TILES, MAX_TILE_DIMS>,
}

impl Tiles {
    /// No tiles.
    pub const NONE: Tiles = Tiles { sizes: Lists::NONE };

    /// How many tiles of a size cover `elements` along one dimension: whole tiles, so that the last one may be padded. All who
    /// count tiles ask this, or read the bounds that tiling made of it.
    ///
    /// ```
    /// assert_eq!(layout::shape::Tiles::covering(300, 128), 3);
    /// ```
    // Also where it changes: `Tiling::quotient` divides by two tiles at once.
    #[inline(always)]
    pub const fn covering(elements: Size, tile: Size) -> Size {
        // Not `div_ceil`: a call is the slowest that a `const` can do.
        let whole = elements / tile;
        match elements % tile {
            0 => whole,
            _ => whole + 1,
        }
    }

    /// Number of tiles.
    pub const fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether the list has no tiles.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of tile number `tile`; tile 0 is applied first.
    ///
    /// # Panics
    /// If `tile` is out of range.
    pub const fn get(&self, tile: usize) -> TileDims {
        assert!(tile < self.len(), "the tile is out of range");
        let mut dims = List::new();
        each!(for entry in 0..self.len_of(tile) {
            dims.push(self.dim(tile, entry));
        });
        dims
    }

    /// The first tile; an empty list without tiles.
    pub const fn first(&self) -> TileDims {
        if self.is_empty() { List::new() } else { self.get(0) }
    }

    /// Iterates over the tiles.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TileDims> {
        (0..self.len()).map(|tile| self.get(tile))
    }

    /// Entries of all tiles together.
    pub const fn entries(&self) -> usize {
        self.start(self.len())
    }

    /// Number of the first entry of a tile among the entries of all.
    pub(crate) const fn start(&self, tile: usize) -> usize {
        self.sizes.start(tile)
    }

    /// Entries of a tile. In a `const`, where slicing is slow, this and [`dim`](Self::dim) replace
    /// [`get`](Self::get).
    ///
    /// # Panics
    /// If there is no such tile.
    pub const fn len_of(&self, tile: usize) -> usize {
        self.start(tile + 1) - self.start(tile)
    }

    /// An entry of a tile.
    ///
    /// # Panics
    /// If there is no such tile or entry.
    pub const fn dim(&self, tile: usize, entry: usize) -> TileDim {
        self.entry(self.start(tile) + entry)
    }

    /// An entry by its number among those of all tiles.
    pub(crate) const fn entry(&self, number: usize) -> TileDim {
        match self.sizes.numbers[number] {
            COMBINED => TileDim::Combined,
            size => TileDim::Size(size),
        }
    }

    /// The tiles with one entry replaced.
    ///
    /// # Panics
    /// If there is no such tile or entry.
    pub const fn with_dim(mut self, tile: usize, entry: usize, dim: TileDim) -> Tiles {
        self.sizes.set(tile, entry, dim.stored());
        self
    }

    /// Whether no entry is a `*`.
    pub const fn have_sizes(&self) -> bool {
        each!(for &size in self.sizes.all() {
            if size == COMBINED {
                return false;
            }
        });
        true
    }

    /// Begins another tile, without entries. False if the list is full.
    pub const fn begin(&mut self) -> bool {
        self.sizes.begin()
    }

    /// Appends an entry to the last tile. False if the list is full.
    pub const fn push(&mut self, dim: TileDim) -> bool {
        self.sizes.push(dim.stored())
    }

    pub(crate) const fn is_same(&self, other: &Tiles) -> bool {
        self.sizes.is_same(&other.sizes)
    }
}

impl core::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
