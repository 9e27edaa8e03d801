//! Blocks with a side that is not vectors in memory: its stretches are gathered as words, and scattered.

use crate::kernel::bits::block::{BitBlock, Side};
use crate::kernel::bits::ends::Ends;
use crate::kernel::bits::place::{Place, copy, low, mirrored, word_at};
use crate::kernel::bits::widths::Widths;
use crate::kernel::raw::{Destination, Sums};
use crate::loops::MAX_LOOPS;

/// Bytes of a word.
pub(super) const WORD: usize = 8;

// No code for larger vectors here: it gained nothing (0.97 to 1.08 of the time in 54 copies on a Zen 5).

/// Reads the stretches of a block that begins at a slot as words.
pub(super) fn gather(side: &Side, widths: Widths, src: &[u8], at: usize, words: &mut [u8]) {
    let (mirror, length) = (widths.mirror(0), side.row_bytes(widths.narrow()));
    let words = &mut words[..length * side.slots.count()];
    let is_squeezed = !side.words.are_straight();
    let mirrors = [mirror, if is_squeezed { 0 } else { mirror }];
    if length == WORD {
        single(side, words, at, src, widths.src, mirrors);
    } else {
        for (words, slot) in words.chunks_exact_mut(length).zip(side.slots_from(at)) {
            let Place { byte, shift } = Place::of(slot, widths.src);
            // Where the array ends, its memory may.
            let src = src.get(byte..).unwrap_or(&[]);
            let there = (8 * src.len().min(length + 1)).saturating_sub(shift as usize);
            let there = Place::of(there.min(8 * length), 1);
            copy(src, Place { byte: 0, shift }, words, Place::START, there, mirrors);
        }
    }
    if is_squeezed {
        side.words.stretch(words, mirror);
    }
}

/// Reads stretches that are single words.
// A function of its own has more registers.
#[inline(never)]
fn single(side: &Side, words: &mut [u8], at: usize, src: &[u8], bits: u32, mirrors: [u32; 2]) {
    let (length, words) = (side.words.length as usize, words.as_chunks_mut().0);
    let (chain, slots) = side.chains_from(at, bits);
    for (words, slot) in words.chunks_mut(1 << chain).zip(slots) {
        let Place { byte, shift } = Place::of(slot, bits);
        // Where the array ends, its memory may.
        let src = src.get(byte..).unwrap_or(&[]);
        let mut bit = shift as usize;
        for to in words {
            let word = word_at(src.get(bit / 8..).unwrap_or(&[]), (bit % 8) as u32, mirrors[0]);
            *to = mirrored(word, mirrors[1]).to_le_bytes();
            bit += length;
        }
    }
}

/// Writes the stretches of a block that begins at a slot. `counts` are the values of each loop that are in the array, if not all of the block.
pub(super) fn scatter(
    block: &BitBlock,
    widths: Widths,
    words: &mut [u8],
    dst: &mut Destination<'_>,
    at: usize,
    counts: Option<&[usize; MAX_LOOPS]>,
) {
    let (side, narrow) = (&block.sides[1], widths.narrow());
    let length = side.row_bytes(narrow);
    let words = &mut words[..length * side.slots.count()];
    let mut ends = Ends::new(block, narrow, counts);
    let mut out = Out::new(side, widths, at, dst);
    if !out.is_direct {
        side.words.squeeze(words, out.mirror);
    }
    let words = &*words;
    let rows = words.chunks_exact(length).zip(side.slots_from(at));
    match ends.of_all(8 * length, narrow) {
        Some((elements, bits)) if length == WORD => {
            return out.all(words, elements & low(bits), at);
        }
        Some((elements, bits)) => {
            for (words, slot) in rows {
                out.stretch(words, bits, elements, slot);
            }
        }
        _ => {
            for (row, (words, slot)) in rows.enumerate() {
                let number = row * (length / WORD);
                ends.go_to(block, number);
                let bits = ends.bits(narrow).min(8 * length);
                if !ends.differ_in_rows {
                    out.stretch(words, bits, ends.elements(), slot);
                    continue;
                }
                let words = words.chunks_exact(WORD).take(bits.div_ceil(64));
                for (at, word) in words.enumerate() {
                    ends.go_to(block, number + at);
                    let elements = ends.elements() & low(bits - 64 * at);
                    out.write(word, elements, slot + Place::slots(64 * at, widths.dst));
                }
            }
        }
    }
    out.finish();
}

/// Writes words.
struct Out<'a, 'd> {
    side: &'a Side,
    bits: u32,
    mirror: u32,
    dst: &'a mut Destination<'d>,
    /// Whether words are written where they begin, and as they are: not squeezed, and mirrored if memory is.
    is_direct: bool,
    /// Where the last word may be followed by the next one.
    next: usize,
    /// The byte at which the word begins that is not full yet, what it has, where it has elements, and how many bits.
    byte: usize,
    word: u64,
    elements: u64,
    len: u32,
}

impl<'a, 'd> Out<'a, 'd> {
    #[inline(always)]
    fn new(side: &'a Side, widths: Widths, at: usize, dst: &'a mut Destination<'d>) -> Self {
        let Place { byte, shift } = Place::of(at, widths.dst);
        Out {
            side,
            bits: widths.dst,
            mirror: widths.mirror(1),
            dst,
            is_direct: shift == 0 && side.begins_bytes && side.words.are_straight(),
            next: at,
            byte,
            word: 0,
            elements: 0,
            len: shift,
        }
    }

    /// Writes the elements of the first bits of a stretch, which are the same in each of its words.
    #[inline(always)]
    fn stretch(&mut self, words: &[u8], bits: usize, elements: u64, slot: usize) {
        if elements == u64::MAX && bits > 64 {
            let (to, length) = (Place::of(slot, self.bits), Place::of(bits, 1));
            let bytes = length.byte + (to.shift + length.shift).div_ceil(8) as usize;
            let dst = self.dst.part(to.byte, bytes);
            let mirrors = [if self.is_direct { self.mirror } else { 0 }, self.mirror];
            return copy(words, Place::START, dst, Place { byte: 0, ..to }, length, mirrors);
        }
        let (whole, rest) = words.split_at(bits / 64 * WORD);
        self.write(whole, elements, slot);
        if let Some(last) = rest.first_chunk::<WORD>() {
            let slot = slot + Place::slots(bits / 64 * 64, self.bits);
            self.write(last, elements & low(bits % 64), slot);
        }
    }

    /// Writes the elements of words, which are the same in each.
    #[inline(always)]
    fn write(&mut self, words: &[u8], elements: u64, slot: usize) {
        if elements == 0 || words.is_empty() {
        } else if self.is_direct {
            self.write_at(words, mirrored(elements, self.mirror), slot);
        } else {
            let elements = self.side.words.squeezed(elements);
            self.push_all(words.as_chunks().0, elements, slot);
        }
    }

    /// Writes the elements of all words, each of which is a stretch.
    // A function of its own has more registers.
    #[inline(never)]
    fn all(mut self, words: &[u8], elements: u64, at: usize) {
        let (side, words) = (self.side, words.as_chunks::<WORD>().0);
        if self.is_direct {
            let mask = mirrored(elements, self.mirror);
            for (word, slot) in words.iter().zip(side.slots_from(at)) {
                self.write_at(word, mask, slot);
            }
            return;
        }
        let elements = side.words.squeezed(elements);
        let (chain, slots) = side.chains_from(at, self.bits);
        for (words, slot) in words.chunks(1 << chain).zip(slots) {
            self.push_all(words, elements, slot);
        }
        self.finish();
    }

    /// Writes the elements of words that follow one another.
    #[inline(always)]
    fn push_all(&mut self, words: &[[u8; WORD]], elements: u64, slot: usize) {
        if slot != self.next {
            self.finish();
            let Place { byte, shift } = Place::of(slot, self.bits);
            (self.byte, self.len) = (byte, shift);
        }
        for word in words {
            self.push(word, elements);
        }
        self.next = slot + words.len() * self.side.slots_of_word(self.bits);
    }

    /// Writes the bits of words at a mask, from the first bit of a byte on.
    #[inline(always)]
    fn write_at(&mut self, words: &[u8], mask: u64, slot: usize) {
        let byte = Place::of(slot, self.bits).byte;
        if let Some(dst) = self.dst.initialised(byte, words.len()) {
            for (to, word) in dst.as_chunks_mut().0.iter_mut().zip(words.as_chunks().0) {
                let [before, word] = [*to, *word].map(u64::from_le_bytes);
                *to = (before & !mask | word & mask).to_le_bytes();
            }
        } else {
            write_bytes(self.dst, byte, words, mask);
        }
    }

    /// Writes the elements of a word after those of the last one.
    #[inline(always)]
    fn push(&mut self, word: &[u8; WORD], elements: u64) {
        let word = u64::from_le_bytes(*word) & elements;
        self.word |= word << self.len;
        self.elements |= elements << self.len;
        let free = u64::BITS - self.len;
        self.len += self.side.words.length;
        if self.len >= u64::BITS {
            self.write_last();
            self.byte += WORD;
            self.len -= u64::BITS;
            [self.word, self.elements] =
                [word, elements].map(|bits| bits.checked_shr(free).unwrap_or(0));
        }
    }

    /// Writes what is not written yet.
    #[inline(always)]
    fn finish(&mut self) {
        self.write_last();
        (self.word, self.elements) = (0, 0);
    }

    #[inline(always)]
    fn write_last(&mut self) {
        let [word, mask] = [self.word, self.elements].map(|bits| mirrored(bits, self.mirror));
        if let Some(to) = self.dst.initialised(self.byte, WORD).and_then(<[u8]>::first_chunk_mut) {
            *to = (u64::from_le_bytes(*to) & !mask | word).to_le_bytes();
        } else {
            write_bytes(self.dst, self.byte, &word.to_le_bytes(), mask);
        }
    }
}

/// Writes the bits of words at a mask, from a byte on. Bytes that have none are not touched.
#[cold]
#[inline(never)]
fn write_bytes(dst: &mut Destination<'_>, byte: usize, words: &[u8], mask: u64) {
    let length = match mask {
        u64::MAX => words.len(),
        // The first bytes of one word; several words have them apart from one another.
        _ if words.len() == WORD => mask.trailing_ones() as usize / 8,
        _ => 0,
    };
    if length > 0 && mask == low(8 * length) {
        return dst.part(byte, length).copy_from_slice(&words[..length]);
    }
    let masks = mask.to_le_bytes().into_iter().cycle();
    for (at, (bits, mask)) in words.iter().zip(masks).enumerate().filter(|(_, (_, mask))| *mask > 0)
    {
        let to = &mut dst.part(byte + at, 1)[0];
        *to = *to & !mask | bits & mask;
    }
}

impl Side {
    /// The slots of stretches, one after another without an end.
    #[inline(always)]
    fn slots_from(&self, at: usize) -> Slots<'_> {
        Slots { slots: &self.slots, slot: at, row: 0, step: 1, passed: 0 }
    }

    /// The slots of the first of each `1 << chain` stretches, of a word each, that follow one another in slots of `bits` bits.
    #[inline(always)]
    fn chains_from(&self, at: usize, bits: u32) -> (usize, Slots<'_>) {
        let length = self.slots_of_word(bits);
        let chain = self.slots.even(length);
        let passed = (length << chain) - length;
        (chain, Slots { step: 1 << chain, passed, ..self.slots_from(at) })
    }

    /// Slots from a word to one that follows it.
    #[inline(always)]
    fn slots_of_word(&self, bits: u32) -> usize {
        Place::slots(self.words.length as usize, bits)
    }

    /// Bits of the number of an element in the words of a stretch.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.run + self.missing
    }

    /// Bytes of a stretch of elements of `narrow` bits each, whole words, bits of no counter included.
    #[inline(always)]
    pub(super) fn row_bytes(&self, narrow: u32) -> usize {
        ((narrow as usize) << self.len()) / 8
    }
}

/// Slots of every `step` stretches, between which as many slots are passed.
struct Slots<'a> {
    slots: &'a Sums,
    slot: usize,
    row: usize,
    step: usize,
    passed: usize,
}

// A closure for each stretch would not be compiled for the instructions.
impl Iterator for Slots<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.row > 0 {
            let delta = self.slots.delta(self.row).wrapping_add(self.passed);
            self.slot = self.slot.wrapping_add(delta);
        }
        self.row += self.step;
        Some(self.slot)
    }
}
