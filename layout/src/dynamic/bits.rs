//! Elements of any type as storage: their bits, as numbers.
#![allow(unsafe_code, reason = "the traits of storage ask for promises that bytes do not need")]

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut, Range};

#[cfg(feature = "bytemuck")]
use bytemuck::{AnyBitPattern, NoUninit};
use layout_core::__private::native;

use crate::dynamic::layout::DynLayout;
#[cfg(feature = "bytemuck")]
use crate::dynamic::{DynError, DynView, DynViewMut};
use crate::memory::aligned::Aligned;
use crate::memory::{Memory, Place, SharedSlots, Slots, Storage, StorageMut};
#[cfg(feature = "bytemuck")]
use crate::memory::{error::MemoryError, stored::DynStored};
use crate::types::sealed::Sealed;

/// Bytes `B` with elements of any type, which are read and written as their bits: those of a number in its low bits, and the low 128 bits of
/// wider elements.
#[derive(Clone, Copy)]
pub struct DynBits<B> {
    bytes: B,
    /// Bits of an element.
    width: usize,
    start: usize,
    length: usize,
}

impl<B> DynBits<B> {
    pub(super) fn new(bytes: B, layout: &DynLayout) -> Self {
        let width = native(layout.shape().element_bits());
        DynBits { bytes, width, start: 0, length: layout.padded_elements() }
    }

    pub(crate) const fn bytes(&self) -> &B {
        &self.bytes
    }

    pub(crate) const fn bytes_mut(&mut self) -> &mut B {
        &mut self.bytes
    }

    fn with<C>(&self, bytes: C) -> DynBits<C> {
        let DynBits { width, start, length, .. } = *self;
        DynBits { bytes, width, start, length }
    }
}

impl<B: Deref<Target = [u8]>> DynBits<B> {
    fn get(&self, at: usize) -> u128 {
        bits_of(&self.bytes, self.width, self.start + at)
    }
}

impl<B> Sealed for DynBits<B> {}

// SAFETY: values are copied.
unsafe impl Slots for DynBits<&[u8]> {
    type Item = u128;
    type Stretch = Self;

    unsafe fn item(&mut self, at: usize) -> u128 {
        self.get(at)
    }

    unsafe fn stretch(&mut self, slots: Range<usize>) -> Self {
        DynBits { start: self.start + slots.start, length: slots.len(), ..*self }
    }

    unsafe fn alias(&self) -> Self {
        *self
    }
}

impl SharedSlots for DynBits<&[u8]> {
    type Part = Self;

    fn part(self) -> Self {
        self
    }
}

impl<'a> Storage for DynBits<&'a [u8]> {
    type Elem = u128;
    type Shared<'s>
        = DynBits<&'a [u8]>
    where
        Self: 's;

    fn shared(&self) -> Self {
        *self
    }
}

/// Bytes that are written.
macro_rules! written {
    ($($of:ty),*) => {$(
        impl Storage for DynBits<$of> {
            type Elem = u128;
            type Shared<'s> = DynBits<&'s [u8]> where Self: 's;

            fn shared(&self) -> DynBits<&[u8]> {
                self.with(&*self.bytes)
            }
        }

        impl StorageMut for DynBits<$of> {
            type Unique<'s> = DynBits<&'s mut [u8]> where Self: 's;

            fn unique(&mut self) -> DynBits<&mut [u8]> {
                let DynBits { width, start, length, .. } = *self;
                DynBits { bytes: &mut self.bytes, width, start, length }
            }

            unsafe fn put(&mut self, slot: usize, bits: u128) {
                set_bits(&mut self.bytes, self.width, self.start + slot, bits);
            }

            unsafe fn fill(&mut self, slots: Range<usize>, bits: u128) {
                // SAFETY: the caller's promise.
                slots.for_each(|slot| unsafe { self.put(slot, bits) });
            }
        }
    )*};
}

written! { &mut [u8], Aligned<u8> }

/// The bytes of elements of any type.
impl<P: Place, B: Deref<Target = [u8]>> Memory<P, DynBits<B>> {
    /// The memory, padding included.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.storage().bytes()
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub fn as_mut_bytes(&mut self) -> &mut [u8]
    where
        B: DerefMut,
    {
        self.parts_mut().1.bytes_mut()
    }
}

/// The elements as values of a type of Rust.
#[cfg(feature = "bytemuck")]
impl<B: Deref<Target = [u8]>> Memory<DynLayout, DynBits<B>> {
    /// The same memory with elements of a type of Rust.
    ///
    /// # Errors
    /// If `T` does not store the elements, or the bytes do not begin at a multiple of its alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"s32[2,2]{0,1}".parse()?)?;
    /// let mut buffer = layout.zeroed_bytes();
    /// buffer.as_elements_mut::<i32>()?[[0, 1]] = -1;
    /// assert_eq!((buffer.as_elements::<i32>()?[[0, 1]], buffer.get(&[0, 1])), (-1, Some(0xffff_ffff)));
    /// assert!(buffer.as_elements::<f32>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_elements<T: DynStored + AnyBitPattern>(&self) -> Result<DynView<'_, T>, DynError> {
        self.layout().check_stored::<T>()?;
        MemoryError::check_aligned::<T>(self.as_bytes())?;
        self.layout().view(bytemuck::cast_slice(self.as_bytes()))
    }

    /// The same memory with elements of a type of Rust, to write: see [`as_elements`](Self::as_elements).
    ///
    /// # Errors
    /// As for `as_elements`.
    pub fn as_elements_mut<T: DynStored + AnyBitPattern + NoUninit>(
        &mut self,
    ) -> Result<DynViewMut<'_, T>, DynError>
    where
        B: DerefMut,
    {
        let layout = self.layout().clone();
        layout.check_stored::<T>()?;
        MemoryError::check_aligned::<T>(self.as_bytes())?;
        layout.view_mut(bytemuck::cast_slice_mut(self.as_mut_bytes()))
    }
}

/// The bits of consecutive elements.
#[derive(Clone)]
pub struct DynValues<'a> {
    bits: DynBits<&'a [u8]>,
    left: Range<usize>,
}

impl<'a> IntoIterator for DynBits<&'a [u8]> {
    type Item = u128;
    type IntoIter = DynValues<'a>;

    fn into_iter(self) -> DynValues<'a> {
        DynValues { bits: self, left: 0..self.length }
    }
}

impl Iterator for DynValues<'_> {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        self.left.next().map(|at| self.bits.get(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for DynValues<'_> {}

impl FusedIterator for DynValues<'_> {}

impl fmt::Debug for DynValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<B> fmt::Debug for DynBits<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynBits").field("bits", &self.width).finish_non_exhaustive()
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
