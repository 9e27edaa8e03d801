//! Random layouts against the naive model, and the laws that hold for all of them.

use layout::shape::Size;
use layout_tests::amount::times;
use layout_tests::lists::array;
use layout_tests::naive::Naive;
use layout_tests::random::Random;
use layout_tests::{agree, fuzz};

/// Memory of a random layout, in elements.
const LIMIT: Size = 20_000;

/// Calls a check with random numbers, of other seeds each time.
fn repeat(full: usize, mut check: impl FnMut(&mut Random)) {
    (0..times(full) as u64).for_each(|seed| check(&mut Random::new(seed)));
}

/// A layout of rank 0 to 8 with 0 to 4 tiles, stars among them.
fn layout(random: &mut Random) -> Naive {
    loop {
        let rank = random.below(9);
        let largest = [30, 40, 20, 12, 7, 5, 4, 3, 3][rank];
        let size = |random: &mut Random| match random.below(61) {
            0 => 0,
            _ => 1 + random.below_size(largest),
        };
        let dims = (0..rank).map(|_| size(random)).collect::<Vec<_>>();
        let is_padded = random.below(5) == 0;
        let widened =
            is_padded.then(|| dims.iter().map(|dim| dim + random.below_size(3)).collect());
        let naive = Naive {
            minor_to_major: random.order(rank),
            padded: widened,
            tiles: (0..random.below(5)).map(|_| tile(random)).collect(),
            tail_alignment: if random.below(5) == 0 { 2 + random.below_size(48) } else { 1 },
            swizzle: None,
            dims,
        };
        if naive.size_within(LIMIT).is_some() {
            return naive;
        }
    }
}

fn tile(random: &mut Random) -> Vec<Option<Size>> {
    let entry = |random: &mut Random| match random.below(9) {
        0 | 1 => None,
        2 => Some(9 + random.below_size(122)),
        _ => Some(1 + random.below_size(8)),
    };
    let mut tile = (0..random.below(5)).map(|_| entry(random)).collect::<Vec<_>>();
    // The most minor entry has nothing to combine with.
    tile.push(Some(1 + random.below_size(9)));
    tile
}

#[test]
fn agrees_with_the_naive_model() {
    repeat(3000, |random| agree::check(&layout(random)));
}

/// Cutting a dimension into tiles of 1 changes nothing, nor does a tile that covers the array.
#[test]
fn tiles_without_effect() {
    repeat(3000, |random| {
        let naive = layout(random);
        let plain = Naive { tiles: Vec::new(), padded: None, tail_alignment: 1, ..naive };
        let ones = Naive { tiles: vec![vec![Some(1); plain.dims.len().max(1)]], ..plain.clone() };
        let whole = plain.minor_to_major.iter().rev().map(|&dim| Some(plain.dims[dim].max(1)));
        let whole = whole.collect::<Vec<_>>();
        let text = plain.text("f32");
        assert_eq!(plain.memory(), ones.memory(), "{text}");
        let shape = |naive: &Naive| array(&naive.text("f32"));
        let mut same = vec![shape(&ones)];
        if !whole.is_empty() {
            same.push(shape(&Naive { tiles: vec![whole], ..plain.clone() }));
        }
        let same = same.iter().map(|other| other.digits().unwrap()).collect::<Vec<_>>();
        let expected = shape(&plain).digits().unwrap();
        for index in plain.indices() {
            for other in &same {
                assert_eq!(other.offset(&index), expected.offset(&index), "{text}");
            }
        }
    });
}

/// So many of these characters, up to a number.
fn any_of(random: &mut Random, characters: &str, most: usize) -> String {
    let characters = characters.chars().collect::<Vec<_>>();
    (0..random.below(most + 1)).map(|_| *random.pick(&characters)).collect()
}

/// No text makes the parser panic, and what it accepts it prints and reads back.
#[test]
fn any_text() {
    repeat(3000, |random| {
        let character = |random: &mut Random| loop {
            let most = *random.pick(&[0x7f, 0x7f, 0x800, 0x1_0000, 0x11_0000]);
            let character = char::from_u32(random.below(most) as u32);
            if let Some(character) = character.filter(|c| !c.is_control()) {
                return character;
            }
        };
        let text = (0..random.below(61)).map(|_| character(random)).collect::<String>();
        fuzz::parser(&text);
    });
}

/// Nor do texts that look like the notation; their faults lie inside them.
#[test]
fn any_notation() {
    repeat(3000, |random| {
        let name = *random.pick(&["f32", "BF16", "s4", "x", "(", "b("]);
        let dims = match random.below(2) {
            0 => String::new(),
            _ => format!("[{}]", any_of(random, "0123456789,<=?*-", 8)),
        };
        let open = *random.pick(&["", "{", "<"]);
        let layout = any_of(random, "0123456789,:TLES#*SCPMDAFIL() -", 30);
        let close = any_of(random, ")}>", 2);
        fuzz::parser(&format!("{name}{dims}{open}{layout}{close}"));
    });
}
