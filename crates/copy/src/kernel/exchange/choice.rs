//! Which bits of the loops' counters a block has.

use crate::plan::{MAX_LOOPS, Plan};
use layout_core::{Size, each};

use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::{LINE, VectorSize};

/// Bits of the number of a word in the largest block.
pub(super) const WORD_BITS: usize = 11;
/// Bits of the number of a word in the longest stretch.
const RUN_BITS: usize = 6;
/// Bits of a number at most: 64 elements in a word.
pub(super) const MOST: usize = WORD_BITS + 6;
/// Bits of the number of a word in a line of memory.
const LINE_BITS: usize = (LINE / 8).trailing_zeros() as usize;

/// The bits of the counters that are contiguous on one side: of each its loop, and which of the counter it is.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub list: [(u8, u8); MOST],
    pub len: usize,
}

impl Chain {
    const EMPTY: Chain = Chain { list: [(0, 0); MOST], len: 0 };

    /// The next bit, if there is one.
    const fn next(&self, plan: &Plan, side: usize) -> Option<(u8, u8)> {
        if self.len > 0 {
            let (number, bit) = self.list[self.len - 1];
            let extent = plan.loops[number as usize].extent;
            if extent > 2 << bit {
                return Some((number, bit + 1));
            }
            // Past a loop whose values leave numbers out, nothing follows.
            if !extent.is_power_of_two() {
                return None;
            }
        }
        each!(for number in 0..plan.len as usize {
            if plan.loops[number].extent > 1 && stride(plan, number, side) == 1 << self.len {
                return Some((number as u8, 0));
            }
        });
        None
    }

    /// Whether it has bits of a loop.
    pub(super) const fn has(&self, number: usize) -> bool {
        each!(for at in 0..self.len {
            if self.list[at].0 as usize == number {
                return true;
            }
        });
        false
    }
}

/// Elements from one value of a loop to the next.
pub(super) const fn stride(plan: &Plan, number: usize, side: usize) -> Size {
    if side == 0 { plan.loops[number].src } else { plan.loops[number].dst }
}

/// The block while bits are chosen.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub plan: &'a Plan,
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    /// How many that are.
    counted: usize,
    pub chains: [Chain; 2],
    /// Bits of no counter at the beginning of a stretch: of what an element has on both sides, and of what only this side
    /// has.
    pub fixed: usize,
    pub none: [usize; 2],
    /// Bits of a place in a word.
    pub in_word: usize,
    /// Bits of a number in the block at most.
    most: usize,
    /// Whether bits are taken only where blocks divide the loop's values.
    divides: bool,
}

impl<'a> Choice<'a> {
    pub(super) const fn new(plan: &'a Plan, widths: Widths, vectors: VectorSize) -> Choice<'a> {
        let narrow = widths.narrow();
        let in_word = (64 / narrow).trailing_zeros() as usize;
        let none = [
            (widths.src / narrow).trailing_zeros() as usize,
            (widths.dst / narrow).trailing_zeros() as usize,
        ];
        let mut choice = Choice {
            plan,
            bits: [0; MAX_LOOPS],
            counted: 0,
            chains: [Chain::EMPTY; 2],
            fixed: widths.fixed(),
            none,
            in_word,
            most: in_word + WORD_BITS,
            divides: false,
        };
        // Words, then lines, alike on both sides.
        each!(for length in in_word..=in_word + LINE_BITS {
            each!(for side in (0..2).rev() {
                while choice.run(side) < length && choice.extend(side) {}
            });
        });
        choice.divides = true;
        if choice.writes_bytes() {
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
        choice
    }

    /// Whether stretches of the destination begin with bytes.
    const fn writes_bytes(&self) -> bool {
        let per_byte = 1 << (self.in_word - 3 - self.none[1]);
        each!(for number in 0..self.plan.len as usize {
            let of_plan = &self.plan.loops[number];
            if of_plan.extent > 1
                && !self.chains[1].has(number)
                && !of_plan.dst.is_multiple_of(per_byte)
            {
                return false;
            }
        });
        true
    }

    /// Bits that a stretch of a side lacks to a word.
    pub(super) const fn missing(&self, side: usize) -> usize {
        self.in_word.saturating_sub(self.run(side))
    }

    /// Bits of the number of an element in a stretch.
    pub(super) const fn run(&self, side: usize) -> usize {
        self.fixed + self.none[side] + self.chains[side].len
    }

    /// Bits of a number in the block.
    pub(super) const fn total(&self) -> usize {
        let total = self.fixed + self.none[0] + self.none[1] + self.counted;
        let (a, b) = (self.missing(0), self.missing(1));
        total + if a > b { a } else { b }
    }

    /// Makes the stretches of a side twice as long, if they may be.
    const fn extend(&mut self, side: usize) -> bool {
        if self.run(side) == self.in_word + RUN_BITS {
            return false;
        }
        let Some((number, bit)) = self.chains[side].next(self.plan, side) else { return false };
        let chain = &mut self.chains[side];
        chain.list[chain.len] = (number, bit);
        chain.len += 1;
        if bit >= self.bits[number as usize] {
            if !self.has_room(number as usize) {
                self.chains[side].len -= 1;
                return false;
            }
            self.add(number as usize);
        }
        true
    }

    /// Takes one more bit of a loop outside of the stretches, the one with the smallest stride.
    const fn widen(&mut self) -> bool {
        let mut found = None;
        let mut smallest = Size::MAX;
        each!(for number in 0..self.plan.len as usize {
            let stride = self.plan.loops[number].dst << self.bits[number];
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
        self.bits[number] += 1;
        self.counted += 1;
    }

    /// Whether a block can have one more bit of a loop.
    const fn has_room(&self, at: usize) -> bool {
        let Plan { dims, loops, sizes, .. } = self.plan;
        let bits = self.bits[at] as u32;
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
            if dims[number] == dims[at] && (self.bits[number] > 0 || number == at) {
                count += 1;
                if loops[number].unit > unit {
                    unit = loops[number].unit;
                }
            }
        });
        count <= 1 || sizes[dims[at] as usize].is_multiple_of(unit)
    }
}
