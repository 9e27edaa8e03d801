//! How long the vectors are that a layout's memory can be read by.

use crate::error::LayoutError;
use crate::plan::{Digit, Number, Plan};

/// How a number changes from one element of a vector to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Not at all.
    None,
    /// By one. The number of the first element is a multiple of the vector's size.
    Step,
}

/// What the size of a vector along a dimension has to divide.
struct Search<'a> {
    arguments: &'a [u32],
    longest: u32,
}

impl Plan {
    /// The plan for memory in vectors.
    pub(crate) fn vectors(
        mut self,
        arguments: &[u32],
        vector_size: usize,
    ) -> Result<Plan, LayoutError> {
        let (dim, longest) = (0..self.rank())
            .map(|dim| (Some(dim), self.longest_vector(arguments, dim)))
            .max_by_key(|&(_, longest)| longest)
            .unwrap_or((None, 1));
        let longest = longest as usize;
        if vector_size == 0 || !longest.is_multiple_of(vector_size) {
            let dim = dim.filter(|_| longest > 1);
            return Err(LayoutError::VectorSize { vector_size, dim, longest });
        }
        self.vector_size = vector_size;
        Ok(self)
    }

    /// The longest vector along a dimension: it and its divisors hold contiguous elements, wherever a multiple of
    /// its size begins one.
    fn longest_vector(&self, arguments: &[u32], dim: usize) -> u32 {
        let mut search = Search { arguments, longest: 0 };
        search.divides(search.value(self.dims[dim]));
        search.divides(search.value(self.slots));
        if let Some(swizzle) = self.swizzle {
            search.divides(swizzle.unit());
        }
        let mut changes = vec![Change::None; self.rank()];
        changes[dim] = Change::Step;
        for sum in &self.sums {
            let major = sum.major.map(|digit| search.digit(&changes, digit));
            let minor = sum.minor.map(|digit| search.digit(&changes, digit));
            let factor = search.value(sum.factor);
            changes.push(match (major, minor) {
                (None | Some(Change::None), None | Some(Change::None)) => Change::None,
                (None, Some(Change::Step)) => Change::Step,
                (Some(Change::None), Some(Change::Step)) => {
                    search.divides(factor);
                    Change::Step
                }
                (Some(Change::Step), None) if factor == 1 => Change::Step,
                (Some(Change::Step), _) => return 1,
            });
        }
        let mut steps = 0;
        for term in &self.terms {
            let stride = search.value(term.stride);
            match search.digit(&changes, term.digit) {
                Change::None => search.divides(stride),
                Change::Step if stride == 1 => steps += 1,
                Change::Step => return 1,
            }
        }
        if steps == 1 { search.longest.max(1) } else { 1 }
    }
}

impl Search<'_> {
    fn value(&self, number: Number) -> u32 {
        match number {
            Number::Constant(value) => value,
            Number::Argument(argument) => self.arguments[argument],
        }
    }

    fn divides(&mut self, mut number: u32) {
        while number != 0 {
            (self.longest, number) = (number, self.longest % number);
        }
    }

    fn digit(&mut self, changes: &[Change], digit: Digit) -> Change {
        if changes[digit.source] == Change::None {
            return Change::None;
        }
        if digit.div > 1 {
            self.divides(digit.div);
            return Change::None;
        }
        if let Some(modulus) = digit.modulus {
            self.divides(modulus);
        }
        Change::Step
    }
}
