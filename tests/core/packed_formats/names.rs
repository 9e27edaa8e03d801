//! Names, sizes and what is wrong with them.

use std::collections::BTreeSet;

use layout::packed_format::{Family, NOT_LAYOUTS, PackedFormat};
use layout::{ArrayShape, xla};

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
            let dims = shape.dims();
            let other = xla::make_shape_with_dense_layout(
                shape.element_type(),
                dims,
                &order,
                shape.tiles(),
            );
            let mut other = other.unwrap();
            if shape.element_size_in_bits().is_some() {
                other = other.with_packed_elements(true).unwrap();
            }
            let is_same = shape.same_bytes(&other).is_ok();
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
    let tile = PackedFormat::find("tt tile").unwrap();
    let shape = tile.layout(&"bf16[2,3,40,50]".parse().unwrap()).unwrap();
    assert_eq!(shape.to_string(), "bf16[2,3,40,50]{3,2,1,0:T(32,32)(16,16)}");
}

#[test]
fn unknown_sizes() {
    let marlin = PackedFormat::find("marlin").unwrap();
    let shape = marlin.layout(&"u4[?,64]".parse().unwrap()).unwrap();
    assert_eq!(shape.to_string(), "u4[?,64]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}");
    assert!(PackedFormat::of(&shape).any(|format| format == marlin));
}

/// Redundant and other tiles with the same memory are found.
#[test]
fn other_texts() {
    let names = |text: &str| {
        let shape: ArrayShape = text.parse().unwrap();
        PackedFormat::of(&shape).map(|format| format.name()).collect::<Vec<_>>()
    };
    assert_eq!(names("f32[1,32,2,3]{3,2,1,0:T(1,16,1,1)}"), ["nChw16c"]);
    assert_eq!(names("f16[32,32]{0,1:T(16,32)(16,16)(16,1)}"), ["FRACTAL_NZ"]);
    assert_eq!(names("f32[5,7]{1,0}"), Vec::<&str>::new());
    // The elements are where the format has them, but the padding is not there.
    assert_eq!(names("f32[1,20,1,1]{3,2,1,0}"), Vec::<&str>::new());
    assert_eq!(names("f32[1,20,1,1]{3,2,1,0:T(16,1,1)}"), ["nChw16c"]);
    // The same order, but of bytes that are not packed.
    assert_eq!(names("u4[3,24]{1,0:T(2)(4,1)}"), Vec::<&str>::new());
    assert_eq!(names("u4[3,24]{1,0:T(2)(4,1)E(4)}"), ["awq", "awq_qzeros"]);
}

#[test]
fn wrong_arrays() {
    for (name, array, expected) in [
        (
            "marlin",
            "u4[64,100]",
            "`marlin` takes multiples of 64 for `N`, but dimension 1 has size 100: pad it to 128",
        ),
        (
            "marlin",
            "u4[2,24,64]",
            "`marlin` takes multiples of 16 for `K`, but dimension 1 has size 24: pad it to 32",
        ),
        (
            "marlin",
            "u8[64,128]",
            "`marlin` does not hold elements of type `u8`: write `u4` or `s4`",
        ),
        ("marlin", "u4[64]", "`marlin` is an array of 2 dimensions, `[K,N]`, but this one has 1"),
        (
            "gptq_qzeros",
            "u2[5,24]",
            "`gptq_qzeros` takes multiples of 16 for `N`, but dimension 1 has size 24: pad it to 32",
        ),
        (
            "marlin_scales_channel",
            "f16[2,64]",
            "`marlin_scales_channel` has fixed sizes: write `f16[1,N]`",
        ),
        ("quanto", "u4[3,4,3]", "`quanto` has fixed sizes: write `u4[2,row,K]`, `u2[4,row,K]`"),
        (
            "quanto",
            "u4[6,4]",
            "`quanto` is an array of 3 dimensions, `[part,row,K]`, but this one has 2",
        ),
        (
            "nChw16c",
            "f32[2,3]",
            "`nChw16c` is an array of 4 dimensions, `[N,C,H,W]`, but this one has 2",
        ),
        (
            "mma.m16n8k16.A",
            "f16[16,8]",
            "`mma.m16n8k16.A` has fixed sizes: write `f16[16,16]`, `s8[16,16]`, `f64[16,16]`",
        ),
        (
            "mma.m16n8k64.B",
            "f16[8,64]",
            "`mma.m16n8k64.B` does not hold elements of type `f16`: write `u4` or `s4`",
        ),
        (
            "q8_0_4_8",
            "s8[6,64]",
            "`q8_0_4_8` takes multiples of 4 for `N`, but dimension 0 has size 6: pad it to 8",
        ),
    ] {
        let format = PackedFormat::find(name).unwrap();
        let error = format.layout(&array.parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{name} {array}");
    }
}

#[test]
fn unknown_names() {
    for (name, expected) in [
        ("marln", "no packed format has this name: did you mean `marlin`?"),
        ("nchw16", "no packed format has this name: did you mean `nChw16c`?"),
        ("q4_0_4_9", "no packed format has this name: did you mean `q4_0_4_4`?"),
        ("", "no packed format has this name: `layout formats` lists them"),
        ("ß", "no packed format has this name: `layout formats` lists them"),
        ("marlinß", "no packed format has this name: did you mean `marlin`?"),
    ] {
        assert_eq!(PackedFormat::find(name).unwrap_err().to_string(), expected, "{name}");
    }
    let long = "marlin".repeat(1000);
    assert!(PackedFormat::find(&long).is_err());
    let q6_k = PackedFormat::find("Q6_K").unwrap_err().to_string();
    assert_eq!(
        q6_k,
        "`q6_k` is not one layout: its codes are split into bit planes, and a layout keeps the bits of an element \
         together\n  = help: each plane is an array of its own: `BlockFormat` has them with their places in the block"
    );
}

/// The types have the texts of the examples, one for each, and take the same sizes.
#[test]
fn types_are_values() {
    let mut types = super::types::all();
    for format in PackedFormat::ALL {
        for shape in format.examples() {
            let text = shape.to_string();
            let found = types.iter().position(|of| (of.format, of.text) == (format.name(), &*text));
            let found = found.unwrap_or_else(|| panic!("no type for {format}: {text}"));
            // A size that is fixed is not a parameter.
            let multiples = format.multiples(shape.element_type()).unwrap_or(&[]).iter();
            let expected = multiples.map(|&multiple| multiple.max(1)).collect::<Vec<_>>();
            let is_any = expected.iter().all(|&multiple| multiple == 1);
            assert_eq!(
                types[found].multiples,
                if is_any { &[] } else { &expected[..] },
                "{format}"
            );
            types.swap_remove(found);
        }
    }
    assert!(types.is_empty(), "{types:?}");
}

/// Arrays at the limits: a layout or an error, and no name that is not so.
#[test]
fn hostile_arrays() {
    let mut random = layout_tests::random::Random::new(41);
    let sizes = [
        "0",
        "1",
        "8",
        "16",
        "32",
        "64",
        "256",
        "?",
        "<=64",
        "4611686018427387904",
        "3037000500",
        "9223372036854775807",
    ];
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
        for tiled in layout::packed_format::MosaicGpu::ALL {
            let _ = tiled.layout(&array).map_err(|error| error.to_string());
            let _ = tiled.thread_and_value_of(&array, &vec![0; array.rank()]);
        }
    }
    assert!(count > 200, "{count}");
}
