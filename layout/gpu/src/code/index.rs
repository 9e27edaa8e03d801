//! The inverse: the coordinates at an offset, peeled off from the most minor digit on.

use layout_core::analysis::{Amount, Digit, DigitSource};
use layout_core::base::text::Part;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Dim};

use crate::code::writer::{Typed, Variable, Writer, coordinate, is_one, parts, source, sum};

impl Writer<'_> {
    /// The structure that the inverse returns.
    pub(crate) const fn index_type(&mut self) {
        let follow = self.words.types_follow;
        let end = if follow { ",\n" } else { ";\n" };
        if follow {
            say!(self, "\nstruct ", self.name, "_Index {\n");
        } else {
            say!(self, "\ntypedef struct {\n");
        }
        say!(self, "    ");
        self.typed(Typed::Bool, Part::Str("is_element"));
        say!(self, end);
        each!(for dim in 0..self.rank() {
            say!(self, "    ");
            self.typed(Typed::Integer, coordinate(dim));
            say!(self, end);
        });
        say!(self, "}");
        if !follow {
            say!(self, " ", self.name, "_Index;");
        }
        say!(self, "\n");
    }

    /// The function from an offset to coordinates.
    pub(crate) const fn index(&mut self) {
        self.function(Typed::Index, "_index");
        self.parameter(Part::Str("offset"));
        self.sizes(Typed::Index);
        // What is known already: coordinates in the low bits, then sums.
        let mut written = 0u64;
        let is_empty = self.digits.elements() == 0;
        if is_empty {
            self.discard(Part::Str("offset"));
            self.unused(0, !0);
        } else {
            let counts = self.closure(self.divisors());
            self.positive_sizes(counts);
            self.quotients(counts);
            self.peel(&mut written);
            self.is_positive = false;
        }
        self.declare(Typed::Bool, true, Part::Str("is_element"));
        if is_empty {
            say!(self, "false");
        } else {
            self.is_element(written);
        }
        say!(self, ";\n");
        self.return_index(written);
        self.end_function();
    }

    const fn return_index(&mut self, written: u64) {
        let follow = self.words.types_follow;
        self.line();
        if follow {
            say!(self, "return ", self.name, "_Index(is_element");
        } else {
            say!(self, "const ", self.name, "_Index index = {is_element");
        }
        each!(for dim in 0..self.rank() {
            say!(self, ", ", coordinate_or_zero(dim, written));
        });
        if follow {
            say!(self, ");\n");
        } else {
            say!(self, "};\n");
            self.line();
            say!(self, "return index;\n");
        }
    }

    /// Takes the digits off the offset and adds them to coordinates and sums; then takes the sums apart.
    const fn peel(&mut self, written: &mut u64) {
        let digits = self.digits;
        if self.is_swizzled() && (!digits.terms().is_empty() || is_size_asked(digits)) {
            // A swizzle is its own inverse.
            self.declare(Typed::Integer, true, self.linear());
            self.swizzled(Part::Str("offset"));
            say!(self, ";\n");
        }
        // The offset is divided by this already.
        let mut unit = Amount::ONE;
        let mut rest = self.linear();
        let mut has_rest = false;
        each!(for i in (0..digits.terms().len()).rev() {
            let term = &digits.terms()[i];
            let ratio = term.stride.over(unit);
            unit = term.stride;
            if !is_one(ratio) {
                if has_rest {
                    self.line();
                    say!(self, "rest /= ");
                } else {
                    (rest, has_rest) = (Part::Str("rest"), true);
                    self.declare(Typed::Integer, false, rest);
                    say!(self, self.linear(), " / ");
                }
                self.amount(ratio);
                say!(self, ";\n");
            }
            self.add(&term.digit, written, rest);
            if !digits.is_top(term) {
                say!(self, " % ");
                self.amount(term.bound);
            }
            self.times(term.digit.div());
            say!(self, ";\n");
        });
        each!(for i in (0..digits.sums().len()).rev() {
            if *written >> (MAX_DIMS + i) & 1 == 0 {
                continue;
            }
            let (major, factor, minor) = parts(&digits.sums()[i]);
            if let Some(major) = &major {
                self.add(major, written, sum(i));
                if !is_one(factor) {
                    say!(self, " / ");
                    self.amount(factor);
                }
                self.times(major.div());
                say!(self, ";\n");
            }
            if let Some(minor) = &minor {
                self.add(minor, written, sum(i));
                if major.is_some() {
                    say!(self, " % ");
                    self.amount(factor);
                }
                self.times(minor.div());
                say!(self, ";\n");
            }
        });
    }

    /// The offset before the swizzle.
    const fn linear(&self) -> Variable {
        Part::Str(if self.is_swizzled() { "linear" } else { "offset" })
    }

    /// `var i0 = rest` or `i0 += rest`.
    const fn add(&mut self, digit: &Digit, written: &mut u64, rest: Variable) {
        let bit = 1 << source(digit);
        let source = match digit.source() {
            DigitSource::Dim(dim) => coordinate(dim),
            DigitSource::Sum(number) => sum(number),
        };
        if *written & bit == 0 {
            *written |= bit;
            self.declare(Typed::Integer, false, source);
            say!(self, rest);
        } else {
            self.line();
            say!(self, source, " += ", rest);
        }
    }

    /// Whether the coordinates are those of an element at the offset.
    const fn is_element(&mut self, written: u64) {
        let digits = self.digits;
        self.list(" && ");
        if is_size_asked(digits) {
            self.item();
            self.is_positive = true;
            say!(self, self.linear(), " < ");
            self.product(digits.size_amount());
            self.is_positive = false;
        }
        each!(for dim in 0..self.rank() {
            if !self.stays_inside(dim, written) {
                self.item();
                say!(self, coordinate_or_zero(dim, written), " < ", self.dim(dim));
            }
        });
        if !digits.round_trips() {
            self.item();
            say!(self, self.name, "_offset(");
            self.list(", ");
            each!(for dim in 0..self.rank() {
                self.item();
                say!(self, coordinate_or_zero(dim, written));
            });
            self.size_arguments();
            say!(self, " == offset");
            self.has_item = true;
        }
        self.or("true");
    }

    /// Whether no slot gives a coordinate beyond the dimension.
    const fn stays_inside(&self, dim: usize, written: u64) -> bool {
        let digits = self.digits;
        let Dim::Static(size) = self.shape.dims()[dim] else { return false };
        if written >> dim & 1 == 0 {
            // It is 0.
            return true;
        }
        let mut largest = 0;
        each!(for term in digits.terms() {
            if source(&term.digit) == dim {
                if digits.is_top(term) || term.bound.known().is_none() {
                    return false;
                }
                largest += (term.bound.factor - 1) * term.digit.div();
            }
        });
        each!(for sum in digits.sums() {
            let (major, factor, minor) = parts(sum);
            if let Some(major) = &major
                && source(major) == dim
            {
                return false;
            }
            if let Some(minor) = &minor
                && source(minor) == dim
            {
                if major.is_none() || factor.unknowns() != 0 {
                    return false;
                }
                largest += (factor.factor - 1) * minor.div();
            }
        });
        largest < size
    }

    /// The counts that the inverse divides by, or compares the offset with.
    const fn divisors(&self) -> u64 {
        let digits = self.digits;
        let mut counts = if is_size_asked(digits) { digits.size_amount().unknowns() } else { 0 };
        each!(for term in digits.terms() {
            counts |= term.stride.unknowns();
            if !digits.is_top(term) {
                counts |= term.bound.unknowns();
            }
        });
        each!(for sum in digits.sums() {
            counts |= sum.factor().unknowns();
        });
        counts
    }
}

/// Whether the offset has to be compared with the size.
const fn is_size_asked(digits: &Digits) -> bool {
    digits.round_trips() && !digits.ends_out_of_bounds()
}

const fn coordinate_or_zero(dim: usize, written: u64) -> Variable {
    if written >> dim & 1 == 1 { coordinate(dim) } else { Part::Number(0) }
}
