//! Names, sizes and what is wrong with them.

use layout::bitcast::same_bytes;
use std::collections::BTreeSet;

use layout::ArrayShape;
use layout_formats::packed_format::{BlockFormat, Family, MosaicGpu, NOT_LAYOUTS, PackedFormat};
use layout_tests::lists::{array, list};
use layout_tests::table::{self, or_message, or_none};

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

#[test]
fn names_are_found() {
    let mut names = BTreeSet::new();
    for format in PackedFormat::ALL {
        for name in [&[format.name()], format.aliases()].concat() {
            assert_eq!(PackedFormat::find(name), Ok(*format), "{name}");
            assert_eq!(name.to_uppercase().parse(), Ok(*format), "{name}");
            assert!(names.insert(letters(name)), "{name} is there twice");
        }
        assert!(format.definition().starts_with("https://"), "{format}");
        assert!(
            !format.description().is_empty() && !format.description().ends_with('.'),
            "{format}"
        );
        assert_eq!(format.dim_names().split(',').count(), format.rank(), "{format}");
    }
    for one in NOT_LAYOUTS {
        for name in one.names() {
            let error = PackedFormat::find(name).unwrap_err().to_string();
            assert!(error.contains(one.reason()) && error.contains(one.instead()), "{error}");
            assert!(names.insert(letters(name)), "{name} is there twice");
        }
    }
    assert!(PackedFormat::ALL.len() >= 40);
    // One family after another.
    let families = PackedFormat::ALL.iter().map(|format| format.family()).collect::<Vec<_>>();
    let mut distinct = families.clone();
    distinct.dedup();
    assert_eq!(distinct, Family::ALL);
}

/// Each format at its own examples is itself, and takes what it says that it takes.
#[test]
fn examples_are_in_their_formats() {
    for format in PackedFormat::ALL {
        for (shape, elements) in format.examples().zip(format.element_types()) {
            assert_eq!(format.layout(&shape), Ok(shape), "{format}");
            assert!(PackedFormat::of(&shape).any(|other| other == *format), "{format}");
            assert!(elements.is_empty() || elements.contains(&shape.element_type()), "{format}");
            for element in elements {
                let other = format.layout(&shape.with_element_type(*element).unwrap()).unwrap();
                assert_eq!(other.element_bits(), element.bits(), "{format}");
            }
            // Another order of dimensions is not the format, but where both are one.
            let order = shape.minor_to_major().iter().rev().copied().collect::<Vec<_>>();
            let plain = shape.without_layout().unwrap();
            let mut other = plain.laid_out(&order, shape.tiles()).unwrap();
            if shape.element_size_in_bits().is_some() {
                other = other.with_packed_elements(true).unwrap();
            }
            let is_same = same_bytes(&shape, &other).is_ok();
            assert_eq!(
                PackedFormat::of(&other).any(|found| found == *format),
                is_same,
                "{format}: {other}"
            );
        }
    }
}

#[test]
fn stacks() {
    let marlin = PackedFormat::find("marlin").unwrap();
    let shape = marlin.layout(&"u4[8,32,64]".parse().unwrap()).unwrap();
    let one = marlin.layout(&"u4[32,64]".parse().unwrap()).unwrap();
    assert_eq!(
        shape.digits().unwrap().offset(&[3, 17, 40]),
        Some(3 * 32 * 64 + one.digits().unwrap().offset(&[17, 40]).unwrap())
    );
    assert!(PackedFormat::of(&shape).any(|format| format == marlin));
}

#[test]
fn worked_examples() {
    table::check("packed_formats", &mut |question, columns| match (question, columns) {
        ("array" | "layout", [name, of]) => {
            let format = PackedFormat::find(name).unwrap();
            let layout = format.layout(&array(of));
            assert!(!layout.is_ok_and(|layout| PackedFormat::of(&layout).all(|it| it != format)));
            or_message(layout)
        }
        ("name", [name]) => PackedFormat::find(name).unwrap_err().to_string().replace('\n', "\\n"),
        ("of", [layout]) => {
            list(&PackedFormat::of(&array(layout)).map(|it| it.name()).collect::<Vec<_>>())
        }
        ("Mosaic GPU", [name, of]) => or_message(MosaicGpu::find(name).unwrap().layout(&array(of))),
        ("part", [block, part]) => {
            let part = BlockFormat::find(block).unwrap().part(part).unwrap();
            [part.base(), part.pitch()].map(or_none).join(", ")
        }
        ("block", [name]) => or_message(BlockFormat::find(name).map(|block| block.name())),
        _ => panic!("unknown question"),
    });
    assert!(PackedFormat::find(&"marlin".repeat(1000)).is_err());
}

/// Arrays at the limits: a layout or an error, and no name that is not so.
#[test]
fn hostile_arrays() {
    let mut random = layout_tests::random::Random::new(41);
    let sizes = "0 1 8 16 32 64 256 ? <=64 4611686018427387904 3037000500 9223372036854775807";
    let sizes = sizes.split(' ').collect::<Vec<_>>();
    let elements = ["u1", "u2", "u4", "s8", "f16", "f32", "f64", "pred", "f4e2m1fn"];
    let mut count = 0;
    for _ in 0..150 {
        let dims =
            (0..random.below(7)).map(|_| sizes[random.below(sizes.len())]).collect::<Vec<_>>();
        let text = format!("{}[{}]", elements[random.below(elements.len())], dims.join(","));
        let Ok(array) = text.parse::<ArrayShape>() else { continue };
        for format in PackedFormat::ALL {
            let Ok(shape) = format.layout(&array) else { continue };
            assert_eq!(shape.dims(), array.dims(), "{format} {text}");
            assert_eq!(shape.to_string().parse(), Ok(shape), "{format} {text}");
            assert!(PackedFormat::of(&shape).any(|other| other == *format), "{format} {shape}");
            let _ = format.lane_and_value_of(&array, &vec![0; array.rank()]);
            count += 1;
        }
        for tiled in MosaicGpu::ALL {
            let _ = tiled.layout(&array).map_err(|error| error.to_string());
            let _ = tiled.thread_and_value_of(&array, &vec![0; array.rank()]);
        }
    }
    assert!(count > 200, "{count}");
}
