//! Layouts with the sizes that are known at run time only, for offsets of 32 bits.

use core::marker::PhantomData;

use core::fmt;

use layout_core::__private::cut;
use layout_core::{Fault, Size};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, Compiled, check_u32, find, outside};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::index::IndexArray;
use crate::types::layout_types::LayoutTypes;
use crate::types::list::{DimList, NumberList};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

/// The layout `L` with the sizes of its dimensions and no more than `u32::MAX` slots in memory, so that
/// offsets are computed in 32 bits.
///
/// [`Array::with_dims_u32`] and [`WithDims::to_u32`] make it. A layout whose type says all sizes has
/// [`Array::offset_u32`] and needs no value.
///
/// # Examples
/// ```
/// use layout::layout;
///
/// type A = layout!(F32[?,1024]{1,0:T(8,128)});
/// let a = A::with_dims_u32([5, 1024])?;
/// assert_eq!(a.offset([4, 700]), 5692);
/// assert_eq!(a.index(5692), Some([4, 700]));
/// assert_eq!((a.dims(), a.padded_elements()), ([5, 1024], 8192));
/// # Ok::<(), layout::Fault>(())
/// ```
pub struct WithDimsU32<L: AnyLayout> {
    sizes: L::Sizes,
    of: PhantomData<fn() -> L>,
}

/// An index of 32-bit coordinates: `[u32; RANK]`.
type IndexU32<L> = <<L as LayoutTypes>::Index as IndexArray>::U32;

impl<L: AnyLayout> WithDims<L> {
    /// The same for offsets of 32 bits.
    ///
    /// # Errors
    /// If the array has more than `u32::MAX` slots in memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,1024]{1,0:T(8,128)});
    /// assert!(A::with_dims([20, 1024])?.to_u32().is_ok());
    /// let error = A::with_dims([1 << 22, 1024])?.to_u32().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the array has 4294967296 slots in memory, but 32 bits count at most 4294967295: use `offset` and `index`, which count in `usize`",
    /// );
    /// # Ok::<(), layout::Fault>(())
    /// ```
    #[inline]
    pub fn to_u32(&self) -> Result<WithDimsU32<L>, Fault> {
        check_u32(self.padded_elements())?;
        Ok(WithDimsU32 { sizes: self.sizes(), of: PhantomData })
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// As [`with_dims`](Self::with_dims), for offsets of 32 bits.
    ///
    /// # Errors
    /// Those of `with_dims`, and if the array has more than `u32::MAX` slots in memory with the sizes.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,1024]{1,0:T(8,128)});
    /// assert_eq!(A::with_dims_u32([5, 1024])?.offset([4, 700]), 5692);
    /// # Ok::<(), layout::Fault>(())
    /// ```
    pub fn with_dims_u32(dims: <D::Index as IndexArray>::U32) -> Result<WithDimsU32<Self>, Fault> {
        Self::with_dims(D::Index::widen(dims))?.to_u32()
    }

    /// Like [`with_dims_u32`](Self::with_dims_u32), but does not check that the sizes go with the layout: for
    /// code on a device, where the host has checked them.
    ///
    /// With sizes that `with_dims_u32` refuses, all results are unspecified. Nothing panics but
    /// [`offset`](WithDimsU32::offset), for a coordinate that is not below its size.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,1024]{1,0:T(8,128)});
    /// assert_eq!(A::with_dims_u32_unchecked([5, 1024]).offset_unchecked([4, 700]), 5692);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn with_dims_u32_unchecked(dims: <D::Index as IndexArray>::U32) -> WithDimsU32<Self> {
        let () = <Self as Compiled>::FITS_U32;
        let sizes = <Self as Compiled>::sizes(&D::Index::widen(dims));
        WithDimsU32 { sizes, of: PhantomData }
    }
}

impl<L: AnyLayout> WithDimsU32<L> {
    /// Sizes of the dimensions in elements, dimension 0 first.
    #[inline(always)]
    #[must_use]
    pub fn dims(&self) -> IndexU32<L> {
        L::dims(&self.sizes).narrow()
    }

    /// Slots for elements in memory: the padding of `PAD`, of all tiles and of `L` counted.
    #[inline(always)]
    #[must_use]
    pub fn padded_elements(&self) -> u32 {
        cut::<32>(compiled::slots::<L>(&self.sizes) as Size) as u32
    }

    /// Position of the element at `index` in memory, in elements, padding counted.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn offset(&self, index: IndexU32<L>) -> u32 {
        match self.checked_offset(index) {
            Some(offset) => offset,
            None => outside::<L>(&self.sizes, &L::Index::widen(index)),
        }
    }

    /// As [`offset`](Self::offset), without looking whether the index is in range: outside the
    /// bounds the number means nothing.
    #[inline(always)]
    #[must_use]
    pub fn offset_unchecked(&self, index: IndexU32<L>) -> u32 {
        find::find_unchecked::<L, 32>(&self.sizes, &L::Index::widen(index)) as u32
    }

    /// As [`offset`](Self::offset), but `None` where a coordinate is not below its dimension.
    #[inline(always)]
    #[must_use]
    pub fn checked_offset(&self, index: IndexU32<L>) -> Option<u32> {
        Some(find::find::<L, 32>(&self.sizes, &L::Index::widen(index))? as u32)
    }

    /// The element at a position in memory, in elements; `None` for padding and beyond the end.
    #[inline(always)]
    #[must_use]
    pub fn index(&self, offset: u32) -> Option<IndexU32<L>> {
        Some(find::element::<L, 32>(&self.sizes, offset as usize)?.narrow())
    }

    /// Whether a slot of memory holds no element. `false` past the end.
    #[inline(always)]
    #[must_use]
    pub fn is_padding(&self, offset: u32) -> bool {
        offset < self.padded_elements() && self.index(offset).is_none()
    }
}

impl<L: AnyLayout> Clone for WithDimsU32<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout> Copy for WithDimsU32<L> {}

impl<L: AnyLayout> fmt::Debug for WithDimsU32<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WithDims::<L>::of(self.sizes).fmt(f)
    }
}
