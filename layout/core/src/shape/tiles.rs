//! The tiles of a layout: `T(8,128)(2,1)`.

use crate::base::text::part;
use crate::limits::{MAX_TILE_DIMS, MAX_TILES};

/// One entry of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileDim {
    /// Elements of the tile along this dimension.
    Size(usize),
    /// `*`, also written `-1`: the dimension is joined with the next more minor one.
    Combined,
}

/// The tiles of a layout in the order in which they are applied. Of each, the most major entry
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiles {
    dims: [TileDim; MAX_TILE_DIMS],
    ends: [u8; MAX_TILES],
    count: u8,
}

impl Tiles {
    /// No tiles.
    pub const NONE: Tiles =
        Tiles { dims: [TileDim::Size(0); MAX_TILE_DIMS], ends: [0; MAX_TILES], count: 0 };

    /// Number of tiles.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Tile number `tile`, the first applied being 0.
    ///
    /// # Panics
    /// If there is no such tile.
    pub const fn get(&self, tile: usize) -> &[TileDim] {
        assert!(tile < self.len(), "there is no such tile");
        part(&self.dims, self.start(tile), self.ends[tile] as usize)
    }

    /// The tiles one after another.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[TileDim]> {
        (0..self.len()).map(|tile| self.get(tile))
    }

    /// Entries of all tiles together.
    pub(crate) const fn entries(&self) -> usize {
        self.start(self.len())
    }

    /// Number of the first entry of a tile among the entries of all.
    pub(crate) const fn start(&self, tile: usize) -> usize {
        if tile == 0 { 0 } else { self.ends[tile - 1] as usize }
    }

    /// Entries of a tile. In a `const`, where taking a slice of a slice is slow, this and
    /// [`dim`](Self::dim) stand in for [`get`](Self::get).
    pub(crate) const fn len_of(&self, tile: usize) -> usize {
        self.ends[tile] as usize - self.start(tile)
    }

    /// An entry of a tile.
    pub(crate) const fn dim(&self, tile: usize, entry: usize) -> TileDim {
        self.dims[self.start(tile) + entry]
    }

    /// The same with another entry in the place of one.
    pub(crate) const fn with_dim(mut self, tile: usize, entry: usize, dim: TileDim) -> Tiles {
        let at = self.start(tile) + entry;
        self.dims[at] = dim;
        self
    }

    /// Whether no entry is a `*`.
    pub(crate) const fn have_sizes(&self) -> bool {
        let mut i = 0;
        while i < self.entries() {
            if let TileDim::Combined = self.dims[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Begins another tile, which is empty. False if there is no room.
    pub const fn begin(&mut self) -> bool {
        if self.len() == MAX_TILES {
            return false;
        }
        self.ends[self.len()] = self.entries() as u8;
        self.count += 1;
        true
    }

    /// Puts another entry behind those of the last tile. False if there is no room.
    pub const fn push(&mut self, dim: TileDim) -> bool {
        let entries = self.entries();
        if self.count == 0 || entries == MAX_TILE_DIMS {
            return false;
        }
        self.dims[entries] = dim;
        self.ends[self.len() - 1] += 1;
        true
    }
}

impl core::fmt::Debug for Tiles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
