//! How the bytes of a tensor in a new layout are made.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::ops::Range;

use layout::{CopyError, Padding, Plan};
use layout_core::{ArrayShape, Digits, Size};

use crate::error::ErrorKind;

/// Bytes of a part: what the second cache holds, so that the copy is still there when it is written.
const PART: usize = 1 << 20;

/// A copy between two layouts of an array.
#[derive(Debug)]
pub(crate) struct LayoutCopy(Plan);

impl LayoutCopy {
    pub(crate) fn new([from, to]: &[ArrayShape; 2]) -> Result<LayoutCopy, ErrorKind> {
        let plan = Plan::new(from, to).map_err(|error| {
            let [from, to] = [from, to].map(ArrayShape::to_string);
            ErrorKind::Plan { from, to, error: Box::new(error) }
        })?;
        Ok(LayoutCopy(plan))
    }

    /// The layouts before and after.
    pub(crate) fn layouts(&self) -> [&ArrayShape; 2] {
        [self.0.source(), self.0.destination()]
    }

    /// Bytes in each.
    pub(crate) fn bytes(&self) -> [u64; 2] {
        [self.0.source_bytes(), self.0.destination_bytes()].map(|bytes| bytes as u64)
    }

    /// Bits of an element in each.
    fn bits(&self) -> [Size; 2] {
        self.layouts().map(ArrayShape::element_bits)
    }

    /// Whether bytes become narrower elements.
    pub(crate) fn narrows(&self) -> bool {
        let [from, to] = self.bits();
        from > to
    }

    /// The parts of the new tensor that are written one after another.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = Range<usize>>> {
        Box::new(self.0.parts(PART))
    }

    pub(crate) fn make(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), CopyError> {
        // Bits after the last element.
        if let Some(last) = dst.last_mut() {
            *last = 0;
        }
        let to = self.0.destination();
        let declared = to.fill().and_then(|fill| fill.bits(to.element_type()));
        let padding = declared.map_or(Padding::Zero, Padding::Fill);
        self.0.part(part)?.run_bytes(src, dst, padding)
    }

    /// The first element, in a range of the destination's bytes, of which a byte of the source loses its value when it gets
    /// narrower: when it is widened again, it is another byte. Padding may hold anything.
    pub(crate) fn lost(&self, part: Range<usize>, src: &[u8]) -> Option<ErrorKind> {
        let is_signed = self.0.destination().element_type().is_signed_integer();
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

    fn digits(&self) -> [Digits; 2] {
        self.layouts().map(|shape| match shape.digits() {
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
