//! A pair of layouts with memory.

use layout::__private::core::native;
use layout::shape::Size;
use layout::{ArrayShape, Padding, Plan};

use crate::bits::{get, set, value};
use crate::naive::slots;
use crate::pairs::Pair;
use crate::random::Random;

/// What stands in a byte before it is written.
pub(super) const BEFORE: u8 = 0x5a;

/// A pair of layouts, and what every copy between them reads.
#[derive(Debug)]
pub struct Case {
    /// The layouts.
    pub pair: Pair,
    /// The layouts as values.
    pub shapes: [ArrayShape; 2],
    /// The row-major number of each slot's element, or padding.
    pub memories: [Vec<Option<Size>>; 2],
    /// The source, and before it some bytes that bring it out of alignment.
    pub source: Vec<u8>,
    pub(super) lead: usize,
    /// The plan.
    pub plan: Plan,
    /// Whether more is tried than in the ordinary run: a failure is known.
    pub is_thorough: bool,
}

impl Case {
    /// Plans the copy, and makes the source.
    ///
    /// # Panics
    /// If the library does not read a layout, or does not copy it.
    pub fn new(pair: Pair, random: &mut Random) -> Case {
        let shapes = pair.texts().each_ref().map(|text| crate::lists::array(text));
        let memories = pair.layouts.each_ref().map(|naive| match naive.dims.contains(&0) {
            true => Vec::new(),
            false => naive.memory(),
        });
        let plan = Plan::new(&shapes[0], &shapes[1]).unwrap_or_else(|error| panic!("{error}"));
        let [bits, _] = pair.bits;
        let narrow = pair.bits[0].min(pair.bits[1]);
        let lead = random.below(2) * random.below(16);
        let mut source = vec![0xa5; lead + plan.source_bytes()];
        for (slot, number) in memories[0].iter().enumerate() {
            if let Some(number) = number {
                // High bits of what is packed do not matter.
                let noise = u128::MAX.checked_shl(narrow as u32).unwrap_or(0);
                let noise = value(number ^ 0x55, bits) & noise;
                set(&mut source[lead..], slot, bits, value(*number, narrow) | noise);
            }
        }
        Case { pair, shapes, memories, source, lead, plan, is_thorough: false }
    }

    /// The memory that is read.
    pub fn source(&self) -> &[u8] {
        &self.source[self.lead..]
    }

    /// Bytes of the destination that a range has to begin and end at.
    pub fn step(&self) -> usize {
        (self.pair.bits[1] / 8).max(1)
    }

    /// One of the ways to treat padding.
    pub fn padding(&self, random: &mut Random) -> Padding<u128> {
        match random.below(4) {
            0 => Padding::Leave,
            1 => Padding::Zero,
            2 => Padding::Declared,
            _ => Padding::Fill(value(77, self.pair.bits[1])),
        }
    }

    /// What the destination holds after the copy.
    pub fn expected(&self, padding: Padding<u128>) -> Vec<u8> {
        self.expected_of(self.source(), padding)
    }

    /// The same of another source.
    pub fn expected_of(&self, source: &[u8], padding: Padding<u128>) -> Vec<u8> {
        let slots = slots(&self.memories[0]);
        let filled = match padding {
            Padding::Leave => None,
            Padding::Zero => Some(0),
            Padding::Fill(value) => Some(value),
            Padding::Declared => {
                self.shapes[1].fill().and_then(|fill| fill.bits(self.shapes[1].element_type()))
            }
        };
        let [from, bits] = self.pair.bits;
        let narrow = from.min(bits);
        let is_extended = bits > from && self.shapes[0].element_type().is_signed_integer();
        let mut expected = vec![BEFORE; (self.memories[1].len() * bits).div_ceil(8)];
        for (slot, number) in self.memories[1].iter().enumerate() {
            let value = match number {
                Some(number) => {
                    match get(source, slots[native(*number)], from) & u128::MAX >> (128 - narrow) {
                        value if is_extended && value >> (narrow - 1) == 1 => {
                            value | 0xff << narrow & 0xff
                        }
                        value => value,
                    }
                }
                None => match filled {
                    Some(value) => value,
                    None => continue,
                },
            };
            set(&mut expected, slot, bits, value);
        }
        expected
    }
}
