//! Digits as slices.

use crate::analysis::digit::{Sum, Term};
use crate::analysis::digits::Digits;
use crate::base::limits::Size;
use crate::base::text::part;
use crate::shape::swizzle::XorBits;

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
}

impl Digits {
    /// The digits as slices.
    pub const fn view(&self) -> DigitsView<'_> {
        let dims = part(&self.dims, 0, self.rank);
        DigitsView { dims, sums: self.sums(), terms: self.terms(), swizzle: self.swizzle }
    }
}
