//! Elements narrower than a byte as storage.
#![allow(unsafe_code, reason = "the traits of storage ask for promises that bytes do not need")]

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use crate::compiled::AnyLayout;
#[cfg(all(feature = "alloc", feature = "relayout"))]
use crate::memory::place::Place;
use crate::memory::storage::{Addressed, SharedSlots, Slots, Storage, StorageMut};
use crate::types::element::{Bits, Element, PackedValue, PackedWidth};
use crate::types::layout_types::LayoutTypes;
use crate::types::sealed::Sealed;

/// Where in a byte its first element lies: [`LowFirst`] or [`HighFirst`].
pub trait BitOrder: Sealed + Copy + Send + Sync + 'static {
    #[doc(hidden)]
    const IS_HIGH_FIRST: bool;
}

/// The first element of a byte is its low bits, as in XLA.
#[derive(Clone, Copy, Debug)]
pub enum LowFirst {}

/// The first element of a byte is its high bits, as in bitmaps.
#[derive(Clone, Copy, Debug)]
pub enum HighFirst {}

impl Sealed for LowFirst {}
impl Sealed for HighFirst {}

impl BitOrder for LowFirst {
    const IS_HIGH_FIRST: bool = false;
}

impl BitOrder for HighFirst {
    const IS_HIGH_FIRST: bool = true;
}

/// What packed elements are: those of a layout, or bits ([`Bits<1>`](Bits), `Bits<2>`, `Bits<4>`).
pub trait Packing: 'static {
    /// The type as which elements are read: `i8` for signed integers, else `u8`.
    type Value: PackedValue;
    /// The bits of an element, as a type.
    type Width;
    /// Bits of an element in memory.
    const BITS: usize;
}

impl<L: AnyLayout> Packing for L {
    type Value = ValueOf<L>;
    type Width = L::Width;
    const BITS: usize = L::BITS;
}

impl<const N: usize> Packing for Bits<N>
where
    Bits<N>: PackedWidth,
{
    type Value = u8;
    type Width = Bits<N>;
    const BITS: usize = N;
}

/// The type as which packed elements of a layout are read.
pub(crate) type ValueOf<L> = <<L as LayoutTypes>::Element as Element>::Packed;

/// Borrowed bytes with packed elements: what holds the slots of a [`PackedView`](crate::PackedView), and consecutive elements of one.
pub struct Packed<'a, F, O = LowFirst> {
    bytes: &'a [u8],
    start: usize,
    length: usize,
    of: PhantomData<fn() -> (F, O)>,
}

/// Borrowed bytes with packed elements to write: what holds the slots of a [`PackedViewMut`](crate::PackedViewMut).
pub struct PackedMut<'a, F, O = LowFirst> {
    bytes: &'a mut [u8],
    of: PhantomData<fn() -> (F, O)>,
}

copy! { Packed<'a, F, O> }

impl<F, O> Sealed for Packed<'_, F, O> {}
impl<F, O> Sealed for PackedMut<'_, F, O> {}

impl<'a, F, O> Packed<'a, F, O> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        // As many elements as there can be: those of single bits.
        Packed { bytes, start: 0, length: bytes.len().saturating_mul(8), of: PhantomData }
    }

    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a, F, O> PackedMut<'a, F, O> {
    pub(crate) const fn new(bytes: &'a mut [u8]) -> Self {
        PackedMut { bytes, of: PhantomData }
    }

    pub(crate) const fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes
    }

    pub(crate) const fn into_bytes(self) -> &'a mut [u8] {
        self.bytes
    }
}

/// Byte and shift of a slot.
#[inline(always)]
const fn locate<O: BitOrder>(slot: usize, size: usize) -> (usize, u32) {
    let (number, last) = (slot % (8 / size), 8 / size - 1);
    let place = if O::IS_HIGH_FIRST { last - number } else { number };
    (slot / (8 / size), (place * size) as u32)
}

impl<F: Packing, O: BitOrder> Packed<'_, F, O> {
    #[inline(always)]
    fn value(&self, at: usize) -> &'static F::Value {
        let (byte, shift) = locate::<O>(self.start + at, F::BITS);
        let bits = self.bytes[byte] >> shift & const { mask::<F>() };
        F::Value::of_bits(bits, const { F::BITS as u32 })
    }
}

const fn mask<F: Packing>() -> u8 {
    (1 << F::BITS) - 1
}

/// The bits of a value that is written.
#[inline(always)]
#[track_caller]
fn bits_of<F: Packing>(value: F::Value) -> u8 {
    match value.to_bits(const { F::BITS as u32 }) {
        Some(bits) => bits,
        None => does_not_fit(&value, F::BITS),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit(value: &dyn fmt::Debug, bits: usize) -> ! {
    panic!("the value {value:?} does not fit in an element of {bits} bits")
}

impl<F: Packing, O: BitOrder> PackedMut<'_, F, O> {
    /// Writes the low bits to a slot.
    #[inline(always)]
    pub(crate) fn set_bits(&mut self, slot: usize, bits: u8) {
        let (byte, shift) = locate::<O>(slot, F::BITS);
        let (byte, mask) = (&mut self.bytes[byte], const { mask::<F>() });
        *byte = *byte & !(mask << shift) | (bits & mask) << shift;
    }
}

// SAFETY: values are copied.
unsafe impl<F: Packing, O: BitOrder> Slots for Packed<'_, F, O> {
    type Item = F::Value;
    type Stretch = Self;

    #[inline(always)]
    unsafe fn item(&mut self, at: usize) -> F::Value {
        *self.value(at)
    }

    #[inline(always)]
    unsafe fn stretch(&mut self, slots: Range<usize>) -> Self {
        Packed { start: self.start + slots.start, length: slots.len(), ..*self }
    }

    #[inline(always)]
    unsafe fn alias(&self) -> Self {
        *self
    }
}

impl<F: Packing, O: BitOrder> SharedSlots for Packed<'_, F, O> {
    type Part = Self;

    #[inline(always)]
    fn part(self) -> Self {
        self
    }

    #[cfg(all(feature = "alloc", feature = "relayout"))]
    fn unpacked(&self, place: &impl Place) -> Option<alloc::vec::Vec<F::Value>> {
        Some(crate::relayout::unpacked(place, *self))
    }
}

impl<'a, F: Packing, O: BitOrder> Storage for Packed<'a, F, O> {
    type Elem = F::Value;
    type Shared<'s>
        = Packed<'a, F, O>
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> Self {
        *self
    }
}

impl<F: Packing, O: BitOrder> Addressed for Packed<'_, F, O> {
    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> &F::Value {
        self.value(slot)
    }
}

impl<F: Packing, O: BitOrder> Storage for PackedMut<'_, F, O> {
    type Elem = F::Value;
    type Shared<'s>
        = Packed<'s, F, O>
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> Packed<'_, F, O> {
        Packed::new(self.bytes)
    }
}

impl<F: Packing, O: BitOrder> Addressed for PackedMut<'_, F, O> {
    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> &F::Value {
        self.shared().value(slot)
    }
}

impl<F: Packing, O: BitOrder> StorageMut for PackedMut<'_, F, O> {
    type Unique<'s>
        = PackedMut<'s, F, O>
    where
        Self: 's;

    #[inline(always)]
    fn unique(&mut self) -> PackedMut<'_, F, O> {
        PackedMut::new(self.bytes)
    }

    #[inline(always)]
    #[track_caller]
    unsafe fn put(&mut self, slot: usize, value: F::Value) {
        self.set_bits(slot, bits_of::<F>(value));
    }

    #[track_caller]
    unsafe fn fill(&mut self, slots: Range<usize>, value: F::Value) {
        let (bits, per_byte) = (bits_of::<F>(value), const { 8 / F::BITS });
        let first = slots.start.next_multiple_of(per_byte).min(slots.end);
        let last = (slots.end / per_byte * per_byte).max(first);
        (slots.start..first).for_each(|slot| self.set_bits(slot, bits));
        if first < last {
            // Once for each element of a byte.
            let pattern = (bits & const { mask::<F>() }) * const { 0xff / mask::<F>() };
            self.bytes[first / per_byte..last / per_byte].fill(pattern);
        }
        (last..slots.end).for_each(|slot| self.set_bits(slot, bits));
    }
}

/// The values of consecutive packed elements.
pub struct PackedValues<'a, F, O = LowFirst> {
    packed: Packed<'a, F, O>,
    left: Range<usize>,
}

impl<F, O> Clone for PackedValues<'_, F, O> {
    fn clone(&self) -> Self {
        PackedValues { packed: self.packed, left: self.left.clone() }
    }
}

impl<'a, F: Packing, O: BitOrder> IntoIterator for Packed<'a, F, O> {
    type Item = F::Value;
    type IntoIter = PackedValues<'a, F, O>;

    #[inline(always)]
    fn into_iter(self) -> PackedValues<'a, F, O> {
        PackedValues { packed: self, left: 0..self.length }
    }
}

impl<F: Packing, O: BitOrder> Iterator for PackedValues<'_, F, O> {
    type Item = F::Value;

    #[inline(always)]
    fn next(&mut self) -> Option<F::Value> {
        self.left.next().map(|at| *self.packed.value(at))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<F: Packing, O: BitOrder> DoubleEndedIterator for PackedValues<'_, F, O> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<F::Value> {
        self.left.next_back().map(|at| *self.packed.value(at))
    }
}

impl<F: Packing, O: BitOrder> ExactSizeIterator for PackedValues<'_, F, O> {}

impl<F: Packing, O: BitOrder> FusedIterator for PackedValues<'_, F, O> {}

impl<F: Packing, O: BitOrder> fmt::Debug for PackedValues<'_, F, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<F: Packing, O: BitOrder> fmt::Debug for Packed<'_, F, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.into_iter().fmt(f)
    }
}
