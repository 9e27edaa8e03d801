//! The inverse: the coordinates at an offset, peeled off from the most minor digit on.

// The inverse peels digits off the offset, the most minor first, with one division each. It compares as little
// as tells padding from elements, and computes the offset again only where slots may share coordinates.
// Divisors of run time are at least 1, since C divides by 0 otherwise.

use layout_core::analysis::{Amount, DigitSource};
use layout_core::base::text::Piece;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Dim};

use crate::code::share::IndexShare;
use crate::code::writer::{TypeName, Variable, Writer, coordinate, is_one, source, sum};

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
        self.typed(TypeName::Bool, Piece::Str("is_element"));
        say!(self, end);
        each!(for dim in 0..self.rank() {
            say!(self, "    ");
            self.typed(TypeName::Integer, coordinate(dim));
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
        self.function(TypeName::Index, "_index");
        self.parameter(Piece::Str("offset"));
        self.sizes(TypeName::Index);
        // What is known already: coordinates in the low bits, then sums.
        let mut written = 0u64;
        let is_empty = self.digits.elements() == 0;
        if is_empty {
            self.discard(Piece::Str("offset"));
            self.unused(0, !0);
        } else {
            let counts = self.closure(self.divisors());
            self.positive_sizes(counts);
            self.quotients(counts, false);
            self.peel(&mut written);
            self.is_positive = false;
        }
        self.declare(TypeName::Bool, true, Piece::Str("is_element"));
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
            self.declare(TypeName::Integer, true, self.linear());
            self.swizzled(Piece::Str("offset"));
            say!(self, ";\n");
        }
        // The offset is divided by this already.
        let mut unit = Amount::ONE;
        let mut rest = self.linear();
        let mut has_rest = false;
        let terms = digits.terms().len();
        each!(for i in (0..terms).rev() {
            let Some(share) = self.share(i) else { continue };
            let ratio = share.div.over(unit);
            unit = share.div;
            if !is_one(ratio) {
                if has_rest {
                    self.line();
                    say!(self, "rest /= ");
                } else {
                    (rest, has_rest) = (Piece::Str("rest"), true);
                    self.declare(TypeName::Integer, false, rest);
                    say!(self, self.linear(), " / ");
                }
                self.amount(ratio);
                say!(self, ";\n");
            }
            self.add(&IndexShare { div: Amount::ONE, ..share }, written, rest);
        });
        each!(for i in (0..digits.sums().len()).rev() {
            if *written >> (MAX_DIMS + i) & 1 == 0 {
                continue;
            }
            each!(for of_sum in 2 * i..2 * i + 2 {
                if let Some(share) = &self.share(terms + of_sum) {
                    self.add(share, written, sum(i));
                }
            });
        });
    }

    /// The offset before the swizzle.
    const fn linear(&self) -> Variable {
        Piece::Str(if self.is_swizzled() { "linear" } else { "offset" })
    }

    /// `var i0 = rest / 4 % 8 * 2;` or `i0 += ..`.
    const fn add(&mut self, share: &IndexShare, written: &mut u64, rest: Variable) {
        let bit = 1 << source(&share.digit);
        let source = match share.digit.source() {
            DigitSource::Dim(dim) => coordinate(dim),
            DigitSource::Sum(number) => sum(number),
        };
        if *written & bit == 0 {
            *written |= bit;
            self.declare(TypeName::Integer, false, source);
            say!(self, rest);
        } else {
            self.line();
            say!(self, source, " += ", rest);
        }
        self.part_of_source(share);
        say!(self, ";\n");
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
        let Dim::Static(size) = self.shape.dims()[dim] else { return false };
        if written >> dim & 1 == 0 {
            // It is 0.
            return true;
        }
        let mut largest = 0;
        each!(for number in 0..self.shares() {
            if let Some(IndexShare { digit, modulus, .. }) = &self.share(number)
                && source(digit) == dim
            {
                let Some(modulus) = modulus else { return false };
                let Some(modulus) = modulus.known() else { return false };
                largest += (modulus - 1) * digit.div();
            }
        });
        largest < size
    }

    /// The counts that the inverse divides by, or compares the offset with.
    const fn divisors(&self) -> u64 {
        let digits = self.digits;
        let mut counts = if is_size_asked(digits) { digits.size_amount().unknowns() } else { 0 };
        each!(for number in 0..self.shares() {
            if let Some(IndexShare { div, modulus, .. }) = &self.share(number) {
                counts |= div.unknowns();
                if let Some(modulus) = modulus {
                    counts |= modulus.unknowns();
                }
            }
        });
        counts
    }
}

/// Whether the offset has to be compared with the size.
const fn is_size_asked(digits: &Digits) -> bool {
    digits.round_trips() && !digits.ends_out_of_bounds()
}

const fn coordinate_or_zero(dim: usize, written: u64) -> Variable {
    if written >> dim & 1 == 1 { coordinate(dim) } else { Piece::Number(0) }
}
