//! Random layouts against the naive model, and the laws that hold for all of them.

use layout::Size;
use layout_tests::amount::times;
use layout_tests::lists::array;
use layout_tests::naive::Naive;
use layout_tests::{agree, fuzz};
use proptest::prelude::*;

/// Memory of a random layout, in elements.
const LIMIT: Size = 20_000;

/// Layouts of rank 0 to 8 with 0 to 4 tiles, stars among them.
fn layouts() -> impl Strategy<Value = Naive> {
    let rank = 0..=8usize;
    rank.prop_flat_map(|rank| {
        let largest = [30 as Size, 40, 20, 12, 7, 5, 4, 3, 3][rank];
        let size = prop_oneof![1 => Just(0), 60 => 1..=largest];
        let dims = prop::collection::vec(size, rank);
        let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
        let padding = prop::option::weighted(0.2, prop::collection::vec(0..3 as Size, rank));
        let tail = prop_oneof![4 => Just(1 as Size), 1 => 2..50 as Size];
        (dims, order, padding, tiles(), tail)
    })
    .prop_map(|(dims, minor_to_major, padding, tiles, tail_alignment)| {
        let padded =
            padding.map(|more| dims.iter().zip(more).map(|(dim, more)| dim + more).collect());
        Naive { dims, minor_to_major, padded, tiles, tail_alignment, swizzle: None }
    })
    .prop_filter("too large", |naive| naive.size_within(LIMIT).is_some())
}

fn tiles() -> impl Strategy<Value = Vec<Vec<Option<Size>>>> {
    let size = prop_oneof![6 => (1..=8 as Size).prop_map(Some), 1 => (9..=130 as Size).prop_map(Some), 2 => Just(None)];
    let tile = (prop::collection::vec(size, 0..=4), 1..=9 as Size).prop_map(|(mut tile, last)| {
        // The most minor entry has nothing to combine with.
        tile.push(Some(last));
        tile
    });
    prop::collection::vec(tile, 0..=4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: times(3000) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_naive_model(naive in layouts()) {
        agree::check(&naive);
    }

    /// The range of an index of dimension 0 has its elements and no others; without one, such slices lie in turns.
    #[test]
    fn leading_ranges(naive in layouts()) {
        let (shape, memory) = (array(&naive.text("f32")), naive.memory());
        let Some(&size) = naive.dims.first().filter(|_| shape.elements() != Some(0)) else { return Ok(()) };
        // Memory holds row-major numbers.
        let slice = naive.dims[1..].iter().product::<Size>();
        let ranges = (0..size).map(|index| shape.leading_range(index)).collect::<Vec<_>>();
        prop_assert_eq!(shape.leading_range(size), None);
        let slots = |at: Size| {
            let slots = memory.iter().enumerate();
            slots.filter_map(move |(slot, index)| ((*index)? / slice == at).then_some(slot)).collect::<Vec<_>>()
        };
        if ranges.iter().any(Option::is_none) {
            prop_assert!(ranges.iter().all(Option::is_none));
            let spans = (0..size).map(|at| (slots(at)[0], *slots(at).last().unwrap())).collect::<Vec<_>>();
            let cross = spans.windows(2).any(|two| two[0].0 < two[1].1 && two[1].0 < two[0].1);
            let combines = naive.tiles.iter().flatten().any(Option::is_none) || naive.tiles.len() > 1;
            prop_assert!(cross || combines, "{shape}");
        }
        for (at, range) in ranges.into_iter().enumerate().filter_map(|(at, range)| Some((at, range?))) {
            let (start, end) = (range.start / 4, range.end / 4);
            prop_assert!(end <= memory.len());
            let within = memory[start..end].iter().flatten().filter(|number| **number / slice == at).count();
            prop_assert_eq!(within, memory[start..end].iter().flatten().count());
            prop_assert_eq!(within, slots(at).len());
        }
    }

    /// Cutting a dimension into tiles of 1 changes nothing, nor does a tile that covers the array.
    #[test]
    fn tiles_without_effect(naive in layouts()) {
        let plain = Naive { tiles: Vec::new(), padded: None, tail_alignment: 1, ..naive };
        let ones = Naive { tiles: vec![vec![Some(1); plain.dims.len().max(1)]], ..plain.clone() };
        let whole = plain.minor_to_major.iter().rev().map(|&dim| Some(plain.dims[dim].max(1))).collect::<Vec<_>>();
        prop_assert_eq!(plain.memory(), ones.memory());
        let shape = |naive: &Naive| array(&naive.text("f32"));
        let mut same = vec![shape(&ones)];
        if !whole.is_empty() {
            same.push(shape(&Naive { tiles: vec![whole], ..plain.clone() }));
        }
        let same = same.iter().map(|other| other.digits().unwrap()).collect::<Vec<_>>();
        let expected = shape(&plain).digits().unwrap();
        for index in plain.indices() {
            for other in &same {
                prop_assert_eq!(other.offset(&index), expected.offset(&index));
            }
        }
    }

    /// No text makes the parser panic, and what it accepts it prints and reads back.
    #[test]
    fn any_text(text in "\\PC{0,60}") {
        fuzz::parser(&text);
    }

    /// Nor do texts that look like the notation; their faults lie inside them.
    #[test]
    fn any_notation(text in "(f32|BF16|s4|x|\\(|b\\()(\\[[0-9,<=?*-]{0,8}\\])?[{<]?[0-9,:TLES#*SCPMDAFIL() -]{0,30}[)}>]{0,2}") {
        fuzz::parser(&text);
    }
}
