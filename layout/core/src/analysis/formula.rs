//! Offsets as human-readable formulas.

use core::fmt;

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Digit;
use crate::limits::{MAX_DIMS, Size};
use crate::shape::array::ArrayShape;
use crate::shape::unknown_size::UnknownSize;

/// The offset of an element as a formula of its coordinates `i0`, `i1` and so on, such as `i0/2·12 + i1/2·4 +
/// i0%2·2 + i1%2`.
///
/// `/` is integer division and `%` its remainder; `/`, `%` and `·` are evaluated from left to right. Terms
/// that are always 0 are left out. Dimensions that `*` combines become sums: [`sums`](Formula::sums) gives
/// the formulas of `s0`, `s1` and so on.
pub struct Formula {
    digits: Digits,
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Formula").field(&format_args!("{self}")).finish()
    }
}

impl ArrayShape {
    /// The offset of an element, in elements, as a formula.
    ///
    /// # Errors
    /// If the size of a dimension is known at run time only (`?`).
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let formula = shape.formula().unwrap();
    /// assert_eq!(formula.to_string(), "i0/2·12 + i1/2·4 + i0%2·2 + i1%2");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn formula(&self) -> Result<Formula, UnknownSize> {
        match self.unknown_size() {
            Some(error) => Err(error),
            None => Ok(Formula { digits: Digits::with_unknowns(self) }),
        }
    }
}

impl Formula {
    /// The formulas of `s0`, `s1` and so on; each may use coordinates and earlier sums.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[7,5]{1,0:T(*,3)}".parse()?;
    /// let formula = shape.formula().unwrap();
    /// let sums = formula.sums().map(|sum| sum.to_string());
    /// assert_eq!(sums.collect::<Vec<_>>(), ["i0·5 + i1"]);
    /// assert_eq!(formula.to_string(), "s0");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn sums(&self) -> impl ExactSizeIterator<Item = impl fmt::Display + '_> {
        self.digits.sums[..self.digits.sum_count].iter().map(|sum| {
            let terms = [(sum.major, sum.factor.factor), (sum.minor, 1)];
            Terms(terms.into_iter().filter(|(digit, _)| !digit.is_zero()))
        })
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = &self.digits.terms[..self.digits.count];
        Terms(terms.iter().map(|term| (term.digit, term.stride))).fmt(f)
    }
}

/// A sum of digits, each times a number.
struct Terms<I>(I);

impl<I: Iterator<Item = (Digit, Size)> + Clone> fmt::Display for Terms<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (digit, factor) in self.0.clone() {
            if !is_first {
                f.write_str(" + ")?;
            }
            is_first = false;
            match (digit.source as usize).checked_sub(MAX_DIMS) {
                None => write!(f, "i{}", digit.source)?,
                Some(sum) => write!(f, "s{sum}")?,
            }
            if digit.div != 1 {
                write!(f, "/{}", digit.div)?;
            }
            if digit.modulus != 0 {
                write!(f, "%{}", digit.modulus)?;
            }
            if factor != 1 {
                write!(f, "·{factor}")?;
            }
        }
        if is_first { f.write_str("0") } else { Ok(()) }
    }
}
