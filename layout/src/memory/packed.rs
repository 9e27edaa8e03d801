//! How memory of packed elements is made.

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::bits::{Narrow, Packed};
use crate::memory::error::{BYTES, MemoryError};
use crate::memory::{Memory, PackedView, PackedViewMut};
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
        match MemoryError::first::<L, u8>(data, needed, BYTES) {
            Ok(bytes) => Ok(Memory::of_parts(place, Packed::new(bytes, Narrow::FORMAT, L::SLOTS))),
            Err(error) => Err(error),
        }
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
        match MemoryError::first_mut::<L, u8>(data, needed, BYTES) {
            Ok(bytes) => Ok(Memory::of_parts(place, Packed::new(bytes, Narrow::FORMAT, L::SLOTS))),
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
