//! Digits in the order of memory, which are cut and moved.

// One sequence serves XLA's and Mosaic's tiles, Mosaic GPU's and the packs of `linalg`. Overlaps, broadcasts
// and holes other than `PAD` are errors: tiles that pad what other tiles have cut make holes that no order of
// digits has.

use crate::digit_order::digit::DimDigit;
use crate::digit_order::error::NotThisLayout;
use layout_core::base::text::subslice;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, Size};
use layout_core::{TileDim, Tiles};

/// Digits of dimensions, the most major in memory first: what tiles, packs, reshapes and transposes change.
#[derive(Clone, Copy, Debug)]
pub struct DigitSequence {
    digits: [DimDigit; MAX_BOUNDS],
    len: usize,
}

impl DigitSequence {
    /// No digits.
    pub const EMPTY: DigitSequence = DigitSequence { digits: [DimDigit::ONE; MAX_BOUNDS], len: 0 };

    /// The digits of blocks, each with its weight: see [`DigitOrder::of_blocks`](crate::digit_order::DigitOrder::of_blocks).
    pub(crate) fn of_blocks(
        rank: usize,
        blocks: &[(usize, Option<Size>)],
    ) -> Result<DigitSequence, NotThisLayout> {
        if rank > MAX_DIMS {
            return Err(NotThisLayout::TooManyDimensions { rank });
        }
        if blocks.len() > MAX_BOUNDS {
            return Err(NotThisLayout::TooManyDigits);
        }
        let (mut digits, mut ends) = (DigitSequence::EMPTY, [1 as Size; MAX_DIMS]);
        for &(dim, size) in blocks.iter().rev() {
            let end = ends[..rank].get_mut(dim);
            let end = end.ok_or(NotThisLayout::NoSuchDimension { dim, rank })?;
            let digit = DimDigit { dim, weight: *end, size };
            digits.push(digit);
            let next = end.checked_mul(digit.values()).filter(|end| (1..=MAX_SIZE).contains(end));
            *end = next.ok_or(NotThisLayout::DigitSize { dim })?;
        }
        digits.as_mut_slice().reverse();
        for digit in digits.as_mut_slice().iter_mut().filter(|digit| digit.size.is_none()) {
            digit.weight = ends[digit.dim];
        }
        Ok(digits)
    }

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
    /// If the digit does not exist, or `size` is 0.
    pub const fn cut(&mut self, at: usize, size: Size) -> Option<DimDigit> {
        let digit = self.digits[at];
        let above = match digit.size {
            Some(values) => {
                let tiles = Tiles::covering(values, size);
                // Digits do not count what is padded.
                if tiles.wrapping_mul(size) != values {
                    return None;
                }
                Some(tiles)
            }
            None => None,
        };
        // No order has a digit of so large a weight, so it may stop at the largest number.
        let weight = digit.weight.saturating_mul(size);
        self.digits[at] = DimDigit { weight, size: above, ..digit };
        Some(DimDigit { size: Some(size), ..digit })
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
            match (joined.as_mut_slice().last_mut(), digit.end()) {
                _ if digit.size == Some(1) => {}
                (Some(DimDigit { dim, weight, size: Some(size) }), Some(end))
                    if *dim == digit.dim && *weight == end =>
                {
                    *size *= end / digit.weight;
                    *weight = digit.weight;
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
