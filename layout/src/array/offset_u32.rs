//! The offset of an element, and the element at an offset, in 32 bits.

use layout_core::limits::MAX_DIMS;

use crate::compiled::Compiled;
use crate::compiled::eval::{self, NO_COUNTS};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::index::{narrow, widen};
use crate::types::list::{DimList, Dims, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// As [`offset`](Self::offset), computed in 32 bits: what kernels on GPUs need, and what vectors of
    /// indices gather by.
    ///
    /// Does not compile if the array has more than `u32::MAX` slots in memory
    /// ([`PADDED_ELEMENTS`](Self::PADDED_ELEMENTS)).
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const AT: u32 = A::offset_u32([2, 3]);
    /// assert_eq!(AT, 17);
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[track_caller]
    pub const fn offset_u32<const R: usize>(index: [u32; R]) -> u32
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::FITS_U32;
        eval::assert_in_range::<Self, R>(&widen(index));
        Self::offset_u32_unchecked(index)
    }

    /// As [`offset_u32`](Self::offset_u32), without looking whether the index is in range: outside the
    /// bounds the number means nothing.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::offset_u32_unchecked([2, 3]), 17);
    /// ```
    #[inline(always)]
    pub const fn offset_u32_unchecked<const R: usize>(index: [u32; R]) -> u32
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::FITS_U32;
        eval::offset::<Self, R, 32>(NO_COUNTS, &widen(index)) as u32
    }

    /// As [`offset_u32`](Self::offset_u32), but `None` where a coordinate is not below its dimension.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::checked_offset_u32([2, 3]), Some(17));
    /// assert_eq!(A::checked_offset_u32([3, 0]), None);
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn checked_offset_u32<const R: usize>(index: [u32; R]) -> Option<u32>
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::FITS_U32;
        if eval::is_outside::<Self, R>(&widen(index)) {
            return None;
        }
        Some(Self::offset_u32_unchecked(index))
    }

    /// As [`index`](Self::index), computed in 32 bits.
    ///
    /// Does not compile if the array has more than `u32::MAX` slots in memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::index_u32(17), Some([2, 3]));
    /// assert_eq!(A::index_u32(9), None);
    /// ```
    #[inline(always)]
    pub const fn index_u32<const R: usize>(offset: u32) -> Option<[u32; R]>
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::FITS_U32;
        match eval::index::<Self, R, 32>(NO_COUNTS, offset as usize) {
            Some(index) => Some(narrow(index)),
            None => None,
        }
    }

    /// As [`is_padding`](Self::is_padding), computed in 32 bits.
    ///
    /// Does not compile if the array has more than `u32::MAX` slots in memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert!(A::is_padding_u32(9));
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn is_padding_u32(offset: u32) -> bool
    where
        D: StaticDims,
    {
        let () = <Self as Compiled>::FITS_U32;
        (offset as usize) < Self::PADDED_ELEMENTS
            && eval::index::<Self, MAX_DIMS, 32>(NO_COUNTS, offset as usize).is_none()
    }
}
