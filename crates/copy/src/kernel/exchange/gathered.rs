//! Stretches of a block that are not vectors: gathered as words, and scattered.

use crate::kernel::exchange::bits::{Place, mirrored, read, write};
use crate::kernel::exchange::block::{Field, Side};
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::{Destination, Vectorized};
use crate::plan::MAX_LOOPS;

/// Bytes of a word.
pub(super) const WORD: usize = 8;

/// Elements as a pass has them in mirrored memory: it puts those of each byte in order when it loads them first, and in reverse
/// before it stores them last.
#[inline(always)]
pub(super) fn mirror_words(words: &mut [[u8; WORD]], mirror: u32) {
    if mirror > 0 {
        for word in words {
            *word = mirrored(u64::from_le_bytes(*word), mirror).to_le_bytes();
        }
    }
}

/// Reads the stretches of a block.
pub(super) struct Gather<'a> {
    pub side: &'a Side,
    pub widths: Widths,
    pub src: &'a [u8],
    pub at: usize,
    pub counts: &'a [usize; MAX_LOOPS],
    pub words: &'a mut [[u8; WORD]],
}

impl Vectorized for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        let Gather { side, widths, src, at: mut slot, counts, words } = self;
        let rows = words.chunks_exact_mut(side.word_count(widths.narrow()));
        for (row, words) in rows.enumerate().take(side.slots.count()) {
            if row > 0 {
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            if side.has(row, counts) {
                let mirror = widths.mirror(0);
                read(src, Place::of(slot, widths.src), words, mirror);
                mirror_words(words, mirror);
            }
        }
    }
}

/// Writes the stretches of a block.
pub(super) struct Scatter<'a, 'd> {
    pub side: &'a Side,
    pub widths: Widths,
    pub words: &'a [[u8; WORD]],
    pub dst: &'a mut Destination<'d>,
    pub at: usize,
    pub counts: &'a [usize; MAX_LOOPS],
    /// Whether all of the block is in the array.
    pub is_whole: bool,
}

impl Vectorized for Scatter<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Scatter { side, widths, words, dst, at: mut slot, counts, is_whole } = self;
        let first = if is_whole { Some(side.length()) } else { side.first(widths, counts) };
        let rows = words.chunks_exact(side.word_count(widths.narrow()));
        for (row, words) in rows.enumerate().take(side.slots.count()) {
            if row > 0 {
                slot = slot.wrapping_add(side.slots.delta(row));
            }
            if !is_whole && !side.has(row, counts) {
                continue;
            }
            let first = first.or_else(|| side.has_all(row, counts).then(|| side.length()));
            if let Some(first) = first {
                let bits = first * widths.dst as usize;
                write(dst, Place::of(slot, widths.dst), bits, words, widths.mirror(1));
            } else {
                side.write_part(widths, words, dst, row, counts, slot);
            }
        }
    }
}

impl Side {
    /// How many elements of each stretch are in the array, if it is the first ones and as many of all.
    fn first(&self, widths: Widths, counts: &[usize; MAX_LOOPS]) -> Option<usize> {
        let (mut length, mut shift, mut is_cut) = (1 << widths.fixed, widths.fixed, false);
        for field in self.fields().iter().filter(|field| field.run > 0) {
            let left = field.left(0, counts);
            if is_cut || field.row[1] > 0 && !left.is_multiple_of(1 << field.run) {
                return None;
            }
            length = left.min(1 << field.run) << shift;
            shift += field.run;
            is_cut = left < 1 << field.run;
        }
        Some(length)
    }

    /// Writes what is in the array of a stretch.
    #[inline(never)]
    fn write_part(
        &self,
        widths: Widths,
        words: &[[u8; WORD]],
        dst: &mut Destination<'_>,
        row: usize,
        counts: &[usize; MAX_LOOPS],
        slot: usize,
    ) {
        let bits = widths.dst as usize;
        let fields = self.fields();
        let count = |field: &Field| field.left(row, counts).min(1 << field.run);
        // Up to the first loop that is cut, values are contiguous.
        let (mut length, mut shift, mut first) = (1 << widths.fixed, widths.fixed, 0);
        for field in fields.iter().filter(|field| field.run > 0) {
            length = count(field) << shift;
            shift += field.run;
            first += 1;
            if count(field) < 1 << field.run {
                break;
            }
        }
        let rest = &fields[first..];
        for number in 0..self.length() >> shift {
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
            let to = Place::of(slot + before, widths.dst);
            let (skipped, within) = (before * bits / 64, before * bits % 64);
            let words = &words[skipped..];
            if within == 0 {
                write(dst, to, length * bits, words, widths.mirror(1));
            } else {
                // A stretch that begins within a word ends there.
                let word = u64::from_le_bytes(words[0]) >> within;
                write(dst, to, length * bits, &[word.to_le_bytes()], widths.mirror(1));
            }
        }
    }

    /// Elements of a stretch.
    fn length(&self) -> usize {
        1 << (self.run - self.none)
    }

    /// Words of a stretch of elements of `narrow` bits each, bits of no counter included.
    #[inline(always)]
    pub(super) fn word_count(&self, narrow: u32) -> usize {
        ((narrow as usize) << self.run).div_ceil(64)
    }

    /// Whether all of a stretch is in the array.
    #[inline(always)]
    fn has_all(&self, row: usize, counts: &[usize; MAX_LOOPS]) -> bool {
        self.fields().iter().all(|field| field.left(row, counts) >= 1 << field.run)
    }

    /// Whether anything of a stretch is in the array.
    #[inline(always)]
    fn has(&self, row: usize, counts: &[usize; MAX_LOOPS]) -> bool {
        self.fields().iter().all(|field| field.left(row, counts) > 0)
    }

    #[inline(always)]
    fn fields(&self) -> &[Field] {
        &self.fields[..self.field_count]
    }
}

impl Field {
    /// Values of the loop from a stretch on that are in the array.
    #[inline(always)]
    fn left(&self, row: usize, counts: &[usize; MAX_LOOPS]) -> usize {
        let [first, count] = self.row;
        let base = (row >> first & ((1 << count) - 1)) << self.run;
        counts[usize::from(self.number)].saturating_sub(base)
    }
}
