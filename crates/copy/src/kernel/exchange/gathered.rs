//! Stretches of a block that are not vectors: gathered as words, and scattered.

use crate::kernel::exchange::bits::{Place, copy};
use crate::kernel::exchange::block::Side;
use crate::kernel::exchange::widths::Widths;
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
    pub side: &'a Side,
    pub widths: Widths,
    pub words: &'a [u8],
    pub dst: &'a mut Destination<'d>,
    pub at: usize,
    /// Values of each loop that are in the array, if not all of the block.
    pub counts: Option<&'a [usize; MAX_LOOPS]>,
}

impl Vectorized for Scatter<'_, '_> {
    #[inline(always)]
    fn run(mut self) {
        let (side, mut slot) = (self.side, self.at);
        if let Some(counts) = self.counts {
            return self.part(counts, side.field_count, 0, slot);
        }
        for row in 0..side.slots.count() {
            if row > 0 {
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            self.write(row << side.row_shift(), slot, 1 << (side.run - side.none));
        }
    }
}

impl Scatter<'_, '_> {
    /// Writes what is in the array of the first loops of the side, from a number within the block to a slot.
    fn part(&mut self, counts: &[usize; MAX_LOOPS], fields: usize, number: usize, slot: usize) {
        let side = self.side;
        let Some((field, minor)) = side.fields[..fields].split_last() else {
            return self.write(number, slot, 1 << self.widths.fixed);
        };
        let count = counts[usize::from(field.number)];
        let are_whole = minor.iter().all(|of| counts[usize::from(of.number)] == 1 << of.run);
        let is_stretch = are_whole && field.run > 0;
        for value in (0..count).step_by(if is_stretch { 1 << field.run } else { 1 }) {
            let within = value & ((1 << field.run) - 1);
            let row = (value >> field.run) << field.row << side.row_shift();
            let (number, slot) =
                (number + (within << field.shift) + row, slot + value * field.stride);
            if is_stretch {
                self.write(number, slot, (count - value).min(1 << field.run) << field.shift);
            } else {
                self.part(counts, fields - 1, number, slot);
            }
        }
    }

    /// Writes slots side by side.
    #[inline(always)]
    fn write(&mut self, number: usize, slot: usize, count: usize) {
        let Scatter { widths, words, ref mut dst, .. } = *self;
        let [from, to, length] = [number, slot, count].map(|slots| Place::of(slots, widths.dst));
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

    /// Bits of the number of a slot in the words of a stretch.
    #[inline(always)]
    fn row_shift(&self) -> u8 {
        self.run + self.missing - self.none
    }
}
