//! How the bytes of a tensor in a new layout are made.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::ops::Range;
use std::sync::Arc;

use layout::copies::Settings;
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
    /// For layouts between which a copy was planned before.
    pub(super) fn new([from, to]: &[ArrayShape; 2]) -> Making {
        // Parts are written to one buffer again and again.
        let settings = Settings { streams: Some(false), ..Settings::default() };
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
    ) -> &'b Making {
        let kept = last.take().filter(|last| Arc::ptr_eq(last.0, pair));
        &last.insert(kept.unwrap_or_else(|| (pair, Making::new(&pair.layouts)))).1
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
