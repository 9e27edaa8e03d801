//! The fewest tiles of an order of digits, by a search for keys.

use crate::digit_order::dims::{DimOrder, Precedence, TileStarts};
use crate::digit_order::error::NotThisLayout;
use crate::digit_order::{DigitOrder, MAX_DIGITS};
use layout_core::analysis::DimDigit;
use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS, MAX_TILES};

/// Keys of single digits that the search tries for one number of tiles, until it finds keys of all digits. Orders of seven digits take at most 1,451, those of oneDNN's tags fewer.
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
    pub(super) fn fewest(order: &DigitOrder) -> Result<Keys, NotThisLayout> {
        if let Some(dim) = open_after_block(order, |digit| order.is_open(digit.dim)) {
            return Err(NotThisLayout::OpenAfterBlock { dim });
        }
        let preferred =
            [dims_by(order, By::Memory), dims_by(order, By::Number), dims_by(order, By::Top)];
        let mut dims = [0; MAX_DIGITS];
        for (dim, digit) in dims.iter_mut().zip(order.digits()) {
            *dim = digit.dim as u8;
        }
        let totals = preferred.map(|dims| Precedence::total(&dims[..order.rank]));
        let mut search =
            KeySearch { order, preferred, dims, tiles: 0, keys: [0; MAX_DIGITS], best: None };
        for tiles in 0..=MAX_TILES {
            search.tiles = tiles;
            if !search.run(Precedence::FREE, MORE_STEPS) {
                // There are too many keys: those for the orders of dimensions that users expect are fewer.
                for start in totals {
                    search.run(start, STEPS);
                }
            }
            if let Some(found) = search.best {
                return Ok(found);
            }
        }
        search.construct(Precedence::FREE);
        for start in totals {
            search.construct(start);
        }
        search.best.ok_or_else(|| match open_after_block(order, |_| true) {
            Some(dim) => NotThisLayout::OpenAfterBlock { dim },
            None => NotThisLayout::TooManyTiles,
        })
    }
}

/// The dimension whose digit of any size follows a block, of those that count: no tile moves such a digit.
fn open_after_block(order: &DigitOrder, counts: impl Fn(&DimDigit) -> bool) -> Option<usize> {
    let is_block = |digit: &DimDigit| digit.size.is_some() && counts(digit);
    let blocks = order.digits().iter().skip_while(|digit| !is_block(digit));
    blocks.skip(1).find(|digit| digit.size.is_none()).map(|digit| digit.dim)
}

/// Orders of dimensions that users expect.
#[derive(Clone, Copy)]
enum By {
    /// By their first digit in memory.
    Memory,
    /// By their numbers, after those with a digit of any size.
    Number,
    /// By their most major digit.
    Top,
}

fn dims_by(order: &DigitOrder, by: By) -> [u8; MAX_DIMS] {
    let is_top = |digit: &DimDigit| order.digits_of(digit.dim).all(|of| of.weight <= digit.weight);
    let takes = |digit: &&DimDigit| match by {
        By::Memory => true,
        By::Number => false,
        By::Top => is_top(digit),
    };
    // First those of any size, which stand as they do in memory.
    let open = order.digits().iter().filter(|digit| digit.size.is_none());
    let taken = open.chain(order.digits().iter().filter(takes)).map(|digit| digit.dim);
    let (mut dims, mut is_taken, mut rank) = ([0; MAX_DIMS], [false; MAX_DIMS], 0);
    for dim in taken.chain(0..order.rank) {
        if !is_taken[dim] {
            is_taken[dim] = true;
            dims[rank] = dim as u8;
            rank += 1;
        }
    }
    dims
}

/// Assigns each digit a key of `tiles` bits; bit `t` is set if tile `t` moves the digit into its inner part.
struct KeySearch<'a> {
    order: &'a DigitOrder,
    preferred: [[u8; MAX_DIMS]; 3],
    /// The dimension of each digit.
    dims: [u8; MAX_DIGITS],
    tiles: usize,
    keys: [u8; MAX_DIGITS],
    best: Option<Keys>,
}

impl KeySearch<'_> {
    /// Looks at keys in ascending order, and keeps the best. False if that takes more than `STEPS`, and `more` to find
    /// the best.
    fn run(&mut self, start: Precedence, more: usize) -> bool {
        let digits = self.order.digits();
        if digits.is_empty() {
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
                && least == usize::from(self.keys[at - 1])
                && !self.follows(at, &mut precedences[at]);
            match self.key(at, at, least + usize::from(has_last)) {
                Some(key) => {
                    // Its place among equal keys says nothing of a digit with another key.
                    if at > 0 && key > usize::from(self.keys[at - 1]) {
                        precedences[at] = precedences[at - 1];
                    }
                    self.keys[at] = key as u8;
                    least = key + 1;
                    if at + 1 == digits.len() {
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
                    least = usize::from(self.keys[at]) + 1;
                }
            }
        }
    }

    /// Whether a digit can have the key of the one before it in memory: in the order without tiles it follows that.
    fn follows(&self, at: usize, precedence: &mut Precedence) -> bool {
        let (major, minor) = (&self.order.digits()[at - 1], &self.order.digits()[at]);
        if major.dim == minor.dim {
            major.weight > minor.weight
        } else {
            precedence.put(major.dim, minor.dim)
        }
    }

    /// Whether each digit from `from` on can still have a key, by the keys of those before it.
    fn leaves_keys(&self, from: usize, precedence: &Precedence) -> bool {
        let digits = self.order.digits();
        let mut least = usize::from(self.keys[from - 1]);
        (from..digits.len()).all(|at| {
            let (major, minor) = (&digits[at - 1], &digits[at]);
            // Neighbours in the opposite order without tiles need different keys.
            let ascends = if major.dim == minor.dim {
                major.weight < minor.weight
            } else {
                precedence.has(minor.dim, major.dim)
            };
            let key = self.key(at, from, least + usize::from(ascends));
            least = key.unwrap_or(least);
            key.is_some()
        })
    }

    /// The lowest key from `least` on that a digit can have, by the keys of the first `known` digits.
    fn key(&self, at: usize, known: usize, least: usize) -> Option<usize> {
        let digits = self.order.digits();
        let DimDigit { dim, weight, size } = digits[at];
        if size.is_none() {
            return (least == 0).then_some(0);
        }
        // Reversed keys of the same dimension ascend along it.
        let (mut low, mut high) = (0, u8::MAX);
        for (other, key) in digits[..known].iter().zip(self.keys) {
            if other.dim == dim && other.weight > weight {
                low = low.max(key.reverse_bits());
            } else if other.dim == dim {
                high = high.min(key.reverse_bits());
            }
        }
        // The block of a dimension of any size is cut off by some tile.
        let least = if self.order.is_open(dim) { least.max(1) } else { least };
        (least..1 << self.tiles).find(|key| (low..=high).contains(&(*key as u8).reverse_bits()))
    }

    /// Keys that every order of digits has: the number of the digit along its dimension, reversed, and in the bits
    /// above a number that is counted up wherever those descend.
    fn construct(&mut self, start: Precedence) {
        let mut precedence = start;
        let digits = self.order.digits();
        let along = |digit: &DimDigit| {
            self.order.digits_of(digit.dim).filter(|other| other.weight > digit.weight).count()
                as u8
        };
        let most = digits.iter().map(along).max().unwrap_or(0);
        let low = u8::BITS - most.leading_zeros();
        let mut run = 0usize;
        for (i, digit) in digits.iter().enumerate() {
            let reversed = along(digit).reverse_bits().checked_shr(u8::BITS - low).unwrap_or(0);
            if i > 0 {
                let before = self.keys[i - 1] & ((1u8 << low) - 1);
                let is_next =
                    reversed > before || reversed == before && self.follows(i, &mut precedence);
                run += usize::from(!is_next);
            }
            if run << low >= 1 << MAX_TILES {
                return;
            }
            self.keys[i] = (run << low) as u8 | reversed;
            // No tile moves a digit of any size.
            if digit.size.is_none() && self.keys[i] != 0 {
                return;
            }
        }
        self.keep(&precedence);
    }

    /// Keeps the keys if they are better than others.
    fn keep(&mut self, precedence: &Precedence) {
        if let Some(found) = self.better(self.order.digits().len(), precedence) {
            self.best = Some(found);
        }
    }

    /// The first `known` keys with the best order of dimensions, if they are better than the best keys so far.
    ///
    /// If these are not, no keys that begin with them are: a further digit only lets tiles begin earlier, and says
    /// more of the order of dimensions.
    fn better(&self, known: usize, precedence: &Precedence) -> Option<Keys> {
        let split = self.split(known);
        let limit = match &self.best {
            Some(best) if best.split < split => return None,
            Some(best) if best.split == split => best.cost,
            _ => (MAX_TILE_DIMS, usize::MAX),
        };
        let (keys, dims) = (&self.keys[..known], &self.dims[..known]);
        let starts = TileStarts::new(keys, dims, self.tiles, precedence)?;
        let DimOrder { dims, cost } =
            starts.best_order(precedence, &self.preferred, self.order.rank, limit)?;
        Some(Keys { keys: self.keys, tiles: self.tiles, dims, split, cost })
    }

    /// Dimensions in blocks that the first tile does not pad to whole blocks, by the first `known` keys.
    fn split(&self, known: usize) -> usize {
        let mut dims = 0u16;
        for (digit, key) in self.order.digits()[..known].iter().zip(self.keys) {
            if digit.size.is_some() && key.is_multiple_of(2) && self.order.is_open(digit.dim) {
                dims |= 1 << digit.dim;
            }
        }
        dims.count_ones() as usize
    }
}
