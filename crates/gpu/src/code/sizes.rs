//! Sizes: constants where they are known, and functions of the sizes that are not.

// Constants are macros in C: an `enum` has no unsigned type there, and a `const` cannot be the size of an
// array. `_fits` divides the largest count by one factor after another, so that 32 bits are enough to ask.

use layout_core::analysis::bytes_of;
use layout_core::base::text::Piece;
use layout_core::{Dim, Size};

use crate::code::error::MOST_32;
use crate::code::writer::{TypeName, Writer, coordinate, plain, size};

impl Writer<'_> {
    /// The constants.
    pub(crate) const fn constants(&mut self) {
        say!(self, "\n");
        self.constant(Piece::Str("_RANK"), self.rank() as Size);
        each!(for dim in 0..self.rank() {
            if let Some(bound) = self.shape.dims()[dim].size() {
                self.constant(Piece::Numbered("_DIM_", dim), bound);
            }
        });
        self.constant(Piece::Str("_ELEMENT_BITS"), self.shape.element_bits());
        if !self.has_dynamic() {
            self.constant(Piece::Str("_ELEMENTS"), self.digits.elements());
        }
        if let Some(slots) = self.padded() {
            self.constant(Piece::Str("_PADDED_ELEMENTS"), slots);
            let bytes = bytes_of(slots, self.shape.element_bits());
            if bytes <= MOST_32 || self.most > MOST_32 || self.words.wide_suffix.is_some() {
                self.constant(Piece::Str("_BYTES"), bytes);
            } else {
                let bytes = plain(bytes);
                say!(self, "// ", self.name, "_BYTES would be ", &bytes);
                say!(self, ", above what 32 bits count\n");
            }
        }
    }

    /// Slots in memory, if no size that they depend on is an argument.
    const fn padded(&self) -> Option<Size> {
        let is_known = self.digits.elements() == 0 || self.digits.size_amount().known().is_some();
        if is_known { Some(self.shape.padded_elements_by(self.digits)) } else { None }
    }

    /// A macro in C, whose constants of other kinds have a type of 32 bits, or none in arrays' sizes.
    const fn constant(&mut self, suffix: Piece<'_>, value: Size) {
        let follow = self.words.types_follow;
        say!(self, if follow { "const " } else { "#define " }, self.name, suffix);
        say!(self, if follow { ": u32 = " } else { " " });
        match self.words.wide_suffix {
            Some(suffix) if value > MOST_32 => say!(self, &plain(value), suffix),
            _ => say!(self, value),
        }
        say!(self, if follow { ";\n" } else { "\n" });
    }

    /// The functions of sizes, if some are arguments.
    pub(crate) const fn size_functions(&mut self) {
        if !self.has_dynamic() {
            return;
        }
        self.function(TypeName::Integer, "_elements");
        self.sizes(TypeName::Integer);
        self.line();
        say!(self, "return ");
        self.list(" * ");
        each!(for dim in 0..self.rank() {
            self.item();
            say!(self, self.dim(dim));
        });
        say!(self, ";\n");
        self.end_function();
        if self.padded().is_none() {
            self.padded_elements();
        }
        self.fits();
    }

    const fn padded_elements(&mut self) {
        let size = self.digits.size_amount();
        self.function(TypeName::Integer, "_padded_elements");
        self.sizes(TypeName::Integer);
        let counts = self.closure(size.unknowns());
        self.unused(0, !counts);
        self.quotients(counts, false);
        let tail = self.shape.tail_padding_alignment();
        self.line();
        if size.factor.is_multiple_of(tail) {
            say!(self, "return ");
            self.product(size);
        } else {
            say!(self, "return (");
            self.product(size);
            say!(self, " + ", tail - 1, ") / ", tail, " * ", tail);
        }
        say!(self, ";\n");
        self.end_function();
    }

    /// Whether sizes go with the layout: no larger than the bounds, and no offset above what an index counts. As
    /// elsewhere a size of 0 counts as 1.
    const fn fits(&mut self) {
        let digits = self.digits;
        let amount = digits.size_amount();
        self.function(TypeName::Bool, "_fits");
        self.sizes(TypeName::Bool);
        if self.padded().is_none() {
            self.positive_sizes(self.closure(amount.unknowns()));
            self.quotients(!0, true);
        } else {
            self.unused(0, !self.bounded());
        }
        self.line();
        say!(self, "return ");
        self.list(" && ");
        each!(for dim in 0..self.rank() {
            if let Dim::Bounded(bound) = self.shape.dims()[dim] {
                self.item();
                say!(self, size(dim), " <= ", bound);
            }
        });
        if self.padded().is_none() {
            each!(for quotient in digits.quotients() {
                let dividend = quotient.dividend();
                if dividend.factor != 1 || !dividend.unknowns().is_power_of_two() {
                    self.counts_at_most(self.most / dividend.factor, dividend.unknowns());
                }
            });
            let tail = self.shape.tail_padding_alignment();
            self.counts_at_most(self.most / tail * tail / amount.factor, amount.unknowns());
        }
        self.or("true");
        say!(self, ";\n");
        self.is_positive = false;
        self.end_function();
    }

    /// A bit for each bounded dimension.
    const fn bounded(&self) -> u64 {
        let mut all = 0;
        each!(for dim in 0..self.rank() {
            all |= (matches!(self.shape.dims()[dim], Dim::Bounded(_)) as u64) << dim;
        });
        all
    }

    /// Whether a product of counts is at most a number, which is divided by one after another.
    const fn counts_at_most(&mut self, most: Size, unknowns: u64) {
        self.item();
        say!(self, most);
        self.counts(" / ", unknowns);
        say!(self, " != ", 0usize);
    }

    /// The function that compares coordinates with sizes.
    pub(crate) const fn in_bounds(&mut self) {
        self.function(TypeName::Bool, "_in_bounds");
        self.coordinates();
        self.sizes(TypeName::Bool);
        if self.digits.elements() == 0 {
            self.unused(!0, !0);
            self.never();
            return;
        }
        self.line();
        say!(self, "return ");
        self.list(" && ");
        each!(for dim in 0..self.rank() {
            self.item();
            say!(self, coordinate(dim), " < ", self.dim(dim));
        });
        self.or("true");
        say!(self, ";\n");
        self.end_function();
    }

    /// The answer for an array without elements: compilers warn of comparisons with 0.
    const fn never(&mut self) {
        self.line();
        say!(self, "return false;\n");
        self.end_function();
    }

    /// The function that says whether a slot holds no element.
    pub(crate) const fn is_padding(&mut self) {
        self.function(TypeName::Bool, "_is_padding");
        self.parameter(Piece::Str("offset"));
        self.sizes(TypeName::Bool);
        if self.digits.elements() == 0 {
            self.discard(Piece::Str("offset"));
            self.unused(0, !0);
            self.never();
            return;
        }
        self.line();
        say!(self, "return offset < ", self.name);
        if self.padded().is_some() {
            say!(self, "_PADDED_ELEMENTS");
        } else {
            say!(self, "_padded_elements(");
            self.list(", ");
            self.size_arguments();
        }
        say!(self, " && !", self.name, "_index(");
        self.list(", ");
        self.item();
        say!(self, "offset");
        self.size_arguments();
        say!(self, ".is_element;\n");
        self.end_function();
    }
}
