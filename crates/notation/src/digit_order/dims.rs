//! The orders of dimensions that keys of digits leave, and their sizes in tiles.

use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, MAX_TILES};

/// Which dimensions have to be more major than which, without tiles. No dimension is ever before itself.
#[derive(Clone, Copy)]
pub(super) struct Precedence {
    /// Of each dimension, a bit for each one before it.
    before: [u16; MAX_DIMS],
}

impl Precedence {
    /// Any order is allowed.
    pub(super) const FREE: Precedence = Precedence { before: [0; MAX_DIMS] };

    /// Only this order is allowed.
    pub(super) fn total(dims: &[u8]) -> Precedence {
        let mut precedence = Precedence::FREE;
        let mut placed = 0;
        for &dim in dims {
            precedence.before[usize::from(dim)] = placed;
            placed |= 1 << dim;
        }
        precedence
    }

    /// Whether a dimension has to be before another one.
    pub(super) fn has(&self, first: usize, second: usize) -> bool {
        self.before[second] >> first & 1 == 1
    }

    /// Puts a dimension before another one. False if the other one has to be before it.
    pub(super) fn put(&mut self, first: usize, second: usize) -> bool {
        if self.has(second, first) {
            return false;
        }
        if !self.has(first, second) {
            let added = self.before[first] | 1 << first;
            for dim in 0..MAX_DIMS {
                if dim == second || self.has(second, dim) {
                    self.before[dim] |= added;
                }
            }
        }
        true
    }

    /// How many dimensions are not before the first of some, at least: these themselves, and those after one of them.
    fn least_left(&self, of: u16) -> usize {
        let is_left = |dim: &usize| of >> dim & 1 == 1 || self.before[*dim] & of != 0;
        (0..MAX_DIMS).filter(is_left).count()
    }

    /// Whether an order of dimensions, the most major first, is allowed.
    fn allows(&self, dims: &[u8]) -> bool {
        let mut placed = 0;
        dims.iter().all(|&dim| {
            let is_next = self.before[usize::from(dim)] & !placed == 0;
            placed |= 1 << dim;
            is_next
        })
    }
}

/// The dimensions that decide where each tile begins, and what each place costs.
///
/// A tile covers every bound from the first one that it cuts, in the order that the tiles before it have made. That
/// one is of the lowest group of bounds in which the tile cuts any, a group being what the same tiles have moved,
/// and there of the first dimension that the tile cuts. So it depends on the order of dimensions only through the
/// place of the first of [`cut`](TileStarts::cut). Each group ends with the last dimension and begins where the
/// tile does that made its bounds.
#[derive(Clone, Copy)]
pub(super) struct TileStarts {
    /// The dimensions that a tile cuts in its first group, a bit each.
    cut: [u16; MAX_TILES],
    /// Dimensions that are not before the first of those, at least.
    least: [usize; MAX_TILES],
    /// How many groups begin where the tile does, counted once for each tile that covers them.
    times: [usize; MAX_TILES],
    tiles: usize,
}

impl TileStarts {
    /// By the keys of digits of these dimensions. `None` if the tiles have too many sizes in any order of dimensions.
    pub(super) fn new(
        keys: &[u8],
        dims: &[u8],
        tiles: usize,
        precedence: &Precedence,
    ) -> Option<TileStarts> {
        let none = [0; MAX_TILES];
        let mut starts = TileStarts { cut: [0; MAX_TILES], least: none, times: none, tiles };
        // The groups and the tiles where they begin; the first group has all dimensions.
        let mut groups = [(0u8, MAX_TILES); MAX_BOUNDS];
        let mut count = 1;
        for tile in 0..tiles {
            let mut group = u8::MAX;
            for (key, dim) in keys.iter().zip(dims) {
                let low = key & ((1 << tile) - 1);
                if key >> tile & 1 == 1 && low <= group {
                    if low < group {
                        (group, starts.cut[tile]) = (low, 0);
                    }
                    starts.cut[tile] |= 1 << dim;
                }
            }
            if starts.cut[tile] != 0 {
                starts.least[tile] = precedence.least_left(starts.cut[tile]);
                let covered = count;
                for i in 0..covered {
                    let (low, start) = groups[i];
                    if low >= group {
                        let start = if low == group { tile } else { start };
                        starts.times[start] += 1;
                        if count > MAX_TILE_DIMS {
                            return None;
                        }
                        groups[count] = (low | 1 << tile, start);
                        count += 1;
                    }
                }
            }
        }
        Some(starts)
    }

    /// Sizes in tiles for an order of dimensions.
    fn sizes_of(&self, dims: &[u8]) -> usize {
        let covered = |tile: usize| {
            let before = dims.iter().take_while(|dim| self.cut[tile] >> **dim & 1 == 0);
            dims.len() - before.count()
        };
        (0..self.tiles).map(|tile| self.times[tile] * covered(tile)).sum()
    }

    /// Sizes in tiles, at least, for any order of dimensions.
    fn at_least(&self) -> usize {
        (0..self.tiles).map(|tile| self.times[tile] * self.least[tile]).sum()
    }

    /// An order of dimensions that is allowed: each time the dimension comes next at which tiles of the fewest sizes begin. Of
    /// several it is the first in `dims`.
    fn greedy(&self, precedence: &Precedence, dims: &[u8]) -> [u8; MAX_DIMS] {
        let (mut order, mut placed) = ([0; MAX_DIMS], 0);
        for place in &mut order[..dims.len()] {
            let is_next = |&dim: &u8| {
                placed >> dim & 1 == 0 && precedence.before[usize::from(dim)] & !placed == 0
            };
            let begun = |dim: &u8| -> usize {
                let begins =
                    |&tile: &usize| self.cut[tile] & placed == 0 && self.cut[tile] >> dim & 1 == 1;
                (0..self.tiles).filter(begins).map(|tile| self.times[tile]).sum()
            };
            // One is always left, since no dimension is before itself.
            *place = dims.iter().copied().filter(is_next).min_by_key(begun).unwrap_or_default();
            placed |= 1 << *place;
        }
        order
    }

    /// Of the preferred orders of dimensions that are allowed, and one in which tiles begin late, the one with the least
    /// cost, if that is less than `than`.
    pub(super) fn best_order(
        &self,
        precedence: &Precedence,
        preferred: &[[u8; MAX_DIMS]],
        rank: usize,
        than: (usize, usize),
    ) -> Option<DimOrder> {
        if self.at_least() > than.0 {
            return None;
        }
        let greedy = self.greedy(precedence, &preferred[0][..rank]);
        let orders = preferred.iter().chain([&greedy]).enumerate();
        let allowed = orders.filter(|(_, dims)| precedence.allows(&dims[..rank]));
        let orders = allowed
            .map(|(number, &dims)| DimOrder { dims, cost: (self.sizes_of(&dims[..rank]), number) });
        orders.min_by_key(|order| order.cost).filter(|order| order.cost < than)
    }
}

/// An order of dimensions with its sizes in tiles.
#[derive(Clone, Copy)]
pub(super) struct DimOrder {
    /// The most major first.
    pub dims: [u8; MAX_DIMS],
    /// Sizes in tiles, then the number of the order among those to prefer. The lower one is better.
    pub cost: (usize, usize),
}
