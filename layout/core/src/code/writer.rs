//! What the functions of every language are written with.

use crate::analysis::digits::Digits;
use crate::analysis::unknown::{Amount, Unknowns};
use crate::code::language::Words;
use crate::code::sink::Sink;
use crate::limits::MAX_DIMS;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;

/// Writes the functions of a layout.
pub(crate) struct Writer<'a> {
    pub(crate) sink: Sink<'a>,
    pub(crate) words: &'a Words,
    pub(crate) name: &'a str,
    pub(crate) shape: &'a ArrayShape,
    pub(crate) digits: &'a Digits,
    /// The most slots that an index counts.
    pub(crate) most: u64,
    /// Spaces before a line.
    pub(crate) indent: usize,
    /// Whether the sizes that count are at least 1: `m0` in the place of `n0`.
    pub(crate) is_positive: bool,
    /// Whether a parameter or an argument is already in the list that is written.
    has_item: bool,
}

/// A variable: a letter and a number.
#[derive(Clone, Copy)]
pub(crate) struct Variable {
    pub(crate) letter: &'static str,
    pub(crate) number: usize,
}

/// What a function returns.
#[derive(Clone, Copy)]
pub(crate) enum Returns {
    /// An offset or a size.
    Integer,
    Bool,
    /// Coordinates, and whether there is an element.
    Index,
}

/// Coordinate `i0` and so on.
pub(crate) const fn coordinate(number: usize) -> Variable {
    Variable { letter: "i", number }
}

/// Size `n0` and so on, known at run time.
pub(crate) const fn size(number: usize) -> Variable {
    Variable { letter: "n", number }
}

/// Sum `s0` and so on, of digits.
pub(crate) const fn sum(number: usize) -> Variable {
    Variable { letter: "s", number }
}

/// A size that is at least 1: `m0` and so on.
pub(crate) const fn positive(number: usize) -> Variable {
    Variable { letter: "m", number }
}

/// An unknown count by its number: a size or a quotient `q0` and so on.
pub(crate) const fn count(number: usize) -> Variable {
    if number < MAX_DIMS {
        size(number)
    } else {
        Variable { letter: "q", number: number - MAX_DIMS }
    }
}

impl<'a> Writer<'a> {
    pub(crate) const fn new(
        sink: Sink<'a>,
        words: &'a Words,
        name: &'a str,
        shape: &'a ArrayShape,
        digits: &'a Digits,
        most: u64,
    ) -> Self {
        Writer {
            sink,
            words,
            name,
            shape,
            digits,
            most,
            indent: 0,
            is_positive: false,
            has_item: false,
        }
    }

    pub(crate) const fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Whether the size of a dimension is an argument.
    pub(crate) const fn is_dynamic(&self, dim: usize) -> bool {
        self.shape.dim(dim).is_dynamic()
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

    pub(crate) const fn str(&mut self, text: &str) {
        self.sink.str(text);
    }

    /// A number without its type.
    pub(crate) const fn plain(&mut self, number: u64) {
        self.sink.number(number);
    }

    /// A number of the type of coordinates.
    pub(crate) const fn number(&mut self, number: u64) {
        self.sink.number(number);
        self.sink.str(self.words.suffix);
    }

    pub(crate) const fn variable(&mut self, variable: Variable) {
        self.sink.str(variable.letter);
        self.sink.number(variable.number as u64);
    }

    /// A name of the layout: its own and what follows.
    pub(crate) const fn named(&mut self, suffix: &str) {
        self.sink.str(self.name);
        self.sink.str(suffix);
    }

    /// Spaces at the beginning of a line.
    pub(crate) const fn line(&mut self) {
        each!(for _ in 0..self.indent {
            self.sink.str("    ");
        });
    }

    /// The beginning of a variable's line: `let s0 = `, `const uint32_t s0 = `.
    pub(crate) const fn declare(&mut self, is_constant: bool, variable: Variable) {
        self.declaration(is_constant);
        self.variable(variable);
        self.str(" = ");
    }

    /// The same for a variable with a name.
    pub(crate) const fn declare_named(&mut self, is_constant: bool, name: &str) {
        self.declaration(is_constant);
        self.str(name);
        self.str(" = ");
    }

    const fn declaration(&mut self, is_constant: bool) {
        self.line();
        self.str(if is_constant { self.words.constant } else { self.words.variable });
        if !self.words.types_follow {
            self.str(self.words.integer);
            self.str(" ");
        }
    }

    /// The same for a truth value.
    pub(crate) const fn declare_bool(&mut self, is_constant: bool, name: &str) {
        self.line();
        self.str(if is_constant { self.words.constant } else { self.words.variable });
        if !self.words.types_follow {
            self.str("bool ");
        }
        self.str(name);
        self.str(" = ");
    }

    pub(crate) const fn end(&mut self) {
        self.str(";\n");
    }

    const fn result(&mut self, result: Returns) {
        match result {
            Returns::Integer => self.str(self.words.integer),
            Returns::Bool => self.str("bool"),
            Returns::Index => self.named("_Index"),
        }
    }

    /// The head of a function up to its parameters.
    pub(crate) const fn function(&mut self, result: Returns, suffix: &str) {
        self.str("\n");
        self.str(self.words.function);
        if !self.words.types_follow {
            self.result(result);
            self.str(" ");
        }
        self.named(suffix);
        self.str("(");
        self.has_item = false;
    }

    /// A comma after the first item of a list.
    pub(crate) const fn separate(&mut self) {
        if self.has_item {
            self.str(", ");
        }
        self.has_item = true;
    }

    /// A list in parentheses follows.
    pub(crate) const fn open(&mut self) {
        self.str("(");
        self.has_item = false;
    }

    pub(crate) const fn parameter_named(&mut self, name: &str) {
        self.separate();
        if self.words.types_follow {
            self.str(name);
            self.str(": ");
            self.str(self.words.integer);
        } else {
            self.str(self.words.integer);
            self.str(" ");
            self.str(name);
        }
    }

    const fn parameter(&mut self, variable: Variable) {
        self.separate();
        if self.words.types_follow {
            self.variable(variable);
            self.str(": ");
            self.str(self.words.integer);
        } else {
            self.str(self.words.integer);
            self.str(" ");
            self.variable(variable);
        }
    }

    /// Parameters for all coordinates.
    pub(crate) const fn coordinates(&mut self) {
        each!(for dim in 0..self.rank() {
            self.parameter(coordinate(dim));
        });
    }

    /// Parameters for the sizes that are known at run time only, and the end of the head.
    pub(crate) const fn sizes(&mut self, result: Returns) {
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                self.parameter(size(dim));
            }
        });
        if self.words.types_follow {
            self.str(") -> ");
            self.result(result);
            self.str(" {\n");
        } else {
            self.str(if self.has_item { ") {\n" } else { "void) {\n" });
        }
        self.indent += 1;
    }

    pub(crate) const fn end_function(&mut self) {
        self.str("}\n");
        self.indent -= 1;
    }

    /// Arguments for the sizes that are known at run time only, and the end of a call.
    pub(crate) const fn size_arguments(&mut self) {
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                self.separate();
                self.variable(size(dim));
            }
        });
        self.str(")");
    }

    /// Says that parameters are not used, where a compiler warns of them. The sets have a bit for each dimension.
    pub(crate) const fn unused(&mut self, coordinates: u64, sizes: u64) {
        if self.words.types_follow {
            return;
        }
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

    /// Says that the parameter `offset` is not used.
    pub(crate) const fn unused_offset(&mut self) {
        if !self.words.types_follow {
            self.line();
            self.str("(void)offset;\n");
        }
    }

    const fn discard(&mut self, variable: Variable) {
        self.line();
        self.str("(void)");
        self.variable(variable);
        self.end();
    }

    /// The size of a dimension: a number or an argument.
    pub(crate) const fn dim(&mut self, dim: usize) {
        match self.shape.dim(dim) {
            Dim::Static(size) => self.number(size as u64),
            _ => self.variable(size(dim)),
        }
    }

    /// ` * n0 * q1`: the counts of a set, each after `operator`.
    pub(crate) const fn counts(&mut self, operator: &str, counts: Unknowns) {
        let mut rest = counts;
        while rest != 0 {
            self.str(operator);
            self.count(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    /// An unknown count.
    pub(crate) const fn count(&mut self, number: usize) {
        let is_positive = self.is_positive && number < MAX_DIMS;
        self.variable(if is_positive { positive(number) } else { count(number) });
    }

    /// Declares the sizes of a set of counts, at least 1: what is divided by them then is defined, and of an array
    /// without elements no coordinate is below its size.
    pub(crate) const fn positive_sizes(&mut self, counts: Unknowns) {
        self.is_positive = true;
        each!(for dim in 0..self.rank() {
            if counts >> dim & 1 == 1 {
                self.declare(true, positive(dim));
                if self.words.types_follow {
                    self.str("max(");
                    self.variable(size(dim));
                    self.str(", ");
                    self.number(1);
                    self.str(")");
                } else {
                    self.variable(size(dim));
                    self.str(" > ");
                    self.number(1);
                    self.str(" ? ");
                    self.variable(size(dim));
                    self.str(" : ");
                    self.number(1);
                }
                self.end();
            }
        });
    }

    /// An amount as a product, in parentheses if it is one: `4u`, `n0`, `(4u * n0)`.
    pub(crate) const fn amount(&mut self, amount: Amount) {
        let is_product = amount.unknowns.count_ones() + (amount.factor != 1) as u32 > 1;
        if is_product {
            self.str("(");
        }
        self.product(amount);
        if is_product {
            self.str(")");
        }
    }

    /// The same without parentheses.
    pub(crate) const fn product(&mut self, amount: Amount) {
        let Amount { factor, unknowns } = amount;
        if factor != 1 || unknowns == 0 {
            self.number(factor as u64);
            self.counts(" * ", unknowns);
        } else {
            self.count(unknowns.trailing_zeros() as usize);
            self.counts(" * ", unknowns & (unknowns - 1));
        }
    }

    /// The counts that have to be computed for these, themselves included.
    pub(crate) const fn closure(&self, counts: Unknowns) -> Unknowns {
        let mut all = counts;
        each!(for quotient in (0..self.digits.quotients().len()).rev() {
            if all >> (MAX_DIMS + quotient) & 1 == 1 {
                all |= self.digits.quotient(quotient).dividend.unknowns;
            }
        });
        all
    }

    /// Computes the quotients of a closed set.
    pub(crate) const fn quotients(&mut self, counts: Unknowns) {
        each!(for number in 0..self.digits.quotients().len() {
            if counts >> (MAX_DIMS + number) & 1 == 1 {
                let quotient = self.digits.quotient(number);
                let divisor = quotient.divisor as u64;
                self.declare(true, count(MAX_DIMS + number));
                if divisor > self.most {
                    // No count reaches it, and there are elements.
                    self.number(1);
                } else {
                    self.str("(");
                    self.product(quotient.dividend);
                    self.str(" + ");
                    self.number(divisor - 1);
                    self.str(") / ");
                    self.number(divisor);
                }
                self.end();
            }
        });
    }
}
