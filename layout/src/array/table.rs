//! Tables of a layout: the offset of each element, and the element in each slot of memory.

use layout_core::__private as spec;
use layout_core::__private::{Text, native};
use layout_core::Size;

use crate::compiled::{AnyLayout, Compiled};
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{DimList, NumberList};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

/// Stops with a table of the wrong length.
#[cold]
#[track_caller]
const fn wrong_length(given: usize, needed: usize, constant: &str) -> ! {
    stop!(
        "a table of ",
        given,
        " entries where the layout needs ",
        needed,
        ": its length is `",
        constant,
        "`"
    )
}

/// Stops with a type that is too small.
#[cold]
#[track_caller]
const fn too_small(largest: Size, int: &str, is_padded: bool) -> ! {
    let mut text = Text::<160>::new();
    say!(text, "the table's entries go up to ", largest);
    if is_padded {
        text.str(", and padding needs one more number");
    }
    say!(text, ": use a larger type than `", int, "`");
    panic!("{}", text.as_str())
}

/// The type of a table's entries.
trait Entry {
    const NAME: &'static str;
    const MOST: Size;
}

/// Stops the build if a table of offsets is not as long as the array has elements, or if an offset does not fit in
/// its type.
#[track_caller]
const fn check_offsets<L: AnyLayout, I: Entry, const N: usize>() {
    let () = L::VALID;
    let digits = L::DIGITS;
    if N as Size != digits.elements() {
        wrong_length(N, native(digits.elements()), "ELEMENTS");
    }
    // Where the last slot's number fits, so does that of the last element.
    if digits.size() > 0 && digits.size() - 1 > I::MOST {
        let largest = digits.largest_offset();
        if largest > I::MOST {
            too_small(largest, I::NAME, false);
        }
    }
}

/// Stops the build if a table of elements is not as long as there are slots, or if a number does not fit in its type.
#[track_caller]
const fn check_elements<L: AnyLayout, I: Entry, const N: usize>() {
    let () = L::VALID;
    let elements = L::DIGITS.elements();
    if N != L::SLOTS {
        wrong_length(N, L::SLOTS, "PADDED_ELEMENTS");
    }
    let is_padded = L::SLOTS as Size > elements;
    let largest = elements.saturating_sub(1);
    if largest > I::MOST - is_padded as Size {
        too_small(largest, I::NAME, is_padded);
    }
}

// A function first checks at the place that calls it: in a `const`, the error is at the user's line. These check
// once more in a `const` of their own, so that there is an error at run time too. They are not part of the macro
// below, whose expansion would be part of the message.

const fn offsets_at_run_time<L: AnyLayout, I: Entry, const N: usize>() {
    const { check_offsets::<L, I, N>() }
}

const fn elements_at_run_time<L: AnyLayout, I: Entry, const N: usize>() {
    const { check_elements::<L, I, N>() }
}

macro_rules! tables {
    ($($int:ident $offsets:ident $spec_offsets:ident $elements:ident $spec_elements:ident,)*) => {
        $(impl Entry for $int {
            const NAME: &'static str = stringify!($int);
            const MOST: Size = $int::MAX as Size;
        })*

        impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties>
            Array<E, D, M, T, P>
        {$(
            /// The offset of each element, in row-major order of the elements (the last
            /// dimension fastest, whatever the layout). Takes time linear in the number of elements: a table of more
            /// than some two million entries needs `#![allow(long_running_const_eval)]` in the crate that has it.
            ///
            /// Compile error if `N` is not `ELEMENTS`, or if an offset does not fit in the type of the
            /// entries.
            ///
            /// # Examples
            /// ```
            /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
            #[doc = concat!("static LUT: [", stringify!($int), "; A::ELEMENTS] = A::", stringify!($offsets), "();")]
            /// assert_eq!(LUT[2 * 5 + 3], 17);
            /// ```
            #[track_caller]
            pub const fn $offsets<const N: usize>() -> [$int; N] {
                check_offsets::<Self, $int, N>();
                offsets_at_run_time::<Self, $int, N>();
                spec::$spec_offsets(<Self as Compiled>::DIGITS)
            }

            /// For each slot of memory the number of its element in row-major order (the last
            /// dimension fastest), the maximum of the type for padding. Takes time linear in the number
            /// of slots: a table of more than some two million entries needs
            /// `#![allow(long_running_const_eval)]` in the crate that has it.
            ///
            /// Compile error if `N` is not `PADDED_ELEMENTS`, or if a number does not fit in the
            /// type of the entries or, where there is padding, could be taken for it.
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
                check_elements::<Self, $int, N>();
                elements_at_run_time::<Self, $int, N>();
                spec::$spec_elements(<Self as Compiled>::DIGITS)
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
