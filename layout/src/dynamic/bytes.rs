//! Bytes of a layout that is known at run time only: every element type, packed ones too.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut, Range};

use layout_core::__private::native;

use crate::dynamic::array::outside;
#[cfg(feature = "bytemuck")]
use crate::dynamic::array::{DynArray, DynView, DynViewMut};
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::memory::buffer::aligned::{ALIGNMENT, Aligned};
use crate::memory::print::debug;
#[cfg(feature = "bytemuck")]
use crate::memory::stored::DynStored;
#[cfg(feature = "bytemuck")]
use crate::memory::view::bytes::BytesError;
use crate::types::index::DynIndex;
use crate::walk::run::Run;

/// Bytes of an array whose layout and element type are known at run time only, in memory `B`: [`DynBytesView`],
/// [`DynBytesViewMut`] or [`DynByteBuffer`].
///
/// An element is read and written as its bits. Of elements narrower than a byte, the first one of a byte is its low bits, as
/// in XLA; those of whole bytes are in this machine's order of bytes.
///
/// # Examples
/// ```
/// use layout::dynamic::DynLayout;
///
/// let layout = DynLayout::new(&"s4[3,5]{1,0:T(2,2)E(4)}".parse()?)?;
/// let mut bytes = layout.zeroed_bytes();
/// bytes.set(&[2, 3], 0xd);
/// assert_eq!(bytes.checked_set(&[3, 0], 1), None);
/// assert_eq!((bytes.as_bytes()[8], bytes.get(&[2, 3]), bytes.get(&[3, 0])), (0xd0, Some(0xd), None));
/// assert_eq!(bytes.runs().flat_map(|(_, run)| run).max(), Some(0xd));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DynBytes<B> {
    layout: DynLayout,
    /// The bytes of `layout`, padding included.
    bytes: B,
}

/// Bytes that are read: [`DynLayout::bytes_view`] makes it.
pub type DynBytesView<'a> = DynBytes<&'a [u8]>;

/// Bytes that are read and written: [`DynLayout::bytes_view_mut`] makes it.
pub type DynBytesViewMut<'a> = DynBytes<&'a mut [u8]>;

/// Bytes in memory of its own, which begins at a multiple of 64 bytes: [`DynLayout::zeroed_bytes`] makes it.
pub type DynByteBuffer = DynBytes<Aligned<u8>>;

/// Memory as bytes, for every element type.
impl DynLayout {
    /// A view of the first [`bytes`](Self::bytes) of the slice.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn bytes_view<'a>(&self, data: &'a [u8]) -> Result<DynBytesView<'a>, DynError> {
        let bytes = data.get(..self.bytes()).ok_or_else(|| self.wrong_bytes(data.len()))?;
        Ok(DynBytes { layout: self.clone(), bytes })
    }

    /// A view of the first [`bytes`](Self::bytes) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn bytes_view_mut<'a>(&self, data: &'a mut [u8]) -> Result<DynBytesViewMut<'a>, DynError> {
        let given = data.len();
        let bytes = data.get_mut(..self.bytes()).ok_or_else(|| self.wrong_bytes(given))?;
        Ok(DynBytes { layout: self.clone(), bytes })
    }

    /// A buffer whose bytes are all 0.
    ///
    /// # Panics
    /// If so much memory cannot be allocated.
    #[must_use]
    pub fn zeroed_bytes(&self) -> DynByteBuffer {
        let bytes = Aligned::filled(0, self.bytes(), ALIGNMENT);
        DynBytes { layout: self.clone(), bytes }
    }

    fn wrong_bytes(&self, given: usize) -> DynError {
        DynError::length(self.shape(), "bytes, padding counted", self.bytes(), given)
    }

    fn element_bits(&self) -> usize {
        native(self.shape().element_bits())
    }
}

impl<B> DynBytes<B> {
    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// The memory, padding included: of a view for as long as it is borrowed.
    #[must_use]
    pub fn into_memory(self) -> B {
        self.bytes
    }

    /// Gives the memory another shape, if no element has to move: see [`DynArray::reshape`](super::DynArray::reshape).
    ///
    /// # Errors
    /// If an element would move. The array then stays as it is.
    pub fn reshape(&mut self, to: &DynLayout) -> Result<(), DynError> {
        self.layout = self.layout.reshaped(to)?;
        Ok(())
    }

    /// Gives the memory the layout of the transposed array, if no element has to move: see
    /// [`DynArray::transpose`](super::DynArray::transpose).
    ///
    /// # Errors
    /// If an element would move, or the list is not a permutation of the dimensions. The array then stays as it is.
    pub fn transpose(&mut self, permutation: &[usize], to: &DynLayout) -> Result<(), DynError> {
        self.layout = self.layout.transposed(permutation, to)?;
        Ok(())
    }
}

impl<B: Deref<Target = [u8]>> DynBytes<B> {
    /// The memory, padding included.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes to read.
    #[must_use]
    pub fn as_view(&self) -> DynBytesView<'_> {
        DynBytes { layout: self.layout.clone(), bytes: &self.bytes }
    }

    /// The bits of an element; `None` if the index is out of bounds, or has another number of coordinates. An element
    /// that takes more gives its lowest 128.
    #[must_use]
    pub fn get(&self, index: &[usize]) -> Option<u128> {
        self.layout.offset(index).map(|slot| bits_of(&self.bytes, self.layout.element_bits(), slot))
    }

    /// The bits of the elements in row-major order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u128> {
        self.iter().map(|(_, bits)| bits).collect()
    }

    /// The bits of the elements with their indices in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (DynIndex, u128)> {
        let bits = self.layout.element_bits();
        let indices = self.layout.indices_row_major();
        indices.map(move |(index, slot)| (index, bits_of(&self.bytes, bits, slot)))
    }

    /// The runs of the layout with the bits of their elements, in the order of memory.
    pub fn runs(&self) -> impl FusedIterator<Item = (Run<DynIndex>, DynBits<'_>)> {
        let (bytes, bits) = (&*self.bytes, self.layout.element_bits());
        self.layout.runs().map(move |run| {
            let slots = run.range();
            (run, DynBits { bytes, bits, slots })
        })
    }

    /// The elements as values of a type of Rust.
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
    #[cfg(feature = "bytemuck")]
    pub fn as_elements<T: DynStored + bytemuck::AnyBitPattern>(
        &self,
    ) -> Result<DynView<'_, T>, DynError> {
        self.layout.check_stored::<T>()?;
        let slots = bytemuck::try_cast_slice(&self.bytes);
        let slots = slots.map_err(|_| BytesError::misaligned::<T>(&self.bytes))?;
        Ok(DynArray { layout: self.layout.clone(), slots })
    }
}

impl<B: DerefMut<Target = [u8]>> DynBytes<B> {
    /// The memory, padding included, to write.
    #[must_use]
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The bytes to read and write.
    #[must_use]
    pub fn as_view_mut(&mut self) -> DynBytesViewMut<'_> {
        DynBytes { layout: self.layout.clone(), bytes: &mut self.bytes }
    }

    /// Writes the low bits of `bits` to an element; bits beyond the element's width are ignored.
    ///
    /// # Panics
    /// If the index is out of bounds, or has another number of coordinates.
    #[track_caller]
    pub fn set(&mut self, index: &[usize], bits: u128) {
        if self.checked_set(index, bits).is_none() {
            outside(&self.layout, index)
        }
    }

    /// Writes like [`set`](Self::set), but returns `None` and writes nothing if the index is out of bounds or has another
    /// number of coordinates.
    #[doc(alias = "try_set")]
    #[must_use = "`None` says that nothing was written: `set` panics instead"]
    pub fn checked_set(&mut self, index: &[usize], bits: u128) -> Option<()> {
        let slot = self.layout.offset(index)?;
        set_bits(&mut self.bytes, self.layout.element_bits(), slot, bits);
        Some(())
    }

    /// Writes the same bits to each element. Padding stays as it is.
    pub fn fill(&mut self, bits: u128) {
        let width = self.layout.element_bits();
        for run in self.layout.runs() {
            run.range().for_each(|slot| set_bits(&mut self.bytes, width, slot, bits));
        }
    }

    /// The elements as values of a type of Rust, to write: see [`as_elements`](Self::as_elements).
    ///
    /// # Errors
    /// If `T` does not store the elements, or the bytes do not begin at a multiple of its alignment.
    #[cfg(feature = "bytemuck")]
    pub fn as_elements_mut<T: DynStored + bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        &mut self,
    ) -> Result<DynViewMut<'_, T>, DynError> {
        self.layout.check_stored::<T>()?;
        let misaligned = BytesError::misaligned::<T>(&self.bytes);
        let slots = bytemuck::try_cast_slice_mut(&mut self.bytes).map_err(|_| misaligned)?;
        Ok(DynArray { layout: self.layout.clone(), slots })
    }
}

#[cfg(feature = "bytemuck")]
impl<T: DynStored + bytemuck::NoUninit, S: Deref<Target = [T]>> DynArray<S> {
    /// The elements as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> DynBytesView<'_> {
        DynBytes { layout: self.layout.clone(), bytes: bytemuck::cast_slice(&self.slots) }
    }
}

/// Arrays are equal if their sizes and the bits of their elements are; their layouts and their padding are not compared.
impl<B: Deref<Target = [u8]>, D: Deref<Target = [u8]>> PartialEq<DynBytes<D>> for DynBytes<B> {
    fn eq(&self, other: &DynBytes<D>) -> bool {
        let bits = [self.layout.element_bits(), other.layout.element_bits()];
        self.layout.dims() == other.layout.dims()
            && bits[0] == bits[1]
            && self.iter().map(|(_, bits)| bits).eq(other.iter().map(|(_, bits)| bits))
    }
}

impl<B: Deref<Target = [u8]>> fmt::Debug for DynBytes<B> {
    /// The layout and the bits of the first elements in row-major order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "DynBytes", format_args!("{}", self.layout), self.iter())
    }
}

/// The bits of consecutive elements, in the order of memory.
#[derive(Clone)]
pub struct DynBits<'a> {
    bytes: &'a [u8],
    bits: usize,
    slots: Range<usize>,
}

impl Iterator for DynBits<'_> {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        self.slots.next().map(|slot| bits_of(self.bytes, self.bits, slot))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl ExactSizeIterator for DynBits<'_> {}

impl FusedIterator for DynBits<'_> {}

impl fmt::Debug for DynBits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
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
