//! Memory slot by slot: elements of whole bytes, and packed ones.

use std::fmt::Debug;
use std::marker::PhantomData;

use layout::Padding;
use layout::element::PackedValue;

use crate::bits::{get, set};
use crate::copies::region::{Held, anywhere};
use crate::random::Random;

/// Memory, slot by slot.
pub trait Slots: Clone {
    /// What memory is made of.
    type Unit: Copy + PartialEq;
    /// What a slot holds.
    type Elem: Copy + PartialEq + Debug;
    /// All of it.
    fn units(&self) -> &[Self::Unit];
    /// All of it, to write.
    fn units_mut(&mut self) -> &mut [Self::Unit];
    /// The element of a slot.
    fn get(&self, slot: usize) -> Self::Elem;
    /// Writes the element of a slot.
    fn set(&mut self, slot: usize, value: Self::Elem);
    /// Whether the bytes around it are as they were.
    fn is_kept(&self) -> bool;
}

impl<T: Copy + PartialEq + Debug> Slots for Held<T> {
    type Unit = T;
    type Elem = T;

    fn units(&self) -> &[T] {
        self
    }

    fn units_mut(&mut self) -> &mut [T] {
        self
    }

    fn get(&self, slot: usize) -> T {
        self[slot]
    }

    fn set(&mut self, slot: usize, value: T) {
        self[slot] = value;
    }

    fn is_kept(&self) -> bool {
        self.is_kept()
    }
}

/// Packed elements, which are read as `E`.
#[derive(Clone, Debug)]
pub struct Bits<E> {
    bytes: Held<u8>,
    width: usize,
    is_high: bool,
    elements: PhantomData<E>,
}

impl<E> Bits<E> {
    /// The slot as it counts from the low end of each byte.
    fn counted_from_low(&self, slot: usize) -> usize {
        if self.is_high { slot ^ (8 / self.width - 1) } else { slot }
    }
}

impl<E: PackedValue> Slots for Bits<E> {
    type Unit = u8;
    type Elem = E;

    fn units(&self) -> &[u8] {
        &self.bytes
    }

    fn units_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn get(&self, slot: usize) -> E {
        *E::of_bits(
            get(&self.bytes, self.counted_from_low(slot), self.width) as u8,
            self.width as u32,
        )
    }

    fn set(&mut self, slot: usize, value: E) {
        let slot = self.counted_from_low(slot);
        set(&mut self.bytes, slot, self.width, value.byte().into());
    }

    fn is_kept(&self) -> bool {
        self.bytes.is_kept()
    }
}

/// A kind of padding, and what it becomes.
pub(super) type Padded<T> = (Padding<T>, Option<T>);

type New<M> = dyn Fn(usize, &mut Random) -> M;

/// How elements stand in memory.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Format<M: Slots> {
    pub(super) new: Box<New<M>>,
    pub(super) paddings: Vec<Padded<M::Elem>>,
}

impl<M: Slots> Format<M> {
    /// The same in a layout that declares its padding to be a value, or nothing.
    pub fn declaring(mut self, value: Option<M::Elem>) -> Format<M> {
        self.paddings.push((Padding::Declared, value));
        self
    }
}

/// Elements of whole bytes, made of random numbers.
pub fn values<T: Copy + PartialEq + Debug + 'static>(
    of: fn(u32) -> T,
    zero: Option<T>,
) -> Format<Held<T>> {
    let number = |random: &mut Random| (random.below(1 << 16) << 16 | random.below(1 << 16)) as u32;
    let mut paddings = vec![(Padding::Leave, None), (Padding::Fill(of(77)), Some(of(77)))];
    paddings.extend(zero.map(|zero| (Padding::Zero, Some(zero))));
    Format {
        new: Box::new(move |slots, random| {
            let elements = (0..slots).map(|_| of(number(random))).collect::<Vec<_>>();
            Held::new(&elements, anywhere(random))
        }),
        paddings,
    }
}

/// Elements of so many bits, in either order within bytes.
pub fn bits<E: PackedValue>(width: usize, is_high: bool) -> Format<Bits<E>> {
    let fill = |bits| (Padding::Fill(*E::of_bits(bits, width as u32)), bits);
    let paddings = [(Padding::Zero, 0), fill(0), fill(1)];
    let paddings = paddings.map(|(padding, bits)| (padding, Some(*E::of_bits(bits, width as u32))));
    Format {
        new: Box::new(move |slots, random| {
            let bytes = (0..(slots * width).div_ceil(8)).map(|_| random.below(256) as u8);
            let bytes = Held::new(&bytes.collect::<Vec<_>>(), anywhere(random));
            Bits { bytes, width, is_high, elements: PhantomData }
        }),
        paddings: paddings.into_iter().chain([(Padding::Leave, None)]).collect(),
    }
}
