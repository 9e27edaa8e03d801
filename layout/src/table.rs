//! Tables of a layout: the offset of each element, and the element in each slot of memory.

use layout_spec::__private as spec;
use layout_spec::__private::Text;

use crate::any::AnyLayout;
use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList};
use crate::property::Properties;
use crate::tiles::TileSpec;

/// Stops with a table of the wrong length.
#[cold]
#[track_caller]
const fn wrong_length(given: usize, needed: usize, constant: &str) -> ! {
    let mut text = Text::<160>::new();
    text.str("a table of ");
    text.number(given);
    text.str(" entries where the layout needs ");
    text.number(needed);
    text.str(": its length is `");
    text.str(constant);
    text.str("`");
    panic!("{}", text.as_str())
}

/// Stops with a type that is too small.
#[cold]
#[track_caller]
const fn too_small(largest: usize, int: &str, is_padded: bool) -> ! {
    let mut text = Text::<160>::new();
    text.str("the table's entries go up to ");
    text.number(largest);
    if is_padded {
        text.str(" and the maximum stands for padding");
    }
    text.str(", too much for `");
    text.str(int);
    text.str("`: take the table of a larger type");
    panic!("{}", text.as_str())
}

macro_rules! tables {
    ($($int:ident $offsets:ident $spec_offsets:ident $elements:ident $spec_elements:ident,)*) => {
        impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties>
            Array<E, D, M, T, P>
        {$(
            /// The offset of each element, in row-major order of the elements (the last
            /// dimension fastest, whatever the layout).
            ///
            /// # Panics
            /// If `N` is not `ELEMENTS`, or if an offset does not fit in the type of the entries;
            /// in a `const` or a `static`, that stops the build.
            ///
            /// # Examples
            /// ```
            /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
            #[doc = concat!("static LUT: [", stringify!($int), "; A::ELEMENTS] = A::", stringify!($offsets), "();")]
            /// assert_eq!(LUT[2 * 5 + 3], 17);
            /// ```
            #[track_caller]
            pub const fn $offsets<const N: usize>() -> [$int; N] {
                let digits = Self::digits();
                if N != digits.elements() {
                    wrong_length(N, digits.elements(), "ELEMENTS");
                }
                if digits.size() > 0 && digits.size() - 1 > $int::MAX as usize {
                    // A padded slot at the end has no entry.
                    let largest = digits.largest_offset();
                    if largest > $int::MAX as usize {
                        too_small(largest, stringify!($int), false);
                    }
                }
                spec::$spec_offsets(digits)
            }

            /// For each slot of memory the number of its element in row-major order (the last
            /// dimension fastest), the maximum of the type for padding.
            ///
            /// # Panics
            /// If `N` is not `PADDED_ELEMENTS`, or if a number does not fit in the type of the
            /// entries or, where there is padding, could be taken for it; in a `const` or a
            /// `static`, that stops the build.
            ///
            /// # Examples
            /// ```
            /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
            #[doc = concat!("static WHO: [", stringify!($int), "; A::PADDED_ELEMENTS] = A::", stringify!($elements), "();")]
            /// assert_eq!(WHO[17], 2 * 5 + 3);
            #[doc = concat!("assert_eq!(WHO[9], ", stringify!($int), "::MAX);")]
            /// ```
            #[track_caller]
            pub const fn $elements<const N: usize>() -> [$int; N] {
                let digits = Self::digits();
                if N != Self::PADDED_ELEMENTS {
                    wrong_length(N, Self::PADDED_ELEMENTS, "PADDED_ELEMENTS");
                }
                let is_padded = Self::PADDED_ELEMENTS > digits.elements();
                let largest = digits.elements().saturating_sub(1);
                if largest > $int::MAX as usize - is_padded as usize {
                    too_small(largest, stringify!($int), is_padded);
                }
                spec::$spec_elements(digits)
            }
        )*}
    };
}

tables! {
    usize offset_table offsets element_table elements,
    u8 offset_table_u8 offsets_u8 element_table_u8 elements_u8,
    u16 offset_table_u16 offsets_u16 element_table_u16 elements_u16,
    u32 offset_table_u32 offsets_u32 element_table_u32 elements_u32,
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    const fn digits() -> &'static layout_spec::Digits {
        let () = <Self as AnyLayout>::VALID;
        <Self as AnyLayout>::DIGITS
    }
}
