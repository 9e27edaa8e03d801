//! Counts that are known only at run time, since sizes of dimensions (`?`) are.

use core::fmt;

use crate::base::{MAX_DIMS, MAX_TILE_DIMS, Size};
use crate::shape::Tiles;

/// Unknown counts of a layout: the sizes of its dimensions, and a quotient at most for each entry of
/// a tile.
pub(crate) const MAX_UNKNOWNS: usize = MAX_DIMS + MAX_TILE_DIMS;

/// The values of unknown counts: the sizes of the dimensions, then the quotients.
pub type Counts = [Size; MAX_UNKNOWNS];

/// A set of unknown counts, a bit for each.
pub(crate) type Unknowns = u64;

const _: () = assert!(MAX_UNKNOWNS <= Unknowns::BITS as usize);

/// A number of elements or tiles: a known factor, times unknown counts where sizes are known at run time only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// A `?` has no number here: bounds, strides and factors are a number times a set of counts. Digits never divide
// by a count, so tiles stay shifts and masks. What counts cannot say (an index with `*`, runs found slot by
// slot) analyses the layout again, with its sizes.
pub struct Amount {
    /// The known factor.
    pub factor: Size,
    /// The unknown counts.
    pub(crate) unknowns: Unknowns,
}

impl Amount {
    pub(crate) const ZERO: Amount = Amount { factor: 0, unknowns: 0 };
    /// One.
    pub const ONE: Amount = Amount { factor: 1, unknowns: 0 };

    /// A known number.
    #[doc(hidden)]
    pub const fn of(factor: Size) -> Amount {
        Amount { factor, unknowns: 0 }
    }

    /// An unknown count.
    #[doc(hidden)]
    pub const fn unknown(count: usize) -> Amount {
        Amount { factor: 1, unknowns: 1 << count }
    }

    pub(crate) const fn is_one(self) -> bool {
        self.factor == 1 && self.unknowns == 0
    }

    #[doc(hidden)]
    pub const fn is_same(self, other: Amount) -> bool {
        self.factor == other.factor && self.unknowns == other.unknowns
    }

    /// These unknown counts, times another factor.
    #[doc(hidden)]
    pub const fn with_factor(self, factor: Size) -> Amount {
        Amount { factor, ..self }
    }

    /// The product; no unknown count is in both.
    pub(crate) const fn times(self, other: Amount) -> Amount {
        Amount { factor: self.factor * other.factor, unknowns: self.unknowns | other.unknowns }
    }

    /// The quotient by an amount that it is times of.
    pub const fn over(self, part: Amount) -> Amount {
        Amount { factor: self.factor / part.factor, unknowns: self.unknowns & !part.unknowns }
    }

    /// The number, if it does not depend on sizes that are known at run time only.
    pub const fn known(self) -> Option<Size> {
        if self.unknowns == 0 { Some(self.factor) } else { None }
    }

    /// The unknown counts that it is times of, a bit for each: bit `i` for the size of dimension `i`, then bit 16 for quotient
    /// 0 of the [formula](crate::analysis::Formula::quotients), and so on.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::Formula;
    ///
    /// let shape: layout::ArrayShape = "f32[?,?]{1,0:T(8,128)}".parse()?;
    /// let stride = Formula::of(&shape).terms()[0].stride;
    /// assert_eq!(stride.to_string(), "1024·q0");
    /// assert_eq!((stride.factor, stride.unknowns()), (1024, 1 << 16));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn unknowns(self) -> u64 {
        self.unknowns
    }

    /// The number, once the counts are known.
    #[inline(always)]
    pub const fn value(self, counts: &Counts) -> Size {
        if self.unknowns == 0 {
            return self.factor;
        }
        // The first one apart: LLVM folds this before it unrolls the loop, and most have no other.
        let mut rest = self.unknowns & (self.unknowns - 1);
        let mut value = self.factor.wrapping_mul(counts[self.unknowns.trailing_zeros() as usize]);
        while rest != 0 {
            value = value.wrapping_mul(counts[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
        value
    }
}

/// An unknown count that a tile leaves: `dividend / divisor`, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    pub(crate) dividend: Amount,
    pub(crate) divisor: Size,
}

impl Quotient {
    pub(crate) const NONE: Quotient = Quotient { dividend: Amount::ZERO, divisor: 0 };
    pub(crate) const ONE: Quotient = Quotient { dividend: Amount::ONE, divisor: 1 };

    /// The dimension that is divided, if the dividend is only that.
    pub const fn dim(&self) -> Option<usize> {
        let Amount { factor, unknowns } = self.dividend;
        let dim = unknowns.trailing_zeros() as usize;
        if factor == 1 && unknowns.is_power_of_two() && dim < MAX_DIMS { Some(dim) } else { None }
    }

    /// The dividend: a product of sizes of dimensions and earlier quotients.
    pub const fn dividend(&self) -> Amount {
        self.dividend
    }

    /// The divisor.
    pub const fn divisor(&self) -> Size {
        self.divisor
    }

    /// The count, once those before it are known.
    #[inline]
    pub const fn value(&self, counts: &Counts) -> Size {
        Tiles::covering(self.dividend.value(counts), self.divisor)
    }
}

/// `4·n0·q1`: `n0` is the size of dimension 0, `q1` quotient 1.
impl fmt::Display for Amount {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if self.factor != 1 || self.unknowns == 0 {
            write!(f, "{}", self.factor)?;
            separator = "·";
        }
        for count in (0..MAX_UNKNOWNS).filter(|count| self.unknowns >> count & 1 == 1) {
            match count.checked_sub(MAX_DIMS) {
                None => write!(f, "{separator}n{count}")?,
                Some(quotient) => write!(f, "{separator}q{quotient}")?,
            }
            separator = "·";
        }
        Ok(())
    }
}

/// `⌈n0/8⌉`.
impl fmt::Display for Quotient {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "⌈{}/{}⌉", self.dividend, self.divisor)
    }
}
