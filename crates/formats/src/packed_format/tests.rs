//! Types of formats against their values.

use core::marker::PhantomData;
use std::vec::Vec;

use layout::Array;
use layout::types::element::Element;
use layout::types::{DimList, NumberList, Properties, TileSpec};
use layout_core::Size;

use super::{PackedFormat, amd, ggml, instruction, nvidia, one_dnn, tensor, weights};

/// A type at the sizes of its example.
#[derive(Debug)]
pub(super) struct ExampleType {
    format: &'static str,
    text: &'static str,
    /// What its sizes have to be multiples of; empty if they can be any.
    multiples: &'static [Size],
}

pub(super) fn example_type<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties>(
    format: &'static str,
    _: PhantomData<Array<E, D, M, T, P>>,
) -> ExampleType {
    ExampleType { format, text: Array::<E, D, M, T, P>::TEXT, multiples: P::MULTIPLES }
}

/// The types have the texts of the examples, one for each, and take the same sizes.
#[test]
fn types_are_values() {
    let families = [
        one_dnn::types(),
        ggml::types(),
        weights::types(),
        tensor::types(),
        instruction::types(),
        nvidia::types(),
        amd::types(),
    ];
    let mut types = families.into_iter().flatten().collect::<Vec<_>>();
    for format in PackedFormat::ALL {
        for shape in format.examples() {
            let text = std::format!("{shape}");
            let found = types.iter().position(|of| (of.format, of.text) == (format.name(), &*text));
            let found = found.unwrap_or_else(|| panic!("no type for {format}: {text}"));
            // A size that is fixed is not a parameter.
            let multiples = format.multiples(shape.element_type()).unwrap_or(&[]).iter();
            let expected = multiples.map(|&multiple| multiple.max(1)).collect::<Vec<_>>();
            let is_any = expected.iter().all(|&multiple| multiple == 1);
            let expected = if is_any { &[] } else { &expected[..] };
            assert_eq!(types[found].multiples, expected, "{format}");
            types.swap_remove(found);
        }
    }
    assert!(types.is_empty(), "{types:?}");
}
