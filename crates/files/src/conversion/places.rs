//! Whether each slot of a converted tensor holds what it should, asked of the digits of both layouts, slot by slot.
//!
//! `--check` rests on this, so it shares nothing with what copies: no `Plan`, no part, no walk, no run, no
//! kernel. `Digits::offset` is what a layout means, and is tested against tiling done literally; `Digits::index` is its
//! inverse, and gives no index whose offset is another one. It is slow. Let it stay as simple as this: what makes a copy
//! fast is what may be wrong in it.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::ops::Range;

use layout_core::{ArrayShape, Digits, Size};

/// The layouts of a tensor before and after, asked for one place at a time.
pub(super) struct Places {
    digits: [Digits; 2],
    /// Bits of an element in each.
    bits: [u32; 2],
    is_signed: bool,
    /// Slots of the new tensor.
    slots: Size,
    /// The bits of a padding slot.
    padding: u128,
}

/// A slot of the new tensor that holds something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrongSlot {
    pub slot: Size,
    /// The element that belongs there, and its slot in the source; none in padding.
    pub element: Option<(Vec<u64>, Size)>,
    pub expected: u128,
    pub found: u128,
}

impl Places {
    /// Of layouts between which a copy was planned: their sizes are known, and elements are 1, 2, 4, or 8 to 128 bits.
    pub(super) fn new(layouts: [&ArrayShape; 2]) -> Places {
        let digits = layouts.map(|layout| match layout.digits() {
            Ok(digits) => digits,
            Err(error) => unreachable!("planned before: {error}"),
        });
        let [_, to] = layouts;
        let element = to.element_type();
        let bits = layouts.map(|layout| layout.element_bits() as u32);
        let declared = to.fill().and_then(|fill| fill.bits(element)).unwrap_or(0);
        Places {
            digits,
            bits,
            is_signed: element.is_signed_integer(),
            slots: to.padded_elements().unwrap_or(0),
            padding: low(declared, bits[1]),
        }
    }

    /// Bits of an element before and after.
    pub(super) const fn bits(&self) -> [u32; 2] {
        self.bits
    }

    /// Slots of the new tensor, padding included.
    pub(super) const fn slots(&self) -> Size {
        self.slots
    }

    /// Elements of the array.
    pub(super) const fn elements(&self) -> Size {
        self.digits[0].elements()
    }

    /// The slot of an element in the new tensor.
    pub(super) fn slot(&self, index: &[Size]) -> Option<Size> {
        self.digits[1].offset(index)
    }

    /// Compares slots, of which the first one is the first of the bytes `found`: how many of them are elements, or the
    /// first one that is wrong.
    pub(super) fn compare(
        &self,
        source: &[u8],
        slots: Range<Size>,
        found: &[u8],
    ) -> Result<Size, WrongSlot> {
        let [from, to] = &self.digits;
        let mut elements = 0;
        for (number, slot) in slots.enumerate() {
            let found = bits_at(found, self.bits[1], number as Size);
            let index = to.index(slot);
            let (element, expected) = match &index {
                Some(index) => {
                    debug_assert_eq!(to.offset(index), Some(slot));
                    let slot = from.offset_unchecked(index);
                    elements += 1;
                    (Some((index, slot)), self.converted(bits_at(source, self.bits[0], slot)))
                }
                None => (None, self.padding),
            };
            if found != expected {
                let numbers = |index: &[Size]| index.iter().map(|&at| at as u64).collect();
                let element = element.map(|(index, slot)| (numbers(index), slot));
                return Err(WrongSlot { slot, element, expected, found });
            }
        }
        Ok(elements)
    }

    /// The bits of an element in the new tensor: the low ones, or all of them and above those its sign or zeros.
    const fn converted(&self, bits: u128) -> u128 {
        let [from, to] = self.bits;
        let is_negative = self.is_signed && bits >> (from - 1) & 1 == 1;
        let above = if is_negative && to > from { !low(u128::MAX, from) } else { 0 };
        low(bits | above, to)
    }
}

/// The low bits of a number.
const fn low(number: u128, bits: u32) -> u128 {
    number & u128::MAX >> (128 - bits)
}

/// The bits of a slot. Of elements narrower than a byte, the first one of a byte is its low bits.
fn bits_at(memory: &[u8], bits: u32, slot: Size) -> u128 {
    let first = slot as u64 * u64::from(bits);
    let byte = (first / 8) as usize;
    if bits < 8 {
        return low(u128::from(memory[byte] >> (first % 8)), bits);
    }
    let mut number = [0; 16];
    let bytes = (bits / 8) as usize;
    number[..bytes].copy_from_slice(&memory[byte..byte + bytes]);
    u128::from_le_bytes(number)
}
