//! Elements of any width as their bits.

use core::ops::Range;

use layout_core::__private::native;

use crate::dynamic::layout::DynLayout;
use crate::memory::storage::Format;
use crate::memory::{BitFormat, Packed};

/// Elements of any number of bits, read and written as numbers: bits above those of an element are 0, and of wider elements than a number has there
/// are the low ones.
#[derive(Clone, Copy, Debug)]
pub struct AnyWidth(usize);

/// Bytes with the elements of a layout.
pub type DynBits<B> = Packed<B, AnyWidth>;

impl DynLayout {
    pub(super) fn bits<B>(&self, bytes: B) -> DynBits<B> {
        let width = native(self.shape().element_bits());
        Packed::new(bytes, AnyWidth(width), self.padded_elements())
    }
}

impl Format for AnyWidth {
    type Value = u128;
    type Unit = u8;
}

impl BitFormat for AnyWidth {
    fn get(self, bytes: &[u8], slot: usize) -> u128 {
        bits_of(bytes, self.0, slot)
    }

    fn put(self, bytes: &mut [u8], slot: usize, bits: u128) {
        set_bits(bytes, self.0, slot, bits);
    }
}

/// The bytes that hold a slot, how far its bits are shifted in the first one, and how many of its bits a number has.
fn place(width: usize, slot: usize) -> (Range<usize>, usize, usize) {
    // Every eighth slot begins a byte. Where 32 bits count the bytes of an array, they need not count its bits.
    let (within, kept) = (slot % 8 * width, width.min(128));
    let start = slot / 8 * width + within / 8;
    (start..start + (within % 8 + kept).div_ceil(8), within % 8, kept)
}

/// The bits of a slot.
fn bits_of(bytes: &[u8], width: usize, slot: usize) -> u128 {
    let (at, shift, kept) = place(width, slot);
    let mut bits = 0;
    for (number, byte) in in_order(&bytes[at], width).enumerate() {
        let byte = u128::from(*byte);
        bits |= if number == 0 { byte >> shift } else { byte << (8 * number - shift) };
    }
    bits & u128::MAX >> (128 - kept)
}

/// Bytes of an element, the lowest one first.
fn in_order(bytes: &[u8], width: usize) -> impl Iterator<Item = &u8> {
    let is_reversed = cfg!(target_endian = "big") && width.is_multiple_of(8);
    let length = bytes.len();
    (0..length).map(move |at| &bytes[if is_reversed { length - 1 - at } else { at }])
}

/// Writes the bits of a slot.
fn set_bits(bytes: &mut [u8], width: usize, slot: usize, bits: u128) {
    let (at, shift, kept) = place(width, slot);
    debug_assert!(width <= 128 || width.is_multiple_of(8), "wide elements take whole bytes");
    let mask = u128::MAX >> (128 - kept);
    let length = at.len();
    let is_reversed = cfg!(target_endian = "big") && width.is_multiple_of(8);
    for number in 0..length {
        let part = |bits: u128| {
            let part = if number == 0 { bits << shift } else { bits >> (8 * number - shift) };
            part as u8
        };
        let place = at.start + if is_reversed { length - 1 - number } else { number };
        bytes[place] = bytes[place] & !part(mask) | part(bits & mask);
    }
    // What an element has above the bits of a number.
    bytes[at.end..at.end + (width - kept) / 8].fill(0);
}
