//! A copy one element at a time, as the layouts' formula says: a stretch of any length, in little memory. It compares
//! what the copies' plans and kernels wrote, of which it uses nothing; and it writes where their parts are too long.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::collections::VecDeque;
use std::ops::Range;

use layout::shape::limits::MAX_DIMS;
use layout::{ArrayShape, Digits, Size};

use crate::error::ErrorKind;

/// Sizes of dimensions whose parts of offsets are kept: 2 MiB.
const LONGEST_TABLE: Size = 1 << 18;
const LONGEST_BLOCK: Size = 1 << 12;
/// More than any offset: memory has fewer slots.
const OUTSIDE: Size = isize::MAX as Size;

/// The elements of two layouts of an array, in the order of the destination.
pub(super) struct Elements {
    digits: [Digits; 2],
    /// Bits of an element in each.
    bits: [usize; 2],
    is_signed: bool,
    /// Slots of the destination. In its last byte there may be bits without one.
    slots: Size,
    /// What a slot of padding holds.
    padding: u128,
    walk: Option<Walk>,
}

/// How to go from slot to slot, where every digit of the destination is one of a single dimension, and the offset in the
/// source is a sum over the dimensions. Slots are visited in blocks, in which two dimensions vary at most.
struct Walk {
    /// The dimensions of a block, and the coordinates that they take in it, less those of its first slot.
    inner: [(usize, Vec<Size>); 2],
    /// The numbers of those coordinates for each slot of a block.
    slots: Vec<[u16; 2]>,
    /// Dimension, step along it, and number of values, of each digit that a block does not have, the most minor first.
    outer: Vec<(usize, Size, Size)>,
    /// Whether a block is a stretch of the most minor of those digits, which is longer.
    is_stretch: bool,
    /// The source's offset for each coordinate of a dimension; none for a long dimension.
    offsets: Vec<Vec<Size>>,
}

impl Elements {
    /// For layouts all of whose sizes are known.
    pub(super) fn new(from: &ArrayShape, to: &ArrayShape) -> Elements {
        let digits = [from, to].map(|shape| match shape.digits() {
            Ok(digits) => digits,
            Err(error) => unreachable!("planned before: {error}"),
        });
        let element = to.element_type();
        let padding = to.fill().and_then(|fill| fill.bits(element)).unwrap_or(0);
        let bits = [from, to].map(|shape| shape.element_bits() as usize);
        let walk = Walk::new(&digits[0], &digits[1]);
        let slots = to.padded_elements().unwrap_or(0);
        Elements { digits, bits, is_signed: element.is_signed_integer(), slots, padding, walk }
    }

    /// Writes the bytes from `start` on of the destination.
    pub(super) fn write(&self, start: usize, src: &[u8], dst: &mut [u8]) {
        dst.fill(0);
        self.for_each(start, dst.len(), |slot, source| {
            let value = source.map_or(self.padding, |source| self.value(0, src, source));
            put(dst, slot, self.bits[1], value);
            true
        });
    }

    /// The first element that bytes of the destination, from `start` on, are too narrow for: one that is another byte
    /// when it is widened again.
    pub(super) fn lost(&self, part: Range<usize>, src: &[u8]) -> Option<ErrorKind> {
        let mut lost = None;
        self.for_each(part.start, part.len(), |_, source| {
            let byte = |source: &Size| src[*source as usize];
            lost = source.filter(|source| !self.keeps(&[byte(source)]));
            lost.is_none()
        });
        let source = lost?;
        let index = self.digits[0].index(source)?.iter().map(|&at| at as u64).collect();
        let (value, bits, is_signed) = (src[source as usize], self.bits[1], self.is_signed);
        Some(ErrorKind::Narrow { index, value, bits, is_signed })
    }

    /// Whether all bytes are still the same after they became elements of the destination and were widened again.
    pub(super) fn keeps(&self, bytes: &[u8]) -> bool {
        let (bits, is_signed) = (self.bits[1] as u32, self.is_signed);
        let lost = |bytes: &[u8]| {
            bytes.iter().fold(0, |lost, &byte| lost | (byte ^ narrowed(byte, bits, is_signed)))
        };
        bytes.chunks(4096).all(|bytes| lost(bytes) == 0)
    }

    /// The offset in the source of the first element that bytes of the destination, from `start` on, do not have. Of
    /// bytes that became narrower elements, the low bits count.
    pub(super) fn difference(&self, start: usize, src: &[u8], dst: &[u8]) -> Option<u64> {
        let mut found = None;
        macro_rules! of_bytes {
            ($($bytes:literal)*) => {
                match self.bits {
                    $([a, b] if a == b && a == 8 * $bytes => {
                        let (src, dst) = (src.as_chunks::<$bytes>().0, dst.as_chunks::<$bytes>().0);
                        self.for_each(start, dst.len() * $bytes, |slot, source| {
                            let is_same = |source: &Size| src[*source as usize] == dst[slot as usize];
                            found = source.filter(|source| !is_same(source));
                            found.is_none()
                        });
                    })*
                    _ => self.for_each(start, dst.len(), |slot, source| {
                        let is_same =
                            |source: &Size| self.value(0, src, *source) == self.value(1, dst, slot);
                        found = source.filter(|source| !is_same(source));
                        found.is_none()
                    }),
                }
            };
        }
        of_bytes! { 1 2 4 8 16 }
        found.map(|slot| slot as u64 * self.bits[0] as u64 / 8)
    }

    /// The value in a slot of one of the layouts: a narrow one as a byte holds it, and of a byte that becomes narrower
    /// the low bits.
    fn value(&self, side: usize, bytes: &[u8], slot: Size) -> u128 {
        let (bits, slot) = (self.bits[side], slot as usize);
        let kept = if side == 0 { bits.min(self.bits[1]) } else { bits };
        if kept >= 8 {
            let mut value = [0; 16];
            value[..bits / 8].copy_from_slice(&bytes[slot * bits / 8..][..bits / 8]);
            return u128::from_le_bytes(value);
        }
        let byte = bytes[slot * bits / 8] >> (slot * bits % 8);
        let is_signed = self.is_signed && self.bits[0] != self.bits[1];
        u128::from(narrowed(byte, kept as u32, is_signed))
    }

    /// Calls `visit` for the slots in `bytes` of the destination from `start` on, counted from there, with the slot
    /// of the source; `None` for padding. It ends where `visit` says `false`.
    fn for_each(
        &self,
        start: usize,
        bytes: usize,
        mut visit: impl FnMut(Size, Option<Size>) -> bool,
    ) {
        let slots = |bytes: usize| (bytes as u128 * 8 / self.bits[1] as u128) as Size;
        let first = slots(start);
        let count = slots(bytes).min(self.slots.saturating_sub(first));
        let [from, to] = &self.digits;
        let Some(walk) = &self.walk else {
            let source = |slot| Some(from.offset_unchecked(to.index(slot)?.as_slice()));
            let _ = (0..count).all(|slot| visit(slot, source(first + slot)));
            return;
        };
        let (mut index, mut parts) = (vec![0; from.rank()], [Vec::new(), Vec::new()]);
        let (mut slot, end) = (first, (first + count).min(to.size()));
        while slot < end {
            let block = walk.place(slot, &mut index);
            let next = slot + block.len() as Size;
            let others = walk.add(from, &index, &mut parts);
            for ([a, b], slot) in walk.slots[block].iter().zip(slot..end) {
                let source = others.saturating_add(parts[0][usize::from(*a)]);
                let source = source.saturating_add(parts[1][usize::from(*b)]);
                if !visit(slot - first, (source < OUTSIDE).then_some(source)) {
                    return;
                }
            }
            slot = next;
        }
        // After the last element there may be slots without digits.
        let _ = (slot.max(first)..first + count).all(|slot| visit(slot - first, None));
    }
}

impl Walk {
    fn new(from: &Digits, to: &Digits) -> Option<Walk> {
        if to.elements() == 0 || !to.is_bijective() || from.straight().is_none() {
            return None;
        }
        let digits = (0..to.straight()?).rev().map(|number| {
            let digit = to.inverse(number);
            // The most major digit has no bound.
            let bound = if digit.bound.factor == 0 { Size::MAX } else { digit.bound.factor };
            (digit.dim, digit.div, bound)
        });
        let mut outer = digits.collect::<VecDeque<_>>();
        let mut inner = [0, 0].map(|dim| (dim, vec![0]));
        let (mut slots, mut dims) = (vec![[0, 0]], 0);
        let mut is_stretch = false;
        while let Some(&(dim, step, bound)) = outer.front() {
            let side = (0..dims).find(|&side| inner[side].0 == dim).unwrap_or(dims);
            is_stretch = slots.len() == 1 && bound > LONGEST_BLOCK;
            let values = if is_stretch { LONGEST_BLOCK } else { bound };
            if side == inner.len() || values.saturating_mul(slots.len() as Size) > LONGEST_BLOCK {
                break;
            }
            dims = dims.max(side + 1);
            inner[side].0 = dim;
            let coordinates = &mut inner[side].1;
            let (known, before) = (coordinates.len(), slots.len());
            for value in 1..values {
                for at in 0..known {
                    coordinates.push(coordinates[at] + value * step);
                }
                for at in 0..before {
                    let mut slot: [u16; 2] = slots[at];
                    slot[side] += (value as usize * known) as u16;
                    slots.push(slot);
                }
            }
            if is_stretch {
                break;
            }
            outer.pop_front();
        }
        let tables = (0..to.rank()).map(|dim| match to.dim(dim) {
            size if size <= LONGEST_TABLE => (0..size).map(|at| part(from, dim, at)).collect(),
            _ => Vec::new(),
        });
        let offsets = tables.collect::<Vec<_>>();
        Some(Walk { inner, slots, outer: outer.into(), is_stretch, offsets })
    }

    /// The coordinates at the first slot of the block that has a slot: the rest of the block's slots from that one on.
    fn place(&self, slot: Size, index: &mut [Size]) -> Range<usize> {
        index.fill(0);
        let length = self.slots.len();
        let (mut at, mut end, mut rest) = (0, length, slot);
        if !self.is_stretch {
            (at, rest) = (slot as usize % length, slot / length as Size);
        }
        for (number, &(dim, step, bound)) in self.outer.iter().enumerate() {
            let value = rest % bound;
            index[dim] += value * step;
            rest /= bound;
            if self.is_stretch && number == 0 {
                end = end.min((bound - value) as usize);
            }
        }
        at..end
    }

    /// What the coordinates of a block add to an offset, and what the other dimensions do: `OUTSIDE` out of bounds.
    fn add(&self, from: &Digits, index: &[Size], parts: &mut [Vec<Size>; 2]) -> Size {
        let add = |dim: usize, at: Size| match self.offsets[dim].get(at as usize) {
            Some(part) => *part,
            None if at < from.dim(dim) => part(from, dim, at),
            None => OUTSIDE,
        };
        let mut used = [None; 2];
        for (side, (dim, coordinates)) in self.inner.iter().enumerate() {
            parts[side].clear();
            // A block of one dimension, or none, has a second one that adds nothing.
            if coordinates.len() == 1 {
                parts[side].push(0);
                continue;
            }
            used[side] = Some(*dim);
            parts[side].extend(coordinates.iter().map(|at| add(*dim, index[*dim] + at)));
        }
        let others = (0..index.len()).filter(|dim| !used.contains(&Some(*dim)));
        others.map(|dim| add(dim, index[dim])).fold(0, Size::saturating_add)
    }
}

/// What a coordinate adds to an offset.
fn part(digits: &Digits, dim: usize, at: Size) -> Size {
    let mut index = [0; MAX_DIMS];
    index[dim] = at;
    digits.offset_unchecked(&index)
}

/// The low bits of a byte, widened again: by their sign, or by zeros.
const fn narrowed(byte: u8, bits: u32, is_signed: bool) -> u8 {
    let unused = 8 - bits;
    let high = byte << unused;
    if is_signed { (high as i8 >> unused) as u8 } else { high >> unused }
}

fn put(bytes: &mut [u8], slot: Size, bits: usize, value: u128) {
    let slot = slot as usize;
    if bits >= 8 {
        bytes[slot * bits / 8..][..bits / 8].copy_from_slice(&value.to_le_bytes()[..bits / 8]);
    } else {
        let low = value as u8 & (u8::MAX >> (8 - bits));
        bytes[slot * bits / 8] |= low << (slot * bits % 8);
    }
}

#[cfg(test)]
mod tests {
    use layout::{Padding, Relayout};

    use super::*;

    /// What the copies by plans write, for all widths, tiles, and both ways to step; and each bit counts.
    #[test]
    fn elements_are_where_copies_put_them() {
        for (from, to) in [
            ("u8[5,7]", "u8[5,7]{0,1}"),
            ("f32[19,300]", "f32[19,300]{1,0:T(8,128)}"),
            ("bf16[19,300]{0,1:T(2,4)}", "bf16[19,300]{1,0:T(8,128)(2,1)}"),
            ("f64[7,6]{1,0:T(2,3)}", "f64[7,6]{1,0:T(3,2)L(64)}"),
            ("s8[2,9,5]", "s8[2,9,5]{0,2,1:T(*,4)}"),
            ("s8[2,9,5]{0,2,1:T(*,4)}", "s8[2,9,5]{2,1,0:T(2,2)(3)}"),
            ("u8[3,6001]{0,1}", "u8[3,6001]"),
            ("u16[6001,3]", "u16[6001,3]{0,1:T(3,4)}"),
            ("c128[3,2]", "c128[3,2]{0,1}"),
            ("s8[300000]", "s8[300000]{0:PAD(300003)FILL(highest)T(256)}"),
            ("u4[5,8]{1,0:E(4)}", "u4[5,8]{0,1:E(4)}"),
            ("s4[5,8]", "s4[5,8]{0,1:E(4)}"),
            ("s4[5,8]", "s4[5,8]{0,1:PAD(13,9)FILL(lowest)E(4)}"),
            ("u4[3]{0:E(4)}", "u4[3]{0:PAD(5)FILL(highest)E(4)}"),
            ("s2[5,7]{1,0:E(2)}", "s2[5,7]{0,1}"),
            ("u1[5,7]{1,0:E(1)}", "u1[5,7]{0,1:T(8)E(1)}"),
            ("f32[]", "f32[]{:T(4)}"),
            ("f32[3,0]", "f32[3,0]{0,1}"),
        ] {
            let [from, to] = [from, to].map(|text| text.parse::<ArrayShape>().expect(text));
            let relayout = Relayout::new(&from, &to).expect("a copy");
            let mut src = (0..relayout.source_bytes())
                .map(|at| (at * 7 + at / 251) as u8)
                .collect::<Vec<_>>();
            if from.element_bits() == 8 && to.element_bits() == 4 {
                // Values that the narrower elements hold.
                src.iter_mut().for_each(|value| *value = ((*value << 4) as i8 >> 4) as u8);
            }
            let elements = Elements::new(&from, &to);
            let mut expected = vec![0; relayout.destination_bytes()];
            let padding = elements.padding;
            relayout.run(&src, &mut expected, Padding::Fill(padding)).expect("it fits");
            // Bits after the last element of a packed array are left.
            let mut found = vec![0xaa; expected.len()];
            let middle = found.len() / 3 / 16 * 16;
            let (first, second) = found.split_at_mut(middle);
            elements.write(0, &src, first);
            elements.write(middle, &src, second);
            assert!(found == expected, "{from} {to}");
            assert_eq!(elements.difference(0, &src, &found), None, "{from} {to}");
            assert_eq!(elements.difference(middle, &src, &found[middle..]), None, "{from} {to}");
            // Each bit of an element counts, and none of padding.
            for at in (0..found.len()).step_by(found.len() / 50 + 1) {
                found[at] ^= 1;
                let mut back = src.clone();
                let copy = Relayout::new(&to, &from).expect("a copy");
                copy.run(&found, &mut back, Padding::Leave).expect("it fits");
                let is_found = elements.difference(0, &src, &found).is_some();
                assert_eq!(is_found, back != src, "{from} {to} {at}");
                found[at] ^= 1;
            }
        }
    }

    /// The byte of the source, whatever the width of elements there and here.
    #[test]
    fn the_byte_of_a_difference() {
        for (from, to, changed, expected) in [
            ("u4[8]{0:E(4)}", "u4[8]", 5, 2),
            ("u4[8]", "u4[8]{0:E(4)}", 2, 4),
            ("u1[16]{0:E(1)}", "u1[16]", 11, 1),
            ("f32[4]", "f32[4]", 13, 12),
            ("u8[2,3]", "u8[2,3]{0,1}", 1, 3),
        ] {
            let shapes = [from, to].map(|text| text.parse::<ArrayShape>().expect(text));
            let relayout = Relayout::new(&shapes[0], &shapes[1]).expect("a copy");
            let src = vec![0; relayout.source_bytes()];
            let mut dst = vec![0; relayout.destination_bytes()];
            let elements = Elements::new(&shapes[0], &shapes[1]);
            assert_eq!(elements.difference(0, &src, &dst), None);
            dst[changed] ^= 1;
            assert_eq!(elements.difference(0, &src, &dst), Some(expected), "{from} {to}");
        }
    }
}
