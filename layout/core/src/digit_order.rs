//! Layouts as orders of digits: what packed formats of other systems are.
//!
//! A packed format takes each dimension apart into digits and puts the digits of all dimensions into an order:
//! memory counts through them as through the digits of a number, the most major digit first. oneDNN's `nChw16c`
//! is the order of `n`, of `C / 16`, of `h`, of `w` and of `C % 16`. [`DigitOrder`] holds such an order, and
//! [`DigitOrder::layout`] finds the order of dimensions and the fewest tiles with the same memory;
//! [`ArrayShape::digit_order`] goes back.

mod dims;
pub(crate) mod of_shape;
mod search;
mod tiles;

use core::fmt;

use crate::fault::error::Fault;
use crate::limits::{MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, Size};
use crate::shape::array::ArrayShape;

/// Most digits of an order: each takes an entry of a tile, but one of each dimension.
pub const MAX_DIGITS: usize = MAX_TILE_DIMS + MAX_DIMS;

/// A digit of a dimension: `i / weight % size` of its coordinate `i`, or `i / weight` without a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DimDigit {
    /// The dimension.
    pub dim: usize,
    /// Elements along the dimension from one value of the digit to the next.
    pub weight: Size,
    /// Values of the digit; `None` for the rest of the dimension, whatever its size.
    pub size: Option<Size>,
}

impl DimDigit {
    const NONE: DimDigit = DimDigit { dim: 0, weight: 1, size: Some(1) };

    /// Elements of the dimension that the digit and those below it count; `None` for a rest.
    const fn end(&self) -> Option<Size> {
        match self.size {
            Some(size) => Some(self.weight * size),
            None => None,
        }
    }
}

/// An order of digits, from the most major in memory to the most minor.
///
/// The digits of a dimension are all of it: their weights are 1, the size of the digit of weight 1, and so on.
/// The most major one may be a rest, which makes the order one for every size: a dimension is then padded to a
/// multiple of its other digits.
///
/// # Examples
/// ```
/// use layout::digit_order::{DigitOrder, DimDigit};
///
/// // oneDNN's `Ab16a`: rows in blocks of 16.
/// let rest = |dim, weight| DimDigit { dim, weight, size: None };
/// let block = DimDigit { dim: 0, weight: 1, size: Some(16) };
/// let order = DigitOrder::new(2, &[rest(0, 16), rest(1, 1), block])?;
/// let array: layout::ArrayShape = "f32[40,3]".parse()?;
/// assert_eq!(order.layout(&array)?.to_string(), "f32[40,3]{1,0:T(16,1)}");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct DigitOrder {
    digits: [DimDigit; MAX_DIGITS],
    len: usize,
    rank: usize,
}

/// Why digits are no order, or an order is no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigitOrderError {
    /// There are more dimensions than an array has, [`MAX_DIMS`].
    Rank {
        /// Dimensions.
        rank: usize,
    },
    /// There are more digits than [`MAX_DIGITS`].
    TooManyDigits,
    /// A digit is one of a dimension that the array does not have.
    NoSuchDimension {
        /// The dimension.
        dim: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// A digit has no values, or its dimension more than [`MAX_SIZE`].
    Size {
        /// The dimension.
        dim: usize,
    },
    /// No digit of a dimension has the weight that follows from the others.
    Gap {
        /// The dimension.
        dim: usize,
        /// The weight that is missing.
        weight: Size,
    },
    /// Two digits of a dimension count the same elements.
    Overlap {
        /// The dimension.
        dim: usize,
        /// The weight at which they do.
        weight: Size,
    },
    /// The rest of a dimension follows a digit that only a tile would cut off: tiles move what they cut off behind
    /// all rests.
    RestBehindDigit {
        /// The dimension of the rest.
        dim: usize,
    },
    /// The order takes more tiles, or more entries of tiles, than a layout has.
    TooManyTiles,
    /// The digits make another number of elements than the dimension has.
    OtherSize {
        /// The dimension.
        dim: usize,
        /// What the digits make.
        digits: Size,
        /// The size of the dimension.
        size: Size,
    },
    /// A `*` combines dimensions: no digit of one dimension counts there.
    Combined,
    /// A tile does not divide the tile that it covers, or pads what has a known size.
    Indivisible {
        /// The tile, the first is 0.
        tile: usize,
    },
    /// `PAD` widens a dimension, which no digit says.
    Widened,
    /// The size of a dimension is known at run time only (`?`), and the order has a size for it, or needs one.
    UnknownSize {
        /// The dimension.
        dim: usize,
    },
    /// The array has another number of dimensions.
    OtherRank {
        /// Dimensions of the order.
        rank: usize,
        /// Dimensions of the array.
        array: usize,
    },
    /// The array is not valid in this order: padding takes it past a limit.
    Shape(Fault),
}

impl fmt::Display for DigitOrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DigitOrderError::*;
        match *self {
            Rank { rank } => write!(f, "{rank} dimensions, but an array has at most {MAX_DIMS}"),
            TooManyDigits => write!(f, "more than {MAX_DIGITS} digits"),
            NoSuchDimension { dim, rank } => {
                write!(f, "dimension {dim} is out of range for an array of rank {rank}")
            }
            Size { dim } => {
                write!(f, "the digits of dimension {dim} make no size from 1 to {MAX_SIZE}")
            }
            Gap { dim, weight } => {
                write!(f, "no digit of dimension {dim} counts every {weight} elements")
            }
            Overlap { dim, weight } => {
                write!(f, "two digits of dimension {dim} count every {weight} elements")
            }
            RestBehindDigit { dim } => write!(
                f,
                "the rest of dimension {dim} is more minor in memory than a block, where no tile puts it: write its size out"
            ),
            TooManyTiles => write!(
                f,
                "the order takes more tiles than a layout has: at most {} with {MAX_TILE_DIMS} sizes in all",
                crate::limits::MAX_TILES
            ),
            OtherSize { dim, digits, size } => write!(
                f,
                "the digits of dimension {dim} make {digits} elements, but its size is {size}"
            ),
            Combined => f.write_str("`*` combines dimensions"),
            Indivisible { tile } => {
                write!(f, "tile {tile} does not divide the tile that it covers")
            }
            UnknownSize { dim } => {
                write!(f, "the size of dimension {dim} is known at run time only (`?`)")
            }
            OtherRank { rank, array } => {
                write!(f, "the order is one of {rank} dimensions, but the array has {array}")
            }
            Shape(fault) => fault.fmt(f),
            Widened => f.write_str("`PAD` widens a dimension"),
        }
    }
}

impl core::error::Error for DigitOrderError {}

impl fmt::Debug for DigitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.digits()).finish()
    }
}

impl DigitOrder {
    /// The order of these digits, the most major in memory first, of an array with `rank` dimensions. A
    /// dimension without digits has size 1.
    ///
    /// # Errors
    /// If the digits of a dimension are not all of it, or overlap; if one has no values; and above the limits
    /// of dimensions, digits and sizes.
    pub const fn new(rank: usize, digits: &[DimDigit]) -> Result<DigitOrder, DigitOrderError> {
        if rank > MAX_DIMS {
            return Err(DigitOrderError::Rank { rank });
        }
        let mut order = DigitOrder { digits: [DimDigit::NONE; MAX_DIGITS], len: 0, rank };
        each!(for &digit in digits {
            if digit.dim >= rank {
                return Err(DigitOrderError::NoSuchDimension { dim: digit.dim, rank });
            }
            let most = match digit.size {
                Some(0) => 0,
                Some(size) => MAX_SIZE / size,
                None => MAX_SIZE,
            };
            if digit.weight == 0 || digit.weight > most {
                return Err(DigitOrderError::Size { dim: digit.dim });
            }
            // A digit of one value counts nothing.
            if !matches!(digit.size, Some(1)) {
                if order.len == MAX_DIGITS {
                    return Err(DigitOrderError::TooManyDigits);
                }
                order.digits[order.len] = digit;
                order.len += 1;
            }
        });
        each!(for dim in 0..rank {
            if let Err(error) = order.check(dim) {
                return Err(error);
            }
        });
        order.join();
        Ok(order)
    }

    /// The digits, the most major in memory first. Neighbours that together are one digit are joined, and
    /// digits of one value are left out.
    pub const fn digits(&self) -> &[DimDigit] {
        crate::base::text::part(&self.digits, 0, self.len)
    }

    /// Dimensions of the array.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Elements that the digits of a dimension make, and whether it has a rest besides.
    const fn size_of(&self, dim: usize) -> (Size, bool) {
        let (mut size, mut has_rest) = (1, false);
        each!(for i in 0..self.len {
            if self.digits[i].dim == dim {
                match self.digits[i].size {
                    Some(values) => size *= values,
                    None => has_rest = true,
                }
            }
        });
        (size, has_rest)
    }

    /// Whether the digits of a dimension are all of it: each begins where another ends.
    const fn check(&self, dim: usize) -> Result<(), DigitOrderError> {
        let (mut weight, mut found, mut count) = (1, 0, 0);
        let mut i = 0;
        while i < self.len {
            count += (self.digits[i].dim == dim) as usize;
            i += 1;
        }
        while found < count {
            let mut next = None;
            let mut same = 0;
            each!(for i in 0..self.len {
                let digit = &self.digits[i];
                if digit.dim == dim && digit.weight == weight {
                    same += 1;
                    next = Some(digit.end());
                }
            });
            found += same;
            match next {
                None => return Err(self.overlap_or_gap(dim, weight)),
                Some(_) if same > 1 => return Err(DigitOrderError::Overlap { dim, weight }),
                Some(Some(end)) => weight = end,
                // Nothing counts beyond a rest.
                Some(None) if found < count => {
                    return Err(DigitOrderError::Overlap { dim, weight });
                }
                Some(None) => {}
            }
        }
        Ok(())
    }

    /// What is wrong where no digit of a dimension has a weight.
    const fn overlap_or_gap(&self, dim: usize, weight: Size) -> DigitOrderError {
        each!(for i in 0..self.len {
            let digit = &self.digits[i];
            let is_below = match digit.end() {
                Some(end) => end > weight,
                None => true,
            };
            if digit.dim == dim && digit.weight < weight && is_below {
                return DigitOrderError::Overlap { dim, weight: digit.weight };
            }
        });
        DigitOrderError::Gap { dim, weight }
    }

    /// Joins neighbours in memory that together are one digit. A rest stays apart from what is below it, which
    /// pads the dimension.
    const fn join(&mut self) {
        let mut len = 0;
        let mut i = 0;
        while i < self.len {
            let digit = self.digits[i];
            let mut joined = false;
            if len > 0 {
                let major = &mut self.digits[len - 1];
                if let (Some(a), Some(b)) = (major.size, digit.size)
                    && major.dim == digit.dim
                    && major.weight == digit.weight * b
                {
                    *major = DimDigit { dim: digit.dim, weight: digit.weight, size: Some(a * b) };
                    joined = true;
                }
            }
            if !joined {
                self.digits[len] = digit;
                len += 1;
            }
            i += 1;
        }
        self.len = len;
    }

    /// The array laid out in this order: with the order of dimensions and the fewest tiles that have this memory. Its
    /// element type, its dimensions and its properties stay, except for `PAD`, which belongs to another order.
    ///
    /// A dimension with a rest takes any size. Others have the size that their digits make.
    ///
    /// There is a layout for every order whose rests are more major in memory than all other digits, and for every
    /// order without rests, within the limits of tiles: `n` digits, of which at most `g` are of one dimension,
    /// take at most `⌈log2 g⌉ + ⌈log2 n⌉` tiles, and the digits of packed formats in use take at most 4.
    ///
    /// # The fewest tiles
    /// No order of dimensions and no tiles without `*` do with fewer. Among the layouts with as few, it is the one in
    /// which the first tile pads the most dimensions with a rest to whole blocks, then the one with the fewest sizes
    /// in tiles, and then one whose dimensions stand in the order of their first digits, of their numbers or of their
    /// most major digits. That holds for every order of up to seven digits, however many dimensions they belong to.
    /// A search in a `const` has to end, so that an order of more digits, or of seven and rests, may exceed its limit:
    /// then the layout has the same memory still, but another one can have fewer tiles or sizes.
    ///
    /// Why a search for *keys* of the digits finds it, numbers whose bit `t` says whether tile `t` moves the digit:
    /// - A tile cuts each bound that it covers into an outer and an inner part and moves the inner parts, in their
    ///   order, after the outer ones. That is a pass of a radix sort. So after all tiles the digits stand by
    ///   their keys, and digits with one key as they do without tiles: in the order of dimensions, and by descending
    ///   weight along one.
    /// - The inner part of a bound is its more minor end. So along a dimension, from its most major digit on, the keys
    ///   with their bits reversed never descend. Keys that never do, and that sort the digits into their order in
    ///   memory, are tiles.
    /// - A tile of a known size moves no rest: its key is 0. The other digits of its dimension are blocks, which
    ///   a tile cuts off: their keys are not 0.
    /// - A size that cuts a digit in two gains nothing: its parts are neighbours in memory, and with the key of the
    ///   first part for both, all of this holds as before. A size that divides no digits would pad.
    /// - The order of dimensions decides nothing but the order of digits with one key, which are neighbours in
    ///   memory. So keys allow each order of dimensions that agrees with every two such neighbours, and there is one
    ///   unless these go round in a circle. No order has to be tried.
    ///
    /// Keys that always are some: the number of the digit along its dimension, with its bits reversed, in the low
    /// bits, and in the high bits a number that is counted up wherever those descend.
    ///
    /// # Errors
    /// If the rest of a dimension follows another digit that no tile puts before it, if the order takes more tiles
    /// than a layout has, or if the digits make other sizes than the array has.
    pub const fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, DigitOrderError> {
        tiles::layout(self, array)
    }
}
