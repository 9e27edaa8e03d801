//! The offset of an element, and the element at an offset: of an array's type and of the trait
//! [`Layout`](crate::Layout), in words of the target and in 32 bits.

use layout_core::__private::{NATIVE, native};
use layout_core::limits::MAX_DIMS;

use crate::array::offset;
use crate::compiled::{Compiled, eval, eval::NO_COUNTS};
use crate::spec::array::Array;
use crate::spec::index::{narrow, widen};
use crate::spec::{DimList, Dims, Element, NumberList, Properties, StaticDims, TileSpec};

/// The functions, which `$how!` declares: those with `[R]` are of layouts of `R` dimensions.
macro_rules! each_function {
    ($how:ident) => {
        each_function! { $how usize NATIVE VALID
    /// Offset of the element at `index`: its position in memory, in elements, padding counted.
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
    offset

    /// Like [`offset`](Self::offset), without the check that the index is in range:
    /// unspecified if out of bounds.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::offset_unchecked([2, 3]), 17);
    /// ```
    offset_unchecked

    /// Like [`offset`](Self::offset), but `None` where a coordinate is not below its dimension.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::checked_offset([2, 3]), Some(17));
    /// assert_eq!(A::checked_offset([3, 0]), None);
    /// ```
    checked_offset

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
    index

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
    is_padding
        }
        each_function! { $how u32 BITS_32 FITS_U32
    /// Like [`offset`](Self::offset), computed in 32 bits: what kernels on GPUs need, and what vectors of
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
    offset_u32

    /// Like [`offset_u32`](Self::offset_u32), without the check that the index is in range:
    /// unspecified if out of bounds.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::offset_u32_unchecked([2, 3]), 17);
    /// ```
    offset_u32_unchecked

    /// Like [`offset_u32`](Self::offset_u32), but `None` where a coordinate is not below its dimension.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::checked_offset_u32([2, 3]), Some(17));
    /// assert_eq!(A::checked_offset_u32([3, 0]), None);
    /// ```
    checked_offset_u32

    /// Like [`index`](Self::index), computed in 32 bits.
    ///
    /// Does not compile if the array has more than `u32::MAX` slots in memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::index_u32(17), Some([2, 3]));
    /// assert_eq!(A::index_u32(9), None);
    /// ```
    index_u32

    /// Like [`is_padding`](Self::is_padding), computed in 32 bits.
    ///
    /// Does not compile if the array has more than `u32::MAX` slots in memory.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert!(A::is_padding_u32(9));
    /// ```
    is_padding_u32
        }
        $how! {
    /// Elements in memory from one index to the next along each dimension, dimension 0 first, if the
    /// offset is the sum of the coordinates times these; 0 along dimensions of size 1, and along all
    /// dimensions of an array without elements.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// assert_eq!(<layout!(F32[3,5]{0,1})>::strides(), Some([1, 3]));
    /// assert_eq!(<layout!(F32[3,5]{1,0:T(2,2)})>::strides(), None);
    /// ```
            fn strides[R]() -> Option<[usize; R]> {
                let () = <Self as Compiled>::VALID;
                offset::strides::<Self, R>()
            }

    /// Size of a dimension in elements, counted from the end if negative: −1 is the last.
    ///
    /// # Panics
    /// If the dimension is out of range; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::dim(0), 3);
    /// assert_eq!(A::dim(-1), 5);
    /// ```
    #[doc(alias("GetDimensionNumber", "GetDimension"))]
    #[track_caller]
            fn dim[](dim: isize) -> usize {
                let () = <Self as Compiled>::VALID;
                let sizes = <Self as Compiled>::SIZES;
                let number = if dim < 0 { dim.wrapping_add(sizes.len() as isize) } else { dim };
                if number < 0 || number >= sizes.len() as isize {
                    offset::no_dim(dim, sizes.len())
                }
                sizes[number as usize]
            }
        }
    };
    (
        $how:ident $word:ident $bits:ident $valid:ident
        $(#[$offset_doc:meta])* $offset:ident
        $(#[$unchecked_doc:meta])* $unchecked:ident
        $(#[$checked_doc:meta])* $checked:ident
        $(#[$index_doc:meta])* $index:ident
        $(#[$is_padding_doc:meta])* $is_padding:ident
    ) => { $how! {
        $(#[$offset_doc])*
        #[cfg_attr(debug_assertions, inline)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[track_caller]
        fn $offset[R](index: [$word; R]) -> $word {
            let () = <Self as Compiled>::$valid;
            let wide = words!(wide $word, index);
            eval::assert_in_range::<Self, R>(&wide);
            eval::offset::<Self, R, $bits>(NO_COUNTS, &wide) as $word
        }

        $(#[$unchecked_doc])*
        #[inline(always)]
        fn $unchecked[R](index: [$word; R]) -> $word {
            let () = <Self as Compiled>::$valid;
            eval::offset::<Self, R, $bits>(NO_COUNTS, &words!(wide $word, index)) as $word
        }

        $(#[$checked_doc])*
        #[cfg_attr(debug_assertions, inline)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $checked[R](index: [$word; R]) -> Option<$word> {
            let () = <Self as Compiled>::$valid;
            let wide = words!(wide $word, index);
            if eval::is_outside::<Self, R>(&wide) {
                return None;
            }
            Some(eval::offset::<Self, R, $bits>(NO_COUNTS, &wide) as $word)
        }

        $(#[$index_doc])*
        #[inline(always)]
        fn $index[R](offset: $word) -> Option<[$word; R]> {
            let () = <Self as Compiled>::$valid;
            let index = some!(eval::index::<Self, R, $bits>(NO_COUNTS, offset as usize));
            Some(words!(narrow $word, index))
        }

        $(#[$is_padding_doc])*
        #[cfg_attr(debug_assertions, inline)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $is_padding[](offset: $word) -> bool {
            let () = <Self as Compiled>::$valid;
            (offset as usize) < <Self as Compiled>::SLOTS
                && eval::index::<Self, MAX_DIMS, $bits>(NO_COUNTS, offset as usize).is_none()
        }
    } };
}

/// An index of words, as one of the target's words and back.
macro_rules! words {
    ($way:ident usize, $index:expr) => {
        $index
    };
    (wide u32, $index:expr) => {
        widen($index)
    };
    (narrow u32, $index:expr) => {
        narrow($index)
    };
}

pub(super) use {each_function, words};

pub(super) const BITS_32: u32 = 32;

macro_rules! of_array {
    ($(
        $(#[$doc:meta])*
        fn $name:ident [$($r:ident)?] ($($argument:ident: $type:ty)?) -> $result:ty $body:block
    )*) => {$(
        $(#[$doc])*
        pub const fn $name $(<const $r: usize>)? ($($argument: $type)?) -> $result
        where
            D: StaticDims $(+ Dims<$r>)?,
        $body
    )*};
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    each_function! { of_array }
}

/// Slots from one index to the next along each dimension, if the layout is affine.
pub(super) const fn strides<L: Compiled, const R: usize>() -> Option<[usize; R]> {
    let Some(all) = L::DIGITS.strides() else { return None };
    let mut strides = [0; R];
    each!(for dim in 0..R {
        strides[dim] = native(all[dim].value(NO_COUNTS));
    });
    Some(strides)
}

#[cold]
#[track_caller]
pub(super) const fn no_dim(dim: isize, rank: usize) -> ! {
    stop!(
        "dimension ",
        layout_core::__private::Piece::Signed(dim as i64),
        " is out of range for an array of rank ",
        rank
    )
}
