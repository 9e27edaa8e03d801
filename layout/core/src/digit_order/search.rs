//! The fewest tiles of an order of digits, by a search for keys.

use crate::digit_order::dims::{DimOrder, DimSearch, Precedence, TileStarts};
use crate::digit_order::{DigitOrder, DigitOrderError, MAX_DIGITS};
use crate::limits::{MAX_DIMS, MAX_TILE_DIMS, MAX_TILES};

/// Keys of single digits that the search tries for one number of tiles, until it finds keys of all digits. A limit
/// lets a `const` end. Orders of seven digits take at most 1,451, those of oneDNN's tags fewer.
const STEPS: usize = 1 << 12;

/// Keys that it tries if it has found some, to find better ones. Orders of seven digits take at most 18,863, random ones
/// with rests besides at most 26,337.
const MORE_STEPS: usize = 1 << 15;

/// Keys of digits and an order of dimensions: what tiles are made of.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    /// The key of each digit. Bit `t` says whether tile `t` moves the digit back.
    pub keys: [u8; MAX_DIGITS],
    pub tiles: usize,
    /// The dimensions, the most major first.
    pub dims: [u8; MAX_DIMS],
    /// Dimensions in blocks that the first tile does not pad to whole blocks.
    split: usize,
    /// Sizes in tiles, then the number of the preferred order of dimensions that this has.
    cost: (usize, usize),
}

impl Keys {
    /// The fewest tiles, and among these the least cost.
    pub(super) const fn fewest(order: &DigitOrder) -> Result<Keys, DigitOrderError> {
        if let Err(error) = rests_in_front(order) {
            return Err(error);
        }
        let preferred =
            [dims_by(order, By::Memory), dims_by(order, By::Number), dims_by(order, By::Top)];
        let mut dims = [0; MAX_DIGITS];
        let mut i = 0;
        while i < order.len {
            dims[i] = order.digits[i].dim as u8;
            i += 1;
        }
        let starts = [
            Precedence::FREE,
            Precedence::total(&preferred[0], order.rank),
            Precedence::total(&preferred[1], order.rank),
            Precedence::total(&preferred[2], order.rank),
        ];
        let mut search =
            Search { order, preferred, dims, tiles: 0, keys: [0; MAX_DIGITS], best: None };
        while search.tiles <= MAX_TILES {
            if !search.run(starts[0], MORE_STEPS) {
                // There are too many keys: those for the orders of dimensions that users expect are fewer.
                each!(for i in 1..starts.len() {
                    search.run(starts[i], STEPS);
                });
            }
            if let Some(found) = search.best {
                return Ok(found);
            }
            search.tiles += 1;
        }
        search.tiles = MAX_TILES;
        each!(for i in 0..starts.len() {
            search.construct(starts[i]);
        });
        match search.best {
            Some(found) => Ok(found),
            None => Err(match rest_after_digit(order) {
                Some(dim) => DigitOrderError::RestBehindDigit { dim },
                None => DigitOrderError::TooManyTiles,
            }),
        }
    }
}

/// The dimension of a rest that follows another digit.
const fn rest_after_digit(order: &DigitOrder) -> Option<usize> {
    let mut is_after = false;
    each!(for i in 0..order.len {
        match order.digits[i].size {
            None if is_after => return Some(order.digits[i].dim),
            None => {}
            Some(_) => is_after = true,
        }
    });
    None
}

/// Rests stand in front: no tile moves one.
const fn rests_in_front(order: &DigitOrder) -> Result<(), DigitOrderError> {
    let mut is_behind = false;
    each!(for i in 0..order.len {
        let digit = &order.digits[i];
        match digit.size {
            None if is_behind => return Err(DigitOrderError::RestBehindDigit { dim: digit.dim }),
            None => {}
            Some(_) => is_behind |= order.size_of(digit.dim).1,
        }
    });
    Ok(())
}

/// Orders of dimensions that users expect.
#[derive(Clone, Copy)]
enum By {
    /// By their first digit in memory.
    Memory,
    /// By their numbers, dimensions with a rest in front as they stand.
    Number,
    /// By their most major digit.
    Top,
}

const fn dims_by(order: &DigitOrder, by: By) -> [u8; MAX_DIMS] {
    let mut dims = [0; MAX_DIMS];
    let mut is_taken = [false; MAX_DIMS];
    let mut rank = 0;
    // First the rests, which stand as they do in memory.
    each!(for pass in 0..2 {
        each!(for i in 0..order.len {
            let digit = &order.digits[i];
            let takes = match by {
                By::Memory => true,
                By::Number => false,
                By::Top => is_top(order, i),
            };
            if !is_taken[digit.dim] && (digit.size.is_none() || pass == 1 && takes) {
                is_taken[digit.dim] = true;
                dims[rank] = digit.dim as u8;
                rank += 1;
            }
        });
    });
    each!(for dim in 0..order.rank {
        if !is_taken[dim] {
            dims[rank] = dim as u8;
            rank += 1;
        }
    });
    dims
}

/// Whether no digit of the same dimension has a larger weight.
const fn is_top(order: &DigitOrder, digit: usize) -> bool {
    each!(for i in 0..order.len {
        let (this, other) = (&order.digits[digit], &order.digits[i]);
        if this.dim == other.dim && this.weight < other.weight {
            return false;
        }
    });
    true
}

/// Looks for keys of so many bits, one for each digit.
struct Search<'a> {
    order: &'a DigitOrder,
    preferred: [[u8; MAX_DIMS]; 3],
    /// The dimension of each digit.
    dims: [u8; MAX_DIGITS],
    tiles: usize,
    keys: [u8; MAX_DIGITS],
    best: Option<Keys>,
}

impl Search<'_> {
    /// Looks at keys in ascending order, and keeps the best. False if that takes more than `STEPS`, and `more` to find
    /// the best.
    const fn run(&mut self, start: Precedence, more: usize) -> bool {
        let len = self.order.len;
        if len == 0 {
            self.keep(&start);
            return true;
        }
        // What the keys up to each digit say of the order of dimensions.
        let mut precedences = [start; MAX_DIGITS];
        let mut steps = 0;
        let mut at = 0;
        let mut least = 0;
        loop {
            steps += 1;
            if steps > if self.best.is_some() { more } else { STEPS } {
                return false;
            }
            if at > 0 {
                precedences[at] = precedences[at - 1];
            }
            let has_last = at > 0
                && least == self.keys[at - 1] as usize
                && !self.follows(at, &mut precedences[at]);
            match self.key(at, at, least + has_last as usize) {
                Some(key) => {
                    // Its place among equal keys says nothing of a digit with another key.
                    if at > 0 && key > self.keys[at - 1] as usize {
                        precedences[at] = precedences[at - 1];
                    }
                    self.keys[at] = key as u8;
                    least = key + 1;
                    if at + 1 == len {
                        self.keep(&precedences[at]);
                    } else if self.leaves_keys(at + 1, &precedences[at])
                        && self.better(at + 1, &precedences[at]).is_some()
                    {
                        at += 1;
                        least = key;
                    }
                }
                None if at == 0 => return true,
                None => {
                    at -= 1;
                    least = self.keys[at] as usize + 1;
                }
            }
        }
    }

    /// Whether a digit can have the key of the one before it in memory: in the order without tiles it follows that.
    const fn follows(&self, at: usize, precedence: &mut Precedence) -> bool {
        let (major, minor) = (&self.order.digits[at - 1], &self.order.digits[at]);
        if major.dim == minor.dim {
            major.weight > minor.weight
        } else {
            precedence.put(major.dim, minor.dim)
        }
    }

    /// Whether each digit from `from` on can still have a key, by the keys in front of it.
    const fn leaves_keys(&self, from: usize, precedence: &Precedence) -> bool {
        let mut at = from;
        let mut least = self.keys[from - 1] as usize;
        while at < self.order.len {
            let (major, minor) = (&self.order.digits[at - 1], &self.order.digits[at]);
            let ascends = if major.dim == minor.dim {
                major.weight < minor.weight
            } else {
                precedence.has(minor.dim, major.dim)
            };
            match self.key(at, from, least + ascends as usize) {
                Some(key) => least = key,
                None => return false,
            }
            at += 1;
        }
        true
    }

    /// The lowest key from `least` on that a digit can have, by the keys of the first `known` digits.
    const fn key(&self, at: usize, known: usize, least: usize) -> Option<usize> {
        let digit = &self.order.digits[at];
        if digit.size.is_none() {
            return if least == 0 { Some(0) } else { None };
        }
        // Reversed keys of the same dimension ascend along it.
        let (mut low, mut high) = (0, u8::MAX);
        each!(for i in 0..known {
            let other = &self.order.digits[i];
            if other.dim == digit.dim {
                let reversed = self.keys[i].reverse_bits();
                if other.weight > digit.weight {
                    low = if reversed > low { reversed } else { low };
                } else {
                    high = if reversed < high { reversed } else { high };
                }
            }
        });
        let mut key = least;
        if key == 0 && self.order.size_of(digit.dim).1 {
            key = 1;
        }
        while key < 1 << self.tiles {
            let reversed = (key as u8).reverse_bits();
            if low <= reversed && reversed <= high {
                return Some(key);
            }
            key += 1;
        }
        None
    }

    /// The keys that always are some: the number of the digit along its dimension, reversed, and in the bits
    /// above a number that is counted up wherever those descend.
    const fn construct(&mut self, start: Precedence) {
        let mut precedence = start;
        let len = self.order.len;
        let mut along = [0u8; MAX_DIGITS];
        let mut most = 0;
        each!(for i in 0..len {
            each!(for j in 0..len {
                let (this, other) = (&self.order.digits[i], &self.order.digits[j]);
                along[i] += (this.dim == other.dim && this.weight < other.weight) as u8;
            });
            // Of a dimension without a rest, too.
            most = if along[i] > most { along[i] } else { most };
        });
        let low = u8::BITS - most.leading_zeros();
        let mut run = 0usize;
        each!(for i in 0..len {
            let reversed = if low == 0 { 0 } else { along[i].reverse_bits() >> (u8::BITS - low) };
            if i > 0 {
                let before = self.keys[i - 1] & ((1u8 << low) - 1);
                let is_next =
                    reversed > before || reversed == before && self.follows(i, &mut precedence);
                run += !is_next as usize;
            }
            if run << low >= 1 << MAX_TILES {
                return;
            }
            self.keys[i] = (run << low) as u8 | reversed;
            // No tile moves a rest.
            if self.order.digits[i].size.is_none() && self.keys[i] != 0 {
                return;
            }
        });
        self.keep(&precedence);
    }

    /// Keeps the keys if they are better than others.
    const fn keep(&mut self, precedence: &Precedence) {
        if let Some(found) = self.better(self.order.len, precedence) {
            self.best = Some(found);
        }
    }

    /// The first `known` keys with the best order of dimensions, if they are better than the best keys so far.
    ///
    /// If these are not, no keys that begin with them are: a further digit only lets tiles begin earlier, and says
    /// more of the order of dimensions.
    const fn better(&self, known: usize, precedence: &Precedence) -> Option<Keys> {
        let split = self.split(known);
        let limit = match &self.best {
            Some(best) if best.split < split => return None,
            Some(best) if best.split == split => best.cost,
            _ => (MAX_TILE_DIMS, usize::MAX),
        };
        let (keys, _) = self.keys.split_at(known);
        let (dims, _) = self.dims.split_at(known);
        let Some(starts) = TileStarts::new(keys, dims, self.tiles, precedence) else { return None };
        let search = DimSearch {
            precedence,
            starts: &starts,
            preferred: &self.preferred,
            rank: self.order.rank,
        };
        match search.run(limit) {
            Some(DimOrder { dims, cost }) => {
                Some(Keys { keys: self.keys, tiles: self.tiles, dims, split, cost })
            }
            None => None,
        }
    }

    /// Dimensions in blocks that the first tile does not pad to whole blocks, by the first `known` keys.
    const fn split(&self, known: usize) -> usize {
        let mut split = 0;
        let mut dims = 0u16;
        each!(for i in 0..known {
            let digit = &self.order.digits[i];
            if digit.size.is_some()
                && self.keys[i].is_multiple_of(2)
                && dims >> digit.dim & 1 == 0
                && self.order.size_of(digit.dim).1
            {
                dims |= 1 << digit.dim;
                split += 1;
            }
        });
        split
    }
}
