//! Memory whose elements are narrower than a byte.

use core::fmt;

use layout_core::__private::bytes_of;

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, stop};
use crate::memory::view::TooShort;

/// Packed elements that are read with the layout `L`: its elements take 1, 2 or 4 bits in memory
/// (`E(4)` and so on), the first of a byte its low bits. They are read as their bits.
///
/// # Examples
/// ```
/// use layout::{PackedView, layout};
///
/// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
/// let mut bytes = [0; A::BYTES];
/// bytes[8] = 0x50;                                    // slots 16 (low bits) and 17
/// let view = PackedView::<A>::new(&bytes)?;
/// assert_eq!((view.get([2, 2]), view.get([2, 3])), (Some(0), Some(5)));
/// assert_eq!(view.get([3, 0]), None);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct PackedView<'a, L: AnyLayout> {
    /// As many as the layout takes.
    bytes: &'a [u8],
    sizes: L::Sizes,
}

/// Packed elements that are read and written with the layout `L`: see [`PackedView`].
///
/// # Examples
/// ```
/// use layout::{PackedViewMut, layout};
///
/// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
/// let mut bytes = [0; A::BYTES];
/// let mut view = PackedViewMut::<A>::new(&mut bytes)?;
/// assert_eq!(view.set([2, 3], 5), Some(()));
/// assert_eq!(view.set([3, 0], 5), None);
/// assert_eq!(bytes[8], 0x50);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct PackedViewMut<'a, L: AnyLayout> {
    /// As many as the layout takes.
    bytes: &'a mut [u8],
    sizes: L::Sizes,
}

/// Stops the build if elements of the layout are not packed.
const fn check<L: AnyLayout>() {
    const {
        let () = L::VALID;
        if !matches!(L::VALUE.element_bits(), 1 | 2 | 4) {
            stop("elements that take whole bytes are not packed: use a `View` for this layout");
        }
    }
}

/// Bytes of so many slots.
const fn bytes<L: AnyLayout>(slots: usize) -> usize {
    bytes_of(slots, L::VALUE.element_bits())
}

/// The byte of a slot, and how far its bits are shifted in it.
#[inline(always)]
const fn locate<L: AnyLayout>(slot: usize) -> (usize, u32) {
    let bits = const { L::VALUE.element_bits() };
    let per_byte = const { 8 / L::VALUE.element_bits() };
    (slot / per_byte, (slot % per_byte * bits) as u32)
}

/// An element's bits, all ones.
const fn mask<L: AnyLayout>() -> u8 {
    (1 << L::VALUE.element_bits()) - 1
}

impl<'a, L: AnyLayout> PackedView<'a, L> {
    /// A view of the first `BYTES` of the slice.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a [u8]) -> Result<Self, TooShort> {
        check::<L>();
        let (sizes, needed) = const { (compiled::known::<L>(), bytes::<L>(L::SLOTS)) };
        match data.split_at_checked(needed) {
            Some((bytes, _)) => Ok(PackedView { bytes, sizes }),
            None => Err(TooShort { needed, given: data.len() }),
        }
    }

    /// A view of a layout with these sizes.
    pub(crate) fn of(sizes: L::Sizes, data: &'a [u8]) -> Result<Self, TooShort> {
        check::<L>();
        let needed = bytes::<L>(compiled::slots::<L>(&sizes));
        match data.split_at_checked(needed) {
            Some((bytes, _)) => Ok(PackedView { bytes, sizes }),
            None => Err(TooShort { needed, given: data.len() }),
        }
    }

    /// The layout, with the sizes of its dimensions.
    pub const fn layout(&self) -> WithDims<L> {
        WithDims::of(self.sizes)
    }

    /// The bits of the element at an index, in the low bits; `None` outside the bounds of the array.
    #[inline(always)]
    pub fn get(&self, index: L::Index) -> Option<u8> {
        let (byte, shift) = locate::<L>(L::find(&self.sizes, &index)?);
        Some(self.bytes[byte] >> shift & const { mask::<L>() })
    }

    /// The memory, padding included.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<L: AnyLayout> Clone for PackedView<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout> Copy for PackedView<'_, L> {}

impl<'a, L: AnyLayout> PackedViewMut<'a, L> {
    /// A view of the first `BYTES` of the slice.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a mut [u8]) -> Result<Self, TooShort> {
        check::<L>();
        let (sizes, needed) = const { (compiled::known::<L>(), bytes::<L>(L::SLOTS)) };
        let given = data.len();
        match data.split_at_mut_checked(needed) {
            Some((bytes, _)) => Ok(PackedViewMut { bytes, sizes }),
            None => Err(TooShort { needed, given }),
        }
    }

    /// A view of a layout with these sizes.
    pub(crate) fn of(sizes: L::Sizes, data: &'a mut [u8]) -> Result<Self, TooShort> {
        check::<L>();
        let (needed, given) = (bytes::<L>(compiled::slots::<L>(&sizes)), data.len());
        match data.split_at_mut_checked(needed) {
            Some((bytes, _)) => Ok(PackedViewMut { bytes, sizes }),
            None => Err(TooShort { needed, given }),
        }
    }

    /// The layout, with the sizes of its dimensions.
    pub const fn layout(&self) -> WithDims<L> {
        WithDims::of(self.sizes)
    }

    /// The same to read only.
    pub const fn as_view(&self) -> PackedView<'_, L> {
        PackedView { bytes: self.bytes, sizes: self.sizes }
    }

    /// The bits of the element at an index, in the low bits; `None` outside the bounds of the array.
    #[inline(always)]
    pub fn get(&self, index: L::Index) -> Option<u8> {
        self.as_view().get(index)
    }

    /// Writes the element at an index, of which the low bits of `value` are the bits; the others are
    /// not looked at. `None`, and nothing is written, outside the bounds of the array.
    #[inline(always)]
    pub fn set(&mut self, index: L::Index, value: u8) -> Option<()> {
        let (byte, shift) = locate::<L>(L::find(&self.sizes, &index)?);
        let mask = const { mask::<L>() };
        let byte = &mut self.bytes[byte];
        *byte = *byte & !(mask << shift) | (value & mask) << shift;
        Some(())
    }
}

impl<L: AnyLayout> fmt::Debug for PackedView<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedView({} {:02x?})", L::VALUE, self.bytes)
    }
}

impl<L: AnyLayout> fmt::Debug for PackedViewMut<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn packed_view<'a>(&self, data: &'a [u8]) -> Result<PackedView<'a, L>, TooShort> {
        PackedView::of(self.sizes(), data)
    }

    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte, to
    /// write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn packed_view_mut<'a>(
        &self,
        data: &'a mut [u8],
    ) -> Result<PackedViewMut<'a, L>, TooShort> {
        PackedViewMut::of(self.sizes(), data)
    }
}
