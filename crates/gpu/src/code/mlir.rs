//! Affine maps of MLIR.

use layout_core::analysis::{Amount, Digit, DigitSource};
use layout_core::base::text::Piece;
use layout_core::limits::MAX_DIMS;
use layout_core::{Dim, Size};

use crate::code::writer::{Variable, Writer, source};

/// A dimension of a map: a coordinate, or the offset.
const fn input(number: usize) -> Variable {
    Piece::Numbered("d", number)
}

/// What a swizzle is applied to.
#[derive(Clone, Copy)]
enum Linear {
    /// The sum of the layout's digits.
    Sum,
    /// The offset that `#layout_index` is given.
    Offset,
}

impl Writer<'_> {
    /// The offset as a map, its inverse, and the bounds as a set.
    pub(crate) const fn mlir(&mut self) {
        let text = self.shape.text();
        let bits = self.shape.element_bits();
        say!(self, "// ", &text, "\n//\n// Offsets count elements of ", bits);
        say!(self, " bits. A slot is padding if the coordinates that #", self.name);
        say!(self, "_index\n// gives are out of bounds or have another offset.\n");
        if self.has_dynamic() {
            say!(
                self,
                "// Symbols are the sizes of the dimensions that are known at run time only: "
            );
            self.list(", ");
            each!(for dim in 0..self.rank() {
                if self.is_dynamic(dim) {
                    self.item();
                    say!(self, self.symbol(dim), " of ", Piece::Numbered("dimension ", dim));
                }
            });
            say!(self, ".\n");
        }
        say!(self, "\n");
        self.attribute("_offset", "affine_map", self.rank());
        say!(self, " -> (");
        self.swizzled_map(Linear::Sum);
        say!(self, ")>\n");
        self.attribute("_index", "affine_map", 1);
        say!(self, " -> (");
        each!(for dim in 0..self.rank() {
            say!(self, if dim > 0 { ", " } else { "" });
            self.source(dim);
        });
        say!(self, ")>\n");
        self.attribute("_in_bounds", "affine_set", self.rank());
        say!(self, " : (");
        self.list(", ");
        each!(for dim in 0..self.rank() {
            self.item();
            say!(self, input(dim), " >= 0, ");
            match self.shape.dims()[dim] {
                Dim::Static(0) => say!(self, "-1"),
                Dim::Static(size) => say!(self, size - 1),
                _ => say!(self, self.symbol(dim), " - 1"),
            }
            say!(self, " - ", input(dim), " >= 0");
        });
        self.or("0 == 0");
        say!(self, ")>\n");
    }

    /// `#name_offset = affine_map<(d0, d1)[s0]`.
    const fn attribute(&mut self, suffix: &str, kind: &str, dims: usize) {
        say!(self, "#", self.name, suffix, " = ", kind, "<(");
        self.list(", ");
        each!(for dim in 0..dims {
            self.item();
            say!(self, input(dim));
        });
        say!(self, ")");
        if self.has_dynamic() {
            say!(self, "[");
            self.list(", ");
            each!(for dim in 0..self.rank() {
                if self.is_dynamic(dim) {
                    self.item();
                    say!(self, self.symbol(dim));
                }
            });
            say!(self, "]");
        }
    }

    /// The symbol of a dimension's size: they are numbered in the order of the dimensions.
    const fn symbol(&self, dim: usize) -> Variable {
        let mut number = 0;
        each!(for before in 0..dim {
            number += self.is_dynamic(before) as usize;
        });
        Piece::Numbered("s", number)
    }

    /// What is swizzled, under the swizzle. Affine maps have no XOR; of two bits it is the remainder of their sum by 2.
    const fn swizzled_map(&mut self, linear: Linear) {
        if !self.is_swizzled() {
            return self.linear_map(linear);
        }
        let (mask, shift) = self.swizzle.mask_and_shift();
        let (read, bits) = (mask.trailing_zeros(), mask.count_ones());
        let written = read.wrapping_add_signed(-(shift as i32));
        let end = written + bits;
        say!(self, "(");
        self.linear_part(linear, 1 << end, None);
        self.times(1 << end);
        each!(for bit in 0..bits {
            say!(self, " + (");
            self.linear_part(linear, 1 << (written + bit), None);
            say!(self, " + ");
            self.linear_part(linear, 1 << (read + bit), None);
            say!(self, ") mod 2");
            self.times(1 << (written + bit));
        });
        if written > 0 {
            say!(self, " + ");
            self.linear_part(linear, 1, Some(1 << written));
        }
        say!(self, ")");
    }

    const fn linear_part(&mut self, linear: Linear, div: Size, modulus: Option<Size>) {
        self.linear_map(linear);
        self.divided(div, modulus);
    }

    const fn linear_map(&mut self, linear: Linear) {
        match linear {
            Linear::Offset => say!(self, "d0"),
            Linear::Sum if self.is_swizzled() => {
                say!(self, "(");
                self.offset_expression();
                say!(self, ")");
            }
            Linear::Sum => self.offset_expression(),
        }
    }

    const fn offset_expression(&mut self) {
        let digits = self.digits;
        self.list(" + ");
        each!(for term in digits.terms() {
            self.item();
            self.digit(&term.digit);
            self.times_amount(term.stride);
        });
        self.or("0");
    }

    /// `d0 floordiv 8 mod 2`, as a factor.
    const fn digit(&mut self, digit: &Digit) {
        match digit.source() {
            DigitSource::Dim(dim) => say!(self, input(dim)),
            DigitSource::Sum(sum) => {
                let sum = &self.digits.sums()[sum];
                let (major, factor, minor) = (sum.major(), sum.factor(), sum.minor());
                say!(self, "(");
                if let Some(major) = &major {
                    self.digit(major);
                    self.times_amount(factor);
                }
                if let Some(minor) = &minor {
                    say!(self, if major.is_some() { " + " } else { "" });
                    self.digit(minor);
                }
                say!(self, ")");
            }
        }
        self.divided(digit.div(), digit.modulus());
    }

    const fn times_amount(&mut self, amount: Amount) {
        self.times(amount.factor);
        self.counts(" * ", amount.unknowns());
    }

    /// An unknown count as an expression of symbols.
    pub(crate) const fn symbolic_count(&mut self, number: usize) {
        if number < MAX_DIMS {
            say!(self, self.symbol(number));
            return;
        }
        let quotient = &self.digits.quotients()[number - MAX_DIMS];
        say!(self, "(");
        self.product(quotient.dividend());
        say!(self, " ceildiv ", quotient.divisor(), ")");
    }

    /// A source as an expression of the offset `d0`: the digits that are taken of it, and its part of later sums.
    const fn source(&mut self, number: usize) {
        self.list(" + ");
        each!(for i in 0..self.shares() {
            let Some(share) = &self.share(i) else { continue };
            if source(&share.digit) != number {
                continue;
            }
            self.item();
            match share.from {
                None => self.swizzled_map(Linear::Offset),
                Some(sum) => {
                    say!(self, "(");
                    self.source(MAX_DIMS + sum);
                    say!(self, ")");
                    // Its own list is done.
                    self.has_item = true;
                }
            }
            self.part_of_source(share);
        });
        self.or("0");
    }
}
