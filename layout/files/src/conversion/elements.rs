//! A copy one element at a time, as the layouts' formula says: a stretch of any length, in little memory. It compares
//! what the copies' plans and kernels wrote, of which it uses nothing; and it writes where their parts are too long.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use layout::limits::MAX_DIMS;
use layout::{ArrayShape, Digits, Size};

/// Sizes of dimensions whose parts of offsets are kept: 2 MiB.
const LONGEST_TABLE: Size = 1 << 18;

/// The elements of two layouts of an array, in the order of the destination.
pub(super) struct Elements {
    digits: [Digits; 2],
    /// Bits of an element in each.
    bits: [usize; 2],
    is_signed: bool,
    /// What a slot of padding holds.
    padding: u128,
    walk: Option<Walk>,
}

/// How to step from slot to slot, where every digit of the destination is one of a single dimension, and the offset in
/// the source is a sum over the dimensions.
struct Walk {
    /// Dimension, step along it, and number of values, of each digit, the most minor first.
    digits: Vec<(usize, Size, Size)>,
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
        let bits = [from, to].map(ArrayShape::element_bits);
        let walk = Walk::new(&digits[0], &digits[1]);
        Elements { digits, bits, is_signed: element.is_signed_integer(), padding, walk }
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

    /// The offset in the source of the first element that bytes of the destination, from `start` on, do not have.
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

    /// The value in a slot of one of the layouts; a narrower one as the wider one has it.
    fn value(&self, side: usize, bytes: &[u8], slot: Size) -> u128 {
        let (bits, slot) = (self.bits[side], slot as usize);
        if bits >= 8 {
            let mut value = [0; 16];
            value[..bits / 8].copy_from_slice(&bytes[slot * bits / 8..][..bits / 8]);
            return u128::from_le_bytes(value);
        }
        let unused = 8 - bits as u32;
        let high = bytes[slot * bits / 8] << (unused - (slot * bits % 8) as u32);
        let [signed, unsigned] = [((high as i8) >> unused) as u8, high >> unused];
        u128::from(if self.is_signed && self.bits[1 - side] >= 8 { signed } else { unsigned })
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
        let (first, count) = (slots(start), slots(bytes));
        let [from, to] = &self.digits;
        let Some(walk) = &self.walk else {
            let source = |slot| Some(from.offset_unchecked(to.index(slot)?.as_slice()));
            let _ = (0..count).all(|slot| visit(slot, source(first + slot)));
            return;
        };
        let mut position = walk.at(first, from);
        for slot in 0..count {
            let source = (position.outside == 0).then_some(position.offset);
            // After the last element there may be slots without digits.
            if !visit(slot, source.filter(|_| first + slot < to.size())) {
                return;
            }
            walk.step(&mut position, from);
        }
    }
}

/// A slot of the destination.
struct Position {
    /// The values of the digits.
    values: Vec<Size>,
    index: Vec<Size>,
    /// The slot of the source, and what each dimension has added to it.
    offset: Size,
    parts: Vec<Size>,
    /// Dimensions, as bits, whose coordinate is out of bounds.
    outside: u32,
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
        let digits = digits.collect();
        let tables = (0..to.rank()).map(|dim| match to.dim(dim) {
            size if size <= LONGEST_TABLE => {
                (0..size).map(|at| part(from, dim, at)).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        });
        Some(Walk { digits, offsets: tables.collect() })
    }

    fn at(&self, slot: Size, from: &Digits) -> Position {
        let rank = self.offsets.len();
        let (values, index, parts) = (Vec::new(), vec![0; rank], vec![0; rank]);
        let mut position = Position { values, index, parts, offset: 0, outside: 0 };
        let mut rest = slot;
        for &(dim, step, bound) in &self.digits {
            position.values.push(rest % bound);
            position.index[dim] += rest % bound * step;
            rest /= bound;
        }
        (0..rank).for_each(|dim| self.place(&mut position, dim, from));
        position
    }

    #[inline(always)]
    fn step(&self, position: &mut Position, from: &Digits) {
        for (&(dim, step, bound), value) in self.digits.iter().zip(0..) {
            position.values[value] += 1;
            position.index[dim] += step;
            let is_carried = position.values[value] == bound;
            if is_carried {
                position.values[value] = 0;
                position.index[dim] -= bound * step;
            }
            self.place(position, dim, from);
            if !is_carried {
                return;
            }
        }
    }

    /// Adds what a dimension's coordinate says.
    #[inline(always)]
    fn place(&self, position: &mut Position, dim: usize, from: &Digits) {
        let at = position.index[dim];
        position.outside &= !(1 << dim);
        let part = match self.offsets[dim].get(at as usize) {
            Some(part) => *part,
            None if at < from.dim(dim) => part(from, dim, at),
            None => {
                position.outside |= 1 << dim;
                return;
            }
        };
        position.offset = position.offset - position.parts[dim] + part;
        position.parts[dim] = part;
    }
}

/// What a coordinate adds to an offset.
#[cold]
fn part(digits: &Digits, dim: usize, at: Size) -> Size {
    let mut index = [0; MAX_DIMS];
    index[dim] = at;
    digits.offset_unchecked(&index)
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
            ("c128[3,2]", "c128[3,2]{0,1}"),
            ("s8[300000]", "s8[300000]{0:PAD(300003)FILL(highest)T(256)}"),
            ("u4[5,8]{1,0:E(4)}", "u4[5,8]{0,1:E(4)}"),
            ("s4[5,8]", "s4[5,8]{0,1:E(4)}"),
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
            for at in (0..found.len()).step_by(found.len() / 50 + 1) {
                found[at] ^= 1;
                let mut back = vec![0; src.len()];
                let copy = Relayout::new(&to, &from).expect("a copy");
                back.copy_from_slice(&src);
                copy.run(&found, &mut back, Padding::Leave).expect("it fits");
                let is_found = elements.difference(0, &src, &found).is_some();
                assert_eq!(is_found, back != src, "{from} {to} {at}");
                found[at] ^= 1;
            }
        }
    }
}
