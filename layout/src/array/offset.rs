//! The offset of an element, and the element at an offset.

use layout_core::__private::NATIVE;
use layout_core::limits::MAX_DIMS;

use crate::compiled::Compiled;
use crate::compiled::eval::{self, NO_COUNTS};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{DimList, Dims, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// Position of the element at `index` in memory, in elements, padding counted.
    ///
    /// `linear_index_with_tile` of XLA's "Tiled layout" document, for every level of tiling.
    /// Coordinates are in dimension order (dimension 0 first).
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const AT: usize = A::offset([2, 3]);
    /// assert_eq!(AT, 17);
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[track_caller]
    pub const fn offset<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::VALID;
        eval::assert_in_range::<Self, R>(&index);
        Self::offset_unchecked(index)
    }

    /// As [`offset`](Self::offset), without looking whether the index is in range: outside the
    /// bounds the number means nothing.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::offset_unchecked([2, 3]), 17);
    /// ```
    #[inline(always)]
    pub const fn offset_unchecked<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::VALID;
        eval::offset::<Self, R, NATIVE>(NO_COUNTS, &index)
    }

    /// As [`offset`](Self::offset), but `None` where a coordinate is not below its dimension.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::checked_offset([2, 3]), Some(17));
    /// assert_eq!(A::checked_offset([3, 0]), None);
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn checked_offset<const R: usize>(index: [usize; R]) -> Option<usize>
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::VALID;
        if eval::is_outside::<Self, R>(&index) {
            return None;
        }
        Some(Self::offset_unchecked(index))
    }

    /// The element at a position in memory, in elements; `None` for padding and beyond the end.
    ///
    /// Where tiles are not powers of two, this divides; where a `*` combines dimensions, it walks over
    /// the digits of the layout at some ten times the cost of an offset. Code that needs every
    /// element walks over [`indices`](Self::indices).
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::index(17), Some([2, 3]));
    /// assert_eq!(A::index(9), None);
    /// assert_eq!(A::index(24), None);
    /// ```
    #[inline(always)]
    pub const fn index<const R: usize>(offset: usize) -> Option<[usize; R]>
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as Compiled>::VALID;
        eval::index::<Self, R, NATIVE>(NO_COUNTS, offset)
    }

    /// Whether a slot of memory holds no element. `false` past the end.
    ///
    /// At run time it costs what [`index`](Self::index) does; [`paddings`](Self::paddings) walks
    /// over all padding.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert!(A::is_padding(9));
    /// assert!(!A::is_padding(17) && !A::is_padding(24));
    /// ```
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn is_padding(offset: usize) -> bool
    where
        D: StaticDims,
    {
        let () = <Self as Compiled>::VALID;
        offset < Self::PADDED_ELEMENTS
            && eval::index::<Self, MAX_DIMS, NATIVE>(NO_COUNTS, offset).is_none()
    }
}
