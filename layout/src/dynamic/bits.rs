//! Elements of any width as their bits.

use core::ops::Range;

use layout_core::__private::native;

use crate::dynamic::layout::DynLayout;
use crate::memory::{BitFormat, Packed, storage::Format};

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

impl AnyWidth {
    /// The bytes that hold a slot, how far its bits are shifted in the first one, and how many of its bits a number has.
    fn place(self, slot: usize) -> (Range<usize>, usize, usize) {
        // Every eighth slot begins a byte. Where 32 bits count the bytes of an array, they need not count its bits.
        let AnyWidth(width) = self;
        let (within, kept) = (slot % 8 * width, width.min(128));
        let start = slot / 8 * width + within / 8;
        (start..start + (within % 8 + kept).div_ceil(8), within % 8, kept)
    }

    /// Where one of the bytes of an element lies, of which the lowest has number 0.
    fn byte(self, at: &Range<usize>, number: usize) -> usize {
        let is_reversed = cfg!(target_endian = "big") && self.0.is_multiple_of(8);
        if is_reversed { at.end - 1 - number } else { at.start + number }
    }
}

impl BitFormat for AnyWidth {
    fn get(self, bytes: &[u8], slot: usize) -> u128 {
        let ((at, shift, kept), mut bits) = (self.place(slot), 0);
        for number in 0..at.len() {
            let byte = u128::from(bytes[self.byte(&at, number)]);
            bits |= if number == 0 { byte >> shift } else { byte << (8 * number - shift) };
        }
        bits & u128::MAX >> (128 - kept)
    }

    fn put(self, bytes: &mut [u8], slot: usize, bits: u128) {
        let (AnyWidth(width), (at, shift, kept)) = (self, self.place(slot));
        debug_assert!(width <= 128 || width.is_multiple_of(8), "wide elements take whole bytes");
        let mask = u128::MAX >> (128 - kept);
        for number in 0..at.len() {
            let part = |bits: u128| {
                let part = if number == 0 { bits << shift } else { bits >> (8 * number - shift) };
                part as u8
            };
            let byte = &mut bytes[self.byte(&at, number)];
            *byte = *byte & !part(mask) | part(bits & mask);
        }
        // What an element has above the bits of a number.
        bytes[at.end..at.end + (width - kept) / 8].fill(0);
    }
}
