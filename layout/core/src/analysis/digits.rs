//! The offset of a tiled layout as a sum of digits of the coordinates, and its inverse.

use core::fmt;

use crate::analysis::tiling::{Digit, Sum, Tiling};
use crate::analysis::unknown::{Amount, Counts, MAX_UNKNOWNS, Quotient, Unknowns};
use crate::base::list::same_numbers;
use crate::base::width::cut;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, Size};
use crate::shape::array::{ArrayShape, Fields};
use crate::shape::unknown_size::UnknownSize;

/// A term of the linear index: a digit with its stride.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) digit: Digit,
    /// Below this the digit counts in memory, padding included.
    pub(crate) bound: Size,
    /// Elements in memory from one value of the digit to the next.
    pub(crate) stride: Size,
    /// The counts that multiply the bound.
    pub(crate) bound_unknowns: Unknowns,
    /// The counts that multiply the stride.
    pub(crate) stride_unknowns: Unknowns,
}

impl Term {
    pub(crate) const UNIT: Term =
        Term { digit: Digit::ZERO, bound: 1, stride: 1, bound_unknowns: 0, stride_unknowns: 0 };

    pub(crate) const fn stride(&self) -> Amount {
        Amount { factor: self.stride, unknowns: self.stride_unknowns }
    }

    /// The stride of the next more major digit, where that is its neighbour.
    pub(crate) const fn end(&self) -> Amount {
        Amount {
            factor: self.stride * self.bound,
            unknowns: self.stride_unknowns | self.bound_unknowns,
        }
    }
}

/// A layout precomputed to convert quickly between indices and offsets: `offset = Σ digit · stride`.
///
/// A digit is a part of a coordinate: its quotient or remainder by the size of a tile. Digits are listed
/// major to minor; those that are always 0 are left out. With some `*`, and with tiles that do not divide one
/// another, digits are taken of sums of digits.
#[derive(Clone, Copy)]
pub struct Digits {
    pub(crate) rank: usize,
    pub(crate) dims: [Size; MAX_DIMS],
    elements: Size,
    size: Size,
    /// The counts that multiply the size.
    size_unknowns: Unknowns,
    quotients: [Quotient; MAX_TILE_DIMS],
    quotient_count: usize,
    pub(crate) sums: [Sum; MAX_TILE_DIMS],
    pub(crate) sum_count: usize,
    pub(crate) terms: [Term; MAX_BOUNDS],
    pub(crate) count: usize,
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digits")
            .field("dims", &&self.dims[..self.rank])
            .field("terms", &&self.terms[..self.count])
            .field("sums", &&self.sums[..self.sum_count])
            .finish_non_exhaustive()
    }
}

impl Digits {
    /// A scalar, used in place of a faulty layout.
    #[doc(hidden)]
    pub const SCALAR: Digits = Digits {
        rank: 0,
        dims: [0; MAX_DIMS],
        elements: 1,
        size: 1,
        size_unknowns: 0,
        quotients: [Quotient::ONE; MAX_TILE_DIMS],
        quotient_count: 0,
        sums: [Sum::ZERO; MAX_TILE_DIMS],
        sum_count: 0,
        terms: [Term::UNIT; MAX_BOUNDS],
        count: 0,
    };

    /// Prepares a layout whose sizes may be unknown; the digits then hold the known factors.
    #[doc(hidden)]
    pub const fn with_unknowns(shape: &ArrayShape) -> Digits {
        let fields = shape.fields();
        Digits::of(fields, &Tiling::tiled(fields))
    }

    /// The digits of an array that is tiled already. Where sizes of dimensions are unknown, its
    /// numbers are what is known of them.
    pub(crate) const fn of(shape: &Fields, tiling: &Tiling) -> Digits {
        let mut digits = Digits {
            rank: shape.rank(),
            dims: tiling.dims,
            elements: 1,
            size: tiling.size(),
            quotients: tiling.quotients,
            quotient_count: tiling.quotient_count,
            sums: tiling.sums,
            sum_count: tiling.sum_count,
            ..Digits::SCALAR
        };
        each!(for i in 0..digits.rank {
            if let Some(size) = shape.dims[i].size() {
                digits.elements *= size;
            }
        });
        if digits.elements > 0 {
            digits.collect(tiling);
        }
        digits
    }

    /// Collects the digits that vary, from the most minor on, and joins neighbours.
    const fn collect(&mut self, tiling: &Tiling) {
        let mut stride = 1;
        let mut stride_unknowns = 0;
        let mut at = tiling.len();
        let mut first = MAX_BOUNDS;
        while at > 0 {
            at -= 1;
            let entry = tiling.entry(at);
            let bound_unknowns = entry.unknowns;
            if !entry.digit.is_zero() {
                let (digit, bound) = (entry.digit, entry.bound);
                let mut term = Term { digit, bound, stride, bound_unknowns, stride_unknowns };
                if first < MAX_BOUNDS {
                    let minor = self.terms[first];
                    // A neighbour whose bound is unknown has no modulus, and joins no other: so none of
                    // the counts comes between them.
                    if stride == minor.stride * minor.bound
                        && let Some(digit) = tiling.join(digit, minor.bound, minor.digit)
                    {
                        let bound = bound * minor.bound;
                        term = Term { digit, bound, bound_unknowns, ..minor };
                        first += 1;
                    }
                }
                first -= 1;
                self.terms[first] = term;
            }
            stride *= entry.bound;
            stride_unknowns |= bound_unknowns;
        }
        self.size_unknowns = stride_unknowns;
        self.count = MAX_BOUNDS - first;
        each!(for i in 0..self.count {
            self.terms[i] = self.terms[first + i];
        });
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Size of a dimension, in elements; 0 if the array has no such dimension.
    pub const fn dim(&self, dim: usize) -> Size {
        if dim < self.rank { self.dims[dim] } else { 0 }
    }

    /// Number of elements.
    pub const fn elements(&self) -> Size {
        self.elements
    }

    /// Whether another layout has the same dimensions and the same digits, so that each element has the same
    /// offset in both. Layouts with different digits may still agree.
    pub(crate) const fn same_digits(&self, other: &Digits) -> bool {
        let mut is_same =
            same_numbers(self.dims.split_at(self.rank).0, other.dims.split_at(other.rank).0)
                && self.sum_count == other.sum_count
                && self.count == other.count;
        let mut i = 0;
        while is_same && i < self.sum_count {
            let (a, b) = (&self.sums[i], &other.sums[i]);
            is_same = a.factor.factor == b.factor.factor
                && a.major.is_same(&b.major)
                && a.minor.is_same(&b.minor);
            i += 1;
        }
        let mut i = 0;
        while is_same && i < self.count {
            let (a, b) = (&self.terms[i], &other.terms[i]);
            is_same = a.stride == b.stride && a.digit.is_same(&b.digit);
            i += 1;
        }
        is_same
    }

    /// Size in memory in elements before `L(n)`: the product of the physical dimensions, if there are
    /// elements.
    pub const fn size(&self) -> Size {
        self.size
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
    #[doc(alias("LinearIndex", "LinearIndexForNestedTiling"))]
    pub const fn offset(&self, index: &[Size]) -> Option<Size> {
        if self.contains(index) { Some(self.offset_unchecked(index)) } else { None }
    }

    /// As [`offset`](Self::offset), without a comparison with the bounds: unspecified if out of bounds.
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

    /// As [`offset`](Self::offset), computed in 32 bits. `None` if the index is out of bounds, or if there
    /// are more than `u32::MAX` slots before `L(n)`.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let digits = shape.digits()?;
    /// assert_eq!(digits.offset_u32(&[2, 3]), Some(17));
    /// assert_eq!(digits.offset_u32(&[3, 0]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn offset_u32(&self, index: &[u32]) -> Option<u32> {
        if index.len() != self.rank || !self.fits_u32() {
            return None;
        }
        let mut sources = [0; MAX_DIMS + MAX_TILE_DIMS];
        each!(for i in 0..self.rank {
            sources[i] = index[i] as Size;
            if sources[i] >= self.dims[i] {
                return None;
            }
        });
        Some(self.sum::<32>(&mut sources) as u32)
    }

    /// Whether the slots before `L(n)` are counted in 32 bits.
    pub(crate) const fn fits_u32(&self) -> bool {
        self.size <= u32::MAX as Size
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
            let term = value::<BITS>(sources, &term.digit).wrapping_mul(term.stride);
            offset = cut::<BITS>(offset.wrapping_add(term));
        });
        offset
    }

    /// Slots in memory before `L(n)`, if there are elements.
    #[doc(hidden)]
    pub const fn size_amount(&self) -> Amount {
        Amount { factor: self.size, unknowns: self.size_unknowns }
    }

    /// The layout of fewer elements: bounded dimensions get their sizes.
    #[doc(hidden)]
    pub fn with_dims(mut self, dims: &[Size]) -> Digits {
        self.dims[..dims.len()].copy_from_slice(dims);
        self.elements = dims.iter().product();
        self
    }

    /// How many quotients the layout has.
    #[doc(hidden)]
    pub const fn quotients(&self) -> usize {
        self.quotient_count
    }

    /// A quotient.
    #[doc(hidden)]
    pub const fn quotient(&self, number: usize) -> &Quotient {
        &self.quotients[number]
    }

    /// What the size of a dimension is divided by before it counts, if anything else than quotients of
    /// other counts depends on it.
    #[doc(hidden)]
    pub const fn divisor(&self, dim: usize) -> Size {
        each!(for i in 0..self.quotient_count {
            if let Some(divided) = self.quotients[i].dim()
                && divided == dim
            {
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

/// What digits are taken of: the coordinates, then the sums.
pub(crate) type Sources = [Size; MAX_DIMS + MAX_TILE_DIMS];

const fn value<const BITS: u32>(sources: &Sources, digit: &Digit) -> Size {
    if digit.is_zero() {
        return 0;
    }
    let whole = sources[digit.source as usize] / cut::<BITS>(digit.div);
    if digit.modulus == 0 { whole } else { whole % cut::<BITS>(digit.modulus) }
}

impl ArrayShape {
    /// The layout prepared for many conversions between indices and offsets: call it once, before a loop over elements.
    /// A bounded size (`<=N`) counts as `N`.
    ///
    /// Preparing takes about a microsecond, some twenty times as long as an offset. To copy whole arrays, use
    /// `Relayout` of the crate `layout`; sizes known to the compiler belong in a `layout!` type, whose offsets are
    /// a handful of instructions.
    ///
    /// # Errors
    /// If a size is not known (`?`): [`with_dims`](Self::with_dims) gives it.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let digits = shape.digits()?;
    /// assert_eq!(digits.offset(&[2, 3]), Some(17));
    /// assert_eq!(*digits.index(17).unwrap(), [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("offset", "index", "compile"))]
    pub const fn digits(&self) -> Result<Digits, UnknownSize> {
        match self.unknown_size() {
            Some(error) => Err(error),
            None => Ok(Digits::with_unknowns(self)),
        }
    }
}
