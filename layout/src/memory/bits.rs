//! Bytes whose elements are bits, as storage.
#![allow(unsafe_code, reason = "the traits of storage ask for promises that bytes do not need")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Range};

use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::aligned::Aligned;
use crate::memory::storage::{Addressed, Format, SharedSlots, Slots, Storage, StorageMut};
use crate::memory::walked::{ByNumber, Numbered};
use crate::spec::element::{Bits, Element, PackedValue, PackedWidth};
use crate::spec::layout_types::LayoutTypes;
use crate::spec::sealed::Sealed;
#[cfg(all(feature = "alloc", feature = "relayout"))]
use {
    crate::memory::place::{Place, mapping::elements},
    crate::memory::unpacked::unpack,
    alloc::vec::Vec,
};

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

/// How elements lie in bytes: [`Narrow`], or [`AnyWidth`](crate::dynamic::AnyWidth).
pub trait BitFormat: Copy + Format<Unit = u8, Value: Copy> {
    /// The element in a slot.
    fn get(self, bytes: &[u8], slot: usize) -> Self::Value;

    /// Writes the element of a slot.
    ///
    /// # Panics
    /// If the value does not fit in its bits.
    #[track_caller]
    fn put(self, bytes: &mut [u8], slot: usize, value: Self::Value);

    /// Writes a value to consecutive slots.
    ///
    /// # Panics
    /// If the value does not fit in the bits of an element.
    #[track_caller]
    fn fill(self, bytes: &mut [u8], slots: Range<usize>, value: Self::Value) {
        slots.for_each(|slot| self.put(bytes, slot, value));
    }

    /// The elements of a place in row-major order, if that is faster than one by one.
    #[cfg(all(feature = "alloc", feature = "relayout"))]
    fn unpacked(self, _: &impl Place, _: &[u8]) -> Option<Vec<Self::Value>> {
        None
    }
}

/// Elements of 1, 2 or 4 bits: those of `F`, the first of a byte where `O` says.
pub struct Narrow<F, O = LowFirst>(PhantomData<fn() -> (F, O)>);

copy! { Narrow<F, O> }

impl<F, O> fmt::Debug for Narrow<F, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Narrow")
    }
}

impl<F, O> Narrow<F, O> {
    pub(crate) const FORMAT: Self = Narrow(PhantomData);
}

/// Byte and shift of a slot.
#[inline(always)]
const fn locate<O: BitOrder>(slot: usize, size: usize) -> (usize, u32) {
    let (number, last) = (slot % (8 / size), 8 / size - 1);
    let place = if O::IS_HIGH_FIRST { last - number } else { number };
    (slot / (8 / size), (place * size) as u32)
}

impl<F: Packing, O: BitOrder> Narrow<F, O> {
    const MASK: u8 = (1 << F::BITS) - 1;

    #[inline(always)]
    fn value(bytes: &[u8], slot: usize) -> &'static F::Value {
        let (byte, shift) = locate::<O>(slot, F::BITS);
        F::Value::of_bits(bytes[byte] >> shift & Self::MASK, const { F::BITS as u32 })
    }

    /// Writes the low bits to a slot.
    #[inline(always)]
    pub(crate) fn set_bits(bytes: &mut [u8], slot: usize, bits: u8) {
        let (byte, shift) = locate::<O>(slot, F::BITS);
        let byte = &mut bytes[byte];
        *byte = *byte & !(Self::MASK << shift) | (bits & Self::MASK) << shift;
    }

    /// The bits of a value that is written.
    #[inline(always)]
    #[track_caller]
    fn bits_of(value: F::Value) -> u8 {
        match value.to_bits(const { F::BITS as u32 }) {
            Some(bits) => bits & Self::MASK,
            None => does_not_fit(&value, F::BITS),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit(value: &dyn fmt::Debug, bits: usize) -> ! {
    panic!("the value {value:?} does not fit in an element of {bits} bits")
}

impl<F: Packing, O: BitOrder> Format for Narrow<F, O> {
    type Value = F::Value;
    type Unit = u8;
}

impl<F: Packing, O: BitOrder> BitFormat for Narrow<F, O> {
    #[inline(always)]
    fn get(self, bytes: &[u8], slot: usize) -> F::Value {
        *Self::value(bytes, slot)
    }

    #[inline(always)]
    fn put(self, bytes: &mut [u8], slot: usize, value: F::Value) {
        Self::set_bits(bytes, slot, Self::bits_of(value));
    }

    fn fill(self, bytes: &mut [u8], slots: Range<usize>, value: F::Value) {
        let (bits, per_byte) = (Self::bits_of(value), const { 8 / F::BITS });
        let first = slots.start.next_multiple_of(per_byte).min(slots.end);
        let last = (slots.end / per_byte * per_byte).max(first);
        (slots.start..first).for_each(|slot| Self::set_bits(bytes, slot, bits));
        if first < last {
            // Once for each element of a byte.
            bytes[first / per_byte..last / per_byte].fill(bits * const { 0xff / Self::MASK });
        }
        (last..slots.end).for_each(|slot| Self::set_bits(bytes, slot, bits));
    }

    #[cfg(all(feature = "alloc", feature = "relayout"))]
    fn unpacked(self, place: &impl Place, bytes: &[u8]) -> Option<Vec<F::Value>> {
        let zero = *F::Value::of_bits(0, const { F::BITS as u32 });
        let mut values = alloc::vec![zero; elements(place.dims().as_ref())];
        unpack(place, bytes, (F::BITS, O::IS_HIGH_FIRST), &mut values);
        Some(values)
    }
}

/// Bytes `B` with elements that are bits, in the format `F`: what holds the slots of a [`PackedView`](crate::PackedView), and consecutive
/// elements of one.
#[derive(Clone, Copy)]
pub struct Packed<B, F> {
    bytes: B,
    format: F,
    start: usize,
    length: usize,
}

impl<B, F> Sealed for Packed<B, F> {}

impl<B, F> Packed<B, F> {
    /// Of `length` slots.
    #[inline(always)]
    pub(crate) const fn new(bytes: B, format: F, length: usize) -> Self {
        Packed { bytes, format, start: 0, length }
    }

    pub(crate) const fn bytes(&self) -> &B {
        &self.bytes
    }

    pub(crate) const fn bytes_mut(&mut self) -> &mut B {
        &mut self.bytes
    }

    pub(crate) fn borrowed(&mut self) -> Packed<&mut [u8], F>
    where
        B: DerefMut<Target = [u8]>,
        F: Copy,
    {
        Packed::new(&mut self.bytes, self.format, self.length)
    }

    /// Reads these bytes in another format.
    pub(crate) fn in_format<G>(self, format: G) -> Packed<B, G> {
        Packed { bytes: self.bytes, format, start: self.start, length: self.length }
    }
}

// SAFETY: values are copied.
unsafe impl<F: BitFormat> Slots for Packed<&[u8], F> {
    type Item = F::Value;
    type Stretch = Self;

    #[inline(always)]
    unsafe fn item(&mut self, at: usize) -> F::Value {
        ByNumber::item(self, at)
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

impl<F: BitFormat> SharedSlots for Packed<&[u8], F> {
    type Part = Self;

    #[inline(always)]
    fn part(self) -> Self {
        self
    }

    #[inline(always)]
    fn units(&self) -> Option<&[u8]> {
        Some(self.bytes)
    }

    #[cfg(all(feature = "alloc", feature = "relayout"))]
    fn unpacked(&self, place: &impl Place) -> Option<Vec<F::Value>> {
        self.format.unpacked(place, self.bytes)
    }
}

impl<'a, F: BitFormat> Storage for Packed<&'a [u8], F> {
    type Elem = F::Value;
    type Format = F;
    type Shared<'s>
        = Packed<&'a [u8], F>
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> Self {
        *self
    }
}

/// Bytes that are written.
macro_rules! written {
    ($of:ty) => {
        impl<F: BitFormat> Storage for Packed<$of, F> {
            type Elem = F::Value;
            type Format = F;
            type Shared<'s>
                = Packed<&'s [u8], F>
            where
                Self: 's;

            #[inline(always)]
            fn shared(&self) -> Packed<&[u8], F> {
                Packed::new(&*self.bytes, self.format, self.length)
            }
        }

        impl<F: BitFormat> StorageMut for Packed<$of, F> {
            type Unique<'s>
                = Packed<&'s mut [u8], F>
            where
                Self: 's;

            #[inline(always)]
            fn unique(&mut self) -> Packed<&mut [u8], F> {
                Packed::new(&mut *self.bytes, self.format, self.length)
            }

            #[inline(always)]
            fn units_mut(&mut self) -> Option<(&mut [u8], usize)> {
                Some((&mut self.bytes, 0))
            }

            #[inline(always)]
            #[track_caller]
            unsafe fn put(&mut self, slot: usize, value: F::Value) {
                self.format.put(&mut self.bytes, slot, value);
            }

            #[track_caller]
            unsafe fn fill(&mut self, slots: Range<usize>, value: F::Value) {
                self.format.fill(&mut self.bytes, slots, value);
            }
        }
    };
}

written! { &mut [u8] }

#[cfg(feature = "alloc")]
written! { Aligned<u8> }

impl<B: Deref<Target = [u8]>, F: Packing, O: BitOrder> Addressed for Packed<B, Narrow<F, O>>
where
    Self: Storage<Elem = F::Value>,
{
    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> &F::Value {
        Narrow::<F, O>::value(&self.bytes, self.start + slot)
    }
}

/// The values of consecutive packed elements.
pub type PackedValues<'a, F> = Numbered<Packed<&'a [u8], F>>;

impl<F: BitFormat> ByNumber for Packed<&[u8], F> {
    type Item = F::Value;

    #[inline(always)]
    fn item(&self, number: usize) -> F::Value {
        self.format.get(self.bytes, self.start + number)
    }
}

impl<'a, F: BitFormat> IntoIterator for Packed<&'a [u8], F> {
    type Item = F::Value;
    type IntoIter = PackedValues<'a, F>;

    #[inline(always)]
    fn into_iter(self) -> PackedValues<'a, F> {
        Numbered::new(self, self.length)
    }
}

impl<B, F> fmt::Debug for Packed<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("slots", &self.length).finish_non_exhaustive()
    }
}
