//! The linear index as a straight-line program, for code generation.

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Digit;
use crate::analysis::unknown::{MAX_UNKNOWNS, Unknowns};
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS};

/// Most steps that a layout within the limits takes: two for each sum and two for each digit, of
/// which there are fewer than 64 because their bounds multiply to less than 2⁶³; one to end. Where
/// counts are unknown, the products of them in addition.
pub const MAX_STEPS: usize = 2 * MAX_TILE_DIMS + 2 * MAX_BOUNDS + 1 + MAX_PRODUCTS;

/// A count joins the products once for sums, once between digits without a modulus, and once for the
/// other digits; at most as many as there are dimensions are left in bounds.
const MAX_PRODUCTS: usize = MAX_UNKNOWNS + MAX_DIMS;

/// Registers of the program: 0, 1, the coordinates, the unknown counts, the results of the steps.
pub const MAX_REGISTERS: usize = FIRST_RESULT + MAX_STEPS;

/// The register that holds 0.
pub const ZERO: usize = 0;
/// The register that holds 1.
pub const ONE: usize = 1;
/// The register of coordinate 0; the others follow.
pub const FIRST_COORDINATE: usize = 2;
/// The register of the first unknown count; the others follow.
pub const FIRST_COUNT: usize = FIRST_COORDINATE + MAX_DIMS;
/// The register of the first step's result; the others follow.
pub const FIRST_RESULT: usize = FIRST_COUNT + MAX_UNKNOWNS;

/// `result = a / div % modulus · mul · by + b`, where a modulus of 0 is none.
///
/// `a`, `by` and `b` are registers.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Divisor, at least 1.
    pub div: usize,
    /// Modulus, or 0.
    pub modulus: usize,
    /// Factor.
    pub mul: usize,
    /// Register that is divided.
    pub a: usize,
    /// Register that multiplies; `ONE` where all sizes are known.
    pub by: usize,
    /// Register that is added.
    pub b: usize,
}

impl Step {
    const NONE: Step = Step { div: 1, modulus: 0, mul: 1, a: ZERO, by: ONE, b: ZERO };

    /// What the step computes where all sizes are known.
    #[inline(always)]
    pub const fn apply(&self, a: usize, b: usize) -> usize {
        let mut digit = a / self.div;
        if self.modulus != 0 {
            digit %= self.modulus;
        }
        digit.wrapping_mul(self.mul).wrapping_add(b)
    }

    /// What the step computes.
    #[inline(always)]
    pub const fn apply_by(&self, a: usize, by: usize, b: usize) -> usize {
        self.apply(a, 0).wrapping_mul(by).wrapping_add(b)
    }
}

/// The steps of a layout; the offset is the result of the last, or 0 where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The steps, and some that do nothing.
    pub steps: [Step; MAX_STEPS],
    /// How many do something.
    pub len: usize,
}

/// Products of unknown counts that have a register, the last the largest.
struct Products {
    sets: [Unknowns; MAX_PRODUCTS],
    registers: [usize; MAX_PRODUCTS],
    len: usize,
}

impl Steps {
    /// Lowers a layout. First come the sums. Of the digits those without a modulus are added by
    /// Horner's rule, then the others; tried against code by hand, no other order was as short.
    pub const fn new(digits: &Digits) -> Steps {
        let mut steps = Steps { steps: [Step::NONE; MAX_STEPS], len: 0 };
        let mut products = Products { sets: [0; _], registers: [ONE; _], len: 0 };
        let mut sum_registers = [ZERO; MAX_TILE_DIMS];
        let mut i = 0;
        while i < digits.sum_count {
            let sum = &digits.sums[i];
            let minor = steps.value(&sum.minor, &sum_registers);
            sum_registers[i] = if sum.major.is_zero() {
                minor
            } else {
                let by = match sum.factor.unknowns {
                    0 => ONE,
                    unknowns => steps.product(unknowns, &mut products),
                };
                steps.add(&sum.major, sum.factor.factor, by, minor, &sum_registers)
            };
            i += 1;
        }

        // The sum so far, in units of `unit` elements; it is not yet divided.
        let mut sum = Digit::ZERO;
        let mut sum_register = ZERO;
        let (mut unit, mut unit_unknowns) = (1, 0);
        let mut i = 0;
        while i < digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus == 0 {
                if sum.is_zero() {
                    (sum, sum_register) = (term.digit, register(&term.digit, &sum_registers));
                } else {
                    let value = steps.value(&term.digit, &sum_registers);
                    let by = match unit_unknowns & !term.stride_unknowns {
                        0 => ONE,
                        unknowns => steps.product(unknowns, &mut products),
                    };
                    let factor = unit / term.stride;
                    sum_register = steps.push(sum_register, &sum, factor, by, value);
                    sum = Digit { div: 1, ..sum };
                }
                (unit, unit_unknowns) = (term.stride, term.stride_unknowns);
            }
            i += 1;
        }
        let mut offset = ZERO;
        if !sum.is_zero() {
            offset = if sum.div == 1 && unit == 1 && unit_unknowns == 0 {
                sum_register
            } else {
                let by = match unit_unknowns {
                    0 => ONE,
                    unknowns => steps.product(unknowns, &mut products),
                };
                steps.push(sum_register, &sum, unit, by, ZERO)
            };
        }
        if digits.size_amount().unknowns != 0 {
            // From the most minor on, so that each product goes on from the one before.
            let mut i = digits.count;
            while i > 0 {
                i -= 1;
                if digits.terms[i].digit.modulus != 0 {
                    steps.product(digits.terms[i].stride_unknowns, &mut products);
                }
            }
        }
        let mut i = 0;
        while i < digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus != 0 {
                let by = match term.stride_unknowns {
                    0 => ONE,
                    unknowns => steps.product(unknowns, &mut products),
                };
                offset = steps.add(&term.digit, term.stride, by, offset, &sum_registers);
            }
            i += 1;
        }
        // The offset has to be the last result.
        if offset != ZERO && (offset < FIRST_RESULT || offset != FIRST_RESULT + steps.len - 1) {
            steps.push(offset, &Digit::ZERO, 1, ONE, ZERO);
        }
        steps
    }

    const fn push(&mut self, a: usize, digit: &Digit, mul: usize, by: usize, b: usize) -> usize {
        self.steps[self.len] = Step { div: digit.div, modulus: digit.modulus, mul, a, by, b };
        self.len += 1;
        FIRST_RESULT + self.len - 1
    }

    /// `digit · mul · by + b`.
    const fn add(
        &mut self,
        digit: &Digit,
        mul: usize,
        by: usize,
        b: usize,
        sums: &[usize; MAX_TILE_DIMS],
    ) -> usize {
        self.push(register(digit, sums), digit, mul, by, b)
    }

    /// The register that holds the digit, computed if it is not a whole source.
    const fn value(&mut self, digit: &Digit, sums: &[usize; MAX_TILE_DIMS]) -> usize {
        if digit.is_zero() {
            ZERO
        } else if digit.div == 1 && digit.modulus == 0 {
            register(digit, sums)
        } else {
            self.add(digit, 1, ONE, ZERO, sums)
        }
    }

    /// The register that holds a product of unknown counts, computed from the largest part of it
    /// that there is.
    const fn product(&mut self, unknowns: Unknowns, products: &mut Products) -> usize {
        let (mut part, mut register) = (0, ONE);
        let mut i = 0;
        while i < products.len {
            let set = products.sets[i];
            if set & !unknowns == 0 && set.count_ones() > Unknowns::count_ones(part) {
                (part, register) = (set, products.registers[i]);
            }
            i += 1;
        }
        let mut rest = unknowns & !part;
        while rest != 0 {
            let count = FIRST_COUNT + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            register = if register == ONE {
                count
            } else {
                let product = self.push(register, &Digit::ZERO, 1, count, ZERO);
                products.sets[products.len] = unknowns & !rest;
                products.registers[products.len] = product;
                products.len += 1;
                product
            };
        }
        register
    }
}

/// The register of a digit's source.
const fn register(digit: &Digit, sums: &[usize; MAX_TILE_DIMS]) -> usize {
    let source = digit.source as usize;
    if source < MAX_DIMS { FIRST_COORDINATE + source } else { sums[source - MAX_DIMS] }
}
