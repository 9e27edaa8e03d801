//! Which bits of the loops' counters a block has.

use layout_core::__private::{Loop, MAX_LOOPS, Plan};
use layout_core::Size;

use crate::relayout::kernel::raw::{LINE, Vectors};
use crate::relayout::packed::block::{MOST, RUN_BITS, WORD_BITS};

/// Bits of the number of a word in a line of memory.
const LINE_BITS: usize = (LINE / 8).trailing_zeros() as usize;

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
fn bits_of(extent: Size) -> u8 {
    extent.next_power_of_two().trailing_zeros() as u8
}

/// The block while bits are chosen.
pub(super) struct Choice<'a> {
    plan: &'a Plan,
    /// How many of the lowest bits of each loop's counter are in the block.
    pub bits: [u8; MAX_LOOPS],
    chains: [Chain; 2],
    /// Bits of no counter at the beginning of a stretch.
    pub none: [usize; 2],
    /// Bits of a place in a word.
    in_word: usize,
    /// Bits of a number in the block at most.
    most: usize,
    /// Whether bits are taken only where blocks divide the loop's values.
    divides: bool,
}

impl<'a> Choice<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        none: [usize; 2],
        in_word: usize,
        vectors: Vectors,
    ) -> Choice<'a> {
        let chain = Chain { list: [(0, 0); MOST], len: 0 };
        let (bits, chains) = ([0; MAX_LOOPS], [chain; 2]);
        let most = in_word + WORD_BITS;
        let mut choice = Choice { plan, bits, chains, none, in_word, most, divides: false };
        // Words, then lines, alike on both sides.
        for length in in_word..=in_word + LINE_BITS {
            for side in [1, 0] {
                while choice.run(side) < length && choice.extend(side) {}
            }
        }
        choice.divides = true;
        if choice.writes_bytes() {
            let vector = in_word + vectors.byte_bits() - 3;
            // One pass: as many vectors as there are registers, since more of them are other blocks. Several: half of the
            // most, so that a block has room in the first cache beside what is read.
            let (total, one) = (choice.total(), vector + vectors.register_bits(vector));
            choice.most = if total > one { total.max(most - 1) } else { one };
        }
        while choice.extend(1) | choice.extend(0) {}
        while choice.widen() {}
        choice
    }

    /// Whether stretches of the destination begin with bytes.
    fn writes_bytes(&self) -> bool {
        let per_byte = 1 << (self.in_word - 3 - self.none[1]);
        let loops = self.plan.loops[..self.plan.len.into()].iter().zip(0u8..);
        loops
            .filter(|(_, number)| self.chain(1).iter().all(|(of_chain, _)| of_chain != number))
            .all(|(of_plan, _)| of_plan.extent == 1 || of_plan.dst.is_multiple_of(per_byte))
    }

    /// The bits that are contiguous on a side, as loops and bits of their counters.
    pub(super) fn chain(&self, side: usize) -> &[(u8, u8)] {
        &self.chains[side].list[..self.chains[side].len]
    }

    /// Slots from one value of a loop to the next.
    pub(super) fn stride(&self, number: usize, side: usize) -> Size {
        [self.plan.loops[number].src, self.plan.loops[number].dst][side]
    }

    /// Bits that a stretch of a side lacks to a word.
    pub(super) fn missing(&self, side: usize) -> usize {
        self.in_word.saturating_sub(self.run(side))
    }

    /// Bits of the number of an element in a stretch.
    pub(super) fn run(&self, side: usize) -> usize {
        self.none[side] + self.chains[side].len
    }

    /// Bits of a number in the block.
    pub(super) fn total(&self) -> usize {
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
        (divides || !self.divides) && self.total() <= self.most && self.is_box(at)
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
