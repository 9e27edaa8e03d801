//! Stretches of bits in bytes, the first element of a byte its low bits: reading and writing them as words.

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
}

/// The lowest bits of a word.
#[inline(always)]
pub(super) const fn low(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Calls with each of `count` words. Bits past the end of the memory are zero.
#[inline(always)]
pub(super) fn read(src: &[u8], at: Place, count: usize, mut word: impl FnMut(usize, u64)) {
    let src = src.get(at.byte..).unwrap_or(&[]);
    match src.get(..8 * count + usize::from(at.shift > 0)) {
        Some(src) if at.shift == 0 => {
            for (number, bytes) in src.as_chunks::<8>().0.iter().enumerate() {
                word(number, u64::from_le_bytes(*bytes));
            }
        }
        Some(src) => {
            for (number, bytes) in src.windows(9).step_by(8).enumerate() {
                let [first @ .., last] = bytes else { return };
                let first = first.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                word(number, first >> at.shift | u64::from(*last) << (64 - at.shift));
            }
        }
        None => {
            for number in 0..count {
                let mut bytes = [0; 16];
                let there = src.get(8 * number..).unwrap_or(&[]);
                for (byte, from) in bytes[..9].iter_mut().zip(there) {
                    *byte = *from;
                }
                word(number, (u128::from_le_bytes(bytes) >> at.shift) as u64);
            }
        }
    }
}

/// Reads words side by side.
#[inline(always)]
pub(super) fn straight(src: &[u8], at: Place, words: &mut [[u8; 8]]) {
    // One word more, so that each word and the next one are there.
    let there = src.get(at.byte..).and_then(|src| src.get(..8 * words.len() + 8));
    let Some((there, _)) = there.map(<[u8]>::as_chunks::<8>) else {
        return read(src, at, words.len(), |number, word| words[number] = word.to_le_bytes());
    };
    if at.shift == 0 {
        for (to, from) in words.iter_mut().zip(there) {
            *to = *from;
        }
    } else {
        for ((to, from), next) in words.iter_mut().zip(there).zip(&there[1..]) {
            let [from, next] = [from, next].map(|bytes| u64::from_le_bytes(*bytes));
            *to = (from >> at.shift | next << (64 - at.shift)).to_le_bytes();
        }
    }
}

/// Writes words side by side. Other bits keep their values.
#[inline(always)]
pub(super) fn write_straight(dst: &mut [u8], at: Place, words: &[[u8; 8]]) {
    let dst = &mut dst[at.byte..];
    if at.shift == 0 {
        return dst[..8 * words.len()].copy_from_slice(words.as_flattened());
    }
    let mask = low(at.shift as usize) as u8;
    let (to, rest) = dst.split_at_mut(8 * words.len());
    let to = to.as_chunks_mut().0;
    // The bits before the stretch, as if they were of a word before it.
    let mut before =
        to.first().map_or(0, |bytes: &[u8; 8]| u64::from(bytes[0] & mask) << (64 - at.shift));
    let shifted =
        |word: u64, before: u64| (word << at.shift | before >> (64 - at.shift)).to_le_bytes();
    // Eight words at a time, which the compiler makes vectors of.
    let (eights, others) = words.as_chunks::<8>();
    let (to_eights, to_others) = to.as_chunks_mut::<8>();
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
    if let (Some(last), false) = (rest.first_mut(), words.is_empty()) {
        *last = *last & !mask | (before >> (64 - at.shift)) as u8;
    }
}

/// Writes a stretch of so many bits, whose words the function gives. Other bits keep their values.
#[inline(always)]
pub(super) fn write(dst: &mut [u8], at: Place, bits: usize, mut word: impl FnMut(usize) -> u64) {
    let whole = bits / 64;
    let dst = &mut dst[at.byte..];
    let words = dst.as_chunks_mut::<8>().0[..whole].iter_mut().enumerate();
    if at.shift == 0 {
        for (number, to) in words {
            *to = word(number).to_le_bytes();
        }
    } else if whole > 0 {
        let mask = low(at.shift as usize) as u8;
        let mut carry = u64::from(dst[0] & mask);
        let words = dst.as_chunks_mut::<8>().0[..whole].iter_mut().enumerate();
        for (number, to) in words {
            let word = word(number);
            *to = (word << at.shift | carry).to_le_bytes();
            carry = word >> (64 - at.shift);
        }
        let last = &mut dst[8 * whole];
        *last = *last & !mask | carry as u8;
    }
    if !bits.is_multiple_of(64) {
        put(&mut dst[8 * whole..], at.shift, bits % 64, word(whole));
    }
}

/// Writes up to 64 bits.
#[inline(always)]
fn put(dst: &mut [u8], shift: u32, bits: usize, word: u64) {
    let mut mask = u128::from(low(bits)) << shift;
    let mut word = u128::from(word) << shift;
    for byte in dst {
        if mask == 0 {
            return;
        }
        *byte = *byte & !(mask as u8) | (word & mask) as u8;
        mask >>= 8;
        word >>= 8;
    }
}

/// Copies a stretch of elements of so many bits from one slot to another.
pub(super) fn copy(src: &[u8], dst: &mut [u8], at: [usize; 2], count: usize, bits: u32) {
    let [from, to] = at.map(|slot| Place::of(slot, bits));
    let Place { byte: whole, shift: rest } = Place::of(count, bits);
    if from.shift == 0 && to.shift == 0 {
        dst[to.byte..][..whole].copy_from_slice(&src[from.byte..][..whole]);
        if rest > 0 {
            put(&mut dst[to.byte + whole..], 0, rest as usize, src[from.byte + whole].into());
        }
        return;
    }
    // As many words at a time as fit in registers, so that reading and writing are loops of their own.
    const WORDS: usize = 8;
    let piece = 64 * WORDS / bits as usize;
    let mut done = 0;
    while done < count {
        let length = piece.min(count - done);
        let mut words = [0; WORDS];
        let used = length * bits as usize;
        let [from, to] = at.map(|slot| Place::of(slot + done, bits));
        read(src, from, used.div_ceil(64), |number, word| words[number % WORDS] = word);
        write(dst, to, used, |number| words[number % WORDS]);
        done += length;
    }
}

/// Writes a value to a range of slots.
pub(in crate::relayout) fn fill(
    dst: &mut [u8],
    slots: core::ops::Range<usize>,
    bits: u32,
    value: u8,
) {
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
            put(&mut dst[at.byte..], at.shift, count * bits as usize, word);
            first += count;
        }
    }
}
