//! An order of digits as an order of dimensions and tiles.

use crate::base::text::part;
use crate::digit_order::{DigitOrder, DigitOrderError, MAX_DIGITS};
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILES, Size};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::{TileDim, Tiles};

/// Keys that the search looks at, for one order of dimensions and one number of tiles, so that a `const`
/// ends. Orders of seven digits of one dimension, the worst, and every tag of oneDNN take fewer.
const STEPS: usize = 1 << 12;

/// See [`DigitOrder::layout`].
pub(super) const fn layout(
    order: &DigitOrder,
    array: &ArrayShape,
) -> Result<ArrayShape, DigitOrderError> {
    if order.rank != array.rank() {
        return Err(DigitOrderError::OtherRank { rank: order.rank, array: array.rank() });
    }
    let mut dim = 0;
    while dim < order.rank {
        let (digits, has_rest) = order.size_of(dim);
        match array.dims[dim] {
            _ if has_rest => {}
            Dim::Static(size) | Dim::Bounded(size) if size == digits => {}
            Dim::Static(size) | Dim::Bounded(size) => {
                return Err(DigitOrderError::OtherSize { dim, digits, size });
            }
            Dim::Unbounded => return Err(DigitOrderError::UnknownSize { dim }),
        }
        dim += 1;
    }
    let found = match search(order) {
        Ok(found) => found,
        Err(error) => return Err(error),
    };
    let mut shape = *array;
    (shape.has_padding, shape.padded_dims, shape.fill) = (false, [0; MAX_DIMS], None);
    shape.tiles = Tiles::NONE;
    let mut dims = [0; MAX_DIMS];
    let mut i = 0;
    while i < order.rank {
        dims[i] = found.dims[order.rank - 1 - i] as usize;
        i += 1;
    }
    let ordered = match shape.with_minor_to_major(part(&dims, 0, order.rank)) {
        Ok(shape) => shape.with_tiles(&found.tiles),
        Err(fault) => Err(fault),
    };
    match ordered {
        Ok(shape) => Ok(shape),
        Err(fault) => Err(DigitOrderError::Shape(fault)),
    }
}

/// A layout that was found.
#[derive(Clone, Copy)]
struct Found {
    /// The dimensions, the most major first.
    dims: [u8; MAX_DIMS],
    tiles: Tiles,
    /// Dimensions in blocks that the first tile does not pad to whole blocks, then the sizes in tiles.
    cost: (usize, usize),
}

impl Found {
    const fn is_better(&self, other: &Option<Found>) -> bool {
        match other {
            None => true,
            Some(other) => {
                self.cost.0 < other.cost.0
                    || self.cost.0 == other.cost.0 && self.cost.1 < other.cost.1
            }
        }
    }
}

/// The fewest tiles, over a few orders of the dimensions.
const fn search(order: &DigitOrder) -> Result<Found, DigitOrderError> {
    if let Err(error) = rests_in_front(order) {
        return Err(error);
    }
    let sources = [
        Sources::by(order, By::Memory),
        Sources::by(order, By::Number),
        Sources::by(order, By::Top),
    ];
    let mut bits = 0;
    while bits <= MAX_TILES {
        let mut best = None;
        let mut i = 0;
        while i < sources.len() {
            let mut search = Search { order, sources: &sources[i], bits, keys: [0; MAX_DIGITS] };
            search.run(&mut best);
            i += 1;
        }
        if let Some(found) = best {
            return Ok(found);
        }
        bits += 1;
    }
    let mut best = None;
    let mut i = 0;
    while i < sources.len() {
        Search { order, sources: &sources[i], bits: 0, keys: [0; MAX_DIGITS] }.construct(&mut best);
        i += 1;
    }
    match best {
        Some(found) => Ok(found),
        None => Err(match rest_after_digit(order) {
            Some(dim) => DigitOrderError::RestBehindDigit { dim },
            None => DigitOrderError::TooManyTiles,
        }),
    }
}

/// The dimension of a rest that follows another digit.
const fn rest_after_digit(order: &DigitOrder) -> Option<usize> {
    let mut is_after = false;
    let mut i = 0;
    while i < order.len {
        match order.digits[i].size {
            None if is_after => return Some(order.digits[i].dim),
            None => {}
            Some(_) => is_after = true,
        }
        i += 1;
    }
    None
}

/// Rests stand in front: no tile moves one.
const fn rests_in_front(order: &DigitOrder) -> Result<(), DigitOrderError> {
    let mut is_behind = false;
    let mut i = 0;
    while i < order.len {
        let digit = &order.digits[i];
        match digit.size {
            None if is_behind => return Err(DigitOrderError::RestBehindDigit { dim: digit.dim }),
            None => {}
            Some(_) => is_behind |= order.size_of(digit.dim).1,
        }
        i += 1;
    }
    Ok(())
}

/// What orders the dimensions in which no tile is.
#[derive(Clone, Copy)]
enum By {
    /// Their first digit in memory.
    Memory,
    /// Their numbers, dimensions with a rest in front as they stand.
    Number,
    /// Their most major digit.
    Top,
}

/// The digits in the order that they have without tiles.
struct Sources {
    dims: [u8; MAX_DIMS],
    /// The digits by that order, as numbers of digits in memory.
    digits: [u8; MAX_DIGITS],
    /// The place of each digit of memory in that order.
    places: [u8; MAX_DIGITS],
    /// Where each dimension, in its order, ends among them.
    ends: [u8; MAX_DIMS],
}

impl Sources {
    const fn by(order: &DigitOrder, by: By) -> Sources {
        let mut dims = [0; MAX_DIMS];
        let mut is_taken = [false; MAX_DIMS];
        let mut rank = 0;
        // First the rests, which stand as they do in memory.
        let mut pass = 0;
        while pass < 2 {
            let mut i = 0;
            while i < order.len {
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
                i += 1;
            }
            pass += 1;
        }
        let mut dim = 0;
        while dim < order.rank {
            if !is_taken[dim] {
                dims[rank] = dim as u8;
                rank += 1;
            }
            dim += 1;
        }
        Sources::of(order, dims)
    }

    const fn of(order: &DigitOrder, dims: [u8; MAX_DIMS]) -> Sources {
        let mut sources =
            Sources { dims, digits: [0; MAX_DIGITS], places: [0; MAX_DIGITS], ends: [0; MAX_DIMS] };
        let mut len = 0;
        let mut at = 0;
        while at < order.rank {
            let dim = dims[at] as usize;
            let start = len;
            let mut i = 0;
            while i < order.len {
                if order.digits[i].dim == dim {
                    // By descending weight.
                    let mut to = len;
                    while to > start
                        && order.digits[sources.digits[to - 1] as usize].weight
                            < order.digits[i].weight
                    {
                        sources.digits[to] = sources.digits[to - 1];
                        to -= 1;
                    }
                    sources.digits[to] = i as u8;
                    len += 1;
                }
                i += 1;
            }
            sources.ends[at] = len as u8;
            at += 1;
        }
        let mut place = 0;
        while place < len {
            sources.places[sources.digits[place] as usize] = place as u8;
            place += 1;
        }
        sources
    }
}

/// Whether no digit of the same dimension has a larger weight.
const fn is_top(order: &DigitOrder, digit: usize) -> bool {
    let mut i = 0;
    while i < order.len {
        let (this, other) = (&order.digits[digit], &order.digits[i]);
        if this.dim == other.dim && this.weight < other.weight {
            return false;
        }
        i += 1;
    }
    true
}

/// Looks for keys of so many bits, one for each digit: bit `t` says whether tile `t` moves the digit back.
struct Search<'a> {
    order: &'a DigitOrder,
    sources: &'a Sources,
    bits: usize,
    keys: [u8; MAX_DIGITS],
}

impl Search<'_> {
    /// Looks at keys in ascending order, and keeps the best layout.
    const fn run(&mut self, best: &mut Option<Found>) {
        let len = self.order.len;
        if len == 0 {
            self.keep(best);
            return;
        }
        let mut steps = 0;
        let mut at = 0;
        let mut least = 0;
        loop {
            steps += 1;
            if steps > STEPS {
                return;
            }
            match self.key(at, at, least) {
                Some(key) => {
                    self.keys[at] = key as u8;
                    least = key + 1;
                    if at + 1 == len {
                        self.keep(best);
                    } else if self.leaves_keys(at + 1) {
                        at += 1;
                        least = key;
                    }
                }
                None if at == 0 => return,
                None => {
                    at -= 1;
                    least = self.keys[at] as usize + 1;
                }
            }
        }
    }

    /// Whether each digit from `from` on can still have a key, by the keys in front of it.
    const fn leaves_keys(&self, from: usize) -> bool {
        let mut at = from;
        while at < self.order.len {
            if self.key(at, from, self.keys[from - 1] as usize).is_none() {
                return false;
            }
            at += 1;
        }
        true
    }

    /// The lowest key from `least` on that a digit can have, by the keys of the first `known` digits.
    const fn key(&self, at: usize, known: usize, least: usize) -> Option<usize> {
        let digit = &self.order.digits[at];
        // Reversed keys of the same dimension ascend along it.
        let (mut low, mut high) = (0, u8::MAX);
        let mut i = 0;
        while i < known {
            let other = &self.order.digits[i];
            if other.dim == digit.dim {
                let reversed = self.keys[i].reverse_bits();
                if other.weight > digit.weight {
                    low = if reversed > low { reversed } else { low };
                } else {
                    high = if reversed < high { reversed } else { high };
                }
            }
            i += 1;
        }
        let in_order =
            at == 0 || at != known || self.sources.places[at - 1] < self.sources.places[at];
        let mut key = least;
        // What stands behind its predecessor in memory, but in front of it without tiles, has another key.
        if !in_order && key == self.keys[at - 1] as usize {
            key += 1;
        }
        if digit.size.is_none() {
            return if key == 0 { Some(0) } else { None };
        }
        if key == 0 && self.order.size_of(digit.dim).1 {
            key = 1;
        }
        while key < 1 << self.bits {
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
    const fn construct(&mut self, best: &mut Option<Found>) {
        let len = self.order.len;
        let mut along = [0u8; MAX_DIGITS];
        let mut most = 0;
        let mut i = 0;
        while i < len {
            let mut j = 0;
            while j < len {
                let (this, other) = (&self.order.digits[i], &self.order.digits[j]);
                along[i] += (this.dim == other.dim && this.weight < other.weight) as u8;
                j += 1;
            }
            // Of a dimension without a rest, too.
            most = if along[i] > most { along[i] } else { most };
            i += 1;
        }
        let low = u8::BITS - most.leading_zeros();
        let mut run = 0usize;
        let mut i = 0;
        while i < len {
            let reversed = if low == 0 { 0 } else { along[i].reverse_bits() >> (u8::BITS - low) };
            if i > 0 {
                let before = self.keys[i - 1] & ((1u8 << low) - 1);
                let in_order = self.sources.places[i - 1] < self.sources.places[i];
                run += (reversed < before || reversed == before && !in_order) as usize;
            }
            if run << low >= 1 << MAX_TILES {
                return;
            }
            self.keys[i] = (run << low) as u8 | reversed;
            // No tile moves a rest.
            if self.order.digits[i].size.is_none() && self.keys[i] != 0 {
                return;
            }
            i += 1;
        }
        self.bits = MAX_TILES;
        self.keep(best);
    }

    /// Keeps the layout of the keys if it is the best.
    const fn keep(&self, best: &mut Option<Found>) {
        let Some(tiles) = self.tiles() else { return };
        let mut split = 0;
        let mut dim = 0;
        while dim < self.order.rank {
            let mut i = 0;
            while i < self.order.len {
                let digit = &self.order.digits[i];
                if digit.dim == dim && digit.size.is_some() && self.keys[i].is_multiple_of(2) {
                    split += self.order.size_of(dim).1 as usize;
                    break;
                }
                i += 1;
            }
            dim += 1;
        }
        let found = Found { dims: self.sources.dims, tiles, cost: (split, tiles.entries()) };
        if found.is_better(best) {
            *best = Some(found);
        }
    }

    /// The tiles of the keys; `None` if they have too many sizes.
    const fn tiles(&self) -> Option<Tiles> {
        // Bounds: stretches of digits in the order without tiles.
        let mut bounds = [(0u8, 0u8); MAX_BOUNDS];
        let mut len = self.order.rank;
        let mut start = 0;
        let mut at = 0;
        while at < len {
            bounds[at] = (start, self.sources.ends[at]);
            start = self.sources.ends[at];
            at += 1;
        }
        let mut tiles = Tiles::NONE;
        let mut tile = 0;
        while tile < self.bits {
            let mut first = len;
            let mut at = len;
            while at > 0 {
                at -= 1;
                if self.cut(bounds[at], tile) < bounds[at].1 {
                    first = at;
                }
            }
            if first < len {
                if !tiles.begin() {
                    return None;
                }
                let end = len;
                let mut at = first;
                while at < end {
                    let (from, to) = bounds[at];
                    let cut = self.cut((from, to), tile);
                    if !tiles.push(TileDim::Size(self.product(cut, to))) {
                        return None;
                    }
                    bounds[at].1 = cut;
                    bounds[len] = (cut, to);
                    len += 1;
                    at += 1;
                }
            }
            tile += 1;
        }
        Some(tiles)
    }

    /// Where a tile cuts a bound: from there on its digits move back.
    const fn cut(&self, (from, to): (u8, u8), tile: usize) -> u8 {
        let mut cut = to;
        while cut > from
            && self.keys[self.sources.digits[cut as usize - 1] as usize] >> tile & 1 == 1
        {
            cut -= 1;
        }
        cut
    }

    /// Values of the digits of a stretch.
    const fn product(&self, from: u8, to: u8) -> Size {
        let mut product = 1;
        let mut place = from;
        while place < to {
            if let Some(size) = self.order.digits[self.sources.digits[place as usize] as usize].size
            {
                product *= size;
            }
            place += 1;
        }
        product
    }
}
