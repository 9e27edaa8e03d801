//! Bits of packed elements: which of a byte's elements comes first, and stretches of elements.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use crate::compiled::AnyLayout;
use crate::types::element::{Element, PackedValue};
use crate::types::layout_types::LayoutTypes;
use crate::types::sealed::Sealed;

/// Which end of a byte holds the first of its packed elements: [`LowFirst`] or [`HighFirst`].
pub trait BitOrder: Sealed + Copy + Send + Sync + 'static {
    /// Whether it is the high end.
    #[doc(hidden)]
    const IS_HIGH_FIRST: bool;
}

/// The low bits of a byte are its first element, as in XLA. A type-level choice; it has no values.
#[derive(Clone, Copy, Debug)]
pub enum LowFirst {}

/// The high bits of a byte are its first element, as in bitmaps and on e-paper displays. A type-level
/// choice; it has no values.
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

/// What the packed elements of a layout are read as.
pub(crate) type ValueOf<L> = <<L as LayoutTypes>::Element as Element>::Packed;

/// A reference to the value of an element.
#[inline(always)]
pub(super) fn value<L: AnyLayout>(bits: u8) -> &'static ValueOf<L> {
    ValueOf::<L>::of_bits(bits, const { L::BITS as u32 })
}

/// The bits of a value.
///
/// # Panics
/// If the element has fewer.
#[inline(always)]
#[track_caller]
pub(super) fn bits_of<L: AnyLayout>(value: ValueOf<L>) -> u8 {
    match value.to_bits(const { L::BITS as u32 }) {
        Some(bits) => bits & const { mask::<L>() },
        None => does_not_fit(&value, L::BITS),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit(value: &dyn fmt::Debug, bits: usize) -> ! {
    panic!("the value {value:?} does not fit in an element of {bits} bits")
}

/// Elements in a byte.
const fn per_byte<L: AnyLayout>() -> usize {
    8 / L::BITS
}

/// An element's bits, all ones.
const fn mask<L: AnyLayout>() -> u8 {
    (1 << L::BITS) - 1
}

/// The byte of a slot of `size` bits, and how far its bits are shifted in it.
#[inline(always)]
const fn locate<O: BitOrder>(slot: usize, size: usize) -> (usize, u32) {
    let (number, last) = (slot % (8 / size), 8 / size - 1);
    let place = if O::IS_HIGH_FIRST { last - number } else { number };
    (slot / (8 / size), (place * size) as u32)
}

/// The bits of a slot of `size` bits.
#[inline(always)]
pub(super) fn read<O: BitOrder>(bytes: &[u8], slot: usize, size: usize) -> u8 {
    let (byte, shift) = locate::<O>(slot, size);
    bytes[byte] >> shift & ((1 << size) - 1)
}

/// The bits of a slot.
#[inline(always)]
pub(crate) fn get<L: AnyLayout, O: BitOrder>(bytes: &[u8], slot: usize) -> u8 {
    read::<O>(bytes, slot, const { L::BITS })
}

/// Writes the bits of a slot.
#[inline(always)]
pub(crate) fn set<L: AnyLayout, O: BitOrder>(bytes: &mut [u8], slot: usize, bits: u8) {
    let (byte, shift) = locate::<O>(slot, const { L::BITS });
    let mask = const { mask::<L>() };
    let byte = &mut bytes[byte];
    *byte = *byte & !(mask << shift) | bits << shift;
}

/// Writes the same bits to consecutive slots, whole bytes at a time.
pub(super) fn fill<L: AnyLayout, O: BitOrder>(bytes: &mut [u8], slots: Range<usize>, bits: u8) {
    let per_byte = const { per_byte::<L>() };
    let first = slots.start.next_multiple_of(per_byte).min(slots.end);
    let last = (slots.end / per_byte * per_byte).max(first);
    // Once for each element of a byte.
    let pattern = bits * const { 0xff / mask::<L>() };
    (slots.start..first).for_each(|slot| set::<L, O>(bytes, slot, bits));
    if first < last {
        bytes[first / per_byte..last / per_byte].fill(pattern);
    }
    (last..slots.end).for_each(|slot| set::<L, O>(bytes, slot, bits));
}

/// Consecutive packed elements: an iterator over their values, see [`PackedView`](crate::PackedView).
///
/// It is what a [`PackedView`](crate::PackedView) gives where a [`View`](crate::View) gives a slice.
pub struct PackedBits<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    /// Those of the view.
    bytes: &'a [u8],
    slots: Range<usize>,
    order: PhantomData<fn() -> (L, O)>,
}

impl<'a, L: AnyLayout, O: BitOrder> PackedBits<'a, L, O> {
    /// Slots of a view's bytes.
    #[inline(always)]
    pub(super) fn new(bytes: &'a [u8], slots: Range<usize>) -> Self {
        PackedBits { bytes, slots, order: PhantomData }
    }

    /// Those of the next slots only, which are counted from the first one.
    #[inline(always)]
    pub(super) fn part(&self, slots: Range<usize>) -> Self {
        PackedBits::new(self.bytes, self.slots.start + slots.start..self.slots.start + slots.end)
    }
}

impl<L: AnyLayout, O: BitOrder> Iterator for PackedBits<'_, L, O> {
    type Item = ValueOf<L>;

    #[inline(always)]
    fn next(&mut self) -> Option<ValueOf<L>> {
        self.slots.next().map(|slot| *value::<L>(get::<L, O>(self.bytes, slot)))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<ValueOf<L>> {
        self.slots.nth(n).map(|slot| *value::<L>(get::<L, O>(self.bytes, slot)))
    }
}

impl<L: AnyLayout, O: BitOrder> DoubleEndedIterator for PackedBits<'_, L, O> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<ValueOf<L>> {
        self.slots.next_back().map(|slot| *value::<L>(get::<L, O>(self.bytes, slot)))
    }
}

impl<L: AnyLayout, O: BitOrder> ExactSizeIterator for PackedBits<'_, L, O> {}

impl<L: AnyLayout, O: BitOrder> FusedIterator for PackedBits<'_, L, O> {}

impl<L: AnyLayout, O: BitOrder> Clone for PackedBits<'_, L, O> {
    fn clone(&self) -> Self {
        PackedBits::new(self.bytes, self.slots.clone())
    }
}

impl<L: AnyLayout, O: BitOrder> fmt::Debug for PackedBits<'_, L, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
