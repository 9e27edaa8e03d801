//! The offset of a tiled layout as a sum of digits of the coordinates, and its inverse.

pub(crate) mod coord_digits;
pub(crate) mod dim_digits;
pub(crate) mod inverse;
pub(crate) mod strides;
pub(crate) mod view;

use core::fmt;

use crate::analysis::digit::{Digit, Sum, Term};
use crate::analysis::unknown::{Amount, Counts, MAX_UNKNOWNS, Quotient};
use crate::base::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, Size, cut, same_numbers, subslice};
use crate::shape::XorBits;

/// A layout prepared for fast conversion between indices and offsets. [`ArrayShape::digits`](crate::ArrayShape::digits)
/// makes it.
///
/// An offset is a sum, `Σ digit · stride`, swizzled if the array has a [swizzle](crate::Swizzle). A digit is a part of a
/// coordinate: its quotient or remainder by the size of a tile. Digits are listed major to minor; those that are always 0
/// are left out. With some `*`, and with tiles that do not divide one another, digits are taken of sums of digits.
///
/// # Examples
/// ```
/// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let digits = shape.digits()?;
/// assert_eq!(digits.offset(&[2, 3]), Some(17));
/// assert_eq!(*digits.index(17).unwrap(), [2, 3]);
/// assert!(digits.index(9).is_none(), "slot 9 is padding");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Digits<const TERMS: usize = 64, const PARTS: usize = 32> {
    pub(crate) rank: usize,
    pub(crate) dims: [Size; MAX_DIMS],
    pub(crate) elements: Size,
    pub(crate) size: Amount,
    pub(crate) quotients: [Quotient; PARTS],
    pub(crate) quotient_count: usize,
    pub(crate) sums: [Sum; PARTS],
    pub(crate) sum_count: usize,
    pub(crate) terms: [Term; TERMS],
    pub(crate) count: usize,
    /// The bits of the sum of the terms that are XORed to swizzle it.
    pub(crate) swizzle: XorBits,
}

// Pages of the documentation show numbers as defaults, and names only within the crate.
const _: () = assert!(MAX_BOUNDS == 64 && MAX_TILE_DIMS == 32);

impl<const TERMS: usize, const PARTS: usize> fmt::Debug for Digits<TERMS, PARTS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digits")
            .field("dims", &&self.dims[..self.rank])
            .field("terms", &&self.terms[..self.count])
            .field("sums", &&self.sums[..self.sum_count])
            .finish_non_exhaustive()
    }
}

impl<const TERMS: usize, const PARTS: usize> Digits<TERMS, PARTS> {
    /// Room for digits, without any.
    pub(crate) const NONE: Self = Digits {
        rank: 0,
        dims: [0; MAX_DIMS],
        elements: 0,
        size: Amount::ZERO,
        quotients: [Quotient::NONE; PARTS],
        quotient_count: 0,
        sums: [Sum::NONE; PARTS],
        sum_count: 0,
        terms: [Term::NONE; TERMS],
        count: 0,
        swizzle: XorBits::NONE,
    };

    /// A scalar, used in place of a faulty layout.
    #[doc(hidden)]
    pub const SCALAR: Self = Digits { elements: 1, size: Amount::ONE, ..Digits::NONE };

    /// Number of elements.
    pub const fn elements(&self) -> Size {
        self.elements
    }

    /// Size in memory in elements before `L(n)`, if there are elements, where sizes may be unknown.
    pub const fn size_amount(&self) -> Amount {
        self.size
    }

    /// The XOR that the swizzle applies to the sum of the terms.
    pub const fn swizzle(&self) -> XorBits {
        self.swizzle
    }

    /// How many [`quotients`](Digits::quotients) there are.
    #[doc(hidden)]
    pub const fn quotient_count(&self) -> usize {
        self.quotient_count
    }

    /// What there is to know without the digits themselves, in other room.
    pub(crate) const fn without_terms<const T: usize, const P: usize>(&self) -> Digits<T, P> {
        let Digits { elements, size, quotient_count, swizzle, .. } = *self;
        Digits { elements, size, quotient_count, swizzle, ..Digits::NONE }
    }
}

impl Digits {
    /// The terms, major to minor: the offset is their sum. There are none if the layout has no elements, or one.
    // Loops that every type's constants run use numbers of terms instead: a call in a `const` costs compile time.
    pub const fn terms(&self) -> &[Term] {
        subslice(&self.terms, 0, self.count)
    }

    /// The sums that digits are taken of; each may use coordinates and earlier sums.
    pub const fn sums(&self) -> &[Sum] {
        subslice(&self.sums, 0, self.sum_count)
    }

    /// The layout without its swizzle.
    pub const fn linear(&self) -> Digits {
        Digits { swizzle: XorBits::NONE, ..*self }
    }

    /// The index of the element with a number in row-major order. The array has elements.
    pub const fn numbered(&self, mut number: Size) -> [Size; MAX_DIMS] {
        let mut index = [0; MAX_DIMS];
        each!(for dim in (0..self.rank).rev() {
            index[dim] = number % self.dims[dim];
            number /= self.dims[dim];
        });
        index
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Size of a dimension, in elements; 0 if the array has no such dimension.
    pub const fn dim(&self, dim: usize) -> Size {
        if dim < self.rank { self.dims[dim] } else { 0 }
    }

    /// Sizes of the dimensions, in elements, dimension 0 first.
    pub const fn dims(&self) -> &[Size] {
        subslice(&self.dims, 0, self.rank)
    }

    /// Whether another layout has the same dimensions and the same digits, so that each element has the same
    /// offset in both. Layouts with different digits may still agree.
    pub const fn same_digits(&self, other: &Digits) -> bool {
        if !same_numbers(self.view().dims, other.view().dims)
            || self.sum_count != other.sum_count
            || self.count != other.count
            || !self.swizzle.is_same(other.swizzle)
        {
            return false;
        }
        each!(for i in 0..self.sum_count {
            let (a, b) = (&self.sums[i], &other.sums[i]);
            if a.factor.factor != b.factor.factor
                || !a.major.is_same(&b.major)
                || !a.minor.is_same(&b.minor)
            {
                return false;
            }
        });
        each!(for i in 0..self.count {
            let (a, b) = (&self.terms[i], &other.terms[i]);
            if a.stride.factor != b.stride.factor || !a.digit.is_same(&b.digit) {
                return false;
            }
        });
        true
    }

    /// Size in memory in elements before `L(n)`: the product of the physical dimensions, if there are
    /// elements.
    pub const fn size(&self) -> Size {
        self.size.factor
    }

    /// A bound above every offset: the size, rounded up to the blocks within which the swizzle moves elements.
    #[doc(hidden)]
    pub const fn end(&self) -> Size {
        self.size().next_multiple_of(self.swizzle.block())
    }

    /// Whether an index is in bounds: one coordinate for each dimension, below its size.
    pub const fn contains(&self, index: &[Size]) -> bool {
        if index.len() != self.rank {
            return false;
        }
        each!(for i in 0..self.rank {
            if index[i] >= self.dims[i] {
                return false;
            }
        });
        true
    }

    /// Offset of an element in memory, in elements, padding included. `None` if the index is out of bounds or has
    /// another rank.
    ///
    /// Coordinates are listed from dimension 0 on. This is `linear_index_with_tile` of XLA's document "Tiled layout",
    /// for every level of tiling.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let digits = shape.digits()?;
    /// assert_eq!(digits.offset(&[2, 3]), Some(17));
    /// assert_eq!(digits.offset(&[3, 0]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias(
        "LinearIndex",
        "LinearIndexForNestedTiling",
        "MultidimensionalIndexToLinearIndex"
    ))]
    #[doc(alias = "CompareIndices")]
    pub const fn offset(&self, index: &[Size]) -> Option<Size> {
        if self.contains(index) { Some(self.offset_unchecked(index)) } else { None }
    }

    /// Like [`offset`](Self::offset), without a comparison with the bounds: unspecified if out of bounds.
    ///
    /// # Panics
    /// If the index has fewer coordinates than the array has dimensions.
    pub const fn offset_unchecked(&self, index: &[Size]) -> Size {
        let mut sources = [0; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..self.rank {
            sources[i] = index[i];
        });
        self.sum::<{ Size::BITS }>(&mut sources)
    }

    /// The offset of the coordinates that are the first sources, in numbers of `BITS` bits.
    #[inline(always)]
    pub(crate) const fn sum<const BITS: u32>(&self, sources: &mut Sources) -> Size {
        each!(for i in 0..self.sum_count {
            let sum = &self.sums[i];
            let major = value::<BITS>(sources, &sum.major).wrapping_mul(sum.factor.factor);
            let minor = value::<BITS>(sources, &sum.minor);
            sources[MAX_DIMS + i] = cut::<BITS>(major.wrapping_add(minor));
        });
        let mut offset: Size = 0;
        each!(for i in 0..self.count {
            let term = &self.terms[i];
            let term = value::<BITS>(sources, &term.digit).wrapping_mul(term.stride.factor);
            offset = cut::<BITS>(offset.wrapping_add(term));
        });
        cut::<BITS>(self.swizzle.apply(offset))
    }

    /// The layout of fewer elements: bounded dimensions get their sizes.
    #[doc(hidden)]
    pub fn with_dims(mut self, dims: &[Size]) -> Digits {
        self.dims[..dims.len()].copy_from_slice(dims);
        self.elements = dims.iter().product();
        self
    }

    /// An array of the same sizes whose offsets are the sum of its coordinates, each times a stride that is known at run time only:
    /// unknown count `i` is the stride of dimension `i`, which may be 0, and below 0 in two's complement.
    #[doc(hidden)]
    pub const fn with_unknown_strides(&self) -> Digits {
        // With a size that is not known, nobody takes the strides to be.
        let Digits { rank, dims, elements, .. } = *self;
        let size = Amount::unknown(0);
        let mut digits = Digits { rank, dims, elements, size, count: rank, ..Digits::NONE };
        each!(for dim in 0..rank {
            let limit = dims[dim];
            let (digit, bound) = (Digit::whole(dim, limit), Amount::of(limit));
            digits.terms[dim] = Term { digit, bound, stride: Amount::unknown(dim) };
        });
        digits
    }

    /// An array of the same sizes, all of which are known, in row-major order without padding.
    #[doc(hidden)]
    pub const fn row_major(&self) -> Digits {
        let Digits { rank, dims, elements, .. } = *self;
        let size = Amount::of(elements);
        let mut digits = Digits { rank, dims, elements, size, ..Digits::NONE };
        let mut stride = elements;
        each!(for dim in 0..rank {
            let limit = dims[dim];
            if limit > 1 && elements > 0 {
                stride /= limit;
                digits.terms[digits.count] = Term {
                    digit: Digit::whole(dim, limit),
                    bound: Amount::of(limit),
                    stride: Amount::of(stride),
                };
                digits.count += 1;
            }
        });
        digits
    }

    /// The counts of tiles that depend on sizes known at run time only; each may use sizes and earlier quotients.
    pub const fn quotients(&self) -> &[Quotient] {
        subslice(&self.quotients, 0, self.quotient_count)
    }

    /// A quotient; one past the last is 1, for constants that are computed whether they are used or not.
    #[doc(hidden)]
    pub const fn quotient(&self, number: usize) -> &Quotient {
        if number < self.quotient_count { &self.quotients[number] } else { &Quotient::ONE }
    }

    /// The divisor of a dimension's size, if the layout depends on the size by its quotient: else 1.
    #[doc(hidden)]
    pub const fn divisor(&self, dim: usize) -> Size {
        each!(for i in 0..self.quotient_count {
            if matches!(self.quotients[i].dim(), Some(divided) if divided == dim) {
                return self.quotients[i].divisor;
            }
        });
        1
    }

    /// The unknown counts of an array with these sizes.
    #[doc(hidden)]
    pub const fn counts(&self, dims: &[Size]) -> Counts {
        let mut counts = [0; MAX_UNKNOWNS];
        each!(for i in 0..dims.len() {
            counts[i] = dims[i];
        });
        each!(for i in 0..self.quotient_count {
            counts[MAX_DIMS + i] = self.quotients[i].value(&counts);
        });
        counts
    }
}

/// The numbers of which digits are parts: the coordinates, then the sums.
pub(crate) type Sources = [Size; MAX_DIMS + MAX_TILE_DIMS];

const fn value<const BITS: u32>(sources: &Sources, digit: &Digit) -> Size {
    if digit.is_zero() {
        return 0;
    }
    let whole = sources[digit.source] / cut::<BITS>(digit.div);
    if digit.modulus == 0 { whole } else { whole % cut::<BITS>(digit.modulus) }
}
