//! The offset of an index, and the index at an offset, for code that does not know the rank.

use layout_core::__private::{copy_native, cut};
use layout_core::{Digits, Size};

use crate::compiled::{self, AnyLayout, eval, eval::NO_COUNTS};
use crate::spec::index::{IndexArray, Visitor};

/// The offset of an index of the layout `L`; `None` outside the bounds, if these are `CHECKED`.
struct Offset<'a, L: AnyLayout, const BITS: u32, const CHECKED: bool> {
    sizes: &'a L::Sizes,
}

impl<L: AnyLayout, const BITS: u32, const CHECKED: bool> Visitor for Offset<'_, L, BITS, CHECKED> {
    type Output = Option<usize>;

    #[inline(always)]
    fn visit<const R: usize>(self, index: &mut [usize; R]) -> Option<usize> {
        if CHECKED && eval::is_outside_of::<L, R, BITS>(L::dims(self.sizes).as_ref(), index) {
            return None;
        }
        if const { L::IS_FIXED } {
            return Some(eval::offset::<L, R, BITS>(NO_COUNTS, index));
        }
        Some(eval::offset::<L, R, BITS>(&L::counts(self.sizes), index))
    }
}

/// Writes the index of the element at an offset; false for padding and past the end.
struct Element<'a, L: AnyLayout, const BITS: u32> {
    sizes: &'a L::Sizes,
    offset: usize,
}

impl<L: AnyLayout, const BITS: u32> Visitor for Element<'_, L, BITS> {
    type Output = bool;

    #[inline(always)]
    fn visit<const R: usize>(self, index: &mut [usize; R]) -> bool {
        if const { L::IS_FIXED || eval::is_straight::<L>() } {
            match eval::index::<L, R, BITS>(&L::counts(self.sizes), self.offset) {
                Some(found) => *index = found,
                None => return false,
            }
        } else {
            let counted = |digits: &Digits| cut::<BITS>(digits.end()) == digits.end();
            let digits = compiled::digits_of_array::<L>(self.sizes).filter(counted);
            match digits.and_then(|all| all.index_in::<BITS>(self.offset as Size, false)) {
                Some(found) => copy_native(&found, index),
                None => return false,
            }
        }
        !eval::is_outside_of::<L, R, BITS>(L::dims(self.sizes).as_ref(), index)
    }
}

/// The offset, computed in `BITS` bits; `None` outside the bounds.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn find<L: AnyLayout, const BITS: u32>(
    sizes: &L::Sizes,
    index: &L::Index,
) -> Option<usize> {
    let mut index = *index;
    index.visit(Offset::<L, BITS, true> { sizes })
}

/// The offset, computed in `BITS` bits, unspecified outside the bounds.
#[inline(always)]
pub(crate) fn find_unchecked<L: AnyLayout, const BITS: u32>(
    sizes: &L::Sizes,
    index: &L::Index,
) -> usize {
    let mut index = *index;
    index.visit(Offset::<L, BITS, false> { sizes }).unwrap_or(0)
}

/// The index of the element at an offset, computed in `BITS` bits; `None` for padding and past the end.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn element<L: AnyLayout, const BITS: u32>(
    sizes: &L::Sizes,
    offset: usize,
) -> Option<L::Index> {
    let mut index = L::ORIGIN;
    index.visit(Element::<L, BITS> { sizes, offset }).then_some(index)
}
