//! Whether a layout is strided: each offset the sum of coordinates times strides.

use crate::analysis::digit::{Digit, Sum, Term};
use crate::analysis::digits::Digits;
use crate::analysis::digits::coord_digits::{ALL_PARTS, CoordDigit, Resolved};
use crate::analysis::unknown::Amount;
use crate::base::{MAX_DIMS, MAX_TILE_DIMS, Size};

/// Most elements of an array whose offsets are compared one by one.
const COMPARED: Size = 4096;

/// Digits with strides, as they are added up.
struct Summed {
    /// Digits that may be a coordinate or a sum together: `i / 2 · 6 + i % 2 · 3` is `i · 3`.
    parts: Resolved<ALL_PARTS>,
    /// The strides of coordinates and of sums that are added as a whole.
    whole: [Amount; MAX_DIMS + MAX_TILE_DIMS],
}

impl Summed {
    const NONE: Summed =
        Summed { parts: Resolved::NONE, whole: [Amount::ZERO; MAX_DIMS + MAX_TILE_DIMS] };

    /// Adds a digit. False if that is not known to add up to strides.
    const fn push(&mut self, digit: &Digit, stride: Amount) -> bool {
        if digit.is_zero() {
            true
        } else if stride.unknowns == 0 {
            self.parts.push(CoordDigit::of(digit, stride.factor)).is_ok()
        } else {
            digit.is_whole() && self.push_whole(digit.source, stride)
        }
    }

    /// Adds a coordinate or a sum. False if its strides are products of different unknown sizes.
    const fn push_whole(&mut self, source: usize, Amount { factor, unknowns }: Amount) -> bool {
        let before = self.whole[source];
        self.whole[source] = Amount { factor: before.factor + factor, unknowns };
        before.factor == 0 || before.unknowns == unknowns
    }

    /// The strides of the coordinates that all digits are together.
    const fn strides(mut self, digits: &Digits) -> Option<[Amount; MAX_DIMS]> {
        // A sum adds up digits of sums before it, and of dimensions.
        each!(for source in (0..MAX_DIMS + digits.sum_count).rev() {
            let sum = if source < MAX_DIMS { &Sum::NONE } else { &digits.sums[source - MAX_DIMS] };
            let values = if source < MAX_DIMS { digits.dims[source] } else { sum.limit };
            self.parts.join(source);
            while let Some(part) = self.parts.take(source) {
                let is_whole = part.div == 1 && part.end(values) == Size::MAX;
                let is_added = match is_whole {
                    true => self.push_whole(source, Amount::of(part.stride)),
                    false => source >= MAX_DIMS && self.parts.split(&digits.view(), part).is_ok(),
                };
                if !is_added {
                    return None;
                }
            }
            let stride = self.whole[source];
            let major = stride.times(sum.factor);
            if stride.factor > 0 && !(self.push(&sum.major, major) && self.push(&sum.minor, stride))
            {
                return None;
            }
        });
        self.whole.first_chunk().copied()
    }
}

impl Digits {
    /// Stride of each dimension in elements, if every offset is the sum of coordinates times strides; 0 for a
    /// dimension of size 1 or less.
    ///
    /// `None` says that no strides give every offset, with one exception: where tiles have `*`, or there is a swizzle, and the array has
    /// more than 4,096 elements or unknown sizes, digits of sums can still add up to strides by coincidence.
    #[doc(alias("ByteStrides", "UnpackedByteStrides", "ByteStridesIsMajorToMinor"))]
    #[doc(alias = "GetDimensionStride")]
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
    const fn strides_by_offsets(&self) -> Option<[Amount; MAX_DIMS]> {
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
    const fn strides_by_digits(&self) -> Option<[Amount; MAX_DIMS]> {
        let mut summed = Summed::NONE;
        each!(for i in 0..self.count {
            let Term { digit, stride, .. } = &self.terms[i];
            if !summed.push(digit, *stride) {
                return None;
            }
        });
        summed.strides(self)
    }
}
