//! Layouts as texts and back, in every notation: the same memory, over every small layout and random ones.

use layout_notation::notation::{NotExpressible, OneDnn};
use layout_tests::amount::is_full;
use layout_tests::lists::{self, list};
use layout_tests::random::Random;

use crate::of_data::Counts;
use crate::packed::array;
use crate::{Case, cases};

#[test]
fn every_notation() {
    let (mut counts, mut total) = (Counts::default(), 0);
    cases(&mut |case: Case| {
        total += 1;
        counts.check(&case.shape, &array(&case.naive.dims));
    });
    let names = ["onednn", "tvm", "einops", "cute", "cute, padded", "mosaic", "pack", "jax"];
    let said = names.map(|name| counts.of(name, "read"));
    if !is_full() {
        assert!(total > 7000 && said.iter().all(|&count| count > 300), "{total} {said:?}");
        return;
    }
    assert_eq!(total, 37_982);
    assert_eq!(said, [4201, 4201, 4559, 25_010, 31_056, 1993, 5996, 37_048]);
}

/// Up to eight tiles, which pad what others cut, and swizzles.
#[test]
fn many_tiles() {
    let (mut counts, mut random) = (Counts::default(), Random::new(5));
    for number in 0..2000 {
        let rank = 1 + random.below(4);
        let mut sizes = |most| (0..rank).map(|_| 1 + random.below_size(most)).collect::<Vec<_>>();
        let (dims, tiles) = (sizes(6), [sizes(4), sizes(3), sizes(2)]);
        let tiles = (0..1 + random.below(8)).map(|_| {
            let tile = &tiles[random.below(3)];
            format!("({})", list(&tile[..1 + random.below(rank)]))
        });
        let (tiles, order) = (tiles.collect::<String>(), random.order(rank));
        let swizzle =
            ["}", "L(32)}, swizzle = 128B", "L(64)}, swizzle = elements<2,1,3>"][number % 3];
        let text = format!("f32[{}]{{{}:T{tiles}{swizzle}", list(&dims), list(&order));
        counts.check(&lists::array(&text), &array(&dims));
    }
    let said = ["cute", "cute, padded", "tvm_tile", "mosaic"].map(|name| counts.of(name, "read"));
    assert!(said.iter().all(|&count| count > 100), "{said:?}");
}

#[test]
fn names_of_dimensions() {
    let tag = OneDnn::of(&array(&[4, 6])).unwrap();
    assert_eq!(tag.with_names("n").unwrap_err(), NotExpressible::Names { names: 1, rank: 2 });
    assert_eq!(tag.with_names("NC").unwrap_err(), NotExpressible::Names { names: 2, rank: 2 });
}
