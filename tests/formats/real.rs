//! Lines of data against their layouts and the formats of their names; each format has its memory or its formula.

use layout::bitcast::same_bytes;
use std::collections::BTreeSet;

use layout::ArrayShape;
use layout_formats::packed_format::PackedFormat;
use layout_notation::digit_order::DigitOrder;

use layout_tests::lists;

use super::{FILES, Line, agrees, lines, memory};

/// The array that a line is about.
fn array(line: &Line, element: &str) -> ArrayShape {
    let dims = line.dims.as_ref().expect("the line has dimensions");
    let dims = match &dims[..] {
        [one] if line.block.is_some() => vec![1, *one],
        dims => dims.to_vec(),
    };
    lists::array(&format!("{element}[{}]", lists::list(&dims)))
}

fn every_layout_agrees(lines: &[Line]) -> usize {
    let mut count = 0;
    for line in lines {
        let Some(text) = &line.layout else { continue };
        let shape: ArrayShape = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(agrees(line, &shape), "{}: {text}", line.format);
        // The comparison can fail: the layout without tiles agrees only if its bytes are the same.
        let untiled = shape.with_tiles(&layout::shape::Tiles::NONE).unwrap();
        if line.memory_prefix.is_none() && line.memory_prefix_sha256.is_none() {
            let slots = [&untiled, &shape].map(ArrayShape::padded_elements);
            let is_same = slots[0] == slots[1] && same_bytes(&untiled, &shape).is_ok();
            assert_eq!(agrees(line, &untiled), is_same, "{}: {untiled}", line.format);
        }
        // The fewest tiles for the same digits have the same memory.
        if let Ok(order) = DigitOrder::sized_of(&shape) {
            let again = order.layout(&shape).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(memory(&again), memory(&shape), "{text}: {again}");
        }
        count += 1;
    }
    count
}

#[test]
fn every_layout_of_the_data_agrees() {
    let counts = FILES.iter().map(|file| every_layout_agrees(&lines(file)));
    assert_eq!(counts.collect::<Vec<_>>(), [29, 42, 18, 59, 22]);
}

/// Compares the lines with the formats of their names, and says which there were.
fn named_lines_agree(lines: &[Line]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for line in lines {
        let Some(name) = &line.name else { continue };
        let format = PackedFormat::find(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let of_line = |element: &&str| format.layout(&array(line, element)).is_ok();
        let own = format.element_types().flatten().map(|element| element.name());
        let types = line.element.as_deref().into_iter().chain(own).collect::<Vec<_>>();
        let element = types.iter().find(|element| of_line(element));
        let element = element
            .unwrap_or_else(|| panic!("{name}: {:?}", format.layout(&array(line, types[0]))));
        let shape = format.layout(&array(line, element)).unwrap();
        assert!(agrees(line, &shape), "{name}: {shape}");
        assert!(PackedFormat::of(&shape).any(|other| other == format), "{name}: {shape}");
        found.insert(format.name());
    }
    found
}

/// Whole blocks without what is not an element have the order of the codes alone.
fn block_lines_agree(lines: &[Line]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for line in lines {
        let (Some(name), Some(memory_of_blocks)) = (&line.block, &line.memory) else { continue };
        let format = PackedFormat::find(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let element = format.element_types().flatten().next().unwrap();
        let shape = format.layout(&array(line, element.name())).unwrap();
        let codes = memory_of_blocks.iter().copied().filter(Option::is_some);
        assert!(codes.eq(memory(&shape)), "{name}: {shape}");
        found.insert(format.name());
    }
    found
}

#[test]
fn every_named_format_agrees_with_its_system_or_document() {
    let mut found = BTreeSet::new();
    for file in FILES {
        let lines = lines(file);
        found.extend(named_lines_agree(&lines));
        found.extend(block_lines_agree(&lines));
    }
    found.extend(super::by_definition::compared());
    for format in PackedFormat::ALL {
        assert!(found.contains(format.name()), "{format} has no memory and no formula");
    }
}
