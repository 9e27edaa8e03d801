//! Stretches of bits in bytes, the first element of a byte its low bits.

use core::ops::Range;

/// Where a stretch begins, or how long it is: whole bytes, and bits of one more.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub byte: usize,
    pub shift: u32,
}

impl Place {
    pub(super) const START: Place = Place { byte: 0, shift: 0 };

    /// Slots of 1, 2, 4 or 8 bits in some bits.
    #[inline(always)]
    pub(super) const fn slots(bits: usize, of: u32) -> usize {
        bits >> of.trailing_zeros()
    }

    /// The place of a slot of 1, 2, 4 or 8 bits.
    #[inline(always)]
    pub(super) const fn of(slot: usize, bits: u32) -> Place {
        // Not `slot * bits`, which is more than a number of the target can be.
        let per_byte = 3 - bits.trailing_zeros();
        Place { byte: slot >> per_byte, shift: (slot as u32 & ((1 << per_byte) - 1)) * bits }
    }

    /// The place some bits further, less than a byte.
    #[inline(always)]
    const fn after(self, bits: u32) -> Place {
        let shift = self.shift + bits;
        Place { byte: self.byte + shift as usize / 8, shift: shift % 8 }
    }

    /// The place some bits before, less than a byte.
    #[inline(always)]
    const fn before(self, bits: u32) -> Place {
        let byte = if bits > self.shift { self.byte - 1 } else { self.byte };
        Place { byte, shift: (self.shift + 8 - bits) % 8 }
    }
}

/// A word in which the elements of each byte, of `bits` bits, stand in reverse; the word itself if they are 0 bits.
#[inline(always)]
pub(super) fn mirrored(mut word: u64, bits: u32) -> u64 {
    if bits > 0 {
        for half in [4, 2, 1] {
            if half >= bits {
                word = (word & zeros(half)) << half | word >> half & zeros(half);
            }
        }
    }
    word
}

/// The lowest bits of a word.
#[inline(always)]
pub(super) const fn low(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The bits of a word in whose number the bit that counts `bits` is 0.
pub(super) const fn zeros(bits: u32) -> u64 {
    repeated(low(bits as usize), 2 * bits)
}

/// The lowest bits of a word again and again, `period` bits apart.
pub(super) const fn repeated(bits: u64, period: u32) -> u64 {
    u64::MAX / low(period as usize) * bits
}

/// Up to eight bytes as the lowest ones of a word.
#[inline(always)]
pub(super) fn word_of(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => bytes.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// A word from a bit of the first byte on. Bits past the end of the memory are zero. The elements of each byte stand in reverse if
/// there is a `mirror`, which is their size.
#[inline(always)]
pub(super) fn word_at(src: &[u8], shift: u32, mirror: u32) -> u64 {
    let word = src.first_chunk().map_or_else(|| last_of(src), |word| u64::from_le_bytes(*word));
    let word = mirrored(word, mirror) >> shift;
    match src.get(8) {
        Some(next) if shift > 0 => word | mirrored((*next).into(), mirror) << (64 - shift),
        _ => word,
    }
}

/// The last bytes of memory as the lowest ones of a word.
#[cold]
#[inline(never)]
fn last_of(src: &[u8]) -> u64 {
    word_of(src)
}

/// Writes up to 64 bits from a bit of the first byte on. Other bits keep their values.
#[inline(always)]
pub(super) fn put(dst: &mut [u8], shift: u32, bits: usize, word: u64, mirror: u32) {
    let mask = low(bits);
    put_at(dst, mask << shift, word << shift, mirror);
    if shift as usize + bits > 64 {
        put_at(&mut dst[8..], mask >> (64 - shift), word >> (64 - shift), mirror);
    }
}

/// Writes the bits of a word at a mask.
#[inline(always)]
fn put_at(dst: &mut [u8], mask: u64, word: u64, mirror: u32) {
    let [mut mask, mut word] = [mask, word].map(|bits| mirrored(bits, mirror));
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

/// Copies bits. The elements of each byte stand in reverse where there is a mirror.
#[inline(always)]
pub(super) fn copy(
    src: &[u8],
    mut from: Place,
    dst: &mut [u8],
    mut to: Place,
    mut length: Place,
    mirrors: [u32; 2],
) {
    if length.byte < 8 {
        let bits = 8 * length.byte + length.shift as usize;
        let word = word_at(&src[from.byte..], from.shift, mirrors[0]);
        return put(&mut dst[to.byte..], to.shift, bits, word, mirrors[1]);
    }
    if to.shift > 0 {
        // Up to the border of a byte.
        let first = 8 - to.shift;
        let word = word_at(&src[from.byte..], from.shift, mirrors[0]);
        put(&mut dst[to.byte..], to.shift, first as usize, word, mirrors[1]);
        (from, to, length) = (from.after(first), to.after(first), length.before(first));
    }
    let (src, dst) = (&src[from.byte..], &mut dst[to.byte..]);
    let Place { byte: bytes, shift: rest } = length;
    let mut done = 0;
    if from.shift == 0 && mirrors[0] == mirrors[1] {
        dst[..bytes].copy_from_slice(&src[..bytes]);
        done = bytes;
    } else if mirrors == [0; 2] {
        let (words, to) = (src.as_chunks::<8>().0, dst[..bytes].as_chunks_mut::<8>().0);
        let nexts = words.get(1..).unwrap_or(&[]);
        done = 8 * to.len().min(nexts.len());
        for ((to, word), next) in to.iter_mut().zip(words).zip(nexts) {
            let [word, next] = [word, next].map(|bytes| u64::from_le_bytes(*bytes));
            *to = (word >> from.shift | next << (64 - from.shift)).to_le_bytes();
        }
    }
    for first in (done..bytes + usize::from(rest > 0)).step_by(8) {
        let bits = 64.min(8 * (bytes - first).min(8) + rest as usize);
        let word = word_at(&src[first..], from.shift, mirrors[0]);
        put(&mut dst[first..], 0, bits, word, mirrors[1]);
    }
}

/// Writes a value to a range of slots.
pub(crate) fn fill(dst: &mut [u8], slots: Range<usize>, bits: u32, mirror: u32, value: u8) {
    let word = (u64::MAX / low(bits as usize)) * (u64::from(value) & low(bits as usize));
    let per_byte = 8 / bits as usize;
    // Up to the border of a byte, whole bytes, and what is left.
    let first = slots.start.next_multiple_of(per_byte).min(slots.end);
    let last = (slots.end / per_byte * per_byte).max(first);
    for ends in [slots.start..first, last..slots.end] {
        let (Place { byte, shift }, count) = (Place::of(ends.start, bits), ends.len());
        if count > 0 {
            put(&mut dst[byte..], shift, count * bits as usize, word, mirror);
        }
    }
    dst[first / per_byte..last / per_byte].fill(word as u8);
}
