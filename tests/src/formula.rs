//! A reader of the formula that is printed for people.

use layout::__private::core::native;
use layout::shape::analysis::{Counts, Formula};
use layout::shape::limits::MAX_DIMS;
use layout::shape::{Size, Swizzle};

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
        let expected = reader.sum(dividend).div_ceil(self::number(divisor));
        assert_eq!(counts[MAX_DIMS + number], expected, "{text}");
    }
    for sum in formula.sums() {
        let value = reader.sum(&sum.to_string());
        reader.sums.push(value);
    }
    let text = formula.to_string();
    // `elements<3,3,3>(i0·64 + i1)`
    let Some((swizzle, linear)) = text.split_once('(') else { return reader.sum(&text) };
    let linear = reader.sum(linear.strip_suffix(')').expect("closed"));
    swizzle.parse::<Swizzle>().expect("a swizzle").apply(linear)
}

/// The sum of terms like `i0/2%3·20`, in which operators apply from left to right. `*` is `·` too.
///
/// # Panics
/// If it is not one.
pub fn evaluate(text: &str, operand: &dyn Fn(&str) -> Size) -> Size {
    let term = |term: &str| {
        let end = |text: &str| text.find(['/', '%', '·', '*']).unwrap_or(text.len());
        let (first, mut rest) = term.split_at(end(term));
        let mut value = operand(first);
        while let Some(operator) = rest.chars().next() {
            rest = &rest[operator.len_utf8()..];
            let (next, after) = rest.split_at(end(rest));
            match operator {
                '/' => value /= operand(next),
                '%' => value %= operand(next),
                _ => value *= operand(next),
            }
            rest = after;
        }
        value
    };
    text.split(" + ").map(term).sum()
}

struct Reader<'a> {
    index: &'a [Size],
    counts: &'a Counts,
    sums: Vec<Size>,
}

impl Reader<'_> {
    fn sum(&self, text: &str) -> Size {
        evaluate(text, &|operand| self.operand(operand))
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
