//! Affine maps of MLIR.

use crate::analysis::digit::{Digit, DigitSource};
use crate::analysis::unknown::{Amount, Unknowns};
use crate::code::writer::Writer;
use crate::limits::MAX_DIMS;
use crate::shape::dim::Dim;

impl Writer<'_> {
    /// The offset as a map, its inverse, and the bounds as a set.
    pub(crate) const fn mlir(&mut self) {
        self.str("// ");
        let text = self.shape.text();
        self.str(text.as_str());
        self.str("\n//\n// Offsets count elements of ");
        self.plain(self.shape.element_bits() as u64);
        self.str(" bits. A slot is padding if the coordinates that #");
        self.named("_index\n// gives are out of bounds or have another offset.\n");
        if self.has_dynamic() {
            self.str("// Symbols are the sizes of the dimensions that are known at run time only:");
            let mut is_first = true;
            each!(for dim in 0..self.rank() {
                if self.is_dynamic(dim) {
                    self.str(if is_first { " " } else { ", " });
                    is_first = false;
                    self.symbol(dim);
                    self.str(" of dimension ");
                    self.plain(dim as u64);
                }
            });
            self.str(".\n");
        }
        self.str("\n");
        self.attribute("_offset", "affine_map", self.rank());
        self.str(" -> (");
        self.offset_expression();
        self.str(")>\n");
        self.attribute("_index", "affine_map", 1);
        self.str(" -> (");
        each!(for dim in 0..self.rank() {
            if dim > 0 {
                self.str(", ");
            }
            self.source(dim);
        });
        self.str(")>\n");
        self.attribute("_in_bounds", "affine_set", self.rank());
        self.str(" : (");
        each!(for dim in 0..self.rank() {
            if dim > 0 {
                self.str(", ");
            }
            self.str("d");
            self.plain(dim as u64);
            self.str(" >= 0, ");
            match self.shape.dim(dim) {
                Dim::Static(0) => self.str("-1"),
                Dim::Static(size) => self.plain(size as u64 - 1),
                _ => {
                    self.symbol(dim);
                    self.str(" - 1");
                }
            }
            self.str(" - d");
            self.plain(dim as u64);
            self.str(" >= 0");
        });
        if self.rank() == 0 {
            self.str("0 == 0");
        }
        self.str(")>\n");
    }

    /// `#name_offset = affine_map<(d0, d1)[s0]`.
    const fn attribute(&mut self, suffix: &str, kind: &str, dims: usize) {
        self.str("#");
        self.named(suffix);
        self.str(" = ");
        self.str(kind);
        self.str("<(");
        let mut dim = 0;
        while dim < dims {
            self.str(if dim > 0 { ", d" } else { "d" });
            self.plain(dim as u64);
            dim += 1;
        }
        self.str(")");
        if self.has_dynamic() {
            self.str("[");
            let mut is_first = true;
            each!(for dim in 0..self.rank() {
                if self.is_dynamic(dim) {
                    if !is_first {
                        self.str(", ");
                    }
                    is_first = false;
                    self.symbol(dim);
                }
            });
            self.str("]");
        }
    }

    /// The symbol of a dimension's size: they are numbered in the order of the dimensions.
    const fn symbol(&mut self, dim: usize) {
        let mut number = 0;
        each!(for before in 0..dim {
            number += self.is_dynamic(before) as u64;
        });
        self.str("s");
        self.plain(number);
    }

    const fn offset_expression(&mut self) {
        let digits = self.digits;
        each!(for i in 0..digits.count {
            let term = &digits.terms[i];
            if i > 0 {
                self.str(" + ");
            }
            self.digit(&term.digit);
            self.times_amount(term.stride);
        });
        if digits.count == 0 {
            self.str("0");
        }
    }

    /// `d0 floordiv 8 mod 2`, as a factor.
    const fn digit(&mut self, digit: &Digit) {
        match digit.source() {
            DigitSource::Dim(dim) => {
                self.str("d");
                self.plain(dim as u64);
            }
            DigitSource::Sum(sum) => {
                let sum = &self.digits.sums[sum];
                self.str("(");
                if !sum.major.is_zero() {
                    self.digit(&sum.major);
                    self.times_amount(sum.factor);
                }
                if !sum.minor.is_zero() {
                    if !sum.major.is_zero() {
                        self.str(" + ");
                    }
                    self.digit(&sum.minor);
                }
                self.str(")");
            }
        }
        if digit.div != 1 {
            self.str(" floordiv ");
            self.plain(digit.div as u64);
        }
        if digit.modulus != 0 {
            self.str(" mod ");
            self.plain(digit.modulus as u64);
        }
    }

    const fn times_amount(&mut self, amount: Amount) {
        if amount.factor != 1 {
            self.str(" * ");
            self.plain(amount.factor as u64);
        }
        let mut rest = amount.unknowns;
        while rest != 0 {
            self.str(" * ");
            self.symbolic_count(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    /// An unknown count as an expression of symbols.
    const fn symbolic_count(&mut self, number: usize) {
        if number < MAX_DIMS {
            self.symbol(number);
            return;
        }
        let quotient = *self.digits.quotient(number - MAX_DIMS);
        self.str("(");
        self.symbolic(quotient.dividend);
        self.str(" ceildiv ");
        self.plain(quotient.divisor as u64);
        self.str(")");
    }

    /// An amount as an expression of symbols.
    const fn symbolic(&mut self, amount: Amount) {
        let mut rest: Unknowns = amount.unknowns;
        if rest == 0 {
            self.plain(amount.factor as u64);
            return;
        }
        self.symbolic_count(rest.trailing_zeros() as usize);
        rest &= rest - 1;
        self.times_amount(Amount { unknowns: rest, ..amount });
    }

    /// A source as an expression of the offset `d0`: the digits that are taken of it, and its part of later sums.
    const fn source(&mut self, source: usize) {
        let digits = self.digits;
        let mut is_first = true;
        each!(for i in 0..digits.count {
            let term = &digits.terms[i];
            if term.digit.source as usize == source {
                self.plus(&mut is_first);
                self.str("d0");
                if !term.stride.is_one() {
                    self.str(" floordiv ");
                    self.divisor(term.stride);
                }
                if !digits.is_top(term) {
                    self.str(" mod ");
                    self.divisor(term.bound);
                }
                self.times_div(&term.digit);
            }
        });
        each!(for i in 0..digits.sum_count {
            let sum = &digits.sums[i];
            if !sum.major.is_zero() && sum.major.source as usize == source {
                self.plus(&mut is_first);
                self.sum_source(i);
                if !sum.factor.is_one() {
                    self.str(" floordiv ");
                    self.divisor(sum.factor);
                }
                self.times_div(&sum.major);
            }
            if !sum.minor.is_zero() && sum.minor.source as usize == source {
                self.plus(&mut is_first);
                self.sum_source(i);
                if !sum.major.is_zero() {
                    self.str(" mod ");
                    self.divisor(sum.factor);
                }
                self.times_div(&sum.minor);
            }
        });
        if is_first {
            self.str("0");
        }
    }

    const fn sum_source(&mut self, number: usize) {
        self.str("(");
        self.source(MAX_DIMS + number);
        self.str(")");
    }

    const fn divisor(&mut self, amount: Amount) {
        let is_count = amount.factor == 1 && amount.unknowns.is_power_of_two();
        if amount.unknowns == 0 || is_count {
            self.symbolic(amount);
        } else {
            self.str("(");
            self.symbolic(amount);
            self.str(")");
        }
    }

    const fn times_div(&mut self, digit: &Digit) {
        if digit.div != 1 {
            self.str(" * ");
            self.plain(digit.div as u64);
        }
    }

    const fn plus(&mut self, is_first: &mut bool) {
        if !*is_first {
            self.str(" + ");
        }
        *is_first = false;
    }
}
