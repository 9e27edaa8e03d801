//! Tiling as pad–reshape–transpose: the bounds of the array and, beside each bound, the digit of
//! the index that runs below it. All arithmetic of layouts comes from here.
//!
//! The definition is XLA's document "Tiled layout", for every level of tiling.

use crate::analysis::digit::{Digit, DigitSource, Sum, Term};
use crate::analysis::digits::Digits;
use crate::analysis::unknown::{Amount, Quotient};
use crate::base::{Bounds, List, MAX_DIMS, MAX_SIZE, Size, subslice};
use crate::shape::{ArrayFields, ArrayShape, TileDim, Tiles, UnknownSize, XorBits};

/// An array as tiled so far: digits in the making. Each term is one bound with the digit below it, the most major first; digits
/// that are always 0 are among them, and strides are not known yet.
///
/// It is large: it is made in place, and becomes the digits in place. With no room for `PARTS`, the bounds alone are right.
#[derive(Clone, Copy, Debug)]
pub struct Tiling<const TERMS: usize = 64, const PARTS: usize = 32> {
    digits: Digits<TERMS, PARTS>,
}

impl<const TERMS: usize, const PARTS: usize> Tiling<TERMS, PARTS> {
    /// Room for an array, without bounds.
    pub const NONE: Self = Tiling { digits: Digits::NONE };

    /// Adds the array in physical order, before any tile. A dimension of unknown size has as many elements
    /// as there can be.
    pub(crate) const fn begin(&mut self, shape: &ArrayFields) {
        let digits = &mut self.digits;
        let rank = shape.rank();
        (digits.rank, digits.count) = (rank, rank);
        each!(for i in 0..rank {
            let dim = shape.minor_to_major[rank - 1 - i];
            let (size, bound) = match shape.dims[dim].size() {
                Some(size) => (size, Amount::of(shape.width(dim))),
                None => (MAX_SIZE, Amount::unknown(dim)),
            };
            digits.dims[dim] = size;
            digits.terms[i] = Term { digit: Digit::whole(dim, size), bound, stride: Amount::ONE };
        });
    }

    /// Adds the array with all tiles applied. The shape must have passed the checks.
    pub(crate) const fn tile(&mut self, shape: &ArrayFields) {
        self.begin(shape);
        each!(for tile in 0..shape.tiles.len() {
            self.apply(&shape.tiles, tile);
        });
    }

    /// The digits of an array, made in room without bounds. Where sizes are unknown, they hold the known factors.
    pub const fn digits(&mut self, shape: &ArrayShape) -> &Digits<TERMS, PARTS> {
        self.tile(shape.fields());
        self.collect(shape.fields())
    }

    pub(crate) const fn len(&self) -> usize {
        self.digits.count
    }

    /// A bound, and the digit below it.
    pub(crate) const fn entry(&self, at: usize) -> &Term {
        &self.digits.terms[at]
    }

    /// The bounds, each with the digit below it, the most major first.
    pub const fn entries(&self) -> &[Term] {
        subslice(&self.digits.terms, 0, self.digits.count)
    }

    /// The bounds, the most major first.
    pub const fn bounds(&self) -> Bounds {
        let mut bounds = List::new();
        each!(for i in 0..self.len() {
            bounds.push(self.entry(i).bound.factor);
        });
        bounds
    }

    /// Product of the bounds with those of 0 left out, or `None` above `limit`.
    pub(crate) const fn size_within(&self, limit: Size) -> Option<Size> {
        let mut size: Size = 1;
        each!(for i in 0..self.len() {
            let bound = self.digits.terms[i].bound.factor;
            if bound != 0 {
                // Not `checked_mul`: a call is the slowest that a `const` can do.
                if (bound | size) > u32::MAX as Size && bound > limit / size {
                    return None;
                }
                size *= bound;
                if size > limit {
                    return None;
                }
            }
        });
        Some(size)
    }

    /// Product of the bounds: elements in memory. The shape must have passed the checks.
    pub const fn size(&self) -> Size {
        let mut size = 1;
        each!(for i in 0..self.len() {
            size *= self.digits.terms[i].bound.factor;
        });
        size
    }

    /// Pads, reshapes and transposes for one more tile.
    pub(crate) const fn apply(&mut self, tiles: &Tiles, tile: usize) {
        let covered = self.combine(tiles, tile);
        self.split(tiles, tile, covered);
    }

    /// Prepends bounds of size 1 if the tile is longer than the array, and combines each dimension at a `*`
    /// with the next more minor one. Returns how many bounds the tile covers then.
    pub(crate) const fn combine(&mut self, tiles: &Tiles, tile: usize) -> usize {
        let len = tiles.len_of(tile);
        while self.len() < len {
            self.insert_unit();
        }
        let first = self.len() - len;
        let mut at = first;
        let start = tiles.start(tile);
        each!(for i in 0..len {
            if matches!(tiles.entry(start + i), TileDim::Combined) && at + 1 < self.len() {
                let (major, minor) = (self.digits.terms[at], self.digits.terms[at + 1]);
                let digit = self.sum(major.digit, minor.bound, minor.digit);
                let bound = major.bound.times(minor.bound);
                self.digits.terms[at + 1] = Term { digit, bound, stride: Amount::ONE };
                self.remove(at);
            } else {
                at += 1;
            }
        });
        at - first
    }

    /// Replaces each bound under the tile by the number of tiles, and after all of these each by the size of the tile: the
    /// reshape and the transpose at once.
    pub(crate) const fn split(&mut self, tiles: &Tiles, tile: usize, covered: usize) {
        let mut at = self.len();
        self.digits.count += covered;
        each!(for entry in (tiles.start(tile)..tiles.start(tile + 1)).rev() {
            if let TileDim::Size(size) = tiles.entry(entry) {
                at -= 1;
                let Term { bound, digit, stride } = self.digits.terms[at];
                let (outer, inner) = self.cut(digit, size);
                let count = match bound.unknowns {
                    0 => Amount::of(Tiles::covering(bound.factor, size)),
                    _ => self.quotient(bound, size),
                };
                self.digits.terms[at] = Term { bound: count, digit: outer, stride };
                self.digits.terms[at + covered] =
                    Term { bound: Amount::of(size), digit: inner, stride };
            }
        });
    }

    const fn insert_unit(&mut self) {
        each!(for i in (0..self.len()).rev() {
            self.digits.terms[i + 1] = self.digits.terms[i];
        });
        self.digits.terms[0] = Term::UNIT;
        self.digits.count += 1;
    }

    const fn remove(&mut self, at: usize) {
        self.digits.count -= 1;
        each!(for i in at..self.len() {
            self.digits.terms[i] = self.digits.terms[i + 1];
        });
    }

    /// An unknown bound divided by a size of a tile, as [`Tiles::covering`] does. No entry has this bound any more.
    const fn quotient(&mut self, dividend: Amount, divisor: Size) -> Amount {
        let Amount { factor, unknowns } = dividend;
        if factor.is_multiple_of(divisor) {
            return Amount { factor: factor / divisor, unknowns };
        }
        if PARTS == 0 {
            return Amount { factor: 1, unknowns };
        }
        // What one tile leaves is divided by the next: both at once, unless a sum counts in it.
        let first = unknowns.trailing_zeros() as usize;
        let mut is_counted = false;
        each!(for i in 0..self.digits.sum_count {
            is_counted |= self.digits.sums[i].factor.unknowns & unknowns != 0;
        });
        if factor == 1 && unknowns.is_power_of_two() && first >= MAX_DIMS && !is_counted {
            let quotient = &mut self.digits.quotients[first - MAX_DIMS];
            // A divisor that no count reaches leaves one tile, as long as there are elements.
            quotient.divisor = quotient.divisor.saturating_mul(divisor);
            return dividend;
        }
        self.digits.quotients[self.digits.quotient_count] = Quotient { dividend, divisor };
        self.digits.quotient_count += 1;
        Amount::unknown(MAX_DIMS + self.digits.quotient_count - 1)
    }

    /// How many values a source can take.
    const fn values(&self, source: DigitSource) -> Size {
        match source {
            DigitSource::Dim(dim) => self.digits.dims[dim],
            DigitSource::Sum(sum) => self.digits.sums[sum].limit,
        }
    }

    /// `digit / size` and `digit % size`.
    const fn cut(&mut self, digit: Digit, size: Size) -> (Digit, Digit) {
        if digit.limit <= size || PARTS == 0 {
            return (Digit::ZERO, digit);
        }
        if size == 1 {
            return (digit, Digit::ZERO);
        }
        let whole = if digit.modulus == 0 || digit.modulus.is_multiple_of(size) {
            digit
        } else {
            // (x % m) / t is not a digit of x unless t divides m.
            let (major, factor, limit) = (Digit::ZERO, Amount::ONE, digit.limit);
            self.add_sum(Sum { major, factor, minor: digit, limit })
        };
        let outer = Digit {
            div: whole.div * size,
            modulus: whole.modulus / size,
            limit: whole.limit.div_ceil(size),
            ..whole
        };
        let inner = Digit { modulus: size, limit: size, ..whole };
        (outer, inner)
    }

    /// `major · factor + minor`, where `minor` is below `factor`.
    const fn sum(&mut self, major: Digit, factor: Amount, minor: Digit) -> Digit {
        if major.is_zero() || PARTS == 0 {
            return minor;
        }
        if factor.unknowns != 0 {
            return self.add_sum(Sum { major, factor, minor, limit: MAX_SIZE });
        }
        let known = factor.factor;
        if minor.is_zero() && known == 1 {
            return major;
        }
        if let Some(joined) = self.join(major, known, minor) {
            return joined;
        }
        // More than there can be only where the size of a dimension is unknown.
        let limit = (major.limit - 1).saturating_mul(known).saturating_add(minor.limit);
        self.add_sum(Sum { major, factor, minor, limit })
    }

    /// Two neighbouring digits of one source as one digit.
    pub(crate) const fn join(&self, major: Digit, factor: Size, minor: Digit) -> Option<Digit> {
        // `cut` gives a modulus only below the values that are left, so that `div · modulus` is at most
        // the values of the source, and no product here overflows.
        if major.source != minor.source
            || minor.modulus != factor
            || major.div != minor.div * factor
        {
            return None;
        }
        let values = self.values(minor.source()).div_ceil(minor.div);
        let modulus = major.modulus * factor;
        Some(Digit { modulus, limit: if modulus == 0 { values } else { modulus }, ..minor })
    }

    const fn add_sum(&mut self, sum: Sum) -> Digit {
        if sum.major.is_zero() && sum.minor.is_whole() {
            return sum.minor;
        }
        self.digits.sums[self.digits.sum_count] = sum;
        self.digits.sum_count += 1;
        Digit::whole(MAX_DIMS + self.digits.sum_count - 1, sum.limit)
    }

    /// Makes the digits of the array, tiled: those that vary, neighbours joined. Where sizes of dimensions are unknown, their
    /// numbers are what is known of them.
    // What can hold one value is dropped: the dimension counts here, not its padded bound. So is a modulus that
    // the source cannot reach. Neighbours that together are the whole source are joined.
    pub(crate) const fn collect(&mut self, shape: &ArrayFields) -> &Digits<TERMS, PARTS> {
        self.digits.size = Amount::of(self.size());
        let mut elements = 1;
        each!(for i in 0..shape.rank() {
            if let Some(size) = shape.dims[i].size() {
                elements *= size;
            }
        });
        self.digits.elements = elements;
        if elements == 0 {
            self.digits.count = 0;
            return &self.digits;
        }
        self.join_terms();
        let swizzle = shape.swizzle_of_elements().xor_bits();
        self.digits.swizzle = match self.digits.size.known() {
            // The only element of a scalar is at offset 0, which no swizzle moves.
            _ if self.digits.rank == 0 => XorBits::NONE,
            Some(size) => swizzle.below(size),
            None => swizzle,
        };
        &self.digits
    }

    /// Leaves out the digits that are always 0, from the most minor on, and joins neighbours.
    const fn join_terms(&mut self) {
        let len = self.len();
        let mut stride = Amount::ONE;
        let mut first = len;
        each!(for at in (0..len).rev() {
            let Term { bound, digit, .. } = self.digits.terms[at];
            if !digit.is_zero() {
                let mut term = Term { digit, bound, stride };
                if first < len {
                    let minor = self.digits.terms[first];
                    // A neighbour whose bound is unknown has no modulus, and joins no other: so none of
                    // the counts comes between them.
                    if stride.factor == minor.stride.factor * minor.bound.factor
                        && let Some(digit) = self.join(digit, minor.bound.factor, minor.digit)
                    {
                        term = Term { digit, bound: bound.times(minor.bound), ..minor };
                        first += 1;
                    }
                }
                first -= 1;
                self.digits.terms[first] = term;
            }
            stride.factor *= bound.factor;
            stride.unknowns |= bound.unknowns;
        });
        self.digits.size.unknowns = stride.unknowns;
        self.digits.count = len - first;
        each!(for i in 0..self.digits.count {
            self.digits.terms[i] = self.digits.terms[first + i];
        });
    }
}

impl Tiling {
    /// An array with all of its tiles applied.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::Tiling;
    ///
    /// let tiling = Tiling::of(&"f32[3,5]{1,0:T(2,2)}".parse()?);
    /// assert_eq!(*tiling.bounds(), [2, 3, 2, 2]);
    /// assert_eq!(tiling.size(), 24);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn of(shape: &ArrayShape) -> Tiling {
        let mut tiling = Tiling::NONE;
        tiling.tile(shape.fields());
        tiling
    }
}

impl ArrayShape {
    /// The layout prepared for many conversions between indices and offsets: call it once, before a loop over elements.
    /// A bounded size (`<=N`) counts as `N`.
    ///
    /// Preparing takes some twenty times as long as an offset. To copy whole arrays, use
    /// `Plan` of the crate `layout`; sizes known to the compiler belong in a `layout!` type, whose offsets are
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
        if let Some(error) = self.unknown_size() {
            return Err(error);
        }
        Ok(Digits::with_unknowns(self))
    }
}
