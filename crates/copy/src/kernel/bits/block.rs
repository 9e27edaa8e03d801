//! Blocks of elements: which are copied together, and where they lie.
//!
//! A block has a power of two of units: packed elements, or bytes. It has of each loop of the plan the lowest bits of its
//! counter. So the number of a unit within the block is a sequence of bits, and a copy changes their order: in memory the
//! lowest say where in a contiguous stretch a unit is, the others in which stretch. In the source's stretches the lowest are
//! other bits of the counters than in the destination's.
//!
//! The bytes of an element are numbered by bits of no counter, the lowest on both sides. A byte with one packed element is
//! as many of them as it has room for, of which the first one counts: its lowest bits are of no counter either. So are those
//! of a stretch that is shorter than a word, and those between elements that padding follows.

use crate::loops::{MAX_LOOPS, Plan};
use layout_core::base::width::{least, native};
use layout_core::{Size, each};

use crate::kernel::bits::order::Order;
use crate::kernel::bits::widths::Widths;
use crate::kernel::bits::words::Words;
use crate::kernel::raw::{COUNTED, LINE, Sums, VectorSize};

/// Bits of the number of a word in the largest block: a number has six more of them, of 64 elements in a word.
const WORD_BITS: usize = COUNTED - 6;
/// Bytes of the largest block.
pub(super) const BYTES: usize = 8 << WORD_BITS;
/// Bits of the number of a word in the longest stretch.
const RUN_BITS: usize = 6;
/// Bits of the number of a word in a line of memory.
const LINE_BITS: usize = (LINE / 8).trailing_zeros() as usize;

/// Stretches of the source or of the destination.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// Bits of the number of an element within a stretch.
    pub run: usize,
    /// Of them, those of no counter that the other side does not have.
    pub none: usize,
    /// Bits that a stretch lacks to a word.
    pub missing: usize,
    /// The bits of a number as they follow one another: those of a stretch up to a word at least, those of its number,
    /// and those that only the other side has.
    pub order: Order,
    /// What each bit counts in memory, in slots: 0 if nothing.
    pub strides: [usize; COUNTED],
    /// Where a stretch begins in memory, in slots.
    pub slots: Sums,
    /// Whether all stretches begin with bytes where a block does.
    pub begins_bytes: bool,
    /// How the words of a stretch lie in memory. A stretch that is not contiguous is one word.
    pub words: Words,
}

impl Side {
    const EMPTY: Side = Side {
        run: 0,
        none: 0,
        missing: 0,
        order: Order::EMPTY,
        strides: [0; COUNTED],
        slots: Sums::EMPTY,
        begins_bytes: true,
        words: Words::WHOLE,
    };
}

/// What is copied together.
#[derive(Clone, Copy)]
pub(super) struct BitBlock {
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    /// The loop of each bit of the number, by its name, and which bit of the loop's counter it is. Those of no counter have
    /// no loop.
    pub counters: [(usize, u8); COUNTED],
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
        let Side { run, words, .. } = &self.sides[side];
        *run >= self.places() && words.are_contiguous()
    }

    /// Chooses a block for a plan whose layouts share a split.
    pub(super) const fn new(plan: &Plan, widths: Widths, vectors: VectorSize) -> BitBlock {
        let mut choice = Choice::new(plan, widths);
        let in_word = choice.block.in_word;
        // Words, then lines, alike on both sides.
        each!(for length in in_word..=in_word + LINE_BITS {
            each!(for side in (0..2).rev() {
                while choice.run(side) < length && choice.extend(side) {}
            });
        });
        choice.divides = true;
        if choice.block.sides[1].words.are_contiguous()
            && choice.writes_bytes(8 / widths.dst as Size)
        {
            let vector = in_word + vectors.byte_bits() - 3;
            // One pass: as many vectors as there are registers, since more of them are other blocks. Several: half of the
            // most, so that a block has room in the first cache beside what is read.
            let (total, one) = (choice.total(), vector + vectors.register_bits(vector));
            choice.most = if total <= one {
                one
            } else if total < choice.most {
                choice.most - 1
            } else {
                total
            };
        }
        while choice.extend(1) | choice.extend(0) {}
        while choice.widen() {}
        choice.finish(vectors)
    }
}

/// The block while bits are chosen.
struct Choice<'a> {
    plan: &'a Plan,
    block: BitBlock,
    /// How many bits of each loop's counter a stretch has, on each side.
    in_runs: [[u8; MAX_LOOPS]; 2],
    /// Bits so far, those that only stretches lack apart.
    len: usize,
    /// Bits between elements of a stretch, by their names, and how many each side has. Both sides have the same.
    free: Order,
    free_of: [usize; 2],
    /// Elements of memory from the first to the last of each side's stretches.
    spans: [Size; 2],
    /// Whether a loop leaves values out of a side's stretches by which words differ.
    is_cut: [bool; 2],
    /// The logarithm of an element's slots.
    fixed: u8,
    /// Bits of a slot on each side, and of an element.
    bits: [u32; 2],
    narrow: u32,
    /// Bits of a number in the block at most.
    most: usize,
    /// Whether bits are taken only where blocks divide the loop's values.
    divides: bool,
}

impl<'a> Choice<'a> {
    /// The bits of no counter.
    const fn new(plan: &'a Plan, widths: Widths) -> Choice<'a> {
        let narrow = widths.narrow();
        let in_word = (64 / narrow).trailing_zeros() as usize;
        let mut choice = Choice {
            plan,
            block: BitBlock {
                bits: [0; MAX_LOOPS],
                counters: [(MAX_LOOPS, 0); COUNTED],
                sides: [Side::EMPTY; 2],
                bytes: 0,
                in_word,
                vectors: VectorSize::Eight,
            },
            in_runs: [[0; MAX_LOOPS]; 2],
            len: widths.fixed as usize,
            free: Order::EMPTY,
            free_of: [0; 2],
            spans: [1; 2],
            is_cut: [false; 2],
            fixed: widths.fixed,
            bits: [widths.src, widths.dst],
            narrow,
            most: in_word + WORD_BITS,
            divides: false,
        };
        let bits = [widths.src, widths.dst];
        each!(for side in 0..2 {
            let of_side = &mut choice.block.sides[side];
            each!(for bit in 0..widths.fixed as usize {
                of_side.order.push(bit as u8);
                of_side.strides[bit] = 1 << bit;
            });
            of_side.none = (bits[side] / narrow).trailing_zeros() as usize;
            each!(for _ in 0..of_side.none {
                of_side.order.push(choice.len as u8);
                choice.len += 1;
            });
        });
        choice
    }

    /// Whether stretches of the destination begin with bytes, each of `per_byte` slots.
    const fn writes_bytes(&self, per_byte: Size) -> bool {
        each!(for number in 0..self.plan.len as usize {
            let of_plan = &self.plan.loops[number];
            if of_plan.extent > 1
                && self.in_runs[1][number] == 0
                && !of_plan.dst.is_multiple_of(per_byte)
            {
                return false;
            }
        });
        true
    }

    /// Bits that a stretch of a side lacks to a word.
    const fn missing(&self, side: usize) -> usize {
        self.block.in_word.saturating_sub(self.run(side))
    }

    /// Bits of the number of an element in a stretch.
    const fn run(&self, side: usize) -> usize {
        self.block.sides[side].order.len()
    }

    /// Bits of a number in the block.
    const fn total(&self) -> usize {
        let (a, b) = (self.missing(0), self.missing(1));
        self.len + if a > b { a } else { b }
    }

    /// The loop with the smallest stride from the end of a side's stretches on, and this stride, in elements.
    const fn nearest(&self, side: usize) -> (usize, Size) {
        let (mut nearest, mut smallest) = (MAX_LOOPS, Size::MAX);
        each!(for number in 0..self.plan.len as usize {
            let bits = self.in_runs[side][number];
            let stride = self.stride(number, side) << bits;
            if self.plan.loops[number].extent > 1 << bits && stride < smallest {
                (nearest, smallest) = (number, stride);
            }
        });
        (nearest, smallest)
    }

    /// The loop with the next bit of a side's stretches, if there is one, and how many bits are free before it.
    const fn next(&self, side: usize) -> Option<(usize, usize)> {
        let (number, stride) = self.nearest(side);
        if number == MAX_LOOPS {
            return None;
        }
        let Side { none, ref words, .. } = self.block.sides[side];
        let (before, span) = (self.fixed as usize + none, self.spans[side]);
        let len = self.run(side) - before;
        let is_contiguous = stride == 1 << len && stride == span;
        let first = (Size::BITS - (stride - 1).leading_zeros()) as usize;
        let first = if first < len { len } else { first };
        let (place, in_word) = (before + first, self.block.in_word);
        // Elements that do not follow one another are taken together within a word, and words that all lie alike.
        let are_alike = stride == 1 << first && words.are_straight() && !self.is_cut[side];
        let is_possible = is_contiguous
            || self.fixed == 0
                && (place < in_word || are_alike && (first == len || place == in_word));
        // Those that lie between others are not.
        if stride >= span && is_possible { Some((number, first - len)) } else { None }
    }

    /// Elements from one value of a loop to the next.
    const fn stride(&self, number: usize, side: usize) -> Size {
        [self.plan.loops[number].src, self.plan.loops[number].dst][side]
    }

    /// Makes the stretches of a side twice as long, or longer by bits that are free, if they may be.
    const fn extend(&mut self, side: usize) -> bool {
        if self.run(side) == self.block.in_word + RUN_BITS {
            return false;
        }
        let Some((number, free)) = self.next(side) else { return false };
        let bit = self.in_runs[side][number];
        let is_new = bit == self.block.bits[number];
        let (order, elements) =
            (self.block.sides[side].order, self.block.sides[side].words.elements);
        let before = (self.len, self.free, self.free_of);
        each!(for _ in 0..free {
            self.push_free(side);
        });
        let place = self.run(side);
        let name = if is_new { self.len } else { self.name(number, bit) };
        self.block.sides[side].order.push(name as u8);
        if is_new && !self.has_room(number) || self.total() > self.most {
            self.block.sides[side].order = order;
            self.block.sides[side].words.elements = elements;
            (self.len, self.free, self.free_of) = before;
            return false;
        }
        if is_new {
            self.add(number);
        }
        if place < self.block.in_word {
            let slots = self.stride(number, side) << bit << self.fixed;
            let words = &mut self.block.sides[side].words;
            words.push(self.narrow << place, slots as u32 * self.bits[side]);
        }
        self.in_runs[side][number] += 1;
        let extent = self.plan.loops[number].extent;
        let more = least(extent, 2 << bit) - (1 << bit);
        self.spans[side] =
            self.spans[side].saturating_add(more.saturating_mul(self.stride(number, side)));
        self.is_cut[side] |= place >= self.block.in_word && extent < 2 << bit;
        true
    }

    /// Takes a bit that has no elements where it is 1.
    const fn push_free(&mut self, side: usize) {
        let (at, place) = (self.free_of[side], self.run(side));
        if at == self.free.len() {
            self.free.push(self.len as u8);
            self.len += 1;
        }
        let of_side = &mut self.block.sides[side];
        of_side.order.push(self.free.at(at));
        of_side.words.leave_free(self.narrow << place);
        self.free_of[side] += 1;
    }

    /// The name of a bit of a loop's counter.
    const fn name(&self, number: usize, bit: u8) -> usize {
        let mut name = 0;
        while self.block.counters[name].0 != number || self.block.counters[name].1 != bit {
            name += 1;
        }
        name
    }

    /// Takes one more bit of a loop outside of the stretches, the one with the smallest stride.
    const fn widen(&mut self) -> bool {
        let mut found = None;
        let mut smallest = Size::MAX;
        each!(for number in 0..self.plan.len as usize {
            let stride = self.plan.loops[number].dst << self.block.bits[number];
            if stride < smallest && self.has_room(number) {
                (found, smallest) = (Some(number), stride);
            }
        });
        if let Some(number) = found {
            self.add(number);
        }
        found.is_some()
    }

    /// Takes one more bit of a loop.
    const fn add(&mut self, number: usize) {
        let bit = self.block.bits[number];
        each!(for side in 0..2 {
            let stride = native(self.stride(number, side)) << self.fixed << bit;
            self.block.sides[side].strides[self.len] = stride;
        });
        self.block.counters[self.len] = (number, bit);
        self.block.bits[number] += 1;
        self.len += 1;
    }

    /// Whether a block can have one more bit of a loop.
    const fn has_room(&self, at: usize) -> bool {
        let Plan { dims, loops, sizes, .. } = self.plan;
        let bits = self.block.bits[at] as u32;
        // Blocks in which the array ends take longer.
        let is_whole = sizes[dims[at] as usize].is_multiple_of(loops[at].unit << bits << 1);
        let divides = loops[at].extent.trailing_zeros() > bits && is_whole;
        (divides || !self.divides) && self.total() < self.most && self.is_box(at)
    }

    /// Whether what is in the array of any block is a number of values of each loop, with one more bit of this one: if a
    /// dimension has several loops, it ends between two values of its most major one.
    const fn is_box(&self, at: usize) -> bool {
        let Plan { dims, loops, sizes, .. } = self.plan;
        let (mut count, mut unit) = (0, 1);
        each!(for number in 0..self.plan.len as usize {
            if dims[number] == dims[at] && (self.block.bits[number] > 0 || number == at) {
                count += 1;
                if loops[number].unit > unit {
                    unit = loops[number].unit;
                }
            }
        });
        count <= 1 || sizes[dims[at] as usize].is_multiple_of(unit)
    }

    /// Bits of the number of an element in a stretch of a side, if it is contiguous.
    const fn contiguous(&self, side: usize) -> usize {
        if self.block.sides[side].words.are_contiguous() { self.run(side) } else { 0 }
    }

    /// Whether loops have as many values as blocks: otherwise no vectors of a block are in memory.
    const fn can_be_whole(&self) -> bool {
        each!(for number in 0..self.plan.len as usize {
            if self.plan.loops[number].extent < 1 << self.block.bits[number] {
                return false;
            }
        });
        true
    }

    /// Bits of memory from the beginning of a word to where the next one may follow.
    const fn length(&self, side: usize) -> u32 {
        let (_, next) = self.nearest(side);
        let span = self.spans[side];
        let slots = least(if next < span { span } else { next }, u64::BITS as Size);
        let bits = (native(slots) << self.fixed) as u32 * self.bits[side];
        if bits < u64::BITS { bits } else { u64::BITS }
    }

    /// The block with the orders of both sides, and the vectors for it.
    const fn finish(mut self, vectors: VectorSize) -> BitBlock {
        let (total, in_word) = (self.total(), self.block.in_word);
        let shortest = if self.can_be_whole() {
            least(self.contiguous(0) as Size, self.contiguous(1) as Size) as usize
        } else {
            0
        };
        // Stretches of single words are gathered, but for a few words, which are registers.
        let are_few = shortest == in_word && total <= in_word + VectorSize::Eight.register_bits(0);
        let most = if shortest > in_word || are_few { shortest } else { total };
        self.block.vectors = vectors.at_most_bits(in_word, most);
        if !self.block.vectors.shuffles() && self.block.places() == total {
            // Without shuffles, words change places through a register.
            self.block.vectors = self.block.vectors.at_most_bits(in_word, total - 1);
        }
        self.block.bytes = 8 << (total - in_word);
        each!(for side in 0..2 {
            let (run, missing, length) = (self.run(side), self.missing(side), self.length(side));
            let of_side = &mut self.block.sides[side];
            (of_side.run, of_side.missing, of_side.words.length) = (run, missing, length);
            // What both sides lack to a word is the same bits.
            each!(for name in self.len..self.len + missing {
                of_side.words.leave_free(self.narrow << of_side.order.len());
                of_side.order.push(name as u8);
            });
            of_side.add_rows(self.len, 8 / self.bits[side] as usize);
            each!(for name in 0..total {
                of_side.order.add(name as u8);
            });
        });
        self.block
    }
}

impl Side {
    /// Takes the bits that are not in the stretches but count in memory, the smallest stride first. A byte has `per_byte` slots.
    const fn add_rows(&mut self, names: usize, per_byte: usize) {
        let first = self.order.len();
        each!(for name in 0..names {
            if self.strides[name] > 0 && !self.order.has(name as u8) {
                let mut at = self.order.len();
                self.order.push(name as u8);
                while at > first
                    && self.strides[self.order.at(at - 1) as usize] > self.strides[name]
                {
                    self.order.swap(at - 1, at);
                    at -= 1;
                }
            }
        });
        each!(for at in first..self.order.len() {
            let stride = self.strides[self.order.at(at) as usize];
            self.begins_bytes &= stride.is_multiple_of(per_byte);
            self.slots.push(stride);
        });
    }
}

impl VectorSize {
    /// The largest vectors whose places have at most `bits` bits in their numbers, of which `in_word` are within a word.
    const fn at_most_bits(self, in_word: usize, bits: usize) -> VectorSize {
        self.at_most(3 + bits.saturating_sub(in_word))
    }
}
