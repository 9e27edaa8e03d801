//! A pair of layouts with memory.

use std::fmt::Debug;

use layout::__private::core::native;
use layout::copies::{Placed, Settings};
use layout::shape::Size;
use layout::{ArrayShape, Padding, Plan};

use super::region::{Held, anywhere};
use crate::bits::{get, set, value};
use crate::lists::array;
use crate::naive;
use crate::pairs::Pair;
use crate::random::Random;
use crate::strides::Place;

/// What stands in a byte before it is written.
pub(super) const BEFORE: u8 = 0x5a;

/// Numbers of what stands in memory before a copy, and of padding.
const VALUES: [u32; 2] = [9_999_999, 7_777_777];

/// A pair of layouts, and what every copy between them reads.
#[derive(Clone, Debug)]
pub struct Case {
    /// The layouts.
    pub pair: Pair,
    /// The layouts as values.
    pub shapes: [ArrayShape; 2],
    /// The row-major number of each slot's element, or padding.
    pub memories: [Vec<Option<Size>>; 2],
    /// Strides in the place of a layout.
    places: [Option<Place>; 2],
    /// The slot of each element, in row-major order.
    pub slots: [Vec<usize>; 2],
    /// The source.
    pub source: Held<u8>,
    /// The plan.
    pub plan: Plan,
    /// Whether more is tried than in the ordinary run: a failure is known.
    pub is_thorough: bool,
}

/// The plan between layouts or strides, of elements of `bytes` bytes if that is said.
fn plan(shapes: &[ArrayShape; 2], places: &[Option<Place>; 2], bytes: Option<usize>) -> Plan {
    let [from, to] = [0, 1].map(|side| {
        let placed = match &places[side] {
            Some(place) => Placed::strides(&shapes[side], &place.strides),
            None => Placed::from(&shapes[side]),
        };
        bytes.map_or(placed, |bytes| placed.element_bytes(bytes))
    });
    Plan::between(from, to).unwrap_or_else(|error| panic!("{error}: {from:?} to {to:?}"))
}

/// Any bytes.
fn source(plan: &Plan, random: &mut Random) -> Held<u8> {
    let bytes = (0..plan.source_bytes()).map(|at| value(at as Size, 8) as u8);
    Held::new(&bytes.collect::<Vec<_>>(), anywhere(random))
}

impl Case {
    /// Plans the copy, and makes the source.
    ///
    /// # Panics
    /// If the library does not read a layout, or does not copy it.
    pub fn new(pair: Pair, random: &mut Random) -> Case {
        let memories = pair.layouts.each_ref().map(|naive| match naive.dims.contains(&0) {
            true => Vec::new(),
            false => naive.memory(),
        });
        Case::in_memories(pair, memories, random)
    }

    /// This case with other elements.
    pub(super) fn of_elements(&self, pair: Pair, random: &mut Random) -> Case {
        Case::in_memories(pair, self.memories.clone(), random)
    }

    fn in_memories(pair: Pair, memories: [Vec<Option<Size>>; 2], random: &mut Random) -> Case {
        let shapes = pair.texts().each_ref().map(|text| array(text));
        let slots = memories.each_ref().map(|memory| naive::slots(memory));
        let plan = plan(&shapes, &[None, None], None);
        let source = source(&plan, random);
        let places = [None, None];
        Case { pair, shapes, memories, places, slots, source, plan, is_thorough: false }
    }

    /// The case with strides in the place of one layout or of both.
    pub fn strided(&self, random: &mut Random) -> Case {
        let dims = self.pair.layouts[0].dims.iter().map(|size| native(*size)).collect::<Vec<_>>();
        let which = random.below(3);
        let places = [which != 1, which != 0];
        let places =
            [0, 1].map(|side| places[side].then(|| Place::random(&dims, side == 0, random)));
        let slots = [0, 1].map(|side| match &places[side] {
            Some(place) => place.slots.clone(),
            None => self.slots[side].clone(),
        });
        let plan = plan(&self.shapes, &places, None);
        Case { places, slots, source: source(&plan, random), plan, ..self.clone() }
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

    /// The slots of the destination that padding is written to: none of what lies between strides.
    fn paddings(&self) -> impl Iterator<Item = usize> {
        let memory = match self.places[1] {
            Some(_) => &[][..],
            None => &self.memories[1],
        };
        memory.iter().enumerate().filter(|(_, number)| number.is_none()).map(|(slot, _)| slot)
    }

    /// What the destination holds after the copy.
    pub fn expected(&self, padding: Padding<u128>) -> Vec<u8> {
        self.expected_of(&self.source, padding)
    }

    /// The same of another source.
    pub fn expected_of(&self, source: &[u8], padding: Padding<u128>) -> Vec<u8> {
        let filled = match padding {
            Padding::Leave => None,
            Padding::Zero => Some(0),
            Padding::Fill(value) => Some(value),
            Padding::Declared => {
                self.shapes[1].fill().and_then(|fill| fill.bits(self.shapes[1].element_type()))
            }
        };
        let [from_bits, bits] = self.pair.bits;
        let narrow = from_bits.min(bits);
        let is_extended = bits > from_bits && self.shapes[0].element_type().is_signed_integer();
        let mut expected = vec![BEFORE; self.plan.destination_bytes()];
        for (slot, value) in self.paddings().filter_map(|slot| Some((slot, filled?))) {
            set(&mut expected, slot, bits, value);
        }
        let [from, to] = &self.slots;
        for (from, to) in from.iter().zip(to) {
            // High bits of what is packed do not matter.
            let value = get(source, *from, from_bits) & u128::MAX >> (128 - narrow);
            let is_negative = is_extended && value >> (narrow - 1) == 1;
            let high_bits = if is_negative { 0xff << narrow & 0xff } else { 0 };
            set(&mut expected, *to, bits, value | high_bits);
        }
        expected
    }

    /// Copies elements of a type, made of numbers of their slots, with each of some settings. Memory is at each of some places in
    /// pages: see [`Held::new`].
    ///
    /// # Panics
    /// If anything else is written, or something around the destination.
    pub fn elements<T: Copy + PartialEq + 'static>(
        &self,
        of: fn(u32) -> T,
        all: &[Settings],
        places: &[[Option<usize>; 2]],
    ) {
        let plan = self.copied(of, all, places, |plan, from, to| {
            plan.run(from, to, Padding::Leave).unwrap();
        });
        let [before, padding] = VALUES.map(of);
        let (source, length) = (source_of(&plan, of), plan.destination_bytes() / size_of::<T>());
        let (mut found, mut made) = (vec![before; length], Vec::new());
        plan.run(&source, &mut found[..], padding).unwrap();
        self.assert_same(&found, &self.held(length, of, [before, padding]), &"with padding");
        plan.run(&source, &mut made, padding).unwrap();
        self.assert_same(&made, &self.held(length, of, [padding; 2]), &"new memory");
    }

    /// Copies elements of `N` bytes in memory of bytes, as [`elements`](Self::elements) does.
    ///
    /// # Panics
    /// As [`elements`](Self::elements).
    pub fn bytes<const N: usize>(&self, all: &[Settings], places: &[[Option<usize>; 2]]) {
        let of =
            |number: u32| std::array::from_fn(|at| value(number as Size, 64).to_le_bytes()[at % 8]);
        self.copied::<[u8; N]>(of, all, places, |plan, from, to| {
            plan.run_bytes(from.as_flattened(), to.as_flattened_mut(), Padding::Leave).unwrap();
        });
    }

    fn copied<T: Copy + PartialEq>(
        &self,
        of: fn(u32) -> T,
        all: &[Settings],
        places: &[[Option<usize>; 2]],
        copy: impl Fn(&Plan, &[T], &mut [T]),
    ) -> Plan {
        let plan = plan(&self.shapes, &self.places, Some(size_of::<T>()));
        let source = source_of(&plan, of);
        let unwritten = of(VALUES[0]);
        let before = vec![unwritten; plan.destination_bytes() / size_of::<T>()];
        let expected = self.held(before.len(), of, [unwritten; 2]);
        for (settings, place) in all.iter().flat_map(|all| places.iter().map(move |at| (all, at))) {
            let plan = plan.clone().with_settings(*settings);
            let (from, mut to) = (Held::new(&source, place[0]), Held::new(&before, place[1]));
            copy(&plan, &from, &mut to);
            self.assert_same(&to, &expected, &(settings, place));
            assert!(to.is_kept(), "around {:?}, {place:?}", self.pair.texts());
        }
        plan
    }

    /// Memory of such elements: around them a value, or padding another one.
    fn held<T: Copy>(&self, length: usize, of: fn(u32) -> T, [before, padding]: [T; 2]) -> Vec<T> {
        let mut memory = vec![before; length];
        self.paddings().for_each(|slot| memory[slot] = padding);
        let [from, to] = &self.slots;
        from.iter().zip(to).for_each(|(from, to)| memory[*to] = of(number(*from)));
        memory
    }

    fn assert_same<T: PartialEq>(&self, found: &[T], expected: &[T], what: &dyn Debug) {
        if found != expected {
            let at = found.iter().zip(expected).position(|(found, expected)| found != expected);
            let (texts, places, bytes) = (self.pair.texts(), &self.places, size_of::<T>());
            panic!("element {at:?}: {bytes} bytes of {texts:?}, {places:?}, {what:?}");
        }
    }
}

fn source_of<T>(plan: &Plan, of: fn(u32) -> T) -> Vec<T> {
    (0..plan.source_bytes() / size_of::<T>()).map(|slot| of(number(slot))).collect()
}

/// A number for a slot, whose low bits tell it from its neighbours too.
fn number(slot: usize) -> u32 {
    value(slot as Size, 32) as u32
}
