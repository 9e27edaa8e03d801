//! Rows of elements that are side by side on both sides: packed on the one, one a byte on the other.

use crate::kernel::bits::place::{Place, low, mirrored, put, word_at, word_of};
use crate::kernel::bits::widths::{OfBits, Widths};
use crate::kernel::block::add;
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
                // Up to the border of a byte of the packed side, words of eight, and what is left.
                let first = at[packed].wrapping_neg() % per_byte;
                let count = (length - first) / EIGHT;
                let [from, to] = add(at, [1, 1], first);
                if packed > 0 {
                    let src = src[from..][..count * EIGHT].as_chunks().0;
                    pack::<BITS>(src, &mut dst[to / per_byte..], widths.mirror(1));
                } else {
                    let dst = dst[to..][..count * EIGHT].as_chunks_mut().0;
                    unpack::<BITS>(&src[from / per_byte..], dst, widths);
                }
                for (begin, end) in [(0, first), (first + count * EIGHT, length)] {
                    if begin < end {
                        few::<BITS>(widths, src, dst, add(at, [1, 1], begin), end - begin);
                    }
                }
            }
        }
    }
}

/// Packs bytes from the first bit of a byte on.
#[inline(always)]
fn pack<const BITS: usize>(words: &[[u8; EIGHT]], dst: &mut [u8], mirror: u32) {
    let to = dst[..words.len() * BITS].as_chunks_mut::<BITS>().0;
    for (to, word) in to.iter_mut().zip(words) {
        to.copy_from_slice(&packed::<BITS>(u64::from_le_bytes(*word)).to_le_bytes()[..BITS]);
    }
    if mirror > 0 {
        for byte in to.as_flattened_mut() {
            *byte = mirrored((*byte).into(), BITS as u32) as u8;
        }
    }
}

/// The reverse.
#[inline(always)]
fn unpack<const BITS: usize>(src: &[u8], words: &mut [[u8; EIGHT]], widths: Widths) {
    for (to, from) in words.iter_mut().zip(src.as_chunks::<BITS>().0) {
        *to = unpacked::<BITS>(word_of(from)).to_le_bytes();
    }
    if widths.mirror(0) > 0 {
        words.as_flattened_mut().chunks_exact_mut(8 / BITS).for_each(<[u8]>::reverse);
    }
    // All that there is of a bit counts.
    let extension = widths.extension().filter(|_| BITS > 1 || widths.extend != Extend::One);
    if let Some(step) = extension {
        for word in words {
            *word = step.word(u64::from_le_bytes(*word)).to_le_bytes();
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
        let OneByOne { widths, src, dst, at: [mut from, mut to], count, step } = self;
        // In reverse, the place of an element in its byte has the opposite bits.
        let reverse = |side| match widths.mirror(side) {
            0 => 0,
            bits => 8 - bits,
        };
        let (of_src, of_dst) = (reverse(0), reverse(1));
        let (bits, mask) = (low(SRC.min(DST)) as u8, low(DST) as u8);
        let is_wider = SRC < DST;
        let sign = u8::from(is_wider && widths.extend == Extend::Sign) << (SRC - 1);
        let kept = if is_wider && widths.extend == Extend::One { 1 } else { bits };
        for _ in 0..count {
            let [read, written] = [Place::of(from, SRC as u32), Place::of(to, DST as u32)];
            let [down, up] = [read.shift ^ of_src, written.shift ^ of_dst];
            let value = ((src[read.byte] >> down & kept) ^ sign).wrapping_sub(sign);
            let byte = &mut dst[written.byte];
            *byte = *byte & !(mask << up) | value << up;
            (from, to) = (from.wrapping_add(step[0]), to.wrapping_add(step[1]));
        }
    }
}
