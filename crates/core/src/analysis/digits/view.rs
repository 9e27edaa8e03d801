//! Digits as slices.

use crate::analysis::digit::{Sum, Term};
use crate::analysis::digits::Digits;
use crate::analysis::unknown::Amount;
use crate::base::{Size, subslice};
use crate::shape::XorBits;

/// The digits of a layout whose sizes are known, as slices without unused entries.
#[derive(Clone, Copy, Debug)]
pub struct DigitsView<'a> {
    /// Sizes of the dimensions.
    pub dims: &'a [Size],
    /// The sums that digits are taken of.
    pub sums: &'a [Sum],
    /// The terms of an offset, major to minor.
    pub terms: &'a [Term],
    /// What is done with their sum.
    pub swizzle: XorBits,
}

impl DigitsView<'_> {
    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Size of a dimension, in elements.
    pub const fn dim(&self, dim: usize) -> Size {
        self.dims[dim]
    }

    /// Whether there are no elements. Sizes may be unknown.
    pub const fn is_empty(&self) -> bool {
        each!(for &size in self.dims {
            if size == 0 {
                return true;
            }
        });
        false
    }

    /// Number of elements.
    pub const fn elements(&self) -> Size {
        let mut elements = 1;
        each!(for &size in self.dims {
            elements *= size;
        });
        elements
    }

    /// The digits with room for any layout's, of an array that takes `size` slots. Strides may be 0, and below 0 in two's
    /// complement: then offsets are sums modulo 2⁶⁴.
    #[doc(hidden)]
    pub const fn to_digits(&self, size: Amount) -> Digits {
        let DigitsView { dims, sums, terms, swizzle } = *self;
        let (rank, sum_count, count) = (dims.len(), sums.len(), terms.len());
        let elements = self.elements();
        let mut digits = Digits { rank, elements, sum_count, count, size, swizzle, ..Digits::NONE };
        digits.dims.split_at_mut(rank).0.copy_from_slice(dims);
        digits.sums.split_at_mut(sum_count).0.copy_from_slice(sums);
        digits.terms.split_at_mut(count).0.copy_from_slice(terms);
        digits
    }
}

impl<const TERMS: usize, const PARTS: usize> Digits<TERMS, PARTS> {
    /// The digits as slices.
    pub const fn view(&self) -> DigitsView<'_> {
        DigitsView {
            dims: subslice(&self.dims, 0, self.rank),
            sums: subslice(&self.sums, 0, self.sum_count),
            terms: subslice(&self.terms, 0, self.count),
            swizzle: self.swizzle,
        }
    }
}
