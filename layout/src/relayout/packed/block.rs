//! Blocks of packed elements: which elements are copied together, and where they lie.
//!
//! A block has a power of two of elements: of each loop of the plan the lowest bits of its counter. So the number of an
//! element within the block is a sequence of bits, and a copy changes their order: in memory the lowest say where in
//! a contiguous stretch an element is, the others in which stretch. In the source's stretches the lowest are other bits of
//! the counters than in the destination's.
//!
//! A byte with one element is as many packed elements as it has room for, of which the first one counts: its lowest
//! bits are of no counter. So are those of a stretch that is shorter than a word.

use layout_core::__private::{MAX_LOOPS, Plan, native};

use crate::relayout::kernel::raw::{Sums, Vectors};
use crate::relayout::packed::Widths;
use crate::relayout::packed::choice::Choice;

/// Bytes of the largest block, and the bits of the number of a word in it.
pub(super) const BYTES: usize = 8 << WORD_BITS;
pub(super) const WORD_BITS: usize = 11;
/// Bits of the number of a word in the longest stretch.
pub(super) const RUN_BITS: usize = 6;
/// Bits of a number at most: 64 elements in a word.
pub(super) const MOST: usize = WORD_BITS + 6;

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
    /// Bits that a stretch lacks to a word.
    pub missing: u8,
    /// The bits of a number as they follow one another: those of a stretch up to a word at least, those of its number,
    /// and those that only the other side has.
    pub order: Order,
    /// What each bit counts in memory, in slots, if it counts anything.
    pub strides: [Option<usize>; MOST],
    /// Where a stretch begins in memory, in slots.
    pub slots: Sums,
    /// The loops, first those in the stretch, the most minor first.
    pub fields: [Field; MAX_LOOPS],
    pub field_count: usize,
}

/// Bits of a number, each by a name, in the order of their places.
#[derive(Clone, Copy)]
pub(super) struct Order {
    names: [u8; MOST],
    len: usize,
}

impl Order {
    pub(super) const EMPTY: Order = Order { names: [0; MOST], len: 0 };

    pub(super) fn names(&self) -> &[u8] {
        &self.names[..self.len]
    }

    pub(super) fn push(&mut self, name: u8) {
        self.names[self.len] = name;
        self.len += 1;
    }

    /// Puts a bit in a place, and says which one was there.
    pub(super) fn replace(&mut self, place: usize, name: u8) -> u8 {
        core::mem::replace(&mut self.names[place], name)
    }

    /// Takes those that are not in it.
    pub(super) fn extend(&mut self, names: impl IntoIterator<Item = u8>) {
        for name in names {
            if !self.names().contains(&name) {
                self.push(name);
            }
        }
    }

    /// The place of a bit, which is in it.
    pub(super) fn place(&self, name: u8) -> usize {
        self.names().iter().position(|other| *other == name).unwrap_or(0)
    }
}

/// What is copied together.
pub(super) struct BitBlock {
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    /// The source and the destination.
    pub sides: [Side; 2],
    /// Bytes of all of its elements, those of no counter too.
    pub bytes: usize,
    /// Bits of the number of an element in a word.
    pub in_word: usize,
    /// The largest vectors that lie within stretches, where stretches have several words; or the largest there are.
    pub vectors: Vectors,
}

impl BitBlock {
    /// Bits of a place in a vector.
    pub(super) fn places(&self) -> usize {
        self.in_word + self.vectors.byte_bits() - 3
    }

    /// Chooses a block for a plan whose layouts share a split.
    pub(super) fn new(plan: &Plan, widths: Widths, vectors: Vectors) -> BitBlock {
        let narrow = widths.narrow();
        let in_word = (64 / narrow).trailing_zeros() as usize;
        let none = [widths.src, widths.dst].map(|bits| (bits / narrow).trailing_zeros() as usize);
        let choice = Choice::new(plan, none, in_word, vectors);
        let sides = Numbers::new(&choice).sides(&choice);
        let lanes = |vectors: Vectors| in_word + vectors.byte_bits() - 3;
        let at_most =
            |vectors: Vectors, bits: usize| vectors.at_most(3 + bits.max(in_word) - in_word);
        // Stretches of single words are gathered.
        let (total, shortest) = (choice.total(), choice.run(0).min(choice.run(1)));
        let mut vectors = at_most(vectors, if shortest > in_word { shortest } else { total });
        if !vectors.shuffles() && lanes(vectors) == total {
            // Without shuffles, words change places through a register.
            vectors = at_most(vectors, total - 1);
        }
        let bytes = 8 << (total - in_word);
        BitBlock { bits: choice.bits, bytes, sides, in_word, vectors }
    }
}

/// The names of the bits of a number: those of the counters, loop by loop, and those of none.
struct Numbers {
    /// Name of each loop's lowest bit.
    first: [usize; MAX_LOOPS],
    /// The bits of a stretch on each side.
    runs: [Order; 2],
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
        // What both sides lack to a word is the same bits.
        let missing = name + choice.none[0] + choice.none[1];
        let runs = [0, 1].map(|side| {
            let none = name..name + choice.none[side];
            name = none.end;
            let counted = choice
                .chain(side)
                .iter()
                .map(|(at, bit)| first[usize::from(*at)] + usize::from(*bit));
            let missing = missing..missing + choice.missing(side);
            let mut run = Order::EMPTY;
            run.extend(none.chain(counted).chain(missing).map(|name| name as u8));
            run
        });
        Numbers { first, runs, total: choice.total() }
    }

    fn sides(&self, choice: &Choice) -> [Side; 2] {
        [0, 1].map(|side| self.side(choice, side))
    }

    /// The stretches of a side.
    fn side(&self, choice: &Choice, side: usize) -> Side {
        let field = Field { number: 0, run: 0, row: [0; 2] };
        let mut of_side = Side {
            run: choice.run(side) as u8,
            none: choice.none[side] as u8,
            missing: choice.missing(side) as u8,
            order: self.runs[side],
            strides: [None; MOST],
            slots: Sums::EMPTY,
            fields: [field; MAX_LOOPS],
            field_count: 0,
        };
        for (number, _) in choice.chain(side) {
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
        let stride = |number: usize| native(choice.stride(number, side));
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
        let mut rows = 0;
        for field in &mut of_side.fields[..of_side.field_count] {
            let number = usize::from(field.number);
            field.row = [rows, choice.bits[number] - field.run];
            rows += choice.bits[number] - field.run;
            for bit in 0..choice.bits[number] {
                let name = self.first[number] + usize::from(bit);
                of_side.strides[name] = Some(stride(number) << bit);
                if bit >= field.run {
                    of_side.order.push(name as u8);
                    of_side.slots.push(stride(number) << bit);
                }
            }
        }
        of_side.order.extend(0..self.total as u8);
        of_side
    }
}
