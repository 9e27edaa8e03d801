//! The inverse: the index at an offset, and what it need not ask.

use crate::analysis::digit::{Digit, DigitSource, Sum, Term};
use crate::analysis::digits::{Digits, Sources};
use crate::analysis::size::Index;
use crate::analysis::unknown::Amount;
use crate::base::{List, MAX_DIMS, MAX_TILE_DIMS, Size, cut};

/// A digit of an offset: `rest % bound · div` is its part of the coordinate; without the modulus where the bound is
/// 0. The rest is that of the next more minor digit, divided by `step`; of the most minor digit it is the offset,
/// divided by `step`.
#[derive(Clone, Copy, Debug)]
pub struct Inverse {
    /// The dimension.
    pub dim: usize,
    /// The step of the digit along the dimension, in elements.
    pub div: Size,
    /// Its stride, divided by that of the next more minor digit.
    pub step: Amount,
    /// The number of its values; 0 without a modulus.
    pub bound: Amount,
}

impl Digits {
    /// Number of digits of the inverse, if no digit is taken of a sum; a swizzle is undone before.
    #[doc(hidden)]
    pub const fn straight(&self) -> Option<usize> {
        if self.sum_count == 0 { Some(self.count) } else { None }
    }

    /// Whether each digit moves an element by its own stride: none is taken of a sum, and nothing is swizzled.
    #[doc(hidden)]
    pub const fn is_sum_of_coordinates(&self) -> bool {
        self.sum_count == 0 && self.swizzle.is_none()
    }

    /// Digit number `number` for the inverse; 0 is the most major.
    #[doc(hidden)]
    pub const fn inverse(&self, number: usize) -> Inverse {
        let term = &self.terms[number];
        let below =
            if number + 1 < self.count { self.terms[number + 1].stride } else { Amount::ONE };
        Inverse {
            dim: term.dim(),
            div: term.digit.div,
            step: term.stride.over(below),
            bound: if self.is_top(term) { Amount::ZERO } else { term.bound },
        }
    }

    /// Whether nothing is left of the offset of a slot after a term's digit: it needs no `% bound` in the inverse.
    pub const fn is_top(&self, term: &Term) -> bool {
        term.end().is_same(self.size_amount())
    }

    /// Whether an offset past the end gives a coordinate past the end too: the most major digit counts on, nothing
    /// lies above it, and its part of the coordinate does not overflow for the largest offset, what lies below it
    /// added.
    pub const fn ends_out_of_bounds(&self) -> bool {
        let Term { digit, stride, .. } = &self.terms[0];
        if self.count == 0 || digit.modulus != 0 || !self.is_top(&self.terms[0]) {
            return false;
        }
        let mut source = digit.source();
        while let DigitSource::Sum(sum) = source {
            // The quotient of a sum is a coordinate, or another sum.
            let major = &self.sums[sum].major;
            if major.is_zero() || !major.is_whole() {
                return false;
            }
            source = major.source();
        }
        digit.div.is_power_of_two() || stride.factor / 2 >= digit.div
    }

    /// Whether `offset(index(o)) == o` for every slot `o`, in or out of bounds. Then a slot is padding exactly if its index is
    /// out of bounds. A sum loses nothing if it is split at the end of its minor digit.
    pub const fn round_trips(&self) -> bool {
        let mut size = 1;
        let mut sources = 0u64;
        each!(for i in 0..self.count {
            let term = &self.terms[i];
            if term.digit.modulus != 0 && term.digit.modulus != term.bound.factor {
                return false;
            }
            size *= term.bound.factor;
            sources |= 1 << term.digit.source;
        });
        each!(for i in (0..self.sum_count).rev() {
            let Sum { major, factor, minor, .. } = self.sums[i];
            let is_whole =
                minor.modulus == 0 || (minor.modulus == factor.factor && factor.unknowns == 0);
            let is_used = sources >> (MAX_DIMS + i) & 1 == 1;
            if major.is_zero() || minor.is_zero() || major.modulus != 0 || !is_whole || !is_used {
                return false;
            }
            sources |= 1 << major.source | 1 << minor.source;
        });
        size == self.size()
    }

    /// Whether [`round_trips`](Self::round_trips) holds and no digit is taken of a sum: then every slot of memory has
    /// coordinates of its own.
    #[doc(hidden)]
    pub const fn is_bijective(&self) -> bool {
        self.sum_count == 0 && self.round_trips()
    }

    /// The index of the element at an offset; `None` for padding and past the end.
    #[doc(alias("LinearIndexToMultidimensionalIndex", "ForEachIndex", "BumpIndices"))]
    #[doc(alias = "ArrayDataSize")]
    pub const fn index(&self, offset: Size) -> Option<Index> {
        self.index_in::<{ Size::BITS }>(offset, false)
    }

    /// The index, in numbers of `BITS` bits. `round_trips` spares the way back, where [`round_trips`](Self::round_trips)
    /// is known to hold.
    #[doc(hidden)]
    // No rule about padding is needed. The digits of the offset make a candidate; it is the answer if it is in
    // bounds and has this offset. All else is padding, of any level.
    pub const fn index_in<const BITS: u32>(
        &self,
        offset: Size,
        round_trips: bool,
    ) -> Option<Index> {
        // A swizzle is its own inverse.
        let linear = self.swizzle.apply(offset);
        if self.elements() == 0 || linear >= self.size() {
            return None;
        }
        let mut sources = [0; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..self.count {
            let term = &self.terms[i];
            add::<BITS>(
                &mut sources,
                &term.digit,
                linear / cut::<BITS>(term.stride.factor) % cut::<BITS>(term.bound.factor),
            );
        });
        each!(for i in (0..self.sum_count).rev() {
            let Sum { major, factor, minor, .. } = &self.sums[i];
            let factor = cut::<BITS>(factor.factor);
            let whole = sources[MAX_DIMS + i];
            if !major.is_zero() {
                add::<BITS>(&mut sources, major, whole / factor);
            }
            if !minor.is_zero() {
                let rest = if major.is_zero() { whole } else { whole % factor };
                add::<BITS>(&mut sources, minor, rest);
            }
        });
        let mut index = List::new();
        each!(for i in 0..self.rank {
            index.push(sources[i]);
        });
        // For padding the candidate is another element's index, or none.
        if !self.contains(index.as_slice()) {
            return None;
        }
        if round_trips || self.sum::<BITS>(&mut sources) == offset { Some(index) } else { None }
    }
}

const fn add<const BITS: u32>(sources: &mut Sources, digit: &Digit, value: Size) {
    let source = digit.source;
    let sum = sources[source].wrapping_add(value.wrapping_mul(digit.div));
    sources[source] = cut::<BITS>(sum);
}
