//! A reader of the formula that is printed for people.

use layout::__private::core::native;
use layout::Size;
use layout::analysis::{Counts, Formula};
use layout::shape::limits::MAX_DIMS;

/// What the formula says of an index, given the sizes and quotients that it names.
///
/// # Panics
/// If it is not a formula, or if a quotient is not what its text says.
pub fn value(formula: &Formula, index: &[Size], counts: &Counts) -> Size {
    let mut reader = Reader { index, counts, sums: Vec::new() };
    for (number, quotient) in formula.quotients().iter().enumerate() {
        let text = quotient.to_string();
        let inner = text.strip_prefix('⌈').and_then(|text| text.strip_suffix('⌉'));
        let (dividend, divisor) = inner.and_then(|text| text.rsplit_once('/')).expect("⌈n0/8⌉");
        let expected = reader.term(dividend).div_ceil(self::number(divisor));
        assert_eq!(counts[MAX_DIMS + number], expected, "{text}");
    }
    for sum in formula.sums() {
        let value = reader.sum(&sum.to_string());
        reader.sums.push(value);
    }
    reader.sum(&formula.to_string())
}

struct Reader<'a> {
    index: &'a [Size],
    counts: &'a Counts,
    sums: Vec<Size>,
}

impl Reader<'_> {
    fn sum(&self, text: &str) -> Size {
        text.split(" + ").map(|term| self.term(term)).sum()
    }

    /// Operators apply from left to right.
    fn term(&self, text: &str) -> Size {
        let end = |text: &str| text.find(['/', '%', '·']).unwrap_or(text.len());
        let (first, mut rest) = text.split_at(end(text));
        let mut value = self.operand(first);
        while let Some(operator) = rest.chars().next() {
            rest = &rest[operator.len_utf8()..];
            let (operand, after) = rest.split_at(end(rest));
            match operator {
                '/' => value /= self.operand(operand),
                '%' => value %= self.operand(operand),
                _ => value *= self.operand(operand),
            }
            rest = after;
        }
        value
    }

    fn operand(&self, text: &str) -> Size {
        match text.split_at(1) {
            ("i", dim) => self.index[native(number(dim))],
            ("s", sum) => self.sums[native(number(sum))],
            ("n", dim) => self.counts[native(number(dim))],
            ("q", quotient) => self.counts[MAX_DIMS + native(number(quotient))],
            _ => number(text),
        }
    }
}

fn number(text: &str) -> Size {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}
