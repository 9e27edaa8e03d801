//! The order of dimensions that keys of digits leave, and the one with the fewest sizes in tiles.

use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, MAX_TILES};

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
    pub(super) const fn total(dims: &[u8; MAX_DIMS], rank: usize) -> Precedence {
        let mut precedence = Precedence::FREE;
        let mut placed = 0;
        each!(for i in 0..rank {
            precedence.before[dims[i] as usize] = placed;
            placed |= 1 << dims[i];
        });
        precedence
    }

    /// Whether a dimension has to be before another one.
    pub(super) const fn has(&self, first: usize, second: usize) -> bool {
        self.before[second] >> first & 1 == 1
    }

    /// Puts a dimension before another one. False if the other one has to be before it.
    pub(super) const fn put(&mut self, first: usize, second: usize) -> bool {
        if self.has(second, first) {
            return false;
        }
        if !self.has(first, second) {
            let added = self.before[first] | 1 << first;
            each!(for dim in 0..MAX_DIMS {
                if dim == second || self.has(second, dim) {
                    self.before[dim] |= added;
                }
            });
        }
        true
    }

    /// How many dimensions are not before the first of some, at least: these themselves, and those after one of them.
    const fn least_left(&self, of: u16) -> usize {
        let mut count = 0;
        each!(for dim in 0..MAX_DIMS {
            count += (of >> dim & 1 == 1 || self.before[dim] & of != 0) as usize;
        });
        count
    }

    /// Whether an order of dimensions, the most major first, is allowed.
    const fn allows(&self, dims: &[u8; MAX_DIMS], rank: usize) -> bool {
        let mut placed = 0;
        each!(for i in 0..rank {
            if self.before[dims[i] as usize] & !placed != 0 {
                return false;
            }
            placed |= 1 << dims[i];
        });
        true
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
    pub(super) const fn new(
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
        each!(for tile in 0..tiles {
            let mut group = u8::MAX;
            let mut i = 0;
            while i < keys.len() {
                let low = keys[i] & ((1 << tile) - 1);
                if keys[i] >> tile & 1 == 1 && low <= group {
                    if low < group {
                        (group, starts.cut[tile]) = (low, 0);
                    }
                    starts.cut[tile] |= 1 << dims[i];
                }
                i += 1;
            }
            if starts.cut[tile] != 0 {
                starts.least[tile] = precedence.least_left(starts.cut[tile]);
                let covered = count;
                each!(for i in 0..covered {
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
                });
            }
        });
        Some(starts)
    }

    /// Sizes in tiles for an order of dimensions.
    const fn sizes_of(&self, dims: &[u8; MAX_DIMS], rank: usize) -> usize {
        let mut sizes = 0;
        each!(for tile in 0..self.tiles {
            let mut i = 0;
            while i < rank && self.cut[tile] >> dims[i] & 1 == 0 {
                i += 1;
            }
            sizes += self.times[tile] * (rank - i);
        });
        sizes
    }

    /// Sizes in tiles, at least, that belong to tiles which begin at none of the dimensions in `placed`.
    const fn at_least(&self, placed: u16) -> usize {
        let mut sizes = 0;
        each!(for tile in 0..self.tiles {
            if self.cut[tile] & placed == 0 {
                sizes += self.times[tile] * self.least[tile];
            }
        });
        sizes
    }
}

/// An order of dimensions with its sizes in tiles.
#[derive(Clone, Copy)]
pub(super) struct DimOrder {
    /// The most major first.
    pub dims: [u8; MAX_DIMS],
    /// Sizes in tiles, then the number of the preferred order that this is.
    pub cost: (usize, usize),
}

impl DimOrder {
    const fn costs_less(&self, than: (usize, usize)) -> bool {
        self.cost.0 < than.0 || self.cost.0 == than.0 && self.cost.1 < than.1
    }
}

/// Looks for the order of dimensions with the fewest sizes in tiles.
pub(super) struct DimSearch<'a> {
    pub precedence: &'a Precedence,
    pub starts: &'a TileStarts,
    /// The orders to prefer among those with as few sizes.
    pub preferred: &'a [[u8; MAX_DIMS]],
    pub rank: usize,
}

impl DimSearch<'_> {
    /// The order with the least cost, if that is less than `than`.
    pub(super) const fn run(&self, than: (usize, usize)) -> Option<DimOrder> {
        let mut best = None;
        let mut cost = than;
        if self.starts.at_least(0) > than.0 {
            return None;
        }
        let mut number = 0;
        while number < self.preferred.len() {
            let dims = self.preferred[number];
            if self.precedence.allows(&dims, self.rank) {
                let order =
                    DimOrder { dims, cost: (self.starts.sizes_of(&dims, self.rank), number) };
                if order.costs_less(cost) {
                    (cost, best) = (order.cost, Some(order));
                }
            }
            number += 1;
        }
        let start = DimOrder { dims: [0; MAX_DIMS], cost: (0, number) };
        self.extend(start, 0, 0, &mut cost, &mut best);
        best
    }

    /// Extends an order of `count` dimensions. One at which no tile begins comes first: that is never worse, since
    /// it lets tiles begin later.
    const fn extend(
        &self,
        mut order: DimOrder,
        mut count: usize,
        mut placed: u16,
        cost: &mut (usize, usize),
        best: &mut Option<DimOrder>,
    ) {
        let mut i = 0;
        while i < self.rank {
            let dim = self.preferred[0][i] as usize;
            if self.can_place(dim, placed) && self.begun_by(dim, placed, count) == 0 {
                order.dims[count] = dim as u8;
                count += 1;
                placed |= 1 << dim;
                i = 0;
            } else {
                i += 1;
            }
        }
        let least = order.cost.0 + self.starts.at_least(placed);
        if !(DimOrder { cost: (least, order.cost.1), ..order }).costs_less(*cost) {
            return;
        }
        if count == self.rank {
            (*cost, *best) = (order.cost, Some(order));
            return;
        }
        let mut i = 0;
        while i < self.rank {
            let dim = self.preferred[0][i] as usize;
            if self.can_place(dim, placed) {
                let mut next = order;
                next.dims[count] = dim as u8;
                next.cost.0 += self.begun_by(dim, placed, count);
                self.extend(next, count + 1, placed | 1 << dim, cost, best);
            }
            i += 1;
        }
    }

    const fn can_place(&self, dim: usize, placed: u16) -> bool {
        placed >> dim & 1 == 0 && self.precedence.before[dim] & !placed == 0
    }

    /// Sizes in tiles of those that begin at a dimension if it comes after `count` others.
    const fn begun_by(&self, dim: usize, placed: u16, count: usize) -> usize {
        let mut sizes = 0;
        each!(for tile in 0..self.starts.tiles {
            let cut = self.starts.cut[tile];
            if cut & placed == 0 && cut >> dim & 1 == 1 {
                sizes += self.starts.times[tile] * (self.rank - count);
            }
        });
        sizes
    }
}
