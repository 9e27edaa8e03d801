//! Rows of elements that are side by side on both sides: packed on the one, one a byte on the other.

use crate::kernel::block::add;
use crate::kernel::exchange::bits::{Place, low, mirrored, put, word_at, word_of};
use crate::kernel::exchange::widths::{OfBits, Widths};
use crate::kernel::walk::Grid;
use crate::one_byte::Extend;

/// Elements that are bytes of a word.
const EIGHT: usize = 8;

/// Rows of `length` elements.
pub(super) struct PackedRows<'a> {
    pub widths: Widths,
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
    pub grid: &'a Grid,
    pub length: usize,
}

impl OfBits for PackedRows<'_> {
    #[inline(always)]
    fn of_bits<const BITS: usize>(self) {
        let PackedRows { widths, src, dst, grid, length } = self;
        let (packed, per_byte) = (usize::from(widths.dst < 8), 8 / BITS);
        for number in 0..grid.count[1] {
            let mut next = add(grid.at, grid.step[1], number);
            for _ in 0..grid.count[0] {
                let at = next;
                next = add(next, grid.step[0], 1);
                if length <= EIGHT {
                    few::<BITS>(widths, src, dst, at, length);
                    continue;
                }
                let ([from, to], length) = begin::<BITS>(widths, src, dst, at, packed, length);
                if packed > 0 {
                    let src = &src[from..][..length];
                    pack::<BITS>(src, &mut dst[to / per_byte..], widths.mirror(1));
                } else {
                    let dst = &mut dst[to..][..length];
                    unpack::<BITS>(&src[from / per_byte..], dst, widths);
                }
            }
        }
    }
}

/// Moves the first elements of a row, up to the border of a byte of the packed side. Where the others begin, and how many there are.
#[inline(always)]
fn begin<const BITS: usize>(
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    at: [usize; 2],
    packed: usize,
    length: usize,
) -> ([usize; 2], usize) {
    let first = (at[packed].wrapping_neg() % (8 / BITS)).min(length);
    if first > 0 {
        few::<BITS>(widths, src, dst, at, first);
    }
    (add(at, [1, 1], first), length - first)
}

/// Packs bytes from the first bit of a byte on. Bits after the last one keep their values.
#[inline(always)]
fn pack<const BITS: usize>(src: &[u8], dst: &mut [u8], mirror: u32) {
    let (words, last) = src.as_chunks::<EIGHT>();
    let (to, rest) = dst.split_at_mut(words.len() * BITS);
    let to = to.as_chunks_mut::<BITS>().0;
    for (to, word) in to.iter_mut().zip(words) {
        to.copy_from_slice(&packed::<BITS>(u64::from_le_bytes(*word)).to_le_bytes()[..BITS]);
    }
    if mirror > 0 {
        for byte in to.as_flattened_mut() {
            *byte = mirrored((*byte).into(), BITS as u32) as u8;
        }
    }
    if !last.is_empty() {
        let word = match src.last_chunk() {
            Some(word) => u64::from_le_bytes(*word) >> (8 * (EIGHT - last.len())),
            None => word_of(last),
        };
        let [mut mask, mut word] = [low(last.len() * BITS), packed::<BITS>(word)];
        if mirror > 0 {
            [mask, word] = [mask, word].map(|bits| mirrored(bits, BITS as u32));
        }
        for byte in &mut rest[..(last.len() * BITS).div_ceil(8)] {
            *byte = *byte & !(mask as u8) | word as u8;
            (mask, word) = (mask >> 8, word >> 8);
        }
    }
}

/// The reverse.
#[inline(always)]
fn unpack<const BITS: usize>(src: &[u8], dst: &mut [u8], widths: Widths) {
    let mirror = widths.mirror(0);
    // All that there is of a bit counts.
    let extension = widths.extension().filter(|_| BITS > 1 || widths.extend != Extend::One);
    let (words, last) = dst.as_chunks_mut::<EIGHT>();
    let (from, rest) = src.split_at(words.len() * BITS);
    for (to, from) in words.iter_mut().zip(from.as_chunks::<BITS>().0) {
        *to = unpacked::<BITS>(word_of(from)).to_le_bytes();
    }
    if mirror > 0 {
        words.as_flattened_mut().chunks_exact_mut(8 / BITS).for_each(<[u8]>::reverse);
    }
    if let Some(step) = extension {
        for word in words {
            *word = step.word(u64::from_le_bytes(*word)).to_le_bytes();
        }
    }
    let count = last.len();
    if count > 0 {
        let mut word = word_of(&rest[..(count * BITS).div_ceil(8)]);
        if mirror > 0 {
            word = mirrored(word, BITS as u32);
        }
        word = unpacked::<BITS>(word);
        word = extension.map_or(word, |step| step.word(word));
        if let Some(to) = dst.last_chunk_mut::<EIGHT>() {
            // The elements before are written once more.
            let kept = 8 * (EIGHT - count);
            *to = (u64::from_le_bytes(*to) & low(kept) | word << kept).to_le_bytes();
        } else {
            for (number, byte) in dst.iter_mut().enumerate() {
                *byte = (word >> (8 * number)) as u8;
            }
        }
    }
}

/// The low bits of each byte of a word, side by side: of two bytes, of two pairs, of two fours.
#[inline(always)]
fn packed<const BITS: usize>(word: u64) -> u64 {
    let mut word = word & lows::<BITS>(0);
    for step in 0..3 {
        word = (word | word >> ((8 - BITS) << step)) & lows::<BITS>(step + 1);
    }
    word
}

/// The reverse.
#[inline(always)]
fn unpacked<const BITS: usize>(word: u64) -> u64 {
    let mut word = word & lows::<BITS>(3);
    for step in (0..3).rev() {
        word = (word | word << ((8 - BITS) << step)) & lows::<BITS>(step);
    }
    word
}

/// The low bits of each `1 << step` bytes in which as many elements are.
#[inline(always)]
const fn lows<const BITS: usize>(step: usize) -> u64 {
    u64::MAX / low(8 << step) * low(BITS << step)
}

/// Moves up to eight elements, which may begin within a byte.
#[inline(always)]
fn few<const BITS: usize>(
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    [from, to]: [usize; 2],
    count: usize,
) {
    let [from, to] = [Place::of(from, widths.src), Place::of(to, widths.dst)];
    let word = word_at(&src[from.byte..], from.shift, widths.mirror(0));
    let word = if widths.dst < 8 {
        packed::<BITS>(word)
    } else {
        let word = unpacked::<BITS>(word);
        widths.extension().map_or(word, |step| step.word(word))
    };
    let bits = count * widths.dst as usize;
    put(&mut dst[to.byte..], to.shift, bits, word, widths.mirror(1));
}

/// Elements at evenly spaced slots.
pub(super) struct OneByOne<'a> {
    pub widths: Widths,
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
    pub at: [usize; 2],
    pub count: usize,
    pub step: [usize; 2],
}

impl OfBits for OneByOne<'_> {
    #[inline(always)]
    fn of_bits<const BITS: usize>(self) {
        match (self.widths.src, self.widths.dst) {
            (8, _) => self.between::<8, BITS>(),
            (_, 8) => self.between::<BITS, 8>(),
            _ => self.between::<BITS, BITS>(),
        }
    }
}

impl OneByOne<'_> {
    #[inline(always)]
    fn between<const SRC: usize, const DST: usize>(self) {
        let OneByOne { widths, src, dst, at, count, step } = self;
        let [of_src, of_dst] = [widths.mirror(0), widths.mirror(1)];
        let (bits, mask) = (low(SRC.min(DST)) as u8, low(DST) as u8);
        let is_wider = SRC < DST;
        let sign = u8::from(is_wider && widths.extend == Extend::Sign) << (SRC - 1);
        let kept = if is_wider && widths.extend == Extend::One { 1 } else { bits };
        for number in 0..count {
            let [from, to] = add(at, step, number);
            let from = Place::mirrored(from, SRC as u32, of_src);
            let to = Place::mirrored(to, DST as u32, of_dst);
            let value = ((src[from.byte] >> from.shift & kept) ^ sign).wrapping_sub(sign);
            let byte = &mut dst[to.byte];
            *byte = *byte & !(mask << to.shift) | value << to.shift;
        }
    }
}
