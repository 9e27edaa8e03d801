//! The digits of a layout as plain numbers, for programs that generate code.

use core::fmt;

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Digit;
use crate::analysis::unknown::{Amount, Counts};
use crate::limits::{MAX_DIMS, Size};
use crate::shape::array::ArrayShape;

/// The offset of an element as a sum of terms, as plain numbers: for programs that generate code.
///
/// `offset = Σ digit · stride` over the [`terms`](Terms::terms). A digit is a part of a coordinate, or of a sum
/// of two digits; [`sums`](Terms::sums) lists these, and each uses coordinates and earlier sums only.
///
/// The inverse goes the other way: `offset / stride % bound` is the value of a term's digit, and adds `div` times
/// itself to what the digit is taken of. Then the sums fall apart, the last first: `sum / factor` is the value of
/// the major digit, and `sum % factor` that of the minor one (a digit alone takes all of the sum). The result is
/// the index of the element at this offset if it is in bounds and, unless [`is_bijective`](Terms::is_bijective),
/// if it has this offset. Otherwise the slot is padding.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
///
/// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let terms = shape.terms();
/// let strides = terms.terms().map(|term| term.stride.known());
/// assert_eq!(strides.collect::<Vec<_>>(), [Some(12), Some(4), Some(2), Some(1)]);
/// let last = terms.terms().last().unwrap().digit; // i1 % 2
/// assert_eq!((last.source, last.div, last.modulus), (1, 1, Some(2)));
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Terms {
    digits: Digits,
}

/// `source / div % modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermDigit {
    /// What the digit is taken of: a dimension's coordinate if below the rank, else the sum number
    /// `source - rank`.
    pub source: usize,
    /// Divisor, at least 1.
    pub div: Size,
    /// Modulus, if the digit has one.
    pub modulus: Option<Size>,
}

/// A term of the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The digit.
    pub digit: TermDigit,
    /// Elements in memory from one value of the digit to the next.
    pub stride: Amount,
    /// Values of the digit in memory, padding included.
    pub bound: Amount,
}

/// `major · factor + minor`: the value of a sum, whose digits may be taken in turn.
///
/// A digit that is always 0 is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermSum {
    /// The more major digit.
    pub major: Option<TermDigit>,
    /// Its factor; the minor digit is below it.
    pub factor: Amount,
    /// The more minor digit.
    pub minor: Option<TermDigit>,
}

impl ArrayShape {
    /// The offset of an element as terms in plain numbers, to generate code from. Sizes that are known at run time
    /// only (`?`) make some of these numbers [amounts](Amount) of unknown counts.
    #[must_use]
    pub const fn terms(&self) -> Terms {
        Terms { digits: Digits::with_unknowns(self) }
    }
}

impl Terms {
    /// The terms, major to minor. There are none if the layout has no elements, or one.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.digits.terms[..self.digits.count].iter().map(|term| Term {
            digit: self.digit(&term.digit),
            stride: term.stride(),
            bound: Amount { factor: term.bound, unknowns: term.bound_unknowns },
        })
    }

    /// The sums that digits are taken of.
    pub fn sums(&self) -> impl ExactSizeIterator<Item = TermSum> + '_ {
        let digit = |digit: &Digit| if digit.is_zero() { None } else { Some(self.digit(digit)) };
        self.digits.sums[..self.digits.sum_count].iter().map(move |sum| TermSum {
            major: digit(&sum.major),
            factor: sum.factor,
            minor: digit(&sum.minor),
        })
    }

    /// Slots in memory that the terms reach, in elements: without those that `L(n)` adds at the end. Unspecified
    /// if there are no elements.
    pub const fn size(&self) -> Amount {
        self.digits.size_amount()
    }

    /// Whether different slots have different indices, in bounds or not, so that padding is what is out of bounds.
    pub const fn is_bijective(&self) -> bool {
        self.digits.is_bijective()
    }

    /// The values of the unknown counts for an array with these sizes, in elements, dimension 0 first:
    /// [`Amount::value`] takes them. `None` if the number of sizes is not the rank.
    ///
    /// Unspecified for sizes that [`ArrayShape::with_dims`] rejects.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[?,1000]{1,0:T(8,128)}".parse()?;
    /// let terms = shape.terms();
    /// let size = terms.size();
    /// assert_eq!(size.known(), None);
    /// assert_eq!(size.value(&terms.counts(&[20, 1000]).unwrap()), 24576);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn counts(&self, dims: &[Size]) -> Option<Counts> {
        if dims.len() == self.digits.rank() { Some(self.digits.counts(dims)) } else { None }
    }

    const fn digit(&self, digit: &Digit) -> TermDigit {
        let source = digit.source as usize;
        TermDigit {
            source: if source < MAX_DIMS { source } else { source - MAX_DIMS + self.digits.rank() },
            div: digit.div,
            modulus: if digit.modulus == 0 { None } else { Some(digit.modulus) },
        }
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Terms").field(&self.digits).finish()
    }
}
