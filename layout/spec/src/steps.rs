//! The linear index as a straight-line program, for code generation.

use crate::digits::Digits;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS};
use crate::tiling::Digit;

/// Most steps that a layout within the limits takes: two for each sum and two for each digit, of
/// which there are fewer than 64 because their bounds multiply to less than 2⁶³; one to end.
pub const MAX_STEPS: usize = 2 * MAX_TILE_DIMS + 2 * MAX_BOUNDS + 1;

/// Registers of the program: 0, the coordinates, the results of the steps.
pub const MAX_REGISTERS: usize = FIRST_RESULT + MAX_STEPS;

/// The register that holds 0.
pub const ZERO: usize = 0;
/// The register of coordinate 0; the others follow.
pub const FIRST_COORDINATE: usize = 1;
/// The register of the first step's result; the others follow.
pub const FIRST_RESULT: usize = FIRST_COORDINATE + MAX_DIMS;

/// `result = a / div % modulus · mul + b`, where a modulus of 0 is none.
///
/// `a` and `b` are registers.
#[derive(Clone, Copy)]
pub struct Step {
    /// Divisor, at least 1.
    pub div: usize,
    /// Modulus, or 0.
    pub modulus: usize,
    /// Factor.
    pub mul: usize,
    /// Register that is divided.
    pub a: usize,
    /// Register that is added.
    pub b: usize,
}

impl Step {
    const NONE: Step = Step { div: 1, modulus: 0, mul: 1, a: ZERO, b: ZERO };

    /// What the step computes.
    #[inline(always)]
    pub const fn apply(&self, a: usize, b: usize) -> usize {
        let mut digit = a / self.div;
        if self.modulus != 0 {
            digit %= self.modulus;
        }
        digit.wrapping_mul(self.mul).wrapping_add(b)
    }
}

/// The steps of a layout; the offset is the result of the last, or 0 where there is none.
#[derive(Clone, Copy)]
pub struct Steps {
    /// The steps, and some that do nothing.
    pub steps: [Step; MAX_STEPS],
    /// How many do something.
    pub len: usize,
}

impl Steps {
    /// Lowers a layout. First come the sums. Of the digits those without a modulus are added by
    /// Horner's rule, then the others; tried against code by hand, no other order was as short.
    pub const fn new(digits: &Digits) -> Steps {
        let mut steps = Steps { steps: [Step::NONE; MAX_STEPS], len: 0 };
        let mut sum_registers = [ZERO; MAX_TILE_DIMS];
        let mut i = 0;
        while i < digits.sum_count {
            let sum = &digits.sums[i];
            let minor = steps.value(&sum.minor, &sum_registers);
            sum_registers[i] = if sum.major.is_zero() {
                minor
            } else {
                steps.add(&sum.major, sum.factor, minor, &sum_registers)
            };
            i += 1;
        }

        // The sum so far, in units of `unit` elements; it is not yet divided.
        let mut sum = Digit::ZERO;
        let mut sum_register = ZERO;
        let mut unit = 1;
        let mut i = 0;
        while i < digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus == 0 {
                if sum.is_zero() {
                    (sum, sum_register) = (term.digit, register(&term.digit, &sum_registers));
                } else {
                    let value = steps.value(&term.digit, &sum_registers);
                    let factor = unit / term.stride;
                    sum_register = steps.push(sum_register, &sum, factor, value);
                    sum = Digit { div: 1, ..sum };
                }
                unit = term.stride;
            }
            i += 1;
        }
        let mut offset = ZERO;
        if !sum.is_zero() {
            offset = if sum.div == 1 && unit == 1 {
                sum_register
            } else {
                steps.push(sum_register, &sum, unit, ZERO)
            };
        }
        let mut i = 0;
        while i < digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus != 0 {
                offset = steps.add(&term.digit, term.stride, offset, &sum_registers);
            }
            i += 1;
        }
        // The offset has to be the last result.
        if offset != ZERO && offset < FIRST_RESULT {
            steps.push(offset, &Digit::ZERO, 1, ZERO);
        }
        steps
    }

    const fn push(&mut self, a: usize, digit: &Digit, mul: usize, b: usize) -> usize {
        self.steps[self.len] = Step { div: digit.div, modulus: digit.modulus, mul, a, b };
        self.len += 1;
        FIRST_RESULT + self.len - 1
    }

    /// `digit · mul + b`.
    const fn add(
        &mut self,
        digit: &Digit,
        mul: usize,
        b: usize,
        sums: &[usize; MAX_TILE_DIMS],
    ) -> usize {
        self.push(register(digit, sums), digit, mul, b)
    }

    /// The register that holds the digit, computed if it is not a whole source.
    const fn value(&mut self, digit: &Digit, sums: &[usize; MAX_TILE_DIMS]) -> usize {
        if digit.is_zero() {
            ZERO
        } else if digit.div == 1 && digit.modulus == 0 {
            register(digit, sums)
        } else {
            self.add(digit, 1, ZERO, sums)
        }
    }
}

/// The register of a digit's source.
const fn register(digit: &Digit, sums: &[usize; MAX_TILE_DIMS]) -> usize {
    let source = digit.source as usize;
    if source < MAX_DIMS { FIRST_COORDINATE + source } else { sums[source - MAX_DIMS] }
}
