//! Tables of a layout: the offset of each element, and the element in each slot of memory.

pub(crate) mod row_pieces;

use layout_core::__private::native;
use layout_core::Size;

use crate::array::table::row_pieces::{RowPieces, largest_offset};
use crate::compiled::StaticLayout;
use crate::spec::array::Array;
use crate::spec::sealed::Sealed;
use crate::spec::{DimList, Element, NumberList, Properties, StaticDims, TileSpec};

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

/// Most entries of a table. With these the compiler is silent for a minute.
const MOST_ENTRIES: usize = 1 << 24;

/// Stops with a table that would take the compiler too long.
#[cold]
#[track_caller]
const fn too_long(entries: usize, one: &str) -> ! {
    stop!(
        "a table of ",
        entries,
        " entries takes the compiler too long, which makes at most ",
        MOST_ENTRIES,
        ": fill a larger one at run time, by `",
        one,
        "`"
    )
}

/// Stops with a type that is too small.
#[cold]
#[track_caller]
const fn too_small(largest: Size, int: &str, is_padded: bool) -> ! {
    stop!(
        "the table's entries go up to ",
        largest,
        if is_padded { ", and padding needs one more number" } else { "" },
        ": use a larger type than `",
        int,
        "`"
    )
}

/// A table of the layout `L`: an array of `u8`, `u16`, `u32` or `usize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table of a layout",
    note = "a table is an array of `u8`, `u16`, `u32` or `usize`: `[u16; A::ELEMENTS]` of `A::offset_table()`, `[u16; A::PADDED_ELEMENTS]` of `A::element_table()`, in which the type's largest number is padding"
)]
#[allow(private_bounds, reason = "nobody else names what a layout is compiled to")]
pub trait Table<L: StaticLayout>: Sealed + Sized {
    #[doc(hidden)]
    const ENTRIES: Entries;
    #[doc(hidden)]
    const OFFSETS: Self;
    #[doc(hidden)]
    const ELEMENTS: Self;
}

/// The entries of a table: how many, of what type, and the largest number of that.
#[derive(Clone, Copy, Debug)]
#[allow(unnameable_types, reason = "only a hidden item of a sealed trait has it")]
pub struct Entries {
    count: usize,
    name: &'static str,
    most: Size,
}

/// Stops the build if a table of offsets is not as long as the array has elements, or if an offset does not fit in
/// its type.
#[track_caller]
const fn check_offsets<L: StaticLayout>(entries: Entries) {
    let () = L::VALID;
    let digits = L::DIGITS;
    if entries.count > MOST_ENTRIES {
        too_long(entries.count, "offset");
    }
    if entries.count as Size != digits.elements() {
        wrong_length(entries.count, native(digits.elements()), "ELEMENTS");
    }
    // Where the last slot's number fits, so does that of the last element.
    if digits.end() > 0 && digits.end() - 1 > entries.most {
        let largest = largest_offset(digits);
        if largest > entries.most {
            too_small(largest, entries.name, false);
        }
    }
}

/// Stops the build if a table of elements is not as long as there are slots, or if a number does not fit in its type.
#[track_caller]
const fn check_elements<L: StaticLayout>(entries: Entries) {
    let () = L::VALID;
    let elements = L::DIGITS.elements();
    if entries.count > MOST_ENTRIES {
        too_long(entries.count, "index");
    }
    if entries.count != L::SLOTS {
        wrong_length(entries.count, L::SLOTS, "PADDED_ELEMENTS");
    }
    let is_padded = L::SLOTS as Size > elements;
    let largest = elements.saturating_sub(1);
    if largest > entries.most - is_padded as Size {
        too_small(largest, entries.name, is_padded);
    }
}

macro_rules! tables {
    ($($int:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: StaticLayout, const N: usize> Table<L> for [$int; N] {
            const ENTRIES: Entries =
                Entries { count: N, name: stringify!($int), most: $int::MAX as Size };

            // Of another length the functions below have said it already.
            const OFFSETS: Self = {
                if N > MOST_ENTRIES {
                    too_long(N, "offset");
                }
                let mut table = [0; N];
                if N as Size == L::DIGITS.elements() {
                    let mut rows = RowPieces::new(L::DIGITS);
                    while rows.next() {
                        let (first, count) = (native(rows.first), rows.count);
                        let mut i = 0;
                        while i < count {
                            table[first + i] = (rows.base + rows.parts[i]) as $int;
                            i += 1; // With `#![allow(long_running_const_eval)]` rustc computes larger tables.
                        }
                    }
                }
                table
            };

            const ELEMENTS: Self = {
                if N > MOST_ENTRIES {
                    too_long(N, "index");
                }
                let mut table = [$int::MAX; N];
                if N == L::SLOTS {
                    let mut rows = RowPieces::new(L::DIGITS);
                    while rows.next() {
                        let (base, count) = (native(rows.base), rows.count);
                        let mut i = 0;
                        while i < count {
                            table[base + rows.parts[i] as usize] = (rows.first + i as Size) as $int;
                            i += 1; // With `#![allow(long_running_const_eval)]` rustc computes larger tables.
                        }
                    }
                }
                table
            };
        }
    )*};
}

tables! { u8 u16 u32 usize }

// The functions first check at the place that calls them: in a `const`, the error is at the user's line. They check once
// more in a `const` of its own, so that there is an error at run time too. A table is named by a function of its own, so
// that it is made after the check.

/// See [`Array::offset_table`].
#[inline(always)]
#[track_caller]
pub(super) const fn offset_table<L: StaticLayout, A: Table<L>>() -> A {
    const fn at_run_time<L: StaticLayout, A: Table<L>>() {
        const { check_offsets::<L>(A::ENTRIES) }
    }
    const fn table<L: StaticLayout, A: Table<L>>() -> A {
        A::OFFSETS
    }
    check_offsets::<L>(A::ENTRIES);
    at_run_time::<L, A>();
    table::<L, A>()
}

/// See [`Array::element_table`].
#[inline(always)]
#[track_caller]
pub(super) const fn element_table<L: StaticLayout, A: Table<L>>() -> A {
    const fn at_run_time<L: StaticLayout, A: Table<L>>() {
        const { check_elements::<L>(A::ENTRIES) }
    }
    const fn table<L: StaticLayout, A: Table<L>>() -> A {
        A::ELEMENTS
    }
    check_elements::<L>(A::ENTRIES);
    at_run_time::<L, A>();
    table::<L, A>()
}

/// The tables, which `$how!` declares.
macro_rules! each_table {
    ($how:ident) => {
        $how! {
        /// The offset of each element as an array of `u8`, `u16`, `u32` or `usize`. For any layout the table is in row-major order
        /// of the elements: the last dimension varies fastest.
        ///
        /// The compiler makes it, in time linear in the number of elements: a table of more than some two million entries needs
        /// `#![allow(long_running_const_eval)]` in the crate that has it, and one of more than 2²⁴ is refused.
        ///
        /// Compile error if the length of the array is not `ELEMENTS`, or if an offset does not fit in the type of the
        /// entries: at the `static` or the `const` that has the table. Elsewhere `cargo build` names both types, and not the line.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// static OFFSETS: [u16; A::ELEMENTS] = A::offset_table();
        /// assert_eq!(OFFSETS[2 * 5 + 3], 17);
        /// ```
        offset_table;

        /// For each slot of memory the number of its element in row-major order (the last dimension fastest), the largest number
        /// of the type for padding, as an array of `u8`, `u16`, `u32` or `usize`.
        ///
        /// The compiler makes it, in time linear in the number of slots, with the limits of
        /// [`offset_table`](Self::offset_table).
        ///
        /// Compile error if the length of the array is not `PADDED_ELEMENTS`, or if a number does not fit in the type of the
        /// entries or, where there is padding, could be taken for it.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// static ELEMENTS: [u8; A::PADDED_ELEMENTS] = A::element_table();
        /// assert_eq!((ELEMENTS[17], ELEMENTS[9]), (2 * 5 + 3, u8::MAX));
        /// ```
        element_table;
        }
    };
}

macro_rules! of_array {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub const fn $name<A: Table<Self>>() -> A
        where
            D: StaticDims,
        {
            $name::<Self, A>()
        }
    )*};
}

pub(super) use each_table;

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    each_table! { of_array }
}
