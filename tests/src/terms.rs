//! Whether the terms in plain numbers, evaluated as their documentation says, agree with the naive model.

use layout::analysis::TermDigit;
use layout::{ArrayShape, Size};

use crate::naive::unflatten;

/// Compares every element and every slot.
///
/// # Panics
/// At the first difference.
pub(crate) fn check(shape: &ArrayShape, dims: &[Size], memory: &[Option<Size>], text: &str) {
    let terms = shape.terms();
    let counts = terms.counts(dims).expect("as many sizes as dimensions");
    let size = terms.size().value(&counts);
    let offset = |index: &[Size]| {
        let mut sources = index.to_vec();
        let value = |sources: &[Size], digit: TermDigit| {
            let whole = sources[digit.source] / digit.div;
            digit.modulus.map_or(whole, |modulus| whole % modulus)
        };
        for sum in terms.sums() {
            let part = |digit: Option<TermDigit>| digit.map_or(0, |digit| value(&sources, digit));
            let sum = part(sum.major) * sum.factor.value(&counts) + part(sum.minor);
            sources.push(sum);
        }
        let term =
            terms.terms().map(|term| value(&sources, term.digit) * term.stride.value(&counts));
        term.sum::<Size>()
    };
    let index = |slot: Size| {
        let mut sources = vec![0; dims.len() + terms.sums().len()];
        for term in terms.terms() {
            let value = slot / term.stride.value(&counts) % term.bound.value(&counts);
            sources[term.digit.source] += value * term.digit.div;
        }
        let sums: Vec<_> = terms.sums().collect();
        for sum in sums.iter().rev() {
            let whole = sources.pop().expect("a source for each sum");
            let factor = sum.factor.value(&counts);
            match (sum.major, sum.minor) {
                (Some(major), minor) => {
                    sources[major.source] += whole / factor * major.div;
                    if let Some(minor) = minor {
                        sources[minor.source] += whole % factor * minor.div;
                    }
                }
                (None, Some(minor)) => sources[minor.source] += whole * minor.div,
                (None, None) => {}
            }
        }
        sources
    };
    for (slot, number) in memory.iter().enumerate() {
        let slot = slot as Size;
        let found = index(slot);
        let mut is_element = slot < size && found.iter().zip(dims).all(|(index, dim)| index < dim);
        is_element &= terms.is_bijective() || offset(&found) == slot;
        match number {
            Some(number) => {
                let expected = unflatten(*number, dims);
                assert!(is_element && found == expected, "{text} slot {slot}: {found:?}");
                assert_eq!(offset(&expected), slot, "{text} {expected:?}");
            }
            None => assert!(!is_element, "{text} slot {slot}: {found:?}"),
        }
    }
}
