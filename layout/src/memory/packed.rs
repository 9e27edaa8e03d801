//! How memory of packed elements is made.

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::bits::{HighFirst, LowFirst, Packed, PackedMut};
use crate::memory::error::{BYTES, MemoryError};
use crate::memory::{Memory, PackedView, PackedViewMut, Place};
use crate::types::element::PackedWidth;

/// The layout whose type says all sizes, and its bytes.
const fn known<L: AnyLayout>() -> (WithDims<L>, usize) {
    (WithDims::known(), compiled::bytes::<L>(L::SLOTS))
}

/// Of borrowed bytes.
impl<'a, L: AnyLayout> Memory<WithDims<L>, Packed<'a, L>> {
    /// A view of the first `BYTES` of the slice. The sizes of the layout are all part of its type; for dimensions that are
    /// known at run time only, [`WithDims::packed_view`] makes views.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a [u8]) -> Result<Self, MemoryError>
    where
        L: StaticLayout<Width: PackedWidth>,
    {
        let (place, needed) = const { known::<L>() };
        match MemoryError::first::<L, u8>(data, needed, BYTES) {
            Ok(bytes) => Ok(Memory { place, slots: Packed::new(bytes) }),
            Err(error) => Err(error),
        }
    }
}

/// Of borrowed bytes, to write.
impl<'a, L: AnyLayout> Memory<WithDims<L>, PackedMut<'a, L>> {
    /// A view of the first `BYTES` of the slice. The sizes of the layout are all part of its type; for dimensions that are
    /// known at run time only, [`WithDims::packed_view_mut`] makes views.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a mut [u8]) -> Result<Self, MemoryError>
    where
        L: StaticLayout<Width: PackedWidth>,
    {
        let (place, needed) = const { known::<L>() };
        match MemoryError::first_mut::<L, u8>(data, needed, BYTES) {
            Ok(bytes) => Ok(Memory { place, slots: PackedMut::new(bytes) }),
            Err(error) => Err(error),
        }
    }
}

impl<L: AnyLayout<Width: PackedWidth>> WithDims<L> {
    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub fn packed_view<'a>(&self, data: &'a [u8]) -> Result<PackedView<'a, L>, MemoryError> {
        let bytes = MemoryError::first::<L, u8>(data, self.bytes(), BYTES)?;
        Ok(Memory::of(*self, Packed::new(bytes)))
    }

    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte, to
    /// write.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub fn packed_view_mut<'a>(
        &self,
        data: &'a mut [u8],
    ) -> Result<PackedViewMut<'a, L>, MemoryError> {
        let bytes = MemoryError::first_mut::<L, u8>(data, self.bytes(), BYTES)?;
        Ok(Memory::of(*self, PackedMut::new(bytes)))
    }
}

/// The bytes of packed elements.
impl<'a, P, F> Memory<P, Packed<'a, F, LowFirst>> {
    /// This array read from the high end: the first element of a byte is its high bits, as in bitmaps
    /// and on e-paper displays.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, layout};
    ///
    /// type Bitmap = layout!(PRED[2,8]{1,0:E(1)});
    /// let bytes = [0b1000_0001, 0b0100_0000];
    /// let view = PackedView::<Bitmap>::new(&bytes)?.high_first();
    /// assert_eq!((view[[0, 0]], view[[1, 1]], view[[1, 6]]), (1, 1, 0));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    pub fn high_first(self) -> Memory<P, Packed<'a, F, HighFirst>> {
        Memory::of(self.place, Packed::new(self.slots.bytes()))
    }
}

impl<'a, P, F> Memory<P, PackedMut<'a, F, LowFirst>> {
    /// This array read and written from the high end: the first element of a byte is its high bits.
    pub fn high_first(self) -> Memory<P, PackedMut<'a, F, HighFirst>> {
        Memory::of(self.place, PackedMut::new(self.slots.into_bytes()))
    }
}

impl<'a, P, F, O> Memory<P, Packed<'a, F, O>> {
    /// The memory, padding included.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.slots.bytes()
    }
}

impl<P: Place, F, O> Memory<P, PackedMut<'_, F, O>> {
    /// The memory, padding included, to write.
    #[must_use]
    pub const fn as_mut_bytes(&mut self) -> &mut [u8] {
        self.slots.bytes_mut()
    }

    /// Borrows the view for a shorter time: pass the result by value, and use the view again afterwards.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Memory<P, PackedMut<'_, F, O>> {
        Memory::of(self.place.clone(), PackedMut::new(self.slots.bytes_mut()))
    }
}
