//! Layouts with the sizes that are known at run time only, for offsets of 32 bits.

use core::marker::PhantomData;

use core::fmt;

use layout_core::__private::cut;
use layout_core::{Fault, Size};

use crate::array::with_dims::{WithDims, counted};
use crate::compiled::{self, AnyLayout, Compiled, check_u32, find, outside};
use crate::spec::array::Array;
use crate::spec::index::IndexArray;
use crate::spec::{DimList, Element, LayoutTypes, NumberList, Properties, TileSpec};

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
/// # Ok::<(), layout::shape::Fault>(())
/// ```
pub struct WithDimsU32<L: AnyLayout> {
    sizes: L::Sizes,
    of: PhantomData<fn() -> L>,
}

/// An index of 32-bit coordinates: `[u32; RANK]`.
type IndexU32<L> = <<L as LayoutTypes>::Index as IndexArray>::U32;

impl<L: AnyLayout> WithDims<L> {
    /// The layout with offsets of 32 bits.
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
    /// # Ok::<(), layout::shape::Fault>(())
    /// ```
    #[inline]
    pub fn to_u32(&self) -> Result<WithDimsU32<L>, Fault> {
        check_u32(self.padded_elements())?;
        Ok(WithDimsU32 { sizes: self.sizes, of: PhantomData })
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// Like [`with_dims`](Self::with_dims), for offsets of 32 bits.
    ///
    /// # Errors
    /// Those of `with_dims`, and if the array has more than `u32::MAX` slots in memory with the sizes.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,1024]{1,0:T(8,128)});
    /// assert_eq!(A::with_dims_u32([5, 1024])?.offset([4, 700]), 5692);
    /// # Ok::<(), layout::shape::Fault>(())
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

counted! { WithDimsU32: u32, 32, IndexU32<L>, L::Index::widen, IndexArray::narrow }

copy! { WithDimsU32<L: AnyLayout> }

impl<L: AnyLayout> fmt::Debug for WithDimsU32<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WithDims::<L>::of(self.sizes).fmt(f)
    }
}
