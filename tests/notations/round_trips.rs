//! Layouts as texts and back, in every notation: the same memory, over every small layout and random ones.

use layout_notation::notation::{NotExpressible, OneDnn};
use layout_tests::amount::is_full;
use layout_tests::lists::list;
use layout_tests::random::Random;

use crate::of_data::Counts;
use crate::{Case, cases};
use layout_tests::lists::floats;

#[test]
fn every_notation() {
    let (mut counts, mut total) = (Counts::default(), 0);
    cases(&mut |case: Case| {
        total += 1;
        counts.check(&case.shape, &floats(&case.naive.dims));
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

/// Up to eight tiles, which pad what others cut, joined dimensions, and swizzles.
#[test]
fn many_tiles() {
    let (mut counts, mut random) = (Counts::default(), Random::new(5));
    for number in 0..4000 {
        let rank = 1 + random.below(if number % 2 == 0 { 4 } else { 16 });
        let dims = (0..rank).map(|_| 1 + random.below_size(if rank > 4 { 2 } else { 6 }));
        let dims = dims.collect::<Vec<_>>();
        let tiles = (0..1 + random.below(8)).map(|_| {
            let mut entries = (0..1 + random.below(rank.min(6)))
                .map(
                    |_| if random.below(4) == 0 { "*".into() } else { random.below(5).to_string() },
                )
                .map(|entry| entry.replace('0', "1"))
                .collect::<Vec<_>>();
            *entries.last_mut().unwrap() = (1 + random.below(5)).to_string();
            format!("({})", list(&entries))
        });
        let (tiles, order) = (tiles.collect::<String>(), random.order(rank));
        let swizzle =
            ["}", "L(32)}, swizzle = 128B", "L(64)}, swizzle = elements<2,1,3>"][number % 3];
        let text = format!("f32[{}]{{{}:T{tiles}{swizzle}", list(&dims), list(&order));
        // Some have more tiles than there may be.
        if let Ok(shape) = text.parse() {
            counts.check(&shape, &floats(&dims));
        }
    }
    let said = ["cute", "cute, padded", "tvm_tile", "mosaic"].map(|name| counts.of(name, "read"));
    assert!(said.iter().all(|&count| count > 50), "{said:?}");
}

#[test]
fn names_of_dimensions() {
    let tag = OneDnn::of(&floats(&[4, 6])).unwrap();
    assert_eq!(tag.with_names("n").unwrap_err(), NotExpressible::Names { names: 1, rank: 2 });
    assert_eq!(tag.with_names("NC").unwrap_err(), NotExpressible::Names { names: 2, rank: 2 });
}
