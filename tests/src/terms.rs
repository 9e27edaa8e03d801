//! Whether the formula, read as terms in plain numbers and as printed, agrees with the naive model.

use layout::ArrayShape;
use layout::shape::Size;
use layout::shape::analysis::{Digit, DigitSource, Formula};

use crate::formula;
use crate::naive::unflatten;

/// Compares every element and every slot.
///
/// # Panics
/// At the first difference.
pub(crate) fn check(shape: &ArrayShape, dims: &[Size], memory: &[Option<Size>], text: &str) {
    let formula = Formula::of(shape);
    let counts = formula.counts(dims).expect("as many sizes as dimensions");
    let size = formula.size().value(&counts);
    let place = |digit: Digit| match digit.source() {
        DigitSource::Dim(dim) => dim,
        DigitSource::Sum(sum) => dims.len() + sum,
    };
    let offset = |index: &[Size]| {
        let mut sources = index.to_vec();
        let value = |sources: &[Size], digit: Digit| {
            let whole = sources[place(digit)] / digit.div();
            digit.modulus().map_or(whole, |modulus| whole % modulus)
        };
        for sum in formula.sums().iter() {
            let part = |digit: Option<Digit>| digit.map_or(0, |digit| value(&sources, digit));
            let sum = part(sum.major()) * sum.factor().value(&counts) + part(sum.minor());
            sources.push(sum);
        }
        let term = formula
            .terms()
            .iter()
            .map(|term| value(&sources, term.digit) * term.stride.value(&counts));
        formula.swizzle().apply(term.sum::<Size>())
    };
    let index = |slot: Size| {
        let mut sources = vec![0; dims.len() + formula.sums().iter().len()];
        for term in formula.terms().iter() {
            let value = slot / term.stride.value(&counts) % term.bound.value(&counts);
            sources[place(term.digit)] += value * term.digit.div();
        }
        let sums: Vec<_> = formula.sums().iter().collect();
        for sum in sums.iter().rev() {
            let whole = sources.pop().expect("a source for each sum");
            let factor = sum.factor().value(&counts);
            match (sum.major(), sum.minor()) {
                (Some(major), minor) => {
                    sources[place(major)] += whole / factor * major.div();
                    if let Some(minor) = minor {
                        sources[place(minor)] += whole % factor * minor.div();
                    }
                }
                (None, Some(minor)) => sources[place(minor)] += whole * minor.div(),
                (None, None) => {}
            }
        }
        sources
    };
    for (slot, number) in memory.iter().enumerate() {
        let slot = slot as Size;
        let linear = formula.swizzle().apply(slot);
        let found = index(linear);
        let mut is_element =
            linear < size && found.iter().zip(dims).all(|(index, dim)| index < dim);
        is_element &= formula.is_bijective() || offset(&found) == slot;
        match number {
            Some(number) => {
                let expected = unflatten(*number, dims);
                assert!(is_element && found == expected, "{text} slot {slot}: {found:?}");
                assert_eq!(offset(&expected), slot, "{text} {expected:?}");
                let printed = formula::value(&formula, &expected, &counts);
                assert_eq!(printed, slot, "{text} {expected:?}: {formula}");
            }
            None => assert!(!is_element, "{text} slot {slot}: {found:?}"),
        }
    }
}
