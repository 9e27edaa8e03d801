//! The inverse: the coordinates at an offset, peeled off from the most minor digit on.

use crate::analysis::digit::{Digit, DigitSource, Sum};
use crate::analysis::digits::Digits;
use crate::analysis::unknown::{Amount, Unknowns};
use crate::code::writer::{Returns, Variable, Writer, coordinate, sum};
use crate::limits::MAX_DIMS;
use crate::shape::dim::Dim;

impl Writer<'_> {
    /// The structure that the inverse returns.
    pub(crate) const fn index_type(&mut self) {
        let follow = self.words.types_follow;
        self.str("\n");
        if follow {
            self.str("struct ");
            self.named("_Index");
            self.str(" {\n    is_element: bool,\n");
        } else {
            self.str("typedef struct {\n    bool is_element;\n");
        }
        each!(for dim in 0..self.rank() {
            self.str("    ");
            if follow {
                self.variable(coordinate(dim));
                self.str(": ");
                self.str(self.words.integer);
                self.str(",\n");
            } else {
                self.str(self.words.integer);
                self.str(" ");
                self.variable(coordinate(dim));
                self.end();
            }
        });
        self.str("}");
        if !follow {
            self.str(" ");
            self.named("_Index");
            self.str(";");
        }
        self.str("\n");
    }

    /// The function from an offset to coordinates.
    pub(crate) const fn index(&mut self) {
        self.function(Returns::Index, "_index");
        self.parameter_named("offset");
        self.sizes(Returns::Index);
        let digits = self.digits;
        // What is known already: coordinates in the low bits, then sums.
        let mut written = 0u64;
        if digits.elements() == 0 {
            self.unused_offset();
            self.unused(0, !0);
            self.declare_bool(true, "is_element");
            self.str("false;\n");
        } else {
            let counts = self.closure(self.divisors());
            self.positive_sizes(counts);
            self.quotients(counts);
            self.peel(&mut written);
            self.is_positive = false;
            self.declare_bool(true, "is_element");
            self.is_element(written);
            self.end();
        }
        self.return_index(written);
        self.end_function();
    }

    const fn return_index(&mut self, written: u64) {
        self.line();
        if self.words.types_follow {
            self.str("return ");
            self.named("_Index");
            self.str("(is_element");
        } else {
            self.str("const ");
            self.named("_Index");
            self.str(" index = {is_element");
        }
        each!(for dim in 0..self.rank() {
            self.str(", ");
            self.coordinate_or_zero(dim, written);
        });
        if self.words.types_follow {
            self.str(");\n");
        } else {
            self.str("};\n");
            self.line();
            self.str("return index;\n");
        }
    }

    const fn coordinate_or_zero(&mut self, dim: usize, written: u64) {
        if written >> dim & 1 == 1 {
            self.variable(coordinate(dim));
        } else {
            self.number(0);
        }
    }

    /// Takes the digits off the offset and adds them to coordinates and sums; then takes the sums apart.
    const fn peel(&mut self, written: &mut u64) {
        let digits = self.digits;
        // The offset is divided by this already.
        let mut unit = Amount::ONE;
        let mut has_rest = false;
        each!(for i in (0..digits.count).rev() {
            let term = &digits.terms[i];
            let ratio = term.stride.over(unit);
            unit = term.stride;
            if !ratio.is_one() {
                if has_rest {
                    self.line();
                    self.str("rest /= ");
                } else {
                    self.declare_named(false, "rest");
                    self.str("offset / ");
                    has_rest = true;
                }
                self.amount(ratio);
                self.end();
            }
            self.add(&term.digit, written);
            self.str(if has_rest { "rest" } else { "offset" });
            if !digits.is_top(term) {
                self.str(" % ");
                self.amount(term.bound);
            }
            self.times(term.digit.div as u64);
            self.end();
        });
        each!(for i in (0..digits.sum_count).rev() {
            if *written >> (MAX_DIMS + i) & 1 == 0 {
                continue;
            }
            let part = &digits.sums[i];
            let factor = part.factor;
            if part.major.is_zero() {
                self.add(&part.minor, written);
                self.variable(sum(i));
                self.times(part.minor.div as u64);
                self.end();
                continue;
            }
            self.add(&part.major, written);
            self.variable(sum(i));
            if !factor.is_one() {
                self.str(" / ");
                self.amount(factor);
            }
            self.times(part.major.div as u64);
            self.end();
            if !part.minor.is_zero() {
                self.add(&part.minor, written);
                self.variable(sum(i));
                self.str(" % ");
                self.amount(factor);
                self.times(part.minor.div as u64);
                self.end();
            }
        });
    }

    /// `var i0 = ` or `i0 += `.
    const fn add(&mut self, digit: &Digit, written: &mut u64) {
        let variable = source(digit);
        let bit = 1 << digit.source;
        if *written & bit == 0 {
            self.declare(false, variable);
            *written |= bit;
        } else {
            self.line();
            self.variable(variable);
            self.str(" += ");
        }
    }

    const fn times(&mut self, factor: u64) {
        if factor != 1 {
            self.str(" * ");
            self.number(factor);
        }
    }

    /// Whether the coordinates are those of an element at the offset.
    const fn is_element(&mut self, written: u64) {
        let digits = self.digits;
        let mut is_first = true;
        if is_size_asked(digits) {
            self.is_positive = true;
            self.str("offset < ");
            self.product(digits.size_amount());
            self.is_positive = false;
            is_first = false;
        }
        let mut dim = 0;
        while dim < self.rank() {
            if !self.stays_inside(dim, written) {
                if !is_first {
                    self.str(" && ");
                }
                is_first = false;
                self.coordinate_or_zero(dim, written);
                self.str(" < ");
                self.dim(dim);
            }
            dim += 1;
        }
        if !digits.round_trips() {
            if !is_first {
                self.str(" && ");
            }
            is_first = false;
            self.named("_offset");
            self.open();
            each!(for dim in 0..self.rank() {
                self.separate();
                self.coordinate_or_zero(dim, written);
            });
            self.size_arguments();
            self.str(" == offset");
        }
        if is_first {
            self.str("true");
        }
    }

    /// Whether no slot gives a coordinate beyond the dimension.
    const fn stays_inside(&self, dim: usize, written: u64) -> bool {
        let digits = self.digits;
        let Dim::Static(size) = self.shape.dim(dim) else { return false };
        if written >> dim & 1 == 0 {
            // It is 0.
            return true;
        }
        let mut largest = 0u64;
        each!(for term in digits.terms() {
            if term.digit.source as usize == dim {
                if digits.is_top(term) || term.bound.known().is_none() {
                    return false;
                }
                largest += (term.bound.factor as u64 - 1) * term.digit.div as u64;
            }
        });
        each!(for &Sum { major, factor, minor, .. } in digits.sums() {
            if !major.is_zero() && major.source as usize == dim {
                return false;
            }
            if !minor.is_zero() && minor.source as usize == dim {
                if major.is_zero() || factor.unknowns != 0 {
                    return false;
                }
                largest += (factor.factor as u64 - 1) * minor.div as u64;
            }
        });
        largest < size as u64
    }

    /// The counts that the inverse divides by, or compares the offset with.
    const fn divisors(&self) -> Unknowns {
        let digits = self.digits;
        let mut counts = if is_size_asked(digits) { digits.size_amount().unknowns } else { 0 };
        each!(for term in digits.terms() {
            counts |= term.stride.unknowns;
            if !digits.is_top(term) {
                counts |= term.bound.unknowns;
            }
        });
        each!(for sum in digits.sums() {
            counts |= sum.factor.unknowns;
        });
        counts
    }
}

/// Whether the offset has to be compared with the size.
const fn is_size_asked(digits: &Digits) -> bool {
    digits.round_trips() && !digits.ends_out_of_bounds()
}

const fn source(digit: &Digit) -> Variable {
    match digit.source() {
        DigitSource::Dim(dim) => coordinate(dim),
        DigitSource::Sum(number) => sum(number),
    }
}
