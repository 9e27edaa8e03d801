//! Blocks of packed elements: what a copy does to the bits of an element's number.
//!
//! A block has a power of two of elements: of each loop of the plan the lowest bits of its counter. It is read in
//! words of 64 bits, in stretches that are contiguous in the source, and written in stretches that are contiguous in
//! the destination. Between them, the number of an element within the block is a sequence of bits: the lowest say
//! where it is in its word, the others in which word. In the source's words the lowest are other bits of the counters
//! than in the destination's, and to exchange two bits of all numbers takes a few operations on whole words. Where
//! a word goes in memory is for reading and writing to say.
//!
//! A byte with one element is as many packed elements as it has room for, of which the first one counts: its lowest
//! bits are of no counter. So are those of a stretch that is shorter than a word.

use layout_core::__private::{Loop, MAX_LOOPS, Plan, native};

use crate::relayout::kernel::raw::Swap;
use crate::relayout::packed::Widths;

/// Words of the largest block: 8 KiB on the stack.
pub(super) const WORDS: usize = 1 << WORD_BITS;
const WORD_BITS: usize = 10;
/// Words of the longest stretch.
pub(super) const RUN_WORDS: usize = 1 << RUN_BITS;
const RUN_BITS: usize = 6;
/// Bits of a number at most: 64 elements in a word.
const MOST: usize = WORD_BITS + 6;

/// Exchanges at most: one for each bit of a place in a word, and for each of its place in a line before and after.
const SWAPS: usize = 6 + 4 * LINE_BITS;
/// Bits of the number of a word in a line of memory.
const LINE_BITS: usize = 3;

/// What counts up through sums of strides, one for each bit of a number.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// What is added where so many lowest bits turn to zero.
    deltas: [usize; MOST],
    len: usize,
    sum: usize,
}

impl Sums {
    const EMPTY: Sums = Sums { deltas: [0; MOST], len: 0, sum: 0 };

    fn push(&mut self, stride: usize) {
        self.deltas[self.len] = stride.wrapping_sub(self.sum);
        self.sum += stride;
        self.len += 1;
    }

    /// What is added from the number before `number` on.
    #[inline(always)]
    pub(super) fn delta(&self, number: usize) -> usize {
        self.deltas[number.trailing_zeros() as usize % MOST]
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> usize {
        1 << self.len
    }
}

/// Bits of a loop's counter on one side.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// The loop.
    pub number: u8,
    /// How many of its lowest bits lie in a stretch.
    pub run: u8,
    /// The others in the number of the stretch: the first of them, and how many.
    pub row: [u8; 2],
}

/// Stretches of the source or of the destination.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// Bits of the number of an element within a stretch.
    pub run: u8,
    /// Of them, those of no counter.
    pub none: u8,
    /// Where the words of a stretch are in the block.
    pub words: [u16; RUN_WORDS],
    /// Whether they follow one another, whole lines of 8 at least.
    pub is_straight: [bool; 2],
    /// Where a stretch begins in the block, in words.
    pub places: Sums,
    /// Where it begins in memory, in slots.
    pub slots: Sums,
    /// The loops, first those in the stretch, the most minor first.
    pub fields: [Field; MAX_LOOPS],
    pub field_count: usize,
}

/// How a block is copied.
pub(super) struct Block {
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    /// The source and the destination.
    pub sides: [Side; 2],
    pub swaps: [Swap; SWAPS],
    pub swap_count: usize,
    /// Words of the block.
    pub words: usize,
    /// Whether places that are not read have to be zero.
    pub needs_zeros: bool,
}

/// The bits of the counters that are contiguous on one side.
#[derive(Clone, Copy)]
struct Chain {
    /// Loop and bit.
    list: [(u8, u8); MOST],
    len: usize,
}

impl Chain {
    /// The next bit, if there is one.
    fn next(&self, plan: &Plan, side: usize) -> Option<(u8, u8)> {
        if let Some(&(number, bit)) = self.list[..self.len].last() {
            let extent = plan.loops[usize::from(number)].extent;
            if bit + 1 < bits_of(extent) {
                return Some((number, bit + 1));
            }
            // Past a loop whose values leave numbers out, nothing follows.
            if !extent.is_power_of_two() {
                return None;
            }
        }
        let loops = &plan.loops[..plan.len.into()];
        let is_next = |Loop { extent, src, dst, .. }: &Loop| {
            *extent > 1 && [*src, *dst][side] == 1 << self.len
        };
        loops.iter().position(is_next).map(|number| (number as u8, 0))
    }
}

/// Bits of the numbers below an extent.
fn bits_of(extent: layout_core::Size) -> u8 {
    extent.next_power_of_two().trailing_zeros() as u8
}

/// The block while bits are chosen.
struct Choice<'a> {
    plan: &'a Plan,
    bits: [u8; MAX_LOOPS],
    chains: [Chain; 2],
    /// Bits of no counter at the beginning of a stretch.
    none: [usize; 2],
    /// Bits of a place in a word.
    in_word: usize,
    /// Whether bits are taken only where blocks divide the loop's values.
    divides: bool,
}

impl Choice<'_> {
    /// Bits that a stretch of a side lacks to a word.
    fn missing(&self, side: usize) -> usize {
        self.in_word.saturating_sub(self.run(side))
    }

    fn run(&self, side: usize) -> usize {
        self.none[side] + self.chains[side].len
    }

    /// Bits of a number in the block.
    fn total(&self) -> usize {
        let counted = self.bits.iter().map(|bits| usize::from(*bits)).sum::<usize>();
        counted + self.none[0] + self.none[1] + self.missing(0).max(self.missing(1))
    }

    /// Makes the stretches of a side twice as long, if they may be.
    fn extend(&mut self, side: usize) -> bool {
        if self.run(side) == self.in_word + RUN_BITS {
            return false;
        }
        let Some((number, bit)) = self.chains[side].next(self.plan, side) else { return false };
        let at = usize::from(number);
        let before = (self.bits[at], self.chains[side]);
        let chain = &mut self.chains[side];
        chain.list[chain.len] = (number, bit);
        chain.len += 1;
        if bit >= self.bits[at] {
            self.bits[at] = bit + 1;
            if !self.has_room(at) {
                (self.bits[at], self.chains[side]) = before;
                return false;
            }
        }
        true
    }

    /// Takes one more bit of a loop outside of the stretches, the one with the smallest stride.
    fn widen(&mut self) -> bool {
        let stride = |number: usize| self.plan.loops[number].dst << self.bits[number];
        let fits = |&number: &usize| {
            let mut wider = Choice { bits: self.bits, ..*self };
            wider.bits[number] += 1;
            wider.has_room(number)
        };
        let found = (0..self.plan.len.into()).filter(fits).min_by_key(|&number| stride(number));
        if let Some(number) = found {
            self.bits[number] += 1;
        }
        found.is_some()
    }

    /// Whether a block can be as large as it is now, with the bits of a loop.
    fn has_room(&self, at: usize) -> bool {
        let divides = self.plan.loops[at].extent.is_multiple_of(1 << self.bits[at]);
        (divides || !self.divides) && self.total() <= self.in_word + WORD_BITS && self.is_box(at)
    }

    /// Whether what is in the array of any block is a number of values of each loop: if a dimension has several, it
    /// ends between two values of its most major one.
    fn is_box(&self, at: usize) -> bool {
        let Plan { dims, loops, sizes, .. } = self.plan;
        let of_dim = (0..self.plan.len.into()).filter(|&i| dims[i] == dims[at] && self.bits[i] > 0);
        let unit = of_dim.clone().map(|i| loops[i].unit).max().unwrap_or(1);
        of_dim.count() <= 1 || sizes[usize::from(dims[at])].is_multiple_of(unit)
    }
}

impl Block {
    /// Chooses a block for a plan whose layouts share a split.
    pub(super) fn new(plan: &Plan, widths: Widths) -> Block {
        let narrow = widths.narrow();
        let in_word = (64 / narrow).trailing_zeros() as usize;
        let none = [widths.src, widths.dst].map(|bits| (bits / narrow).trailing_zeros() as usize);
        let chain = Chain { list: [(0, 0); MOST], len: 0 };
        let (bits, chains) = ([0; MAX_LOOPS], [chain; 2]);
        let mut choice = Choice { plan, bits, chains, none, in_word, divides: false };
        // Words, then lines, then what there is room for.
        for length in [in_word, in_word + 3] {
            for side in [1, 0] {
                while choice.run(side) < length && choice.extend(side) {}
            }
        }
        choice.divides = true;
        while choice.extend(1) | choice.extend(0) {}
        while choice.widen() {}
        Numbers::new(&choice).block(&choice, narrow)
    }
}

/// The bits of a number, each by a name: those of the counters, loop by loop, and those of none.
struct Numbers {
    /// Name of each loop's lowest bit.
    first: [usize; MAX_LOOPS],
    /// The names of the bits of a stretch on each side.
    runs: [[usize; MOST]; 2],
    lens: [usize; 2],
    total: usize,
}

impl Numbers {
    fn new(choice: &Choice) -> Numbers {
        let mut first = [0; MAX_LOOPS];
        let mut name = 0;
        for (first, bits) in first.iter_mut().zip(choice.bits) {
            *first = name;
            name += usize::from(bits);
        }
        let mut runs = [[0; MOST]; 2];
        let mut lens = [0; 2];
        // What both sides lack to a word is the same bits.
        let missing = name + choice.none[0] + choice.none[1];
        for side in [0, 1] {
            let none = name..name + choice.none[side];
            name = none.end;
            let chain = &choice.chains[side];
            let counted = chain.list[..chain.len]
                .iter()
                .map(|(at, bit)| first[usize::from(*at)] + usize::from(*bit));
            let missing = missing..missing + choice.missing(side);
            for bit in none.chain(counted).chain(missing) {
                runs[side][lens[side]] = bit;
                lens[side] += 1;
            }
        }
        Numbers { first, runs, lens, total: choice.total() }
    }

    fn run(&self, side: usize) -> &[usize] {
        &self.runs[side][..self.lens[side]]
    }

    /// The names of the bits in the order of their places in the block as it is read: a stretch of the source, then
    /// the others.
    fn places(&self) -> [usize; MOST] {
        let mut order = [0; MOST];
        let mut len = 0;
        for bit in self.run(0).iter().copied().chain(0..self.total) {
            if !order[..len].contains(&bit) {
                order[len] = bit;
                len += 1;
            }
        }
        order
    }

    fn block(&self, choice: &Choice, narrow: u32) -> Block {
        let in_word = choice.in_word;
        let at = self.places();
        let src = self.side(choice, 0, &at);
        let swap = Swap { low: 0, high: 0, shift: 0, mask: 0 };
        let mut order =
            Order { at, total: self.total, in_word, narrow, swaps: [swap; SWAPS], len: 0 };
        let (low, rest) = self.run(1).split_at(in_word);
        // Vectors are lines. What comes into words from other places in a line goes out of it first: words are
        // exchanged with whole lines.
        let line = in_word..(in_word + LINE_BITS).min(self.total);
        for place in line.clone() {
            let comes_in = |bit: &usize| low.contains(bit);
            let is_free = |other: &usize| !comes_in(&order.at[*other]);
            if comes_in(&order.at[place]) {
                let wanted = rest.get(place - in_word).map(|bit| order.place(*bit));
                let others = wanted.into_iter().chain((line.end..self.total).rev());
                if let Some(other) = others.filter(|other| *other >= line.end).find(is_free) {
                    order.swap(place, other);
                }
            }
        }
        for (place, bit) in low.iter().enumerate() {
            order.swap(place, order.place(*bit));
        }
        // Then lines as in the destination.
        for (place, bit) in line.clone().zip(rest) {
            let from = order.place(*bit);
            if from > place && line.contains(&from) && line.end < self.total {
                order.swap(place, line.end);
                order.swap(from, line.end);
                order.swap(place, line.end);
            } else {
                order.swap(place, from);
            }
        }
        let dst = self.side(choice, 1, &order.at);
        Block {
            bits: choice.bits,
            sides: [src, dst],
            swaps: order.swaps,
            swap_count: order.len,
            words: 1 << (self.total - in_word),
            needs_zeros: choice.none[1] > 0,
        }
    }

    /// The stretches of a side, where these bits are in these places.
    fn side(&self, choice: &Choice, side: usize, at: &[usize; MOST]) -> Side {
        let in_word = choice.in_word;
        let place = |wanted: usize| {
            let place = at[..self.total].iter().position(|bit| *bit == wanted).unwrap_or(0);
            1 << place.saturating_sub(in_word)
        };
        let mut words = [0; RUN_WORDS];
        let rest = &self.run(side)[in_word..];
        for (number, word) in words[..1 << rest.len()].iter_mut().enumerate() {
            for (i, bit) in rest.iter().enumerate() {
                *word += (number >> i & 1) as u16 * place(*bit);
            }
        }
        let follows = |count: usize| words.iter().zip(0..).take(count).all(|(a, b)| *a == b);
        let is_straight = [follows(8.min(1 << rest.len())), follows(1 << rest.len())];
        let field = Field { number: 0, run: 0, row: [0; 2] };
        let mut of_side = Side {
            run: self.lens[side].min(choice.run(side)) as u8,
            none: choice.none[side] as u8,
            words,
            is_straight,
            places: Sums::EMPTY,
            slots: Sums::EMPTY,
            fields: [field; MAX_LOOPS],
            field_count: 0,
        };
        let chain = &choice.chains[side];
        for (number, _) in &chain.list[..chain.len] {
            match of_side.fields[..of_side.field_count].last_mut() {
                Some(last) if last.number == *number => last.run += 1,
                _ => {
                    of_side.fields[of_side.field_count] =
                        Field { number: *number, run: 1, row: [0; 2] };
                    of_side.field_count += 1;
                }
            }
        }
        // Then the others, the smallest stride first.
        let stride = |number: usize| {
            native([choice.plan.loops[number].src, choice.plan.loops[number].dst][side])
        };
        loop {
            let seen = &of_side.fields[..of_side.field_count];
            let others = (0..MAX_LOOPS).filter(|&number| {
                choice.bits[number] > 0
                    && seen.iter().all(|field| usize::from(field.number) != number)
            });
            let Some(number) = others.min_by_key(|&number| stride(number)) else { break };
            of_side.fields[of_side.field_count] = Field { number: number as u8, ..field };
            of_side.field_count += 1;
        }
        for field in &mut of_side.fields[..of_side.field_count] {
            let number = usize::from(field.number);
            field.row = [of_side.slots.len as u8, choice.bits[number] - field.run];
            for bit in field.run..choice.bits[number] {
                of_side.places.push(place(self.first[number] + usize::from(bit)).into());
                of_side.slots.push(stride(number) << bit);
            }
        }
        of_side
    }
}

/// The order of the bits of a place while they are exchanged.
struct Order {
    /// The bit in each place.
    at: [usize; MOST],
    total: usize,
    in_word: usize,
    /// Bits of an element.
    narrow: u32,
    swaps: [Swap; SWAPS],
    len: usize,
}

impl Order {
    fn place(&self, bit: usize) -> usize {
        self.at[..self.total].iter().position(|other| *other == bit).unwrap_or(0)
    }

    /// Exchanges the bits in two places.
    fn swap(&mut self, one: usize, other: usize) {
        let (low, high) = (one.min(other), one.max(other));
        if low == high {
            return;
        }
        self.at.swap(low, high);
        let in_words =
            |place: usize| if place < self.in_word { 0 } else { 1 << (place - self.in_word) };
        let is_within = high < self.in_word;
        let mut mask = 0;
        for place in 0..1 << self.in_word {
            let bit = |at: usize| place >> at & 1;
            if if is_within { bit(low) == 1 && bit(high) == 0 } else { bit(low) == 0 } {
                mask |= ((1u64 << self.narrow) - 1) << (place as u32 * self.narrow);
            }
        }
        let shift = match (is_within, low < self.in_word) {
            (true, _) => self.narrow * ((1 << high) - (1 << low)),
            (false, true) => self.narrow << low,
            (false, false) => 0,
        };
        self.swaps[self.len] = Swap { low: in_words(low), high: in_words(high), shift, mask };
        self.len += 1;
    }
}
