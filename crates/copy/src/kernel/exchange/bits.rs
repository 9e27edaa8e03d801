//! Stretches of bits in bytes, the first element of a byte its low bits: reading and writing them as words.

use core::ops::Range;

use crate::kernel::raw::{Destination, Step};

/// Where a stretch begins: a byte, and a bit of it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub byte: usize,
    pub shift: u32,
}

impl Place {
    /// The place of a slot of 1, 2, 4 or 8 bits.
    #[inline(always)]
    pub(super) const fn of(slot: usize, bits: u32) -> Place {
        // Not `slot * bits`, which is more than a number of the target can be.
        let per_byte = 3 - bits.trailing_zeros();
        Place { byte: slot >> per_byte, shift: (slot as u32 & ((1 << per_byte) - 1)) * bits }
    }

    /// The place of a slot in memory that may be mirrored.
    #[inline(always)]
    pub(super) const fn mirrored(slot: usize, bits: u32, mirror: u32) -> Place {
        let Place { byte, shift } = Place::of(slot, bits);
        Place { byte, shift: if mirror > 0 { 8 - bits - shift } else { shift } }
    }
}

/// A word in which the elements of each byte, of `bits` bits, stand in reverse.
#[inline(always)]
pub(super) fn mirrored(word: u64, bits: u32) -> u64 {
    Step::Mirror(bits).word(word)
}

/// The lowest bits of a word.
#[inline(always)]
pub(super) const fn low(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Reads words side by side. Bits past the end of the memory are zero. The elements of each byte stand in reverse if there is a
/// `mirror`, which is their size.
#[inline(always)]
pub(super) fn read(src: &[u8], at: Place, words: &mut [[u8; 8]], mirror: u32) {
    let src = src.get(at.byte..).unwrap_or(&[]);
    if mirror > 0 {
        return read_last(src, at.shift, words, mirror);
    }
    let there = src.as_chunks::<8>().0;
    // A word that does not begin with a byte needs the next one.
    let whole = words.len().min(there.len().saturating_sub(usize::from(at.shift > 0)));
    let (first, last) = words.split_at_mut(whole);
    if at.shift == 0 {
        first.copy_from_slice(&there[..whole]);
    } else {
        let nexts = there.get(1..).unwrap_or(&[]);
        for ((to, from), next) in first.iter_mut().zip(there).zip(nexts) {
            let [from, next] = [from, next].map(|bytes| u64::from_le_bytes(*bytes));
            *to = (from >> at.shift | next << (64 - at.shift)).to_le_bytes();
        }
    }
    read_last(src.get(8 * whole..).unwrap_or(&[]), at.shift, last, 0);
}

/// Reads words as [`read`] does, one by one.
#[inline(never)]
fn read_last(src: &[u8], shift: u32, words: &mut [[u8; 8]], mirror: u32) {
    for (number, to) in words.iter_mut().enumerate() {
        let src = src.get(8 * number..).unwrap_or(&[]);
        let mut word = word_at(src, shift, mirror);
        if shift > 0 {
            word |= word_at(src.get(8..9).unwrap_or(&[]), 0, mirror) << (64 - shift);
        }
        *to = word.to_le_bytes();
    }
}

/// A word from a bit of the first byte on, with as many zeros as its high bits. Bits past the end of the memory are zero.
#[inline(always)]
pub(super) fn word_at(src: &[u8], shift: u32, mirror: u32) -> u64 {
    let word = match src.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => word_of(src),
    };
    (if mirror > 0 { mirrored(word, mirror) } else { word }) >> shift
}

/// Up to eight bytes as the lowest ones of a word.
#[inline(always)]
pub(super) fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Writes `bits` bits of words side by side. Other bits keep their values. To mirrored memory as [`read`] reads it.
#[inline(always)]
pub(super) fn write(
    dst: &mut Destination<'_>,
    at: Place,
    bits: usize,
    words: &[[u8; 8]],
    mirror: u32,
) {
    let (whole, rest) = (bits / 64, bits % 64);
    let dst = dst.part(at.byte, (bits + at.shift as usize).div_ceil(8));
    if mirror > 0 {
        for (number, word) in words[..bits.div_ceil(64)].iter().enumerate() {
            let count = if number == whole { rest } else { 64 };
            put(&mut dst[8 * number..], at.shift, count, u64::from_le_bytes(*word), mirror);
        }
        return;
    }
    if whole > 0 {
        write_words(dst, at.shift, &words[..whole]);
    }
    if rest > 0 {
        put(&mut dst[8 * whole..], at.shift, rest, u64::from_le_bytes(words[whole]), 0);
    }
}

/// Writes whole words from a bit of the first byte on.
#[inline(always)]
fn write_words(dst: &mut [u8], shift: u32, words: &[[u8; 8]]) {
    let (to, rest) = dst.split_at_mut(8 * words.len());
    if shift == 0 {
        return to.copy_from_slice(words.as_flattened());
    }
    let mask = low(shift as usize) as u8;
    // The bits before the stretch, as if they were of a word before it.
    let mut before = u64::from(to[0] & mask) << (64 - shift);
    let shifted = |word: u64, before: u64| (word << shift | before >> (64 - shift)).to_le_bytes();
    // Eight words at a time, which the compiler makes vectors of.
    let (eights, others) = words.as_chunks::<8>();
    let (to_eights, to_others) = to.as_chunks_mut().0.as_chunks_mut::<8>();
    for (to, words) in to_eights.iter_mut().zip(eights) {
        let words = words.map(u64::from_le_bytes);
        for (number, to) in to.iter_mut().enumerate() {
            *to = shifted(words[number], if number == 0 { before } else { words[number - 1] });
        }
        before = words[7];
    }
    for (to, word) in to_others.iter_mut().zip(others) {
        let word = u64::from_le_bytes(*word);
        *to = shifted(word, before);
        before = word;
    }
    rest[0] = rest[0] & !mask | (before >> (64 - shift)) as u8;
}

/// Writes up to 64 bits from a bit of the first byte on.
#[inline(always)]
pub(super) fn put(dst: &mut [u8], shift: u32, bits: usize, word: u64, mirror: u32) {
    let mask = low(bits);
    put_at(dst, mask << shift, word << shift, mirror);
    if shift as usize + bits > 64 {
        put_at(&mut dst[8..], mask >> (64 - shift), word >> (64 - shift), mirror);
    }
}

/// Writes the bits of a word at a mask, of which there are some.
#[inline(always)]
fn put_at(dst: &mut [u8], mut mask: u64, mut word: u64, mirror: u32) {
    if mirror > 0 {
        [mask, word] = [mask, word].map(|bits| mirrored(bits, mirror));
    }
    // At once, if it is most of a word.
    if mask > u32::MAX.into()
        && let Some(to) = dst.first_chunk_mut()
    {
        *to = (u64::from_le_bytes(*to) & !mask | word & mask).to_le_bytes();
        return;
    }
    for byte in dst {
        if mask == 0 {
            return;
        }
        *byte = *byte & !(mask as u8) | (word & mask) as u8;
        mask >>= 8;
        word >>= 8;
    }
}

/// Bits of a stretch that is copied word by word.
const SHORT: usize = 256;

/// Copies a stretch of `count` elements of `bits` bits from one slot to another.
pub(super) fn copy(
    src: &[u8],
    dst: &mut [u8],
    at: [usize; 2],
    count: usize,
    bits: u32,
    mirrors: [u32; 2],
) {
    let [from, to] = at.map(|slot| Place::of(slot, bits));
    let Place { byte: whole, shift: rest } = Place::of(count, bits);
    if from.shift == 0 && to.shift == 0 && mirrors[0] == mirrors[1] {
        dst[to.byte..][..whole].copy_from_slice(&src[from.byte..][..whole]);
        if rest > 0 {
            let mut word = src[from.byte + whole].into();
            if mirrors[0] > 0 {
                word = mirrored(word, bits);
            }
            put(&mut dst[to.byte + whole..], 0, rest as usize, word, mirrors[1]);
        }
        return;
    }
    if count <= SHORT / bits as usize {
        let most = (64 - 8) / bits as usize;
        let mut done = 0;
        while done < count {
            let length = most.min(count - done);
            let [from, to] = at.map(|slot| Place::of(slot + done, bits));
            let word = word_at(&src[from.byte..], from.shift, mirrors[0]);
            put(&mut dst[to.byte..], to.shift, length * bits as usize, word, mirrors[1]);
            done += length;
        }
        return;
    }
    // `WORDS` words fit in registers: a piece has as many, so that reading and writing are loops of their own.
    const WORDS: usize = 8;
    let piece = 64 * WORDS / bits as usize;
    let mut done = 0;
    while done < count {
        let length = piece.min(count - done);
        let mut words = [[0; 8]; WORDS];
        let used = length * bits as usize;
        let [from, to] = at.map(|slot| Place::of(slot + done, bits));
        read(src, from, &mut words[..used.div_ceil(64)], mirrors[0]);
        write(&mut Destination::of(dst), to, used, &words, mirrors[1]);
        done += length;
    }
}

/// Writes a value to a range of slots.
pub(crate) fn fill(dst: &mut [u8], slots: Range<usize>, bits: u32, mirror: u32, value: u8) {
    let word = (u64::MAX / low(bits as usize)) * (u64::from(value) & low(bits as usize));
    // In bytes, so that no number of bits is one of the target.
    let mut first = slots.start;
    while first < slots.end {
        let count = (slots.end - first).min(64 / bits as usize);
        let whole = (slots.end - first) / (8 / bits as usize);
        let at = Place::of(first, bits);
        if at.shift == 0 && whole > 0 {
            dst[at.byte..][..whole].fill(word as u8);
            first += whole * (8 / bits as usize);
        } else {
            // Up to the border of a byte at least.
            let count =
                if at.shift == 0 { count } else { count.min(((8 - at.shift) / bits) as usize) };
            put(&mut dst[at.byte..], at.shift, count * bits as usize, word, mirror);
            first += count;
        }
    }
}
