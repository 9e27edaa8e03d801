//! Digits of an index, sums of them, and terms of an offset: what layouts are computed with.

use core::fmt;

use crate::analysis::unknown::Amount;
use crate::base::{MAX_DIMS, Size};

/// A digit of an index: `source / div % modulus`, a quotient or a remainder by the size of a tile.
///
/// It displays as `i0/2%3`: see [`Formula`](crate::analysis::Formula).
#[derive(Clone, Copy, Debug)]
pub struct Digit {
    /// What it is taken of: a dimension, or [`MAX_DIMS`] and the number of a sum.
    // A `u8` would be followed by seven bytes, which are copied in two steps that overlap: a third of what tiling takes.
    pub source: usize,
    /// What it divides by.
    pub div: Size,
    /// 0 without a modulus.
    pub modulus: Size,
    /// Number of values that it can have for elements of the array; if it is 1, the digit is always 0.
    pub limit: Size,
}

/// The number of which a digit is a part: a coordinate, or a sum of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitSource {
    /// The coordinate along a dimension.
    Dim(usize),
    /// A sum of digits, by its number.
    Sum(usize),
}

impl Digit {
    /// An unused entry of a list. All bits are 0, since memory is filled fastest with 0.
    pub const NONE: Digit = Digit { source: 0, div: 0, modulus: 0, limit: 0 };

    /// A digit whose only value is 0.
    pub const ZERO: Digit = Digit { source: 0, div: 1, modulus: 0, limit: 1 };

    /// The number of which it is a part.
    pub const fn source(&self) -> DigitSource {
        if self.source < MAX_DIMS {
            DigitSource::Dim(self.source)
        } else {
            DigitSource::Sum(self.source - MAX_DIMS)
        }
    }

    /// Divisor, at least 1.
    pub const fn div(&self) -> Size {
        self.div
    }

    /// Modulus, if the digit has one.
    pub const fn modulus(&self) -> Option<Size> {
        if self.modulus == 0 { None } else { Some(self.modulus) }
    }

    /// The digit that is all of a source.
    pub const fn whole(source: usize, limit: Size) -> Digit {
        Digit { source, div: 1, modulus: 0, limit }
    }

    /// Whether 0 is its only value.
    pub const fn is_zero(&self) -> bool {
        self.limit <= 1
    }

    /// Whether it is all of what it is taken of.
    pub const fn is_whole(&self) -> bool {
        self.div == 1 && self.modulus == 0
    }

    /// Whether both are the same digit of the same source.
    pub const fn is_same(&self, other: &Digit) -> bool {
        if self.is_zero() || other.is_zero() {
            return self.is_zero() && other.is_zero();
        }
        self.source == other.source && self.div == other.div && self.modulus == other.modulus
    }

    const fn unless_zero(self) -> Option<Digit> {
        if self.is_zero() { None } else { Some(self) }
    }
}

/// A sum of two digits, of which a digit may be taken in turn: `major · factor + minor`.
///
/// It stands where a `*` combines dimensions, and where a digit is cut at places that its own cuts do not contain.
#[derive(Clone, Copy, Debug)]
// Sums arise in two ways: `*` combines dimensions that are not neighbouring digits of one source, and a tile
// cuts a digit at places that the digit's own cuts do not contain.
pub struct Sum {
    /// What is multiplied.
    pub major: Digit,
    /// By what.
    pub factor: Amount,
    /// What is added.
    pub minor: Digit,
    /// How many values it can take.
    pub limit: Size,
}

impl Sum {
    /// No sum.
    pub const NONE: Sum =
        Sum { major: Digit::NONE, factor: Amount::ZERO, minor: Digit::NONE, limit: 0 };

    /// The more major digit; `None` if it is always 0.
    pub const fn major(&self) -> Option<Digit> {
        self.major.unless_zero()
    }

    /// The factor of the major digit; the minor digit is below it.
    pub const fn factor(&self) -> Amount {
        self.factor
    }

    /// The more minor digit; `None` if it is always 0.
    pub const fn minor(&self) -> Option<Digit> {
        self.minor.unless_zero()
    }
}

/// A term of an offset: a digit with its stride.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Term {
    /// The digit.
    pub digit: Digit,
    /// Values of the digit in memory, padding included.
    pub bound: Amount,
    /// Elements in memory from one value of the digit to the next.
    pub stride: Amount,
}

impl Term {
    /// No digit.
    pub const NONE: Term = Term { digit: Digit::NONE, bound: Amount::ZERO, stride: Amount::ZERO };

    /// A digit with one value, one slot from value to value.
    pub const UNIT: Term = Term { digit: Digit::ZERO, bound: Amount::ONE, stride: Amount::ONE };

    /// The stride of the next more major digit, where that is its neighbour.
    pub const fn end(&self) -> Amount {
        self.stride.times(self.bound)
    }
}

// Inline, as what displays formulas: few programs do, and none has code of it that way.
impl fmt::Display for Digit {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source() {
            DigitSource::Dim(dim) => write!(f, "i{dim}")?,
            DigitSource::Sum(sum) => write!(f, "s{sum}")?,
        }
        if self.div != 1 {
            write!(f, "/{}", self.div)?;
        }
        if self.modulus != 0 {
            write!(f, "%{}", self.modulus)?;
        }
        Ok(())
    }
}

impl fmt::Display for Sum {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_terms(f, [(self.major, self.factor), (self.minor, Amount::ONE)])
    }
}

/// Writes a sum of digits, each times an amount; those that are always 0 are left out.
pub(crate) fn write_terms(
    f: &mut fmt::Formatter<'_>,
    terms: impl IntoIterator<Item = (Digit, Amount)>,
) -> fmt::Result {
    let mut separator = "";
    for (digit, factor) in terms.into_iter().filter(|(digit, _)| !digit.is_zero()) {
        write!(f, "{separator}{digit}")?;
        separator = " + ";
        if factor != Amount::ONE {
            write!(f, "·{factor}")?;
        }
    }
    if separator.is_empty() { f.write_str("0") } else { Ok(()) }
}
