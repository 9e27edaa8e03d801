//! A reader of the formula that is printed for people.

use layout::__private::core::native;
use layout::Size;
use layout::analysis::Formula;

/// What the formula says of an index.
///
/// # Panics
/// If it is no formula.
pub fn value(formula: &Formula, index: &[Size]) -> Size {
    let mut sums = Vec::new();
    for sum in formula.sums() {
        let value = right_hand_side(&sum.to_string(), index, &sums);
        sums.push(value);
    }
    right_hand_side(&formula.to_string(), index, &sums)
}

fn right_hand_side(text: &str, index: &[Size], sums: &[Size]) -> Size {
    text.split(" + ").map(|term| self::term(term, index, sums)).sum()
}

fn term(text: &str, index: &[Size], sums: &[Size]) -> Size {
    let end = text.find(['/', '%', '·']).unwrap_or(text.len());
    let (source, mut rest) = text.split_at(end);
    let number = |text: &str| text.parse::<Size>().unwrap_or_else(|_| panic!("{text}"));
    let mut value = match source.split_at(1) {
        ("i", dim) => index[native(number(dim))],
        ("s", sum) => sums[native(number(sum))],
        _ => number(source),
    };
    // From left to right.
    while let Some(operator) = rest.chars().next() {
        rest = &rest[operator.len_utf8()..];
        let end = rest.find(['/', '%', '·']).unwrap_or(rest.len());
        let (operand, after) = rest.split_at(end);
        match operator {
            '/' => value /= number(operand),
            '%' => value %= number(operand),
            _ => value *= number(operand),
        }
        rest = after;
    }
    value
}
