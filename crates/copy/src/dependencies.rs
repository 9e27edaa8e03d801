//! Which coordinates a digit is computed from.

use layout_core::analysis::{Digit, DigitSource, Sum};
use layout_core::base::MAX_TILE_DIMS;

/// The sets of coordinates that sums are computed from, a bit for each dimension.
#[derive(Clone, Copy, Debug)]
pub struct Dependencies([u32; MAX_TILE_DIMS]);

impl Dependencies {
    /// Of the sums of a layout.
    pub const fn new(sums: &[Sum]) -> Dependencies {
        let mut sets = Dependencies([0; MAX_TILE_DIMS]);
        each!(for i in 0..sums.len() {
            sets.0[i] = sets.of(&sums[i].major) | sets.of(&sums[i].minor);
        });
        sets
    }

    /// The set of coordinates that a digit is computed from.
    pub const fn of(&self, digit: &Digit) -> u32 {
        match digit.source() {
            _ if digit.is_zero() => 0,
            DigitSource::Dim(dim) => 1 << dim,
            DigitSource::Sum(sum) => self.0[sum],
        }
    }
}
