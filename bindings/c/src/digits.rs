//! The digits of a layout as plain numbers.

#![allow(unsafe_code, reason = "names of C, and pointers of C by `border`")]

use layout::shape::analysis::{Amount, Digit, DigitSource, Formula};
use layout::shape::limits;

use crate::border::{given, place};
use crate::error::{TlCode, TlError, answer};
use crate::layout::{TL_MAX_DIMS, TlLayout};

/// Most terms of a layout.
pub const TL_MAX_TERMS: usize = 64;
/// Most sums of a layout.
pub const TL_MAX_SUMS: usize = 32;
/// Most quotients of a layout.
pub const TL_MAX_QUOTIENTS: usize = 32;

const _: () = assert!(
    TL_MAX_TERMS == 2 * limits::MAX_TILE_DIMS
        && TL_MAX_SUMS == limits::MAX_TILE_DIMS
        && TL_MAX_QUOTIENTS == limits::MAX_TILE_DIMS
);

/// A number, times counts that are known at run time only: bit `i` of `counts` is set for the size of dimension `i`, bit
/// `TL_MAX_DIMS + i` for quotient `i`. It is 0 if all sizes are known.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlAmount {
    /// The number.
    pub factor: u64,
    /// The counts.
    pub counts: u64,
}

/// A digit of an index: `source / div % modulus`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlDigit {
    /// The coordinate of dimension `source`, or sum `source - TL_MAX_DIMS`.
    pub source: u32,
    /// Divisor, at least 1.
    pub div: u64,
    /// Modulus; 0 if there is none.
    pub modulus: u64,
}

/// A term of the offset: `digit * stride`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlTerm {
    /// The digit.
    pub digit: TlDigit,
    /// Values of the digit in memory, padding included.
    pub bound: TlAmount,
    /// Elements in memory from one value of the digit to the next.
    pub stride: TlAmount,
}

/// `major * factor + minor`. A digit that is always 0 has the modulus 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlSum {
    /// The more major digit.
    pub major: TlDigit,
    /// Its factor.
    pub factor: TlAmount,
    /// The more minor digit.
    pub minor: TlDigit,
}

/// `dividend / divisor`, rounded up.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlQuotient {
    /// A product of sizes of dimensions and earlier quotients.
    pub dividend: TlAmount,
    /// At least 1.
    pub divisor: u64,
}

/// The offset of an element as a formula: the sum of the terms, swizzled if the layout has a swizzle.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TlDigits {
    /// How many terms.
    pub term_count: usize,
    /// How many sums.
    pub sum_count: usize,
    /// How many quotients.
    pub quotient_count: usize,
    /// The terms, major to minor.
    pub terms: [TlTerm; TL_MAX_TERMS],
    /// Sums that digits are taken of, as they are of coordinates. Each uses coordinates and earlier sums.
    pub sums: [TlSum; TL_MAX_SUMS],
    /// Counts of tiles that depend on sizes known at run time only.
    pub quotients: [TlQuotient; TL_MAX_QUOTIENTS],
    /// Bits of the sum of the terms that others are XORed with: `offset = sum ^ ((sum & swizzle_mask) >> swizzle_shift)`. It is 0
    /// without a swizzle.
    pub swizzle_mask: u64,
    /// How far these bits are shifted down; up by `-swizzle_shift`, if it is negative.
    pub swizzle_shift: i32,
}

impl TlAmount {
    fn of(amount: Amount) -> TlAmount {
        TlAmount { factor: amount.factor as u64, counts: amount.unknowns() }
    }
}

impl TlDigit {
    const ZERO: TlDigit = TlDigit { source: 0, div: 1, modulus: 1 };

    fn of(digit: Digit) -> TlDigit {
        let source = match digit.source() {
            DigitSource::Dim(dim) => dim,
            DigitSource::Sum(sum) => TL_MAX_DIMS + sum,
        };
        let modulus = digit.modulus().unwrap_or(0) as u64;
        TlDigit { source: source as u32, div: digit.div() as u64, modulus }
    }
}

/// The digits of a layout, for code that computes offsets itself. Sizes may be unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_layout_digits(
    layout: *const TlLayout,
    digits: *mut TlDigits,
    error: *mut TlError,
) -> TlCode {
    // SAFETY: the caller's promise.
    unsafe {
        answer(error, || {
            let (layout, digits) = (given("layout", layout)?, place("digits", digits)?);
            digits.write(numbers(&Formula::of(&layout.shape)));
            Ok(())
        })
    }
}

fn numbers(formula: &Formula) -> TlDigits {
    let digit = |digit: Option<Digit>| digit.map_or(TlDigit::ZERO, TlDigit::of);
    let terms = formula.terms().iter().map(|term| TlTerm {
        digit: TlDigit::of(term.digit),
        bound: TlAmount::of(term.bound),
        stride: TlAmount::of(term.stride),
    });
    let sums = formula.sums().iter().map(|sum| TlSum {
        major: digit(sum.major()),
        factor: TlAmount::of(sum.factor()),
        minor: digit(sum.minor()),
    });
    let quotients = formula.quotients().iter().map(|quotient| TlQuotient {
        dividend: TlAmount::of(quotient.dividend()),
        divisor: quotient.divisor() as u64,
    });
    let one = TlAmount { factor: 1, counts: 0 };
    let (swizzle_mask, swizzle_shift) = formula.swizzle().xor_bits().mask_and_shift();
    TlDigits {
        term_count: terms.len(),
        sum_count: sums.len(),
        quotient_count: quotients.len(),
        terms: filled(terms, TlTerm { digit: TlDigit::ZERO, bound: one, stride: one }),
        sums: filled(sums, TlSum { major: TlDigit::ZERO, factor: one, minor: TlDigit::ZERO }),
        quotients: filled(quotients, TlQuotient { dividend: one, divisor: 1 }),
        swizzle_mask: swizzle_mask as u64,
        swizzle_shift: swizzle_shift.into(),
    }
}

/// A list, and the same value after it.
fn filled<T: Copy, const N: usize>(list: impl Iterator<Item = T>, rest: T) -> [T; N] {
    let mut filled = [rest; N];
    filled.iter_mut().zip(list).for_each(|(to, from)| *to = from);
    filled
}
