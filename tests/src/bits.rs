//! Memories of elements of any number of bits, slot by slot.

use layout::ArrayShape;
use layout::shape::Size;

use crate::lists::array;
use crate::naive::Naive;

/// The bits of an element of whole bytes in memory, the lowest in the first byte, of its value; and back.
fn in_memory(value: u128, bits: usize) -> u128 {
    if cfg!(target_endian = "big") { value.swap_bytes() >> (128 - bits) } else { value }
}

/// The bits of the value at a slot of the memory.
pub fn get(memory: &[u8], slot: usize, bits: usize) -> u128 {
    if bits >= 8 {
        let mut stored = [0; 16];
        stored[..bits / 8].copy_from_slice(&memory[slot * bits / 8..][..bits / 8]);
        return in_memory(u128::from_le_bytes(stored), bits);
    }
    // A byte has a whole number of slots.
    let at = slot * bits;
    u128::from(memory[at / 8] >> (at % 8)) & ((1 << bits) - 1)
}

/// Writes the bits of a value to a slot.
pub fn set(memory: &mut [u8], slot: usize, bits: usize, value: u128) {
    if bits >= 8 {
        let value = in_memory(value, bits);
        memory[slot * bits / 8..][..bits / 8].copy_from_slice(&value.to_le_bytes()[..bits / 8]);
        return;
    }
    let (byte, shift) = (&mut memory[slot * bits / 8], slot * bits % 8);
    let mask = (1_u8 << bits) - 1;
    *byte = *byte & !(mask << shift) | (value as u8 & mask) << shift;
}

/// What element number `number` holds.
pub fn value(number: Size, bits: usize) -> u128 {
    let hash = (number as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    if bits == 128 { hash } else { hash >> 64 & ((1 << bits) - 1) }
}

/// The layout with elements of so many bits.
///
/// # Panics
/// If the naive model writes what the library does not read.
pub fn shape(naive: &Naive, element: &str, bits: usize) -> ArrayShape {
    array(&text(naive, element, bits, |_, size| size.to_string()))
}

/// Its text, with something else in the place of some sizes.
pub fn text(
    naive: &Naive,
    element: &str,
    bits: usize,
    size: impl Fn(usize, Size) -> String,
) -> String {
    let property = match array(&format!("{element}[]")).element_bits() == bits as Size {
        true => String::new(),
        false => format!("E({bits})"),
    };
    naive.text_with(element, &property, size)
}
