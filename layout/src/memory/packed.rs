//! How memory of packed elements is made.

use core::ops::{Deref, DerefMut};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::bits::{BitFormat, HighFirst, LowFirst, Narrow, Packed};
use crate::memory::error::{BYTES, MemoryError};
use crate::memory::{Memory, PackedView, PackedViewMut, Place};
use crate::spec::element::PackedWidth;

/// The layout whose type says all sizes, and its bytes.
const fn known<L: AnyLayout>() -> (WithDims<L>, usize) {
    (WithDims::known(), compiled::bytes::<L>(L::SLOTS))
}

/// Of borrowed bytes.
impl<'a, L: AnyLayout> Memory<WithDims<L>, Packed<&'a [u8], Narrow<L>>> {
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
        let bytes = ok!(MemoryError::first::<L, u8>(data, needed, BYTES));
        Ok(Memory::of_parts(place, Packed::new(bytes, Narrow::FORMAT, L::SLOTS)))
    }
}

/// Of borrowed bytes, to write.
impl<'a, L: AnyLayout> Memory<WithDims<L>, Packed<&'a mut [u8], Narrow<L>>> {
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
        let bytes = ok!(MemoryError::first_mut::<L, u8>(data, needed, BYTES));
        Ok(Memory::of_parts(place, Packed::new(bytes, Narrow::FORMAT, L::SLOTS)))
    }
}

impl<L: AnyLayout<Width: PackedWidth>> WithDims<L> {
    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub fn packed_view<'a>(&self, data: &'a [u8]) -> Result<PackedView<'a, L>, MemoryError> {
        let bytes = MemoryError::first::<L, u8>(data, self.bytes(), BYTES)?;
        Ok(Memory::of_parts(*self, Packed::new(bytes, Narrow::FORMAT, self.padded_elements())))
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
        Ok(Memory::of_parts(*self, Packed::new(bytes, Narrow::FORMAT, self.padded_elements())))
    }
}

/// The bytes of elements that are bits.
impl<P: Place, B: Deref<Target = [u8]>, F> Memory<P, Packed<B, F>> {
    /// The memory, padding included.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.slots.bytes()
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub fn as_mut_bytes(&mut self) -> &mut [u8]
    where
        B: DerefMut,
    {
        self.slots.bytes_mut()
    }

    /// Borrows the memory for a shorter time: pass the result by value, and use this again afterwards.
    #[inline(always)]
    #[must_use]
    pub fn reborrow(&mut self) -> Memory<P, Packed<&mut [u8], F>>
    where
        B: DerefMut,
        F: BitFormat,
    {
        Memory::of_parts(self.place.clone(), self.slots.borrowed())
    }
}

impl<P, B, F> Memory<P, Packed<B, Narrow<F, LowFirst>>> {
    /// This array read and written from the high end: the first element of a byte is its high bits, as in bitmaps and on e-paper displays.
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
    #[must_use]
    pub fn high_first(self) -> Memory<P, Packed<B, Narrow<F, HighFirst>>> {
        let Memory { place, slots } = self;
        Memory::of_parts(place, slots.in_format(Narrow::FORMAT))
    }
}
