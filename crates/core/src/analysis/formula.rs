//! The offset of an element as a formula, to print and to generate code from.

use core::fmt;

use crate::analysis::digit::{Sum, Term, write_terms};
use crate::analysis::digits::Digits;
use crate::analysis::tiling::Tiling;
use crate::analysis::unknown::{Amount, Counts, Quotient};
use crate::base::Size;
use crate::shape::{ArrayShape, Swizzle};

/// The offset of an element as a sum of terms, `Σ digit · stride`: printed for people, or read by programs that
/// generate code.
///
/// It displays as a formula of the coordinates `i0`, `i1` and so on, such as `i0/2·12 + i1/2·4 + i0%2·2 + i1%2`. `/` is
/// integer division and `%` its remainder; `/`, `%` and `·` are evaluated from left to right. Dimensions that `*`
/// combines become [`sums`](Formula::sums), `s0`, `s1` and so on, which display too. Sizes that are known at run time
/// only (`?`) are `n0`, `n1` and so on, and [`quotients`](Formula::quotients) of them `q0`, `q1` and so on.
///
/// It consists of numbers: a digit is a part of a coordinate, or of a sum of two digits; each sum uses coordinates and
/// earlier sums only. With sizes that are known only at run time, some numbers are [amounts](Amount) of unknown counts.
///
/// The inverse goes the other way: `offset / stride % bound` is the value of a term's digit, and adds `div` times
/// itself to what the digit is taken of. Then the sums fall apart, the last first: `sum / factor` is the value of
/// the major digit, and `sum % factor` that of the minor one (a digit alone takes all of the sum). The result is
/// the index of the element at this offset if it is in bounds and, unless [`is_bijective`](Formula::is_bijective),
/// if it has this offset. Otherwise the slot is padding.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::shape::analysis::{DigitSource, Formula};
///
/// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let formula = Formula::of(&shape);
/// assert_eq!(formula.to_string(), "i0/2·12 + i1/2·4 + i0%2·2 + i1%2");
/// let strides = formula.terms().iter().map(|term| term.stride.known());
/// assert_eq!(strides.collect::<Vec<_>>(), [Some(12), Some(4), Some(2), Some(1)]);
/// let last = formula.terms().last().unwrap().digit; // i1 % 2
/// assert_eq!((last.source(), last.div(), last.modulus()), (DigitSource::Dim(1), 1, Some(2)));
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Formula {
    digits: Digits,
    swizzle: Swizzle,
}

impl Formula {
    /// The formula of a layout.
    pub const fn of(shape: &ArrayShape) -> Formula {
        let swizzle = shape.fields().swizzle_of_elements();
        Formula { digits: Digits::with_unknowns(shape), swizzle }
    }

    /// The swizzle of the sum, on elements.
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The terms, major to minor. There are none if the layout has no elements, or one.
    pub const fn terms(&self) -> &[Term] {
        self.digits.terms()
    }

    /// The sums that digits are taken of; each may use coordinates and earlier sums.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::Formula;
    ///
    /// let shape: layout::ArrayShape = "f32[7,5]{1,0:T(*,3)}".parse()?;
    /// let formula = Formula::of(&shape);
    /// let sums = formula.sums().iter().map(|sum| sum.to_string());
    /// assert_eq!(sums.collect::<Vec<_>>(), ["i0·5 + i1"]);
    /// assert_eq!(formula.to_string(), "s0");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn sums(&self) -> &[Sum] {
        self.digits.sums()
    }

    /// The counts of tiles that depend on sizes known at run time only; each may use sizes and earlier quotients.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::Formula;
    ///
    /// let shape: layout::ArrayShape = "f32[?,?]{1,0:T(8,128)}".parse()?;
    /// let formula = Formula::of(&shape);
    /// assert_eq!(formula.to_string(), "i0/8·1024·q0 + i1/128·1024 + i0%8·128 + i1%128");
    /// assert_eq!(formula.quotients()[0].to_string(), "⌈n1/128⌉");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn quotients(&self) -> &[Quotient] {
        self.digits.quotients()
    }

    /// Number of slots in memory that the terms reach, in elements, without those that `L(n)` adds at the end.
    /// Unspecified for an array without elements.
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
    /// use layout::shape::analysis::Formula;
    ///
    /// let shape: layout::ArrayShape = "f32[?,1000]{1,0:T(8,128)}".parse()?;
    /// let formula = Formula::of(&shape);
    /// let size = formula.size();
    /// assert_eq!(size.known(), None);
    /// assert_eq!(size.value(&formula.counts(&[20, 1000]).unwrap()), 24576);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn counts(&self, dims: &[Size]) -> Option<Counts> {
        if dims.len() == self.digits.rank() { Some(self.digits.counts(dims)) } else { None }
    }
}

impl Digits {
    /// Prepares a layout whose sizes may be unknown (`?`): amounts then have unknown counts, which
    /// [`offset`](Self::offset) and [`index`](Self::index) leave out.
    pub const fn with_unknowns(shape: &ArrayShape) -> Digits {
        let mut tiling = Tiling::NONE;
        *tiling.digits(shape)
    }
}

impl fmt::Display for Formula {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.terms().iter().map(|term| (term.digit, term.stride));
        if self.swizzle.is_none() {
            return write_terms(f, terms);
        }
        write!(f, "{}(", self.swizzle)?;
        write_terms(f, terms)?;
        f.write_str(")")
    }
}

impl fmt::Debug for Formula {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Formula").field(&format_args!("{self}")).finish()
    }
}
