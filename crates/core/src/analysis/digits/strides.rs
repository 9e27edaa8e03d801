//! Whether a layout is strided: each offset the sum of coordinates times strides.

use crate::analysis::digit::{Digit, DigitSource, Sum};
use crate::analysis::digits::Digits;
use crate::analysis::digits::coord_digits::{ALL_PARTS, CoordDigit, Resolved};
use crate::analysis::unknown::Amount;
use crate::base::limits::{MAX_DIMS, MAX_TILE_DIMS, Size};

/// Most elements of an array whose offsets are compared one by one.
const COMPARED: Size = 4096;

/// A sum of coordinates times strides; 0 for a dimension that does not count.
type Strides = [Amount; MAX_DIMS];

/// The strides of each sum of a layout that has some.
type SumStrides = [Option<Strides>; MAX_TILE_DIMS];

/// Digits with strides that are added up.
struct Summed {
    /// What they are, as far as that is known.
    strides: Strides,
    /// The others, which may be such a sum together: `i / 2 · 6 + i % 2 · 3` is `i · 3`.
    parts: Resolved<ALL_PARTS>,
}

impl Summed {
    const NONE: Summed = Summed { strides: [Amount::ZERO; MAX_DIMS], parts: Resolved::NONE };

    /// Adds a digit. False if the digits do not add up to strides.
    const fn push(
        &mut self,
        digit: &Digit,
        stride: Amount,
        sums: &SumStrides,
        digits: &Digits,
    ) -> bool {
        if digit.is_zero() {
            true
        } else if stride.unknowns == 0 {
            self.parts.push(digit.source, digit.div, digit.modulus, stride.factor)
        } else {
            self.add(digit, stride, sums, digits)
        }
    }

    /// Adds a digit that is a sum of coordinates times strides. False if it is not.
    const fn add(
        &mut self,
        digit: &Digit,
        stride: Amount,
        sums: &SumStrides,
        digits: &Digits,
    ) -> bool {
        match digits.strides_of(digit, sums) {
            Some(of_digit) => add(&mut self.strides, &of_digit, stride),
            None => false,
        }
    }

    /// The strides of all digits, which are of dimensions and of the first `count` sums.
    const fn resolve(
        mut self,
        count: usize,
        sums: &SumStrides,
        digits: &Digits,
    ) -> Option<Strides> {
        // A sum adds up digits of sums before it, and of dimensions.
        each!(for source in (0..MAX_DIMS + count).rev() {
            self.parts.join(source);
            while let Some(part) = self.parts.take(source) {
                let CoordDigit { div, modulus, stride, .. } = part;
                let digit = Digit { source, div, modulus, limit: Size::MAX };
                let stride = Amount { factor: stride, unknowns: 0 };
                if !self.add(&digit, stride, sums, digits)
                    && (source < MAX_DIMS || self.parts.split(&digits.view(), part).is_err())
                {
                    return None;
                }
            }
        });
        Some(self.strides)
    }
}

impl Digits {
    /// Stride of each dimension in elements, if every offset is the sum of coordinates times strides; 0 for a
    /// dimension of size 1 or less.
    ///
    /// `None` says that no strides give every offset, with one exception: where tiles have `*`, or there is a swizzle, and the array has
    /// more than 4,096 elements or unknown sizes, digits that carry can still add up to strides by coincidence.
    #[doc(alias(
        "ByteStrides",
        "UnpackedByteStrides",
        "ByteStridesIsMajorToMinor",
        "GetDimensionStride"
    ))]
    pub const fn strides(&self) -> Option<[Amount; MAX_DIMS]> {
        let is_swizzled = !self.swizzle.is_none();
        match if is_swizzled { None } else { self.strides_by_digits() } {
            None if (self.sum_count > 0 || is_swizzled)
                && self.size.unknowns == 0
                && self.elements() <= COMPARED =>
            {
                self.strides_by_offsets()
            }
            found => found,
        }
    }

    /// The offsets of the elements next to the origin, if those of all elements are sums of these.
    const fn strides_by_offsets(&self) -> Option<Strides> {
        let mut strides = [Amount::ZERO; MAX_DIMS];
        each!(for dim in 0..self.rank {
            if self.dims[dim] > 1 {
                let mut index = [0; MAX_DIMS];
                index[dim] = 1;
                strides[dim] = Amount { factor: self.offset_unchecked(&index), unknowns: 0 };
            }
        });
        each!(for element in 0..self.elements() {
            let index = self.numbered(element);
            let mut sum = 0;
            each!(for dim in 0..self.rank {
                sum += index[dim] * strides[dim].factor;
            });
            if self.offset_unchecked(&index) != sum {
                return None;
            }
        });
        Some(strides)
    }

    /// The strides that the digits add up to, for all values of the unknown sizes.
    const fn strides_by_digits(&self) -> Option<Strides> {
        let mut sums = [None; MAX_TILE_DIMS];
        each!(for i in 0..self.sum_count {
            let Sum { major, factor, minor, .. } = &self.sums[i];
            let mut terms = Summed::NONE;
            if terms.push(major, *factor, &sums, self)
                && terms.push(minor, Amount::ONE, &sums, self)
            {
                sums[i] = terms.resolve(i, &sums, self);
            }
        });
        let mut terms = Summed::NONE;
        each!(for i in 0..self.count {
            let term = &self.terms[i];
            if !terms.push(&term.digit, term.stride, &sums, self) {
                return None;
            }
        });
        terms.resolve(self.sum_count, &sums, self)
    }

    /// A digit as a sum of coordinates times strides, given those of the sums.
    const fn strides_of(&self, digit: &Digit, sums: &SumStrides) -> Option<Strides> {
        let mut strides = [Amount::ZERO; MAX_DIMS];
        match digit.source() {
            DigitSource::Dim(dim) => strides[dim] = Amount::ONE,
            DigitSource::Sum(sum) => match sums[sum] {
                Some(of_sum) => strides = of_sum,
                None => return None,
            },
        }
        if digit.div != 1 && !self.divide(&mut strides, digit.div, false)
            || digit.modulus != 0 && !self.divide(&mut strides, digit.modulus, true)
        {
            return None;
        }
        Some(strides)
    }

    /// Divides a sum, or takes the remainder. False if that is not such a sum: exactly if the remainders of the strides
    /// carry, since the quotient at the last element is otherwise the sum of the quotients at the first ones.
    const fn divide(&self, strides: &mut Strides, divisor: Size, is_remainder: bool) -> bool {
        let mut left = divisor - 1;
        each!(for dim in 0..self.rank {
            let Amount { factor, unknowns } = strides[dim];
            if self.dims[dim] > 1 && (factor != 0 || unknowns != 0) {
                let remainder = factor % divisor;
                // A stride that is not known has any remainder, but a multiple of the divisor.
                if remainder > left / (self.dims[dim] - 1) || remainder != 0 && unknowns != 0 {
                    return false;
                }
                left -= remainder * (self.dims[dim] - 1);
            }
            let factor = if is_remainder { factor % divisor } else { factor / divisor };
            strides[dim] = if factor == 0 { Amount::ZERO } else { Amount { factor, unknowns } };
        });
        true
    }
}

/// Adds a sum, `factor` times. False if the strides are products of different unknown sizes.
const fn add(to: &mut Strides, strides: &Strides, factor: Amount) -> bool {
    each!(for dim in 0..MAX_DIMS {
        let Amount { factor: stride, unknowns } = strides[dim];
        let unknowns = unknowns | factor.unknowns;
        if stride != 0 && factor.factor != 0 {
            if to[dim].factor != 0 && to[dim].unknowns != unknowns {
                return false;
            }
            to[dim] = Amount { factor: to[dim].factor + stride * factor.factor, unknowns };
        }
    });
    true
}
