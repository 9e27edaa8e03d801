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

use crate::relayout::packed::Widths;

/// Words of the largest block: 8 KiB on the stack.
pub(super) const WORDS: usize = 1 << WORD_BITS;
const WORD_BITS: usize = 10;
/// Words of the longest stretch.
pub(super) const RUN_WORDS: usize = 1 << RUN_BITS;
const RUN_BITS: usize = 6;
/// Bits of a number at most: 64 elements in a word.
const MOST: usize = WORD_BITS + 6;

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

/// An exchange of two bits of every number.
#[derive(Clone, Copy)]
pub(super) struct Swap {
    /// How far elements move up or down in words.
    pub shift: u32,
    /// The lower places of those that move.
    pub mask: u64,
    /// Words from one to the other; 0 within words.
    pub distance: usize,
}

/// How a block is copied.
pub(super) struct Block {
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    /// The source and the destination.
    pub sides: [Side; 2],
    pub swaps: [Swap; MOST],
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
            if self.total() > self.in_word + WORD_BITS || !self.is_box(at) {
                (self.bits[at], self.chains[side]) = before;
                return false;
            }
        }
        true
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
        let mut choice = Choice { plan, bits: [0; MAX_LOOPS], chains: [chain; 2], none, in_word };
        // Words, then lines, then what there is room for.
        for length in [in_word, in_word + 3] {
            for side in [1, 0] {
                while choice.run(side) < length && choice.extend(side) {}
            }
        }
        while choice.extend(1) | choice.extend(0) {}
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

    /// The order of the bits in the block as it is read: the places in words as in the source; the lines as in the
    /// destination, or if not as in the source; the bits that are exchanged last, so that lines are whole.
    fn places(&self, in_word: usize) -> [usize; MOST] {
        let ([src, src_rest], [dst, dst_rest]) =
            (self.run(0).split_at(in_word).into(), self.run(1).split_at(in_word).into());
        let stays = |bit: &usize| !src.contains(bit) && !dst.contains(bit);
        let is_lines = dst_rest.len() >= 3 && dst_rest[..3].iter().all(stays);
        let [one, other] = if is_lines { [dst_rest, src_rest] } else { [src_rest, dst_rest] };
        let mut order = [0; MOST];
        let mut placed = [false; MOST];
        let mut len = 0;
        let all = 0..self.total;
        let stay = one.iter().chain(other).copied().chain(all.clone()).filter(|bit| stays(bit));
        for bit in src.iter().copied().chain(stay).chain(all) {
            if !placed[bit] {
                placed[bit] = true;
                order[len] = bit;
                len += 1;
            }
        }
        order
    }

    fn block(&self, choice: &Choice, narrow: u32) -> Block {
        let in_word = choice.in_word;
        let mut at = self.places(in_word);
        let src = self.side(choice, 0, &at);
        let swap = Swap { shift: 0, mask: 0, distance: 0 };
        let (mut swaps, mut swap_count) = ([swap; MOST], 0);
        for low in 0..in_word {
            let wanted = self.run(1)[low];
            let Some(high) = at[..self.total].iter().position(|bit| *bit == wanted) else {
                continue;
            };
            if high != low {
                swaps[swap_count] = Swap::new(low, high, in_word, narrow);
                swap_count += 1;
                at.swap(low, high);
            }
        }
        let dst = self.side(choice, 1, &at);
        Block {
            bits: choice.bits,
            sides: [src, dst],
            swaps,
            swap_count,
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

impl Swap {
    /// The exchange of two bits, the lower one of a place in a word.
    fn new(low: usize, high: usize, in_word: usize, narrow: u32) -> Swap {
        let is_within = high < in_word;
        let mut mask = 0;
        for place in 0..1 << in_word {
            let bit = |at: usize| place >> at & 1;
            let moves = if is_within { bit(low) == 1 && bit(high) == 0 } else { bit(low) == 0 };
            if moves {
                mask |= ((1u64 << narrow) - 1) << (place as u32 * narrow);
            }
        }
        let distance = if is_within { 0 } else { 1 << (high - in_word) };
        let shift = narrow * if is_within { (1 << high) - (1 << low) } else { 1 << low };
        Swap { shift, mask, distance }
    }
}
