//! Blocks of elements: which are copied together, and where they lie.
//!
//! A block has a power of two of units: packed elements, or bytes. It has of each loop of the plan the lowest bits of its
//! counter. So the number of a unit within the block is a sequence of bits, and a copy changes their order: in memory the
//! lowest say where in a contiguous stretch a unit is, the others in which stretch. In the source's stretches the lowest are
//! other bits of the counters than in the destination's.
//!
//! The bytes of an element are numbered by bits of no counter, the lowest on both sides. A byte with one packed element is
//! as many of them as it has room for, of which the first one counts: its lowest bits are of no counter either. So are those
//! of a stretch that is shorter than a word.

use crate::plan::{MAX_LOOPS, Plan};
use layout_core::base::width::native;
use layout_core::each;

use crate::kernel::exchange::choice::{Choice, MOST, WORD_BITS, stride};
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::{Sums, VectorSize};

/// Bytes of the largest block.
pub(super) const BYTES: usize = 8 << WORD_BITS;

/// Bits of a loop's counter on one side.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// The loop.
    pub number: u8,
    /// How many of its lowest bits lie in a stretch, and the place of the first one there.
    pub run: u8,
    pub shift: u8,
    /// The place of the others in the number of the stretch.
    pub row: u8,
    /// Slots from one value to the next.
    pub stride: usize,
}

/// Stretches of the source or of the destination.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// Bits of the number of an element within a stretch.
    pub run: u8,
    /// Of them, those of no counter that the other side does not have.
    pub none: u8,
    /// Bits that a stretch lacks to a word.
    pub missing: u8,
    /// The bits of a number as they follow one another: those of a stretch up to a word at least, those of its number,
    /// and those that only the other side has.
    pub order: Order,
    /// What each bit counts in memory, in slots: 0 if nothing.
    pub strides: [usize; MOST],
    /// Where a stretch begins in memory, in slots.
    pub slots: Sums,
    /// The loops, first those in the stretch, the most minor first.
    pub fields: [Field; MAX_LOOPS],
    pub field_count: usize,
}

/// Names of bits are less.
const NAMES: usize = MOST.next_power_of_two();

/// Bits of a number, each by a name, in the order of their places.
#[derive(Clone, Copy)]
pub(super) struct Order {
    names: [u8; MOST],
    len: u8,
    /// The place into which each name was put last, where it may have been replaced since.
    places: [u8; NAMES],
}

impl Order {
    pub(super) const EMPTY: Order = Order { names: [0; MOST], len: 0, places: [0; NAMES] };

    /// The names from one on, as many as there are below an end.
    pub(super) const fn numbered(first: usize, end: usize) -> Order {
        let mut order = Order::EMPTY;
        each!(for name in first..end {
            order.push(name as u8);
        });
        order
    }

    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    /// The bit at a place.
    pub(super) const fn at(&self, place: usize) -> u8 {
        self.names[place]
    }

    pub(super) const fn push(&mut self, name: u8) {
        self.len += 1;
        self.replace(self.len() - 1, name);
    }

    /// Takes all bits of another one that are not in it.
    pub(super) const fn add_all(&mut self, other: &Order) {
        each!(for place in 0..other.len() {
            self.add(other.at(place));
        });
    }

    /// Puts a bit in a place, and says which one was there.
    pub(super) const fn replace(&mut self, place: usize, name: u8) -> u8 {
        self.places[name as usize % NAMES] = place as u8;
        core::mem::replace(&mut self.names[place], name)
    }

    /// Takes a bit if it is not in it.
    pub(super) const fn add(&mut self, name: u8) {
        if !self.has(name) {
            self.push(name);
        }
    }

    /// The place of a bit, if it is in it.
    pub(super) const fn find(&self, name: u8) -> Option<usize> {
        let place = self.places[name as usize % NAMES] as usize;
        if place < self.len() && self.names[place] == name { Some(place) } else { None }
    }

    pub(super) const fn has(&self, name: u8) -> bool {
        self.find(name).is_some()
    }

    pub(super) const fn swap(&mut self, a: usize, b: usize) {
        let name = self.replace(a, self.names[b]);
        self.replace(b, name);
    }

    /// Whether the places have the same bits.
    pub(super) const fn is(&self, other: &Order) -> bool {
        each!(for place in 0..self.len() {
            if self.names[place] != other.names[place] {
                return false;
            }
        });
        self.len == other.len
    }

    /// What the bit of each name counts.
    pub(super) const fn strides(&self) -> [usize; MOST] {
        let mut strides = [0; MOST];
        each!(for place in 0..self.len() {
            strides[self.names[place] as usize] = 1 << place;
        });
        strides
    }

    /// The places from one on.
    pub(super) const fn after(&self, first: usize) -> Order {
        let mut after = Order::EMPTY;
        each!(for place in first..self.len() {
            after.push(self.names[place]);
        });
        after
    }

    /// The first places, as many as a length.
    pub(super) const fn first(&self, len: usize) -> Order {
        Order { len: if len < self.len() { len as u8 } else { self.len }, ..*self }
    }
}

/// What is copied together.
#[derive(Clone, Copy)]
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
    pub vectors: VectorSize,
}

impl BitBlock {
    /// Bits of a place in a vector.
    pub(super) const fn places(&self) -> usize {
        self.in_word + self.vectors.byte_bits() - 3
    }

    /// Whether vectors are contiguous in the memory of a side.
    pub(super) const fn has_vectors(&self, side: usize) -> bool {
        let Side { run, missing, .. } = self.sides[side];
        run as usize >= self.places() && missing == 0
    }

    /// Chooses a block for a plan whose layouts share a split.
    pub(super) const fn new(plan: &Plan, widths: Widths, vectors: VectorSize) -> BitBlock {
        let choice = Choice::new(plan, widths, vectors);
        let in_word = choice.in_word;
        let (a, b, total) = (choice.run(0), choice.run(1), choice.total());
        let shortest = if a < b { a } else { b };
        // Stretches of single words are gathered, but for a few words, which are registers.
        let are_few = shortest == in_word && total <= in_word + VectorSize::Eight.register_bits(0);
        let most = if shortest > in_word || are_few { shortest } else { total };
        let mut vectors = vectors.at_most_bits(in_word, most);
        if !vectors.shuffles() && in_word + vectors.byte_bits() - 3 == total {
            // Without shuffles, words change places through a register.
            vectors = vectors.at_most_bits(in_word, total - 1);
        }
        let bytes = 8 << (total - in_word);
        let numbers = Numbers::new(&choice);
        let sides = [numbers.side(&choice, 0), numbers.side(&choice, 1)];
        BitBlock { bits: choice.bits, bytes, sides, in_word, vectors }
    }
}

impl VectorSize {
    /// The largest vectors whose places have at most `bits` bits in their numbers, of which `in_word` are within a word.
    const fn at_most_bits(self, in_word: usize, bits: usize) -> VectorSize {
        self.at_most(3 + bits.saturating_sub(in_word))
    }
}

/// The names of the bits of a number: those of the counters, loop by loop, and those of none.
struct Numbers {
    /// Name of each loop's lowest bit.
    first: [u8; MAX_LOOPS],
    /// The bits of a stretch on each side.
    runs: [Order; 2],
    /// How many there are of the counters, and of all.
    counted: usize,
    total: usize,
}

impl Numbers {
    const fn new(choice: &Choice) -> Numbers {
        let mut first = [0; MAX_LOOPS];
        let mut name = 0;
        each!(for number in 0..MAX_LOOPS {
            first[number] = name;
            name += choice.bits[number];
        });
        let fixed = name as usize;
        let runs = [Order::EMPTY; 2];
        let mut numbers = Numbers { first, runs, counted: fixed, total: choice.total() };
        let none = fixed + choice.fixed;
        // What both sides lack to a word is the same bits.
        let missing = none + choice.none[0] + choice.none[1];
        each!(for side in 0..2 {
            let mut run = Order::numbered(fixed, none);
            let of_side = none + side * choice.none[0];
            each!(for name in of_side..of_side + choice.none[side] {
                run.push(name as u8);
            });
            each!(for at in 0..choice.chains[side].len {
                let (number, bit) = choice.chains[side].list[at];
                run.push(first[number as usize] + bit);
            });
            each!(for name in missing..missing + choice.missing(side) {
                run.push(name as u8);
            });
            numbers.runs[side] = run;
        });
        numbers
    }

    /// The stretches of a side.
    const fn side(&self, choice: &Choice, side: usize) -> Side {
        let field = Field { number: 0, run: 0, shift: 0, row: 0, stride: 0 };
        let mut of_side = Side {
            run: choice.run(side) as u8,
            none: choice.none[side] as u8,
            missing: choice.missing(side) as u8,
            order: self.runs[side],
            strides: [0; MOST],
            slots: Sums::EMPTY,
            fields: [field; MAX_LOOPS],
            field_count: 0,
        };
        each!(for bit in 0..choice.fixed {
            of_side.strides[self.counted + bit] = 1 << bit;
        });
        let chain = &choice.chains[side];
        let mut count = 0;
        each!(for at in 0..chain.len {
            let number = chain.list[at].0;
            if count == 0 || of_side.fields[count - 1].number != number {
                let shift = (choice.fixed + at) as u8;
                of_side.fields[count] = Field { number, shift, ..field };
                count += 1;
            }
            of_side.fields[count - 1].run += 1;
        });
        // Then the others, the smallest stride first.
        let in_run = count;
        each!(for number in 0..MAX_LOOPS {
            let before = stride(choice.plan, number, side);
            if choice.bits[number] > 0 && !chain.has(number) && before > 0 {
                let mut at = count;
                while at > in_run
                    && stride(choice.plan, of_side.fields[at - 1].number as usize, side) > before
                {
                    of_side.fields[at] = of_side.fields[at - 1];
                    at -= 1;
                }
                of_side.fields[at] = Field { number: number as u8, ..field };
                count += 1;
            }
        });
        of_side.field_count = count;
        let mut rows = 0;
        each!(for at in 0..count {
            let field = &mut of_side.fields[at];
            let (number, run) = (field.number as usize, field.run);
            let bits = choice.bits[number];
            let stride = native(stride(choice.plan, number, side)) << choice.fixed;
            (field.row, field.stride) = (rows, stride);
            rows += bits - run;
            each!(for bit in 0..bits {
                let name = self.first[number] + bit;
                of_side.strides[name as usize] = stride << bit;
                if bit >= run {
                    of_side.order.push(name);
                    of_side.slots.push(stride << bit);
                }
            });
        });
        each!(for name in 0..self.total as u8 {
            of_side.order.add(name);
        });
        of_side
    }
}
