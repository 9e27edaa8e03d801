//! Copies of elements of 4, 2 and 1 bits, by every instruction set, against the naive model.

use std::ops::Range;

use layout::__private::core::{Plan, native};
use layout::copies::{InstructionSet, Settings};
use layout::{ArrayShape, Padding, Relayout, Size, layout, pack, unpack};
use layout_tests::bits::{get, set, shape, value};
use layout_tests::data::json;
use layout_tests::naive::Naive;
use layout_tests::pairs::{layout, swizzled_pair};
use layout_tests::random::Random;
use serde::Deserialize;

/// Element types and their bits in the source and in the destination.
const ELEMENTS: &[(&str, [usize; 2])] = &[
    ("u4", [4, 4]),
    ("s4", [4, 4]),
    ("s4", [4, 8]),
    ("u4", [4, 8]),
    ("s4", [8, 4]),
    ("u2", [2, 2]),
    ("s2", [2, 8]),
    ("u2", [8, 2]),
    ("pred", [1, 1]),
    ("s1", [1, 8]),
    ("pred", [1, 8]),
    ("pred", [8, 1]),
];

/// A number of row-major order in each slot, or padding.
type Memory = Vec<Option<Size>>;

/// Every instruction set of the machine, with and without streams and threads, and what is taken by default.
fn all_settings(random: &mut Random) -> Vec<Settings> {
    let of = |set| {
        let [streams, threads] = [(); 2].map(|()| Some(random.below(2) == 0));
        Settings { set: Some(set), streams, threads }
    };
    InstructionSet::all().map(of).chain([Settings::default()]).collect()
}

/// Every copy, in one go and in parts of any order, writes the elements and, if asked, the padding, and no other bit: not
/// around them either.
fn check(random: &mut Random, shapes: [ArrayShape; 2], memories: [Memory; 2], bits: [usize; 2]) {
    let text = format!("{} to {}", shapes[0], shapes[1]);
    let relayout = Relayout::new(&shapes[0], &shapes[1]).unwrap_or_else(|e| panic!("{text}: {e}"));
    let narrow = bits[0].min(bits[1]);
    let is_signed = shapes[0].element_type().is_signed_integer();
    let [a, b] = memories;
    // High bits of what is packed do not matter.
    let mut src = vec![0xa5; relayout.source_bytes() + 16];
    // Aligned to an element or not.
    let lead = random.below(2) * random.below(16);
    for (slot, number) in a.iter().enumerate() {
        if let Some(number) = number {
            let noise =
                value(number ^ 0x55, bits[0]) & u128::MAX.checked_shl(narrow as u32).unwrap_or(0);
            set(&mut src[lead..], slot, bits[0], value(*number, narrow) | noise);
        }
    }
    let source = &src[lead..];
    for padding in [Padding::Leave, Padding::Zero, Padding::Fill(value(77, bits[1]))] {
        let filled = match padding {
            Padding::Zero => Some(0),
            Padding::Fill(value) => Some(value),
            _ => None,
        };
        let mut expected = vec![0x5a; relayout.destination_bytes()];
        for (slot, number) in b.iter().enumerate() {
            match (number, filled) {
                (Some(number), _) => {
                    let mut value = value(*number, narrow);
                    if is_signed && bits[1] > bits[0] && value >> (narrow - 1) == 1 {
                        value |= 0xff << narrow & 0xff;
                    }
                    set(&mut expected, slot, bits[1], value);
                }
                (None, Some(value)) => set(&mut expected, slot, bits[1], value),
                (None, None) => {}
            }
        }
        for settings in all_settings(random) {
            let mut dst = vec![0x5a; expected.len() + 256];
            // Where lines begin, or anywhere.
            let lead = match random.below(2) {
                0 => dst.as_ptr().align_offset(64).min(64),
                _ => random.below(99),
            };
            let copy = &mut dst[lead..][..expected.len()];
            relayout.clone().with_settings(settings).run(source, copy, padding).unwrap();
            if *copy != expected {
                let slot =
                    (0..b.len()).find(|&i| get(copy, i, bits[1]) != get(&expected, i, bits[1]));
                panic!("{text}: {slot:?} of {bits:?}, {padding:?}, {settings:?}");
            }
            assert!(dst[..lead].iter().all(|byte| *byte == 0x5a), "{text} {settings:?}");
            let after = &dst[lead + expected.len()..];
            assert!(after.iter().all(|byte| *byte == 0x5a), "{text} {settings:?}");
        }
        let most = 1 + random.below(expected.len() + 1);
        let element = (bits[1] / 8).max(1);
        for is_asked in [true, false] {
            let mut parts = match is_asked {
                true => relayout.parts(most).collect::<Vec<_>>(),
                false => cuts(random, expected.len() / element, element),
            };
            assert_eq!(
                parts.iter().map(|part| part.len()).sum::<usize>(),
                expected.len(),
                "{text}"
            );
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{text}: {parts:?}");
            assert!(!is_asked || parts.iter().all(|part| part.len() <= element.max(16 * most)));
            random.shuffle(&mut parts);
            let mut in_parts = vec![0x5a; expected.len()];
            for part in &parts {
                let dst = &mut in_parts[part.clone()];
                let settings = all_settings(random);
                let relayout = relayout.clone().with_settings(*random.pick(&settings));
                relayout.run_part(part.clone(), source, dst, padding).unwrap();
            }
            assert_eq!(in_parts, expected, "{text} in parts {parts:?}, {padding:?}");
        }
    }
}

/// Ranges of so many elements, cut at a few places.
fn cuts(random: &mut Random, elements: usize, bytes: usize) -> Vec<Range<usize>> {
    let mut places = vec![0, elements];
    places.extend((0..random.below(12)).map(|_| random.below(elements + 1)));
    places.sort_unstable();
    places.windows(2).map(|ends| ends[0] * bytes..ends[1] * bytes).collect()
}

pub(crate) fn check_naive(random: &mut Random, pair: [&Naive; 2], element: &str, bits: [usize; 2]) {
    let shapes = [shape(pair[0], element, bits[0]), shape(pair[1], element, bits[1])];
    let is_empty = pair[0].dims.contains(&0);
    let memories = pair.map(|naive| if is_empty { vec![] } else { naive.memory() });
    check(random, shapes, memories, bits);
}

#[test]
fn random_pairs() {
    let mut random = Random::new(151);
    let (mut linear, mut in_blocks) = (0, 0);
    for number in 0..160 {
        let [a, b] = swizzled_pair(&mut random, if number % 8 == 0 { 60_000 } else { 4000 });
        let (element, bits) = *random.pick(ELEMENTS);
        let digits = [&a, &b].map(|naive| shape(naive, element, 8).digits().unwrap());
        linear += usize::from(a.swizzle.or(b.swizzle).is_none());
        in_blocks += usize::from(!Plan::new(&digits[0], &digits[1], 0).is_general());
        check_naive(&mut random, [&a, &b], element, bits);
    }
    // All others share no split; swizzled ones share none.
    assert!(linear > 80 && in_blocks * 4 > linear * 3, "{in_blocks} of {linear} in blocks");
}

/// Layouts of weights, at sizes of more than a block and with rows that end within a byte.
#[test]
fn weights() {
    let tilings: &[&[&[Size]]] = &[
        &[],
        &[&[8, 1]],
        &[&[2], &[4, 1]],
        &[&[16], &[2, 1]],
        &[&[16, 1]],
        &[&[4, 64], &[8], &[4, 1]],
        &[&[16, 8], &[8, 1], &[8, 2, 1, 2, 1], &[2, 2, 1, 1, 1]],
        &[&[8, 128], &[8, 1]],
        &[&[32, 128], &[8, 1]],
    ];
    let mut random = Random::new(152);
    for _ in 0..30 {
        let dims =
            *random.pick(&[[64, 512], [96, 320], [101, 333], [47, 130], [33, 1001], [256, 192]]);
        let naive = |random: &mut Random| {
            let tiles = random.pick(tilings).iter();
            let tiles = tiles.map(|tile| tile.iter().map(|size| Some(*size)).collect()).collect();
            let minor_to_major = if random.below(3) == 0 { vec![0, 1] } else { vec![1, 0] };
            Naive { dims: dims.to_vec(), minor_to_major, tiles, ..Naive::default() }
        };
        let [a, b] = [naive(&mut random), naive(&mut random)];
        let (element, bits) = *random.pick(ELEMENTS);
        check_naive(&mut random, [&a, &b], element, bits);
    }
}

/// Rows that begin within a byte, on one side or on both: of long runs and of blocks of whole words, with padding in
/// the byte where they end.
#[test]
fn rows_that_begin_within_a_byte() {
    let mut random = Random::new(156);
    let of = |dims: &[Size], minor_to_major: &[usize], tile: &[Size]| Naive {
        dims: dims.to_vec(),
        minor_to_major: minor_to_major.to_vec(),
        tiles: vec![tile.iter().map(|size| Some(*size)).collect()],
        ..Naive::default()
    };
    let rows = |tile: &[Size]| of(&[3, 8, 1, 132], &[3, 2, 1, 0], tile);
    let [even, odd] = [rows(&[32]), rows(&[31])];
    let columns = of(&[64, 16], &[0, 1], &[1]);
    let padded = of(&[64, 16], &[1, 0], &[1, 17]);
    for (a, b) in [(&even, &odd), (&odd, &even), (&odd, &odd), (&columns, &padded)] {
        for (element, bits) in [("f4e2m1fn", 4), ("u2", 2), ("pred", 1)] {
            check_naive(&mut random, [a, b], element, [bits, bits]);
        }
    }
}

/// Every small matrix and its transpose, and into every small tile.
#[test]
fn small_matrices() {
    let mut random = Random::new(153);
    for rows in 1..=9 {
        for columns in 1..=9 {
            let of = |minor_to_major: &[usize], tiles: &[&[Size]]| Naive {
                dims: vec![rows, columns],
                minor_to_major: minor_to_major.to_vec(),
                tiles: tiles
                    .iter()
                    .map(|tile| tile.iter().map(|size| Some(*size)).collect())
                    .collect(),
                ..Naive::default()
            };
            let all = [
                of(&[1, 0], &[]),
                of(&[0, 1], &[]),
                of(&[1, 0], &[&[2, 4]]),
                of(&[1, 0], &[&[4, 2], &[2, 1]]),
                of(&[0, 1], &[&[3, 2]]),
            ];
            let (a, b) = (random.pick(&all).clone(), random.pick(&all).clone());
            for (element, bits) in ELEMENTS {
                check_naive(&mut random, [&a, &b], element, *bits);
            }
        }
    }
}

/// Many dimensions: more digits than a block has room for.
#[test]
fn many_dimensions() {
    let mut random = Random::new(254);
    for _ in 0..30 {
        let dims = (0..8 + random.below(6)).map(|_| 1 + random.below_size(3)).collect::<Vec<_>>();
        if dims.iter().product::<Size>() > 30_000 {
            continue;
        }
        let [a, b] = [(); 2].map(|()| Naive { tiles: vec![], ..layout(&mut random, &dims, false) });
        let (element, bits) = *random.pick(ELEMENTS);
        check_naive(&mut random, [&a, &b], element, bits);
    }
}

#[derive(Deserialize)]
struct Line {
    layout: Option<String>,
    memory: Option<Vec<Option<usize>>>,
}

/// What the real systems put into memory, from rows and back.
#[test]
fn packed_formats_by_name() {
    let mut random = Random::new(155);
    let mut checked = 0;
    for file in ["ggml", "quant", "documented"] {
        for line in json::<Line>(&format!("packed/{file}.jsonl")) {
            let (Some(layout), Some(memory)) = (line.layout, line.memory) else { continue };
            let Ok(format) = layout.parse::<ArrayShape>() else { continue };
            let bits = native(format.element_bits());
            if !matches!(bits, 1 | 2 | 4) || format.padded_elements() != Some(memory.len() as Size)
            {
                continue;
            }
            let memory = memory.iter().map(|number| number.map(|n| n as Size)).collect::<Vec<_>>();
            let array = layout.split('{').next().unwrap_or_default();
            let order = (0..format.rank()).rev().map(|dim| dim.to_string()).collect::<Vec<_>>();
            for wide in [bits, 8] {
                let rows = format!("{array}{{{}:E({wide})}}", order.join(","));
                let rows: ArrayShape = rows.replace(":E(8)", "").parse().unwrap();
                let numbers = (0..memory.iter().flatten().count()).map(|n| Some(n as Size));
                let numbers = numbers.collect::<Vec<_>>();
                check(&mut random, [rows, format], [numbers.clone(), memory.clone()], [wide, bits]);
                check(&mut random, [format, rows], [memory.clone(), numbers], [bits, wide]);
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked} lines");
}

/// A `bool` is 0 or 1, whatever the bits of its element.
#[test]
fn bools() {
    type Packed = layout!(PRED[2,3]{1,0:E(4)});
    type Bytes = layout!(PRED[2,3]{0,1});
    let mut bools = [false; 6];
    unpack::<Packed, Bytes, bool>(&[0x3e, 0xf0, 0x21], &mut bools, Padding::Zero).unwrap();
    // Rows e, 3, 0 and f, 1, 2.
    assert_eq!(bools, [false, true, true, true, false, false]);
    let mut packed = [0x55; 4];
    pack::<Bytes, Packed, bool>(&bools, &mut packed, Padding::Zero).unwrap();
    assert_eq!(packed, [0x10, 0x10, 0x01, 0x55]);
}
