//! Digits of dimensions, and sequences of them: what layouts are in the order of memory.

// One sequence serves XLA's and Mosaic's tiles, Mosaic GPU's and the packs of `linalg`. Overlaps, broadcasts
// and holes other than `PAD` are errors: tiles that pad what other tiles have cut make holes that no order of
// digits has.

use crate::base::{MAX_BOUNDS, Size, subslice};
use crate::shape::TileDim;

/// A digit of a dimension: `i / weight % size` of its coordinate `i`, or `i / weight` without a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DimDigit {
    /// The dimension.
    pub dim: usize,
    /// Elements along the dimension from one value of the digit to the next.
    pub weight: Size,
    /// Values of the digit; `None` for the rest of the dimension, of any size.
    pub size: Option<Size>,
}

impl DimDigit {
    /// A digit of one value, which counts nothing.
    pub const ONE: DimDigit = DimDigit { dim: 0, weight: 1, size: Some(1) };

    /// Elements of the dimension that the digit and those below it count; `None` for one of any size.
    pub const fn end(&self) -> Option<Size> {
        Some(self.weight * some!(self.size))
    }

    /// Values of the digit; 1 for one of any size.
    pub const fn values(&self) -> Size {
        match self.size {
            Some(size) => size,
            None => 1,
        }
    }

    /// Whether it counts what another digit of its dimension leaves above itself.
    pub const fn is_next_above(&self, below: &DimDigit) -> bool {
        match below.end() {
            Some(end) => self.dim == below.dim && self.weight == end,
            None => false,
        }
    }

    /// What it counts above `size` values, and what below. `None` if `size` does not divide it.
    pub const fn cut(self, size: Size) -> Option<(DimDigit, DimDigit)> {
        let above = match self.size {
            // Digits do not count what is padded.
            Some(values) if !values.is_multiple_of(size) => return None,
            Some(values) => Some(values / size),
            None => None,
        };
        // No order has a digit of so large a weight, so it may stop at the largest number.
        let weight = self.weight.saturating_mul(size);
        Some((DimDigit { weight, size: above, ..self }, DimDigit { size: Some(size), ..self }))
    }
}

/// Digits of dimensions, the most major in memory first: what tiles, packs, reshapes and transposes change.
#[derive(Clone, Copy, Debug)]
pub struct DigitSequence {
    digits: [DimDigit; MAX_BOUNDS],
    len: usize,
}

impl DigitSequence {
    /// No digits.
    pub const EMPTY: DigitSequence = DigitSequence { digits: [DimDigit::ONE; MAX_BOUNDS], len: 0 };

    /// The digits.
    pub const fn as_slice(&self) -> &[DimDigit] {
        subslice(&self.digits, 0, self.len)
    }

    /// The digits, to sort or to change.
    pub fn as_mut_slice(&mut self) -> &mut [DimDigit] {
        &mut self.digits[..self.len]
    }

    /// Number of digits.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no digits.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the most minor digit.
    ///
    /// # Panics
    /// If no room is left: a layout has at most [`MAX_BOUNDS`] digits.
    pub const fn push(&mut self, digit: DimDigit) {
        self.digits[self.len] = digit;
        self.len += 1;
    }

    /// Puts a digit before the one at a place, or after all.
    ///
    /// # Panics
    /// If the place does not exist, or no room is left.
    pub fn insert(&mut self, at: usize, digit: DimDigit) {
        self.digits.copy_within(at..self.len, at + 1);
        self.digits[at] = digit;
        self.len += 1;
    }

    /// Takes out the digit at a place.
    ///
    /// # Panics
    /// If there is none.
    pub fn remove(&mut self, at: usize) {
        self.digits.copy_within(at + 1..self.len, at);
        self.len -= 1;
    }

    /// Leaves what a digit counts above `size` elements where it is, and returns what it counts below. `None` if
    /// `size` does not divide it.
    ///
    /// # Panics
    /// If the digit does not exist.
    pub const fn cut(&mut self, at: usize, size: Size) -> Option<DimDigit> {
        let (above, below) = some!(self.digits[at].cut(size));
        self.digits[at] = above;
        Some(below)
    }

    /// Cuts the most minor digits, one for each size, and moves what is below after all of them: a tile. False if there
    /// are fewer digits, or a size does not divide its digit.
    pub const fn tile(&mut self, tile: &[TileDim]) -> bool {
        let Some(first) = self.len.checked_sub(tile.len()) else { return false };
        each!(for entry in 0..tile.len() {
            match self.cut(first + entry, tile[entry].size()) {
                Some(below) => self.push(below),
                None => return false,
            }
        });
        true
    }

    /// The digits at these places.
    ///
    /// # Panics
    /// If there is none at one of them.
    pub fn rearranged(&self, places: impl IntoIterator<Item = usize>) -> DigitSequence {
        let mut rearranged = DigitSequence::EMPTY;
        places.into_iter().for_each(|at| rearranged.push(self.digits[at]));
        rearranged
    }

    /// Joins neighbours in memory that together are one digit, and leaves out digits of one value, which count nothing. A
    /// digit of any size stays apart from what is below it, which pads the dimension.
    pub fn join(&mut self) {
        let mut joined = DigitSequence::EMPTY;
        for &digit in self.as_slice() {
            match joined.as_mut_slice().last_mut() {
                _ if digit.size == Some(1) => {}
                Some(above) if above.size.is_some() && above.is_next_above(&digit) => {
                    *above = DimDigit { size: Some(above.values() * digit.values()), ..digit };
                }
                _ => joined.push(digit),
            }
        }
        *self = joined;
    }

    /// Slots that the digits have; `None` if that is more than a number holds.
    pub fn slots(&self) -> Option<Size> {
        self.as_slice().iter().try_fold(1, |slots: Size, digit| slots.checked_mul(digit.values()))
    }

    /// The digits from the most minor one on, each with its stride.
    pub fn strided(&self) -> impl Iterator<Item = (DimDigit, Size)> {
        self.as_slice().iter().rev().scan(1, |next: &mut Size, &digit| {
            let stride = *next;
            *next = stride.saturating_mul(digit.values());
            Some((digit, stride))
        })
    }
}
