//! Tiling as pad–reshape–transpose: the bounds of the array and, beside each bound, the digit of
//! the index that runs below it. All arithmetic of layouts comes from here.
//!
//! The definition is XLA's document "Tiled layout", for every level of tiling.

use crate::analysis::digit::{Digit, DigitSource, Sum};
use crate::analysis::unknown::{Amount, Quotient};
use crate::base::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, Size};
use crate::base::list::List;
use crate::shape::array::Fields;
use crate::shape::tiles::{TileDim, Tiles};

/// One bound of the array as tiled so far, and the digit below it.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub bound: Amount,
    pub digit: Digit,
}

impl Entry {
    const UNIT: Entry = Entry { bound: Amount::ONE, digit: Digit::ZERO };
}

/// An array as tiled so far, the most major entry first.
#[derive(Clone, Copy)]
pub(crate) struct Tiling {
    entries: [Entry; MAX_BOUNDS],
    len: usize,
    /// One sum at most for each entry of a tile.
    pub sums: [Sum; MAX_TILE_DIMS],
    pub sum_count: usize,
    /// Values of each coordinate.
    pub dims: [Size; MAX_DIMS],
    /// One at most for each entry of a tile.
    pub quotients: [Quotient; MAX_TILE_DIMS],
    pub quotient_count: usize,
}

impl Tiling {
    /// No entries yet. Copying this constant is faster than writing each entry.
    const NONE: Tiling = Tiling {
        entries: [Entry::UNIT; MAX_BOUNDS],
        len: 0,
        sums: [Sum::ZERO; MAX_TILE_DIMS],
        sum_count: 0,
        dims: [0; MAX_DIMS],
        quotients: [Quotient::ONE; MAX_TILE_DIMS],
        quotient_count: 0,
    };

    /// The array in physical order, before any tile. A dimension of unknown size has as many elements
    /// as there can be.
    #[inline]
    pub(crate) const fn new(shape: &Fields) -> Tiling {
        let mut tiling = Tiling::NONE;
        tiling.len = shape.rank();
        each!(for i in 0..tiling.len {
            let dim = shape.minor_to_major[tiling.len - 1 - i];
            let (size, bound) = match shape.dims[dim].size() {
                Some(size) => (size, Amount::of(shape.width(dim))),
                None => (MAX_SIZE, Amount::unknown(dim)),
            };
            tiling.dims[dim] = size;
            tiling.entries[i] = Entry { bound, digit: Digit::whole(dim, size) };
        });
        tiling
    }

    /// The array with all tiles applied. The shape must have passed the checks.
    #[inline]
    pub(crate) const fn tiled(shape: &Fields) -> Tiling {
        let mut tiling = Tiling::new(shape);
        each!(for tile in 0..shape.tiles.len() {
            tiling.apply(&shape.tiles, tile);
        });
        tiling
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn entry(&self, at: usize) -> Entry {
        self.entries[at]
    }

    pub(crate) const fn bounds(&self) -> List<MAX_BOUNDS> {
        let mut bounds = List::new();
        each!(for i in 0..self.len {
            bounds.push(self.entries[i].bound.factor);
        });
        bounds
    }

    /// Product of the bounds with those of 0 left out, or `None` above `limit`.
    pub(crate) const fn size_within(&self, limit: Size) -> Option<Size> {
        let mut size: Size = 1;
        each!(for i in 0..self.len {
            let bound = self.entries[i].bound.factor;
            if bound != 0 {
                // Not `checked_mul`: a call is the slowest that a `const` can do.
                if bound > limit / size {
                    return None;
                }
                size *= bound;
            }
        });
        Some(size)
    }

    /// Product of the bounds: elements in memory. The shape must have passed the checks.
    pub(crate) const fn size(&self) -> Size {
        let mut size = 1;
        each!(for i in 0..self.len {
            size *= self.entries[i].bound.factor;
        });
        size
    }

    /// Pads, reshapes and transposes for one more tile.
    pub(crate) const fn apply(&mut self, tiles: &Tiles, tile: usize) {
        self.combine(tiles, tile);
        let covered = self.reshape(tiles, tile);
        self.transpose(covered);
    }

    /// Prepends bounds of size 1 if the tile is longer than the array, and combines each dimension at a `*`
    /// with the next more minor one.
    pub(crate) const fn combine(&mut self, tiles: &Tiles, tile: usize) {
        let len = tiles.len_of(tile);
        while self.len < len {
            self.insert(0, Entry::UNIT);
        }
        let mut at = self.len - len;
        each!(for i in 0..len {
            if matches!(tiles.dim(tile, i), TileDim::Combined) && at + 1 < self.len {
                let (major, minor) = (self.entries[at], self.entries[at + 1]);
                self.entries[at + 1] = Entry {
                    bound: major.bound.times(minor.bound),
                    digit: self.sum(major.digit, minor.bound, minor.digit),
                };
                self.remove(at);
            } else {
                at += 1;
            }
        });
    }

    /// Replaces each bound under the tile by the number of tiles and the size of the tile.
    /// Returns how many bounds there were.
    pub(crate) const fn reshape(&mut self, tiles: &Tiles, tile: usize) -> usize {
        let mut covered = 0;
        let mut at = self.len;
        each!(for i in (0..tiles.len_of(tile)).rev() {
            if let TileDim::Size(size) = tiles.dim(tile, i) {
                at -= 1;
                covered += 1;
                let Entry { bound, digit } = self.entries[at];
                let (outer, inner) = self.cut(digit, size);
                let count = match bound.unknowns {
                    0 => Amount { factor: bound.factor.div_ceil(size), unknowns: 0 },
                    _ => self.quotient(bound, size),
                };
                self.entries[at] = Entry { bound: count, digit: outer };
                self.insert(at + 1, Entry { bound: Amount::of(size), digit: inner });
            }
        });
        covered
    }

    /// Moves the `covered` tile counts before the tile sizes.
    pub(crate) const fn transpose(&mut self, covered: usize) {
        let first = self.len - 2 * covered;
        let before = self.entries;
        each!(for i in 0..covered {
            self.entries[first + i] = before[first + 2 * i];
            self.entries[first + covered + i] = before[first + 2 * i + 1];
        });
    }

    const fn insert(&mut self, at: usize, entry: Entry) {
        each!(for i in (at..self.len).rev() {
            self.entries[i + 1] = self.entries[i];
        });
        self.entries[at] = entry;
        self.len += 1;
    }

    const fn remove(&mut self, at: usize) {
        self.len -= 1;
        each!(for i in at..self.len {
            self.entries[i] = self.entries[i + 1];
        });
    }

    /// An unknown bound divided by a size of a tile, rounded up. The bound is no entry's any more.
    const fn quotient(&mut self, dividend: Amount, divisor: Size) -> Amount {
        let Amount { factor, unknowns } = dividend;
        if factor.is_multiple_of(divisor) {
            return Amount { factor: factor / divisor, unknowns };
        }
        // What one tile leaves is divided by the next: both at once, unless a sum counts in it.
        let first = unknowns.trailing_zeros() as usize;
        let mut is_counted = false;
        each!(for i in 0..self.sum_count {
            is_counted |= self.sums[i].factor.unknowns & unknowns != 0;
        });
        if factor == 1 && unknowns.is_power_of_two() && first >= MAX_DIMS && !is_counted {
            let quotient = &mut self.quotients[first - MAX_DIMS];
            // A divisor that no count reaches leaves one tile, as long as there are elements.
            quotient.divisor = quotient.divisor.saturating_mul(divisor);
            return dividend;
        }
        self.quotients[self.quotient_count] = Quotient { dividend, divisor };
        self.quotient_count += 1;
        Amount::unknown(MAX_DIMS + self.quotient_count - 1)
    }

    /// How many values a source can take.
    const fn values(&self, source: DigitSource) -> Size {
        match source {
            DigitSource::Dim(dim) => self.dims[dim],
            DigitSource::Sum(sum) => self.sums[sum].limit,
        }
    }

    /// `digit / size` and `digit % size`.
    const fn cut(&mut self, digit: Digit, size: Size) -> (Digit, Digit) {
        if digit.limit <= size {
            return (Digit::ZERO, digit);
        }
        if size == 1 {
            return (digit, Digit::ZERO);
        }
        let whole = if digit.modulus == 0 || digit.modulus.is_multiple_of(size) {
            digit
        } else {
            // (x % m) / t is not a digit of x unless t divides m.
            let (major, factor, limit) = (Digit::ZERO, Amount::ONE, digit.limit);
            self.add_sum(Sum { major, factor, minor: digit, limit })
        };
        let outer = Digit {
            div: whole.div * size,
            modulus: whole.modulus / size,
            limit: whole.limit.div_ceil(size),
            ..whole
        };
        let inner = Digit { modulus: size, limit: size, ..whole };
        (outer, inner)
    }

    /// `major · factor + minor`, where `minor` is below `factor`.
    const fn sum(&mut self, major: Digit, factor: Amount, minor: Digit) -> Digit {
        if major.is_zero() {
            return minor;
        }
        if factor.unknowns != 0 {
            return self.add_sum(Sum { major, factor, minor, limit: MAX_SIZE });
        }
        let known = factor.factor;
        if minor.is_zero() && known == 1 {
            return major;
        }
        if let Some(joined) = self.join(major, known, minor) {
            return joined;
        }
        // More than there can be only where the size of a dimension is unknown.
        let limit = (major.limit - 1).saturating_mul(known).saturating_add(minor.limit);
        self.add_sum(Sum { major, factor, minor, limit })
    }

    /// Two neighbouring digits of one source as one digit.
    pub(crate) const fn join(&self, major: Digit, factor: Size, minor: Digit) -> Option<Digit> {
        // `cut` gives a modulus only below the values that are left, so that `div · modulus` is at most
        // the values of the source, and no product here overflows.
        if major.source != minor.source
            || minor.modulus != factor
            || major.div != minor.div * factor
        {
            return None;
        }
        let values = self.values(minor.source()).div_ceil(minor.div);
        let modulus = major.modulus * factor;
        Some(Digit { modulus, limit: if modulus == 0 { values } else { modulus }, ..minor })
    }

    const fn add_sum(&mut self, sum: Sum) -> Digit {
        if sum.major.is_zero() && sum.minor.is_whole() {
            return sum.minor;
        }
        self.sums[self.sum_count] = sum;
        self.sum_count += 1;
        Digit::whole(MAX_DIMS + self.sum_count - 1, sum.limit)
    }
}
