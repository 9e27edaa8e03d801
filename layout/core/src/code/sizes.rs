//! Sizes: constants where they are known, and functions of the sizes that are not.

use crate::analysis::size::bytes_of;
use crate::code::error::MOST_32;
use crate::code::writer::{Returns, Writer, coordinate, count, size};
use crate::limits::{MAX_DIMS, Size};
use crate::shape::dim::Dim;

impl Writer<'_> {
    /// The constants.
    pub(crate) const fn constants(&mut self) {
        self.str("\n");
        self.constant("_RANK", self.rank() as u64);
        each!(for dim in 0..self.rank() {
            if let Some(bound) = self.shape.dim(dim).size() {
                self.constant_head("_DIM_");
                self.plain(dim as u64);
                self.constant_value(bound as u64);
            }
        });
        self.constant("_ELEMENT_BITS", self.shape.element_bits() as u64);
        if !self.has_dynamic() {
            self.constant("_ELEMENTS", self.digits.elements() as u64);
        }
        if let Some(slots) = self.padded() {
            self.constant("_PADDED_ELEMENTS", slots);
            let bytes = bytes_of(slots as Size, self.shape.element_bits()) as u64;
            if bytes <= MOST_32 || self.most > MOST_32 || self.words.wide_suffix.is_some() {
                self.constant("_BYTES", bytes);
            } else {
                self.str("// ");
                self.named("_BYTES would be ");
                self.plain(bytes);
                self.str(", above what 32 bits count\n");
            }
        }
    }

    /// Slots in memory, if no size that they depend on is an argument.
    const fn padded(&self) -> Option<u64> {
        let size = self.digits.size_amount();
        if self.digits.elements() == 0 {
            return Some(0);
        }
        if size.unknowns != 0 {
            return None;
        }
        Some(size.factor.next_multiple_of(self.shape.tail_padding_alignment()) as u64)
    }

    const fn constant(&mut self, suffix: &str, value: u64) {
        self.constant_head(suffix);
        self.constant_value(value);
    }

    /// A macro in C, whose constants of other kinds have a type of 32 bits, or none in arrays' sizes.
    const fn constant_head(&mut self, suffix: &str) {
        self.str(if self.words.types_follow { "const " } else { "#define " });
        self.named(suffix);
    }

    const fn constant_value(&mut self, value: u64) {
        self.str(if self.words.types_follow { ": u32 = " } else { " " });
        match self.words.wide_suffix {
            Some(suffix) if value > MOST_32 => {
                self.plain(value);
                self.str(suffix);
            }
            _ => self.number(value),
        }
        self.str(if self.words.types_follow { ";\n" } else { "\n" });
    }

    /// The functions of sizes, if some are arguments.
    pub(crate) const fn size_functions(&mut self) {
        if !self.has_dynamic() {
            return;
        }
        self.function(Returns::Integer, "_elements");
        self.sizes(Returns::Integer);
        self.line();
        self.str("return ");
        let mut is_first = true;
        each!(for dim in 0..self.rank() {
            if !is_first {
                self.str(" * ");
            }
            is_first = false;
            self.dim(dim);
        });
        self.end();
        self.end_function();
        if self.padded().is_none() {
            self.padded_elements();
        }
        self.fits();
    }

    const fn padded_elements(&mut self) {
        let size = self.digits.size_amount();
        self.function(Returns::Integer, "_padded_elements");
        self.sizes(Returns::Integer);
        let counts = self.closure(size.unknowns);
        self.unused(0, !counts);
        self.quotients(counts);
        let tail = self.shape.tail_padding_alignment() as u64;
        let is_multiple = (size.factor as u64).is_multiple_of(tail);
        self.line();
        self.str("return ");
        if !is_multiple {
            self.str("(");
        }
        self.product(size);
        if !is_multiple {
            self.str(" + ");
            self.number(tail - 1);
            self.str(") / ");
            self.number(tail);
            self.str(" * ");
            self.number(tail);
        }
        self.end();
        self.end_function();
    }

    /// Whether sizes go with the layout: no larger than the bounds, and no offset above what an index counts. As
    /// elsewhere a size of 0 counts as 1.
    const fn fits(&mut self) {
        let amount = self.digits.size_amount();
        let has_unknowns = self.padded().is_none();
        self.function(Returns::Bool, "_fits");
        self.sizes(Returns::Bool);
        let amount_closure = self.closure(amount.unknowns);
        if !has_unknowns {
            self.unused(0, !self.bounded());
        }
        if has_unknowns {
            self.positive_sizes(amount_closure);
        }
        let mut number = 0;
        while has_unknowns && number < self.digits.quotients().len() {
            let quotient = *self.digits.quotient(number);
            self.declare(true, count(MAX_DIMS + number));
            if quotient.divisor as u64 > self.most {
                self.number(1);
            } else {
                // Rounded up in this way nothing overflows.
                self.str("(");
                self.product(quotient.dividend);
                self.str(" - ");
                self.number(1);
                self.str(") / ");
                self.number(quotient.divisor as u64);
                self.str(" + ");
                self.number(1);
            }
            self.end();
            number += 1;
        }
        self.line();
        self.str("return ");
        let mut is_first = true;
        each!(for dim in 0..self.rank() {
            if let Dim::Bounded(bound) = self.shape.dim(dim) {
                if !is_first {
                    self.str(" && ");
                }
                is_first = false;
                self.variable(size(dim));
                self.str(" <= ");
                self.number(bound as u64);
            }
        });
        let mut number = 0;
        while has_unknowns && number < self.digits.quotients().len() {
            let dividend = self.digits.quotient(number).dividend;
            if dividend.factor != 1 || !dividend.unknowns.is_power_of_two() {
                if !is_first {
                    self.str(" && ");
                }
                is_first = false;
                self.counts_at_most(self.most / dividend.factor as u64, dividend.unknowns);
            }
            number += 1;
        }
        if has_unknowns {
            if !is_first {
                self.str(" && ");
            }
            is_first = false;
            let tail = self.shape.tail_padding_alignment() as u64;
            self.counts_at_most(self.most / tail * tail / amount.factor as u64, amount.unknowns);
        }
        if is_first {
            self.str("true");
        }
        self.end();
        self.is_positive = false;
        self.end_function();
    }

    /// A bit for each bounded dimension.
    const fn bounded(&self) -> u64 {
        let mut all = 0;
        each!(for dim in 0..self.rank() {
            all |= (matches!(self.shape.dim(dim), Dim::Bounded(_)) as u64) << dim;
        });
        all
    }

    /// Whether a product of counts is at most a number, which is divided by one after another.
    const fn counts_at_most(&mut self, most: u64, unknowns: u64) {
        self.number(most);
        self.counts(" / ", unknowns);
        self.str(" != ");
        self.number(0);
    }

    /// The function that compares coordinates with sizes.
    pub(crate) const fn in_bounds(&mut self) {
        self.function(Returns::Bool, "_in_bounds");
        self.coordinates();
        self.sizes(Returns::Bool);
        if self.digits.elements() == 0 {
            self.never(false);
            return;
        }
        self.line();
        self.str("return ");
        each!(for dim in 0..self.rank() {
            if dim > 0 {
                self.str(" && ");
            }
            self.variable(coordinate(dim));
            self.str(" < ");
            self.dim(dim);
        });
        if self.rank() == 0 {
            self.str("true");
        }
        self.end();
        self.end_function();
    }

    /// The answer for an array without elements: compilers warn of comparisons with 0.
    const fn never(&mut self, of_an_offset: bool) {
        if of_an_offset {
            self.unused_offset();
        }
        self.unused(if of_an_offset { 0 } else { !0 }, !0);
        self.line();
        self.str("return false;\n");
        self.end_function();
    }

    /// The function that says whether a slot holds no element.
    pub(crate) const fn is_padding(&mut self) {
        self.function(Returns::Bool, "_is_padding");
        self.parameter_named("offset");
        self.sizes(Returns::Bool);
        if self.digits.elements() == 0 {
            self.never(true);
            return;
        }
        self.line();
        self.str("return offset < ");
        if self.padded().is_some() {
            self.named("_PADDED_ELEMENTS");
        } else {
            self.named("_padded_elements");
            self.open();
            self.size_arguments();
        }
        self.str(" && !");
        self.named("_index");
        self.open();
        self.separate();
        self.str("offset");
        self.size_arguments();
        self.str(".is_element");
        self.end();
        self.end_function();
    }
}
