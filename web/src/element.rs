//! One element, or one slot of padding: its index, its place in memory, and its digits.

use layout_core::analysis::{Digit, DigitSource, Formula};
use layout_core::{ArrayShape, Size};
use serde_json::{Value, json};

use crate::refusal::{Refusal, answer, array};

/// What is at an offset. Numbers are texts here and in the answer: those of JavaScript are exact below 2^53 only.
pub fn element(text: &str, offset: &str) -> String {
    answer(array(text).and_then(|shape| at(&shape, offset.parse()?)))
}

fn at(shape: &ArrayShape, offset: Size) -> Result<Value, Refusal> {
    let bit = offset as u128 * shape.element_bits() as u128;
    let byte = match bit % 8 {
        0 => (bit / 8).to_string(),
        part => format!("{}, bit {part}", bit / 8),
    };
    let layout = shape.digits()?;
    if offset >= layout.size() {
        return Err(format!("offset {offset} is past the end").into());
    }
    let index = layout.index(offset);
    let worked = index.as_ref().map(|index| worked_out(&Formula::of(shape), index));
    let index = index.map(|index| index.iter().map(Size::to_string).collect::<Vec<_>>());
    Ok(json!({"index": index, "offset": offset.to_string(), "byte": byte, "worked": worked}))
}

/// The formula with the numbers of an index: its sums, its terms, and the offset before the swizzle.
fn worked_out(formula: &Formula, index: &[Size]) -> Value {
    let mut sums = Vec::new();
    let value = |digit: Digit, sums: &[Size]| {
        let of = match digit.source() {
            DigitSource::Dim(dim) => index[dim],
            DigitSource::Sum(sum) => sums[sum],
        };
        let value = of / digit.div();
        digit.modulus().map_or(value, |modulus| value % modulus)
    };
    let mut lines = Vec::new();
    let mut linear = 0;
    for sum in formula.sums() {
        let part = |digit: Option<Digit>| digit.map_or(0, |digit| value(digit, &sums));
        let factor = sum.factor().known().unwrap_or(1);
        let total = part(sum.major()) * factor + part(sum.minor());
        lines.push(json!({"name": format!("s{} = {sum}", sums.len()), "value": total.to_string()}));
        sums.push(total);
    }
    for term in formula.terms() {
        let (value, stride) = (value(term.digit, &sums), term.stride.known().unwrap_or(0));
        linear += value * stride;
        let [name, value, stride] = [term.digit.to_string(), value.to_string(), stride.to_string()];
        lines.push(json!({"name": name, "value": value, "stride": stride}));
    }
    json!({"lines": lines, "linear": linear.to_string()})
}
