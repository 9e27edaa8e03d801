//! Copies between packed layouts, block by block.

use layout_core::__private::{MAX_LOOPS, Plan, native};
use layout_core::limits::MAX_DIMS;

use crate::relayout::kernel::raw::{Work, compiled_for, exchange, fence, stream};
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::packed::Widths;
use crate::relayout::packed::bits::{Place, read, straight, write};
use crate::relayout::packed::block::{Block, Field, Side, WORDS};

/// Words of a line of memory.
const LINE: usize = 8;

/// Copies by a plan whose layouts share a split. The slices are as long as the layouts ask.
pub(super) fn copy(
    plan: &Plan,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    set: InstructionSet,
    streams: bool,
) {
    let block = Block::new(plan, widths);
    let mut outer = Outer { plan, bits: &block.bits, order: [0; MAX_LOOPS], len: 0 };
    outer.sort();
    let mut words = Words([0; WORDS]);
    let left = plan.sizes.map(native);
    outer.descend(0, [0; 2], &left, &mut [0; MAX_LOOPS], &mut |at, counts| {
        let is_whole = counts.iter().zip(block.bits).all(|(count, bits)| *count == 1 << bits);
        let counts = (!is_whole).then_some(counts);
        let words = &mut words.0;
        let dst = &mut *dst;
        compiled_for(
            set,
            Task { block: &block, widths, set, src, dst, at, counts, streams, words },
        );
    });
    if streams {
        fence();
    }
}

/// The words of a block.
#[repr(align(64))]
struct Words([u64; WORDS]);

/// What is counted outside of blocks.
struct Outer<'a> {
    plan: &'a Plan,
    /// Bits of each loop's counter that are in the block.
    bits: &'a [u8; MAX_LOOPS],
    /// The loops of which bits are left, in the order of the destination's memory.
    order: [u8; MAX_LOOPS],
    len: usize,
}

impl Outer<'_> {
    /// How many blocks a loop has.
    fn values(&self, number: usize) -> usize {
        native(self.plan.loops[number].extent).div_ceil(1 << self.bits[number])
    }

    fn sort(&mut self) {
        for number in 0..self.plan.len {
            if self.values(number.into()) > 1 {
                self.order[self.len] = number;
                self.len += 1;
            }
        }
        let (plan, bits) = (self.plan, self.bits);
        self.order[..self.len].sort_unstable_by_key(|&number| {
            let number = usize::from(number);
            core::cmp::Reverse(plan.loops[number].dst << bits[number])
        });
    }

    /// Calls with where each block begins on both sides, and how many values of each loop it has.
    fn descend(
        &self,
        level: usize,
        at: [usize; 2],
        left: &[usize; MAX_DIMS],
        values: &mut [usize; MAX_LOOPS],
        block: &mut impl FnMut([usize; 2], &[usize; MAX_LOOPS]),
    ) {
        let Plan { loops, dims, len, .. } = self.plan;
        if level == self.len {
            let mut counts = [1; MAX_LOOPS];
            for number in (0..usize::from(*len)).filter(|&number| self.bits[number] > 0) {
                let (size, unit) = (1 << self.bits[number], native(loops[number].unit));
                let rest = native(loops[number].extent) - values[number] * size;
                counts[number] = size.min(rest).min(left[usize::from(dims[number])].div_ceil(unit));
            }
            return block(at, &counts);
        }
        let number = usize::from(self.order[level]);
        let dim = usize::from(dims[number]);
        let [unit, src, dst] = [loops[number].unit, loops[number].src, loops[number].dst]
            .map(|stride| native(stride) << self.bits[number]);
        let mut left = *left;
        let before = left[dim];
        for value in 0..self.values(number).min(before.div_ceil(unit)) {
            left[dim] = before - value * unit;
            values[number] = value;
            self.descend(
                level + 1,
                [at[0] + value * src, at[1] + value * dst],
                &left,
                values,
                block,
            );
        }
        values[number] = 0;
    }
}

/// The copy of one block.
struct Task<'a> {
    block: &'a Block,
    widths: Widths,
    set: InstructionSet,
    src: &'a [u8],
    dst: &'a mut [u8],
    /// Slots where it begins.
    at: [usize; 2],
    /// Values of each loop that are in the array, if not all.
    counts: Option<&'a [usize; MAX_LOOPS]>,
    streams: bool,
    words: &'a mut [u64; WORDS],
}

impl Work for Task<'_> {
    #[inline(always)]
    fn run(mut self) {
        let block = self.block;
        if block.needs_zeros {
            self.words[..block.words].fill(0);
        }
        self.read();
        exchange(self.set, &mut self.words[..block.words], &block.swaps[..block.swap_count]);
        if self.widths.is_extended() {
            for word in &mut self.words[..block.words] {
                *word = self.widths.extend.word(*word, self.widths.src);
            }
        }
        self.write();
    }
}

impl Task<'_> {
    #[inline(always)]
    fn read(&mut self) {
        let side = &self.block.sides[0];
        let count = side.word_count(self.widths.narrow());
        let (mut place, mut slot) = (0usize, self.at[0]);
        for row in 0..side.places.count() {
            if row > 0 {
                place = place.wrapping_add(side.places.delta(row));
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            if self.counts.is_some_and(|counts| !side.has(row, counts)) {
                continue;
            }
            let from = Place::of(slot, self.widths.src);
            if side.is_straight[1] && count > 1 {
                straight(self.src, from, &mut self.words[place..][..count]);
            } else {
                read(self.src, from, count, |number, word| {
                    let at = side.words[number % side.words.len()];
                    self.words[(place + usize::from(at)) % WORDS] = word;
                });
            }
        }
    }

    #[inline(always)]
    fn write(&mut self) {
        let side = &self.block.sides[1];
        let count = side.word_count(self.widths.narrow());
        let bits = self.widths.dst as usize;
        let length = side.length();
        let (mut place, mut slot) = (0usize, self.at[1]);
        for row in 0..side.places.count() {
            if row > 0 {
                place = place.wrapping_add(side.places.delta(row));
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            let to = Place::of(slot, self.widths.dst);
            if let Some(counts) = self.counts.filter(|counts| !side.has_all(row, counts)) {
                if side.has(row, counts) {
                    self.write_part(side, row, counts, place, slot);
                }
            } else if self.streams
                && to.shift == 0
                && count.is_multiple_of(LINE)
                && side.is_straight[0]
            {
                let lines = self.dst[to.byte..][..8 * count].as_chunks_mut::<64>().0;
                for (number, to) in lines.iter_mut().enumerate() {
                    let at = place + usize::from(side.words[LINE * number % side.words.len()]);
                    if let Some(line) = self.words[at % WORDS..].first_chunk() {
                        stream(line, to);
                    }
                }
            } else if side.is_straight[1] && count > 1 {
                let words = &self.words[place..][..count];
                write(self.dst, to, length * bits, |number| {
                    words.get(number).copied().unwrap_or_default()
                });
            } else {
                write(self.dst, to, length * bits, |number| {
                    let at = side.words[number % side.words.len()];
                    self.words[(place + usize::from(at)) % WORDS]
                });
            }
        }
    }

    /// Writes what is in the array of a stretch.
    #[inline(never)]
    fn write_part(
        &mut self,
        side: &Side,
        row: usize,
        counts: &[usize; MAX_LOOPS],
        place: usize,
        slot: usize,
    ) {
        let bits = self.widths.dst as usize;
        let fields = &side.fields[..side.field_count];
        let count = |field: &Field| {
            (counts[usize::from(field.number)] - field.base(row)).min(1 << field.run)
        };
        // Up to the first loop that is cut, values are contiguous.
        let (mut length, mut shift, mut first) = (1, 0, 0);
        for field in fields.iter().filter(|field| field.run > 0) {
            length = count(field) << shift;
            shift += field.run;
            first += 1;
            if count(field) < 1 << field.run {
                break;
            }
        }
        let rest = &fields[first..];
        for number in 0..side.length() >> shift {
            let mut at = 0;
            let is_there = rest.iter().filter(|field| field.run > 0).all(|field| {
                let value = number >> at & ((1 << field.run) - 1);
                at += field.run;
                value < count(field)
            });
            if !is_there {
                continue;
            }
            let before = number << shift;
            let to = Place::of(slot + before, self.widths.dst);
            // A stretch that begins within a word ends there.
            let (skipped, within) = (before * bits / 64, before * bits % 64);
            write(self.dst, to, length * bits, |number| {
                let at = side.words[(skipped + number) % side.words.len()];
                self.words[(place + usize::from(at)) % WORDS] >> within
            });
        }
    }
}

impl Side {
    /// Elements of a stretch.
    fn length(&self) -> usize {
        1 << (self.run - self.none)
    }

    /// Words of a stretch of elements that take so many bits, those of no counter included.
    #[inline(always)]
    fn word_count(&self, narrow: u32) -> usize {
        ((narrow as usize) << self.run).div_ceil(64)
    }

    /// Whether all of a stretch is in the array.
    #[inline(always)]
    fn has_all(&self, row: usize, counts: &[usize; MAX_LOOPS]) -> bool {
        let fields = &self.fields[..self.field_count];
        fields
            .iter()
            .all(|field| field.base(row) + (1 << field.run) <= counts[usize::from(field.number)])
    }

    /// Whether anything of a stretch is in the array.
    #[inline(always)]
    fn has(&self, row: usize, counts: &[usize; MAX_LOOPS]) -> bool {
        let fields = &self.fields[..self.field_count];
        fields.iter().all(|field| field.base(row) < counts[usize::from(field.number)])
    }
}

impl Field {
    /// The smallest value of the loop in a stretch.
    #[inline(always)]
    fn base(&self, row: usize) -> usize {
        let [first, count] = self.row;
        (row >> first & ((1 << count) - 1)) << self.run
    }
}
