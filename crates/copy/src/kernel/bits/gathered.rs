//! Stretches of a block that are not vectors: gathered as words, and scattered.

use crate::kernel::bits::block::{BitBlock, Side};
use crate::kernel::bits::place::{Place, copy};
use crate::kernel::bits::widths::Widths;
use crate::kernel::raw::{Destination, Vectorized};
use crate::plan::MAX_LOOPS;

/// Reads the stretches of a block as words.
pub(super) struct Gather<'a> {
    pub side: &'a Side,
    pub widths: Widths,
    pub src: &'a [u8],
    pub at: usize,
    pub words: &'a mut [u8],
}

impl Vectorized for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        let Gather { side, widths, src, at: mut slot, words } = self;
        let rows = words.chunks_exact_mut(side.row_bytes(widths.narrow()));
        for (row, words) in rows.enumerate().take(side.slots.count()) {
            if row > 0 {
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            let Place { byte, shift } = Place::of(slot, widths.src);
            // Where the array ends, its memory may.
            let src = src.get(byte..).unwrap_or(&[]);
            let there = (8 * src.len().min(words.len() + 1)).saturating_sub(shift as usize);
            let length = Place::of(there.min(8 * words.len()), 1);
            copy(
                src,
                Place { byte: 0, shift },
                words,
                Place::of(0, 8),
                length,
                [widths.mirror(0); 2],
            );
        }
    }
}

/// Writes the stretches of a block.
pub(super) struct Scatter<'a, 'd> {
    pub block: &'a BitBlock,
    pub widths: Widths,
    pub words: &'a [u8],
    pub dst: &'a mut Destination<'d>,
    pub at: usize,
    /// Values of each loop that are in the array, if not all of the block.
    pub counts: Option<[usize; MAX_LOOPS]>,
}

impl Vectorized for Scatter<'_, '_> {
    #[inline(always)]
    fn run(mut self) {
        let (side, mut slot) = (&self.block.sides[1], self.at);
        if let Some(mut counts) = self.counts {
            return self.part(&mut counts, side.order.len(), 0, slot);
        }
        for row in 0..side.slots.count() {
            if row > 0 {
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            self.write(row << (side.run + side.missing), slot, 1 << side.run);
        }
    }
}

impl Scatter<'_, '_> {
    /// Writes what is in the array of the lowest bits of a number, as many as there are places, from a number and a slot on.
    /// Of each loop so many values are in the array.
    fn part(&mut self, counts: &mut [usize; MAX_LOOPS], places: usize, number: usize, slot: usize) {
        let Side { order, run, strides, .. } = &self.block.sides[1];
        let counter = |place| self.block.counters[usize::from(order.at(place))];
        let Some(place) = (0..places).rfind(|place| counter(*place).0 < MAX_LOOPS) else {
            return self.write(number, slot, 1 << places.min(*run));
        };
        // All bits of a loop that follow one another.
        let (of_loop, _) = counter(place);
        let mut first = place;
        while first > 0 && counter(first - 1).0 == of_loop {
            first -= 1;
        }
        let (bit, count) = (counter(first).1, counts[of_loop]);
        let is_whole = |place| {
            let (of_loop, bit) = counter(place);
            of_loop == MAX_LOOPS || counts[of_loop] >> bit > 1
        };
        if place < *run && (0..first).all(is_whole) {
            return self.write(number, slot, count << first);
        }
        let stride = strides[usize::from(order.at(first))];
        for value in 0..count.div_ceil(1 << bit).min(1 << (place + 1 - first)) {
            counts[of_loop] = (count - (value << bit)).min(1 << bit);
            self.part(counts, first, number + (value << first), slot + value * stride);
        }
        counts[of_loop] = count;
    }

    /// Writes numbers that follow one another to slots side by side.
    #[inline(always)]
    fn write(&mut self, number: usize, slot: usize, count: usize) {
        let Scatter { widths, words, ref mut dst, .. } = *self;
        let none = self.block.sides[1].none;
        let [from, to, length] =
            [number >> none, slot, count >> none].map(|slots| Place::of(slots, widths.dst));
        let bytes = length.byte + (to.shift + length.shift).div_ceil(8) as usize;
        let dst = dst.part(to.byte, bytes);
        copy(words, from, dst, Place { byte: 0, ..to }, length, [widths.mirror(1); 2]);
    }
}

impl Side {
    /// Bytes of a stretch of elements of `narrow` bits each, whole words, bits of no counter included.
    #[inline(always)]
    pub(super) fn row_bytes(&self, narrow: u32) -> usize {
        ((narrow as usize) << (self.run + self.missing)) / 8
    }
}
