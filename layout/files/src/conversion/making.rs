//! How the bytes of a tensor in a new layout are made, and compared.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::ops::Range;
use std::sync::Arc;

use layout::copies::{InstructionSet, Settings};
use layout::{ArrayShape, Digits, Padding, Relayout, RelayoutError, Size};

use crate::conversion::Pair;
use crate::error::ErrorKind;

/// Bytes of a part: what the second cache holds, so that the copy is still there when it is written.
const PART: usize = 1 << 20;

/// A pair of layouts, ready to convert.
pub(super) struct Making {
    relayout: Relayout,
}

impl Making {
    /// For layouts between which a copy was planned before. `set` are the instructions that copy, the best ones if `None`.
    fn new([from, to]: &[ArrayShape; 2], set: Option<InstructionSet>) -> Making {
        // Parts are written to one buffer again and again.
        let settings = Settings { set, streams: Some(false), ..Settings::default() };
        match Relayout::new(from, to) {
            Ok(relayout) => Making { relayout: relayout.with_settings(settings) },
            Err(error) => unreachable!("planned before: {error}"),
        }
    }

    /// That of the last tensor, if this one has its pair, else another one: equal shapes that follow one another share
    /// their plan.
    pub(super) fn again<'a, 'b>(
        last: &'b mut Option<(&'a Arc<Pair>, Making)>,
        pair: &'a Arc<Pair>,
        set: Option<InstructionSet>,
    ) -> &'b Making {
        let kept = last.take().filter(|last| Arc::ptr_eq(last.0, pair));
        &last.insert(kept.unwrap_or_else(|| (pair, Making::new(&pair.layouts, set)))).1
    }

    /// The parts of the new tensor that are written one after another.
    pub(super) fn parts(&self) -> Box<dyn Iterator<Item = Range<usize>>> {
        Box::new(self.relayout.parts(PART))
    }

    pub(super) fn make(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), RelayoutError> {
        // Bits after the last element.
        if let Some(last) = dst.last_mut() {
            *last = 0;
        }
        let to = self.relayout.destination();
        let declared = to.fill().and_then(|fill| fill.bits(to.element_type()));
        let padding = declared.map_or(Padding::Zero, Padding::Fill);
        self.relayout.run_part(part, src, dst, padding)
    }

    /// The byte in the source of the first element that bytes of the destination, from `start` on, do not have. Of bytes
    /// that became narrower elements, the low bits count; `again` is memory to make the elements again.
    pub(super) fn difference(
        &self,
        start: usize,
        src: &[u8],
        found: &[u8],
        again: &mut Vec<u8>,
    ) -> Result<Option<u64>, RelayoutError> {
        // Padding stays as it was found.
        again.clear();
        again.extend_from_slice(found);
        self.relayout.run_part(start..start + found.len(), src, again, Padding::Leave)?;
        if again == found {
            return Ok(None);
        }
        let at = again.iter().zip(found).take_while(|(a, b)| a == b).count();
        let bit = (again[at] ^ found[at]).trailing_zeros() as Size;
        let [from_bits, to_bits] = self.bits();
        let [from, to] = self.digits();
        let index = to.index(((start + at) as Size * 8 + bit) / to_bits);
        let slot = index.and_then(|index| from.offset(&index));
        Ok(Some(slot.unwrap_or(0) as u64 * from_bits as u64 / 8))
    }

    /// The first element, in a range of the destination's bytes, of which a byte of the source loses its value when it gets
    /// narrower: when it is widened again, it is another byte. Padding may hold anything.
    pub(super) fn lost(&self, part: Range<usize>, src: &[u8]) -> Option<ErrorKind> {
        let is_signed = self.relayout.destination().element_type().is_signed_integer();
        let [_, bits] = self.bits();
        let changed = |byte: u8| byte ^ narrowed(byte, bits as u32, is_signed);
        let keeps = |bytes: &[u8]| bytes.iter().fold(0, |lost, &byte| lost | changed(byte)) == 0;
        if src.chunks(4096).all(keeps) {
            return None;
        }
        let [from, to] = self.digits();
        let mut lost = src.iter().enumerate().filter(|(_, byte)| changed(**byte) != 0);
        lost.find_map(|(slot, &value)| {
            let index = from.index(slot as Size)?;
            let byte = to.offset(&index)? * bits / 8;
            part.contains(&(byte as usize)).then(|| {
                let index = index.iter().map(|&at| at as u64).collect();
                ErrorKind::Narrow { index, value, bits: bits as usize, is_signed }
            })
        })
    }

    /// Bits of an element in the source and in the destination.
    fn bits(&self) -> [Size; 2] {
        [self.relayout.source(), self.relayout.destination()].map(ArrayShape::element_bits)
    }

    fn digits(&self) -> [Digits; 2] {
        [self.relayout.source(), self.relayout.destination()].map(|shape| match shape.digits() {
            Ok(digits) => digits,
            Err(error) => unreachable!("planned before: {error}"),
        })
    }
}

/// The low bits of a byte, widened again: by their sign, or by zeros.
const fn narrowed(byte: u8, bits: u32, is_signed: bool) -> u8 {
    let unused = 8 - bits;
    let high = byte << unused;
    if is_signed { (high as i8 >> unused) as u8 } else { high >> unused }
}

/// The parts of a tensor that is copied.
pub(super) fn chunks(bytes: usize) -> Box<dyn Iterator<Item = Range<usize>>> {
    let starts = (0..bytes).step_by(PART);
    Box::new(starts.map(move |start| start..bytes.min(start.saturating_add(PART))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each bit of an element counts, and none of padding: whatever the widths, the tiles and the part.
    #[test]
    fn a_difference_is_one_of_elements() {
        for (from, to) in [
            ("u8[5,7]", "u8[5,7]{0,1}"),
            ("f32[19,300]", "f32[19,300]{1,0:T(8,128)}"),
            ("bf16[19,300]{0,1:T(2,4)}", "bf16[19,300]{1,0:T(8,128)(2,1)}"),
            ("s8[2,9,5]", "s8[2,9,5]{0,2,1:T(*,4)}"),
            ("c128[3,2]", "c128[3,2]{0,1}"),
            ("u4[5,8]{1,0:E(4)}", "u4[5,8]{0,1:E(4)}"),
            ("s4[5,8]", "s4[5,8]{0,1:PAD(13,9)FILL(lowest)E(4)}"),
            ("u4[3]{0:E(4)}", "u4[3]{0:PAD(5)FILL(highest)E(4)}"),
            ("s2[5,7]{1,0:E(2)}", "s2[5,7]{0,1}"),
            ("u1[5,7]{1,0:E(1)}", "u1[5,7]{0,1:T(8)E(1)}"),
            ("f32[]", "f32[]{:T(4)}"),
            ("f32[3,0]", "f32[3,0]{0,1}"),
        ] {
            let shapes = [from, to].map(|text| text.parse::<ArrayShape>().expect(text));
            let making = Making::new(&shapes, Some(InstructionSet::Portable));
            let back = Relayout::new(&shapes[1], &shapes[0]).expect("a copy");
            let mut src =
                (0..making.relayout.source_bytes()).map(|at| (at * 7) as u8).collect::<Vec<_>>();
            if making.bits() == [8, 4] {
                // Values that the narrower elements hold.
                src.iter_mut().for_each(|value| *value = narrowed(*value, 4, true));
            }
            let mut found = vec![0; making.relayout.destination_bytes()];
            making.make(0..found.len(), &src, &mut found).expect("it fits");
            let middle = found.len() / 3 / 16 * 16;
            let mut again = Vec::new();
            let mut differs = |found: &[u8]| {
                [0..middle, middle..found.len()].into_iter().any(|part| {
                    let found = &found[part.clone()];
                    let difference = making.difference(part.start, &src, found, &mut again);
                    difference.expect("it fits").is_some()
                })
            };
            assert!(!differs(&found), "{from} {to}");
            for at in (0..found.len()).step_by(found.len() / 50 + 1) {
                found[at] ^= 1;
                let mut returned = src.clone();
                back.run(&found, &mut returned, Padding::Leave).expect("it fits");
                assert_eq!(differs(&found), returned != src, "{from} {to} {at}");
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
            let making = Making::new(&shapes, None);
            let src = vec![0; making.relayout.source_bytes()];
            let mut dst = vec![0; making.relayout.destination_bytes()];
            let difference = |dst: &[u8]| making.difference(0, &src, dst, &mut Vec::new());
            assert_eq!(difference(&dst).expect("it fits"), None);
            dst[changed] ^= 1;
            assert_eq!(difference(&dst).expect("it fits"), Some(expected), "{from} {to}");
        }
    }
}
