//! The offset as a straight-line program: a list of instructions without jumps, for code generation.

use crate::analysis::digit::Digit;
use crate::analysis::digits::Digits;
use crate::analysis::unknown::{Amount, MAX_UNKNOWNS, Unknowns};
use crate::base::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, Size};

/// Most steps of the program of any layout within the limits: two for each sum, two for each digit, and one
/// to end. A layout has fewer than 64 digits, since their bounds multiply to less than 2⁶³. Unknown counts
/// add the steps that multiply them.
pub const MAX_STEPS: usize = 2 * MAX_TILE_DIMS + 2 * MAX_BOUNDS + 1 + MAX_PRODUCTS;

/// A count joins the products once for sums and once between digits; at most as many as there are
/// dimensions are left in bounds.
const MAX_PRODUCTS: usize = MAX_UNKNOWNS + MAX_DIMS;

/// Registers of the program: 0, 1, the offset, a value, a rest, the coordinates, the unknown counts, the sums,
/// the products of counts. The list is longer than these need, so that every byte is the number of a register
/// and no access needs a check.
pub type Registers = [Size; 1 << u8::BITS];

/// The register that holds 0.
pub const ZERO: u8 = 0;
/// The register that holds 1.
pub const ONE: u8 = 1;
/// The register of the offset: the sum so far, 0 at first.
pub const OFFSET: u8 = 2;
/// The register of a value that the next step takes.
pub const VALUE: u8 = 3;
/// The register of the sum of the digits with a modulus, where there are others.
pub const REST: u8 = 4;
/// The register of coordinate 0; the others follow.
pub const FIRST_COORDINATE: u8 = 5;
/// The register of the first unknown count; the others follow.
pub const FIRST_COUNT: u8 = FIRST_COORDINATE + MAX_DIMS as u8;
/// The register of the first sum; the others follow.
pub const FIRST_SUM: u8 = FIRST_COUNT + MAX_UNKNOWNS as u8;
/// The register of the first product of counts; the others follow.
pub const FIRST_PRODUCT: u8 = FIRST_SUM + MAX_TILE_DIMS as u8;

const _: () = assert!(FIRST_PRODUCT as usize + MAX_PRODUCTS <= 1 << u8::BITS && MAX_STEPS == 257);

/// `to = a / div % modulus · mul · by + b`; a modulus of 0 means no modulus.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Divisor, at least 1.
    pub div: Size,
    /// Modulus, or 0.
    pub modulus: Size,
    /// Factor.
    pub mul: Size,
    /// The registers.
    pub at: Operands,
}

/// The registers of a step.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// The dividend.
    pub a: u8,
    /// A second factor, a count; `ONE` if all sizes are known.
    pub by: u8,
    /// The summand.
    pub b: u8,
    /// The result.
    pub to: u8,
}

impl Step {
    const NONE: Step =
        Step { div: 1, modulus: 0, mul: 1, at: Operands { a: ZERO, by: ONE, b: ZERO, to: ZERO } };
}

/// Executes a step with numbers of `BITS` bits: those of a `usize`, or 32.
///
/// The step's numbers are separate arguments: if they are constants, LLVM sees that little of the function
/// is left, and inlines it. Without inlining, a step is a call.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub const fn execute<const BITS: u32>(
    r: &mut Registers,
    div: Size,
    modulus: Size,
    mul: Size,
    at: Operands,
) {
    in_width!(BITS, Word => {
        let mut value = r[at.a as usize] as Word / div as Word;
        if modulus != 0 {
            value %= modulus as Word;
        }
        value = value.wrapping_mul(mul as Word);
        if at.by != ONE {
            value = value.wrapping_mul(r[at.by as usize] as Word);
        }
        r[at.to as usize] = value.wrapping_add(r[at.b as usize] as Word) as Size;
    });
}

/// The first `N` steps of a layout.
///
/// The compiler evaluates and emits a `const` of few steps in a fraction of the time for `MAX_STEPS`.
// The length is a plain number, since rustdoc of the crate `layout` prints a named constant as the compiler's path to it.
#[derive(Clone, Copy, Debug)]
pub struct OffsetProgram<const N: usize = 257> {
    /// The steps; those past the program's end do nothing.
    pub steps: [Step; N],
    /// Number of steps of the whole program; it can be more than `N`.
    pub len: usize,
}

/// Products of unknown counts that have a register, the last the largest.
struct Products {
    sets: [Unknowns; MAX_PRODUCTS],
    len: usize,
}

impl OffsetProgram {
    /// All steps.
    // Digits without a modulus are added first, by Horner's rule. On the layouts that are tested no other order
    // is shorter, and from opt-level 1 on the code is never longer than the formula by hand.
    // Inline: constants call it.
    #[inline]
    pub const fn new(digits: &Digits) -> OffsetProgram {
        OffsetProgram::first(digits)
    }
}

impl<const N: usize> OffsetProgram<N> {
    /// Writes the program of a layout. First it computes the sums. Then it adds the digits without a modulus by
    /// Horner's rule, and those with a modulus one by one; the last step adds both results. Compared with code
    /// by hand, no other order was as short, least of all on GPUs, where a sum of masked digits is one instruction.
    ///
    /// Unknown counts multiply only the strides of digits without a modulus: a modulus is the size of a tile,
    /// and tiles are more minor than the counts of tiles.
    pub const fn first<const TERMS: usize, const PARTS: usize>(
        digits: &Digits<TERMS, PARTS>,
    ) -> Self {
        let mut steps = OffsetProgram { steps: [Step::NONE; N], len: 0 };
        let mut products = Products { sets: [0; _], len: 0 };
        let mut sum_registers = [ZERO; MAX_TILE_DIMS];
        each!(for i in 0..digits.sum_count {
            let sum = &digits.sums[i];
            let to = FIRST_SUM + i as u8;
            let minor = steps.value(&sum.minor, to, &sum_registers);
            sum_registers[i] = if sum.major.is_zero() {
                minor
            } else {
                let by = steps.product(sum.factor.unknowns, &mut products);
                let a = register(&sum.major, &sum_registers);
                steps.push(&sum.major, sum.factor.factor, Operands { a, by, b: minor, to })
            };
        });

        // The sum so far, in units of `unit` elements; it is not yet divided.
        let mut sum = Digit::ZERO;
        let mut sum_register = ZERO;
        let mut unit = Amount::ONE;
        each!(for i in 0..digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus == 0 {
                if sum.is_zero() {
                    (sum, sum_register) = (term.digit, register(&term.digit, &sum_registers));
                } else {
                    let value = steps.value(&term.digit, VALUE, &sum_registers);
                    let ratio = unit.over(term.stride);
                    let by = steps.product(ratio.unknowns, &mut products);
                    let at = Operands { a: sum_register, by, b: value, to: OFFSET };
                    sum_register = steps.push(&sum, ratio.factor, at);
                    sum = Digit { div: 1, ..sum };
                }
                unit = term.stride;
            }
        });
        let to = if sum.is_zero() { OFFSET } else { REST };
        let mut rest = ZERO;
        each!(for i in 0..digits.count {
            let term = &digits.terms[i];
            if term.digit.modulus != 0 {
                let a = register(&term.digit, &sum_registers);
                let at = Operands { a, by: ONE, b: rest, to };
                rest = steps.push(&term.digit, term.stride.factor, at);
            }
        });
        let is_whole = sum.div == 1 && unit.factor == 1 && rest == ZERO;
        let offset = if sum.is_zero() {
            rest
        } else if is_whole {
            sum_register
        } else {
            let at = Operands { a: sum_register, by: ONE, b: rest, to: OFFSET };
            steps.push(&sum, unit.factor, at)
        };
        // A coordinate or a sum may be the offset by itself.
        if offset != ZERO && offset != OFFSET {
            steps.push(&Digit::ZERO, 1, Operands { a: offset, by: ONE, b: ZERO, to: OFFSET });
        }
        steps
    }

    const fn push(&mut self, digit: &Digit, mul: Size, at: Operands) -> u8 {
        if self.len < N {
            self.steps[self.len] = Step { div: digit.div, modulus: digit.modulus, mul, at };
        }
        self.len += 1;
        at.to
    }

    /// The register that holds the digit: its source's register if the digit is the whole source, else `to`.
    const fn value(&mut self, digit: &Digit, to: u8, sums: &[u8; MAX_TILE_DIMS]) -> u8 {
        if digit.is_zero() {
            ZERO
        } else if digit.is_whole() {
            register(digit, sums)
        } else {
            self.push(digit, 1, Operands { a: register(digit, sums), by: ONE, b: ZERO, to })
        }
    }

    /// The register that holds a product of unknown counts. It is computed from the largest product of some of
    /// them that already has a register.
    const fn product(&mut self, unknowns: Unknowns, products: &mut Products) -> u8 {
        if unknowns == 0 {
            return ONE;
        }
        let (mut part, mut register) = (0, ONE);
        each!(for i in 0..products.len {
            let set = products.sets[i];
            if set & !unknowns == 0 && set.count_ones() > Unknowns::count_ones(part) {
                (part, register) = (set, FIRST_PRODUCT + i as u8);
            }
        });
        let mut rest = unknowns & !part;
        while rest != 0 {
            let count = FIRST_COUNT + rest.trailing_zeros() as u8;
            rest &= rest - 1;
            register = if register == ONE {
                count
            } else {
                let to = FIRST_PRODUCT + products.len as u8;
                products.sets[products.len] = unknowns & !rest;
                products.len += 1;
                self.push(&Digit::ZERO, 1, Operands { a: register, by: count, b: ZERO, to })
            };
        }
        register
    }
}

/// The register of a digit's source.
const fn register(digit: &Digit, sums: &[u8; MAX_TILE_DIMS]) -> u8 {
    let source = digit.source;
    if source < MAX_DIMS { FIRST_COORDINATE + source as u8 } else { sums[source - MAX_DIMS] }
}
