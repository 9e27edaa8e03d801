//! What the functions of every language are written with.

use layout_core::analysis::{Amount, Digit, DigitSource};
use layout_core::base::text::{Piece, Text};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Dim, Size, XorBits};

use crate::code::language::Words;
use crate::code::window::Window;

/// Writes the functions of a layout: `say!(self, ..)` takes numbers of the type of coordinates, and variables.
pub(crate) struct Writer<'a> {
    pub(crate) window: Window<'a>,
    pub(crate) words: &'a Words,
    pub(crate) name: &'a str,
    pub(crate) shape: &'a ArrayShape,
    pub(crate) digits: &'a Digits,
    /// The swizzle of offsets up to `most`.
    pub(crate) swizzle: XorBits,
    /// The most slots that an index counts.
    pub(crate) most: Size,
    /// Spaces before a line.
    pub(crate) indent: usize,
    /// Whether the sizes that count are at least 1: `m0` in the place of `n0`.
    pub(crate) is_positive: bool,
    /// What stands between the items of the list that is written.
    separator: &'static str,
    /// Whether it has an item already.
    pub(crate) has_item: bool,
}

/// A variable: a letter and a number.
pub(crate) type Variable = Piece<'static>;

/// What a variable is, and what a function returns.
#[derive(Clone, Copy)]
pub(crate) enum TypeName {
    /// A coordinate, an offset or a size.
    Integer,
    Bool,
    /// Coordinates, and whether there is an element.
    Index,
}

/// Coordinate `i0` and so on.
pub(crate) const fn coordinate(number: usize) -> Variable {
    Piece::Numbered("i", number)
}

/// Size `n0` and so on, known at run time.
pub(crate) const fn size(number: usize) -> Variable {
    Piece::Numbered("n", number)
}

/// Sum `s0` and so on, of digits.
pub(crate) const fn sum(number: usize) -> Variable {
    Piece::Numbered("s", number)
}

/// A size that is at least 1: `m0` and so on.
pub(crate) const fn positive(number: usize) -> Variable {
    Piece::Numbered("m", number)
}

/// An unknown count by its number: a size or a quotient `q0` and so on.
pub(crate) const fn count(number: usize) -> Variable {
    if number < MAX_DIMS { size(number) } else { Piece::Numbered("q", number - MAX_DIMS) }
}

/// The number of a digit's source: a dimension, or a sum after these.
pub(crate) const fn source(digit: &Digit) -> usize {
    match digit.source() {
        DigitSource::Dim(dim) => dim,
        DigitSource::Sum(sum) => MAX_DIMS + sum,
    }
}

pub(crate) const fn is_one(amount: Amount) -> bool {
    matches!(amount.known(), Some(1))
}

/// A number without the suffix of its type.
pub(crate) const fn plain(number: Size) -> Text<20> {
    text!(number)
}

impl<'a> Writer<'a> {
    pub(crate) const fn new(
        window: Window<'a>,
        words: &'a Words,
        name: &'a str,
        shape: &'a ArrayShape,
        digits: &'a Digits,
        most: Size,
    ) -> Self {
        Writer {
            window,
            words,
            name,
            shape,
            digits,
            swizzle: digits.swizzle().below(most),
            most,
            indent: 0,
            is_positive: false,
            separator: "",
            has_item: false,
        }
    }

    pub(crate) const fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Whether the size of a dimension is an argument.
    pub(crate) const fn is_dynamic(&self, dim: usize) -> bool {
        self.shape.dims()[dim].is_dynamic()
    }

    /// Whether sizes of some dimensions are arguments.
    pub(crate) const fn has_dynamic(&self) -> bool {
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                return true;
            }
        });
        false
    }

    /// Writes a part of `say!`.
    pub(crate) const fn part(&mut self, part: Piece<'_>) {
        if let Piece::Str(text) = part {
            return self.window.str(text);
        }
        let mut text = Text::<32>::new();
        text.part(part);
        self.window.str(text.as_str());
        if let Piece::Number(_) = part {
            self.window.str(self.words.suffix);
        }
    }

    /// Spaces at the beginning of a line.
    pub(crate) const fn line(&mut self) {
        each!(for _ in 0..self.indent {
            self.window.str("    ");
        });
    }

    /// Begins a list.
    pub(crate) const fn list(&mut self, separator: &'static str) {
        (self.separator, self.has_item) = (separator, false);
    }

    /// Begins an item of the list.
    pub(crate) const fn item(&mut self) {
        self.window.str(if self.has_item { self.separator } else { "" });
        self.has_item = true;
    }

    /// Ends a list: writes `none` if it has no items.
    pub(crate) const fn or(&mut self, none: &str) {
        self.window.str(if self.has_item { "" } else { none });
    }

    /// The beginning of a variable's line: `let s0 = `, `const uint32_t s0 = `.
    pub(crate) const fn declare(&mut self, of: TypeName, is_constant: bool, variable: Piece<'_>) {
        self.line();
        self.window.str(if is_constant { self.words.constant } else { self.words.variable });
        if self.words.types_follow {
            self.part(variable);
        } else {
            self.typed(of, variable);
        }
        say!(self, " = ");
    }

    /// `i0: u32`, `uint32_t i0`.
    pub(crate) const fn typed(&mut self, of: TypeName, variable: Piece<'_>) {
        if self.words.types_follow {
            say!(self, variable, ": ");
            self.name_of(of);
        } else {
            self.name_of(of);
            say!(self, " ", variable);
        }
    }

    const fn name_of(&mut self, of: TypeName) {
        match of {
            TypeName::Integer => say!(self, self.words.integer),
            TypeName::Bool => say!(self, "bool"),
            TypeName::Index => say!(self, self.name, "_Index"),
        }
    }

    /// The head of a function up to its parameters.
    pub(crate) const fn function(&mut self, result: TypeName, suffix: &str) {
        say!(self, "\n", self.words.function);
        if !self.words.types_follow {
            self.name_of(result);
            say!(self, " ");
        }
        say!(self, self.name, suffix, "(");
        self.list(", ");
    }

    pub(crate) const fn parameter(&mut self, variable: Piece<'_>) {
        self.item();
        self.typed(TypeName::Integer, variable);
    }

    /// Parameters for all coordinates.
    pub(crate) const fn coordinates(&mut self) {
        each!(for dim in 0..self.rank() {
            self.parameter(coordinate(dim));
        });
    }

    /// Parameters for the sizes that are known at run time only, and the end of the head.
    pub(crate) const fn sizes(&mut self, result: TypeName) {
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                self.parameter(size(dim));
            }
        });
        if self.words.types_follow {
            say!(self, ") -> ");
            self.name_of(result);
        } else {
            self.or("void");
            say!(self, ")");
        }
        say!(self, " {\n");
        self.indent += 1;
    }

    pub(crate) const fn end_function(&mut self) {
        say!(self, "}\n");
        self.indent -= 1;
    }

    /// Arguments for the sizes that are known at run time only, and the end of a call.
    pub(crate) const fn size_arguments(&mut self) {
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                self.item();
                say!(self, size(dim));
            }
        });
        say!(self, ")");
    }

    /// Says that parameters are not used, where a compiler warns of them. The sets have a bit for each dimension.
    pub(crate) const fn unused(&mut self, coordinates: u64, sizes: u64) {
        each!(for dim in 0..self.rank() {
            if coordinates >> dim & 1 == 1 {
                self.discard(coordinate(dim));
            }
        });
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) && sizes >> dim & 1 == 1 {
                self.discard(size(dim));
            }
        });
    }

    /// Says that a parameter is not used.
    pub(crate) const fn discard(&mut self, variable: Piece<'_>) {
        if !self.words.types_follow {
            self.line();
            say!(self, "(void)", variable, ";\n");
        }
    }

    /// The size of a dimension: a number or an argument.
    pub(crate) const fn dim(&self, dim: usize) -> Variable {
        match self.shape.dims()[dim] {
            Dim::Static(size) => Piece::Number(size),
            _ => size(dim),
        }
    }

    /// A variable under the swizzle of the layout.
    pub(crate) const fn swizzled(&mut self, variable: Variable) {
        let (mask, shift) = self.swizzle.mask_and_shift();
        let operator = if shift < 0 { ") << " } else { ") >> " };
        say!(self, variable, " ^ ((", variable, " & ", mask, operator);
        say!(self, shift.unsigned_abs() as usize, ")");
    }

    /// Whether the layout is swizzled.
    pub(crate) const fn is_swizzled(&self) -> bool {
        !self.swizzle.is_none()
    }

    /// ` / 8 % 2`, without what changes nothing.
    pub(crate) const fn divided(&mut self, div: Size, modulus: Option<Size>) {
        if div != 1 {
            say!(self, self.words.divide, div);
        }
        if let Some(modulus) = modulus {
            say!(self, self.words.modulo, modulus);
        }
    }

    /// ` * 4`, unless the factor is 1.
    pub(crate) const fn times(&mut self, factor: Size) {
        if factor != 1 {
            say!(self, " * ", factor);
        }
    }

    /// ` * n0 * q1`: the counts of a set, each after `operator`.
    pub(crate) const fn counts(&mut self, operator: &str, counts: u64) {
        let mut rest = counts;
        while rest != 0 {
            say!(self, operator);
            self.count(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    /// An unknown count.
    pub(crate) const fn count(&mut self, number: usize) {
        if self.words.is_affine {
            self.symbolic_count(number);
        } else if self.is_positive && number < MAX_DIMS {
            say!(self, positive(number));
        } else {
            say!(self, count(number));
        }
    }

    /// Declares the sizes of a set of counts, at least 1: what is divided by them then is defined, and of an array
    /// without elements no coordinate is below its size.
    pub(crate) const fn positive_sizes(&mut self, counts: u64) {
        self.is_positive = true;
        each!(for dim in 0..self.rank() {
            if counts >> dim & 1 == 1 {
                let size = size(dim);
                self.declare(TypeName::Integer, true, positive(dim));
                if self.words.types_follow {
                    say!(self, "max(", size, ", ", 1usize, ");\n");
                } else {
                    say!(self, size, " > ", 1usize, " ? ", size, " : ", 1usize, ";\n");
                }
            }
        });
    }

    /// An amount as a product, in parentheses if it is one: `4u`, `n0`, `(4u * n0)`.
    pub(crate) const fn amount(&mut self, amount: Amount) {
        let is_product = amount.unknowns().count_ones() + (amount.factor != 1) as u32 > 1;
        say!(self, if is_product { "(" } else { "" });
        self.product(amount);
        say!(self, if is_product { ")" } else { "" });
    }

    /// An amount as a product without parentheses. In affine maps the factor comes after the first count.
    pub(crate) const fn product(&mut self, amount: Amount) {
        let (factor, unknowns) = (amount.factor, amount.unknowns());
        if unknowns == 0 || (factor != 1 && !self.words.is_affine) {
            say!(self, factor);
            self.counts(" * ", unknowns);
        } else {
            self.count(unknowns.trailing_zeros() as usize);
            self.times(factor);
            self.counts(" * ", unknowns & (unknowns - 1));
        }
    }

    /// The counts that have to be computed for these, themselves included.
    pub(crate) const fn closure(&self, counts: u64) -> u64 {
        let mut all = counts;
        each!(for quotient in (0..self.digits.quotients().len()).rev() {
            if all >> (MAX_DIMS + quotient) & 1 == 1 {
                all |= self.digits.quotients()[quotient].dividend().unknowns();
            }
        });
        all
    }

    /// Computes the quotients of a closed set. `of_any_sizes`: the sizes are at least 1 and may be too large for the layout, so
    /// that nothing may overflow.
    pub(crate) const fn quotients(&mut self, counts: u64, of_any_sizes: bool) {
        let digits = self.digits;
        each!(for number in 0..digits.quotients().len() {
            if counts >> (MAX_DIMS + number) & 1 == 1 {
                let quotient = &digits.quotients()[number];
                self.declare(TypeName::Integer, true, count(MAX_DIMS + number));
                if quotient.divisor() > self.most {
                    // No count reaches it, and there are elements.
                    say!(self, 1usize);
                } else {
                    say!(self, "(");
                    self.product(quotient.dividend());
                    let divisor = quotient.divisor();
                    if of_any_sizes {
                        say!(self, " - ", 1usize, ") / ", divisor, " + ", 1usize);
                    } else {
                        say!(self, " + ", divisor - 1, ") / ", divisor);
                    }
                }
                say!(self, ";\n");
            }
        });
    }
}
