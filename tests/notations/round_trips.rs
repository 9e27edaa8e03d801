//! Layouts as texts and back, in every notation: the same memory, over every small layout and random ones.

use layout_notation::notation::{NotExpressible, OneDnn};
use layout_tests::amount::is_full;

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
    // A tile pads what is inside another one or of size 1, so that there are holes between strides.
    let holes = names.map(|name| counts.of(name, "not read: Hole"));
    let said = names.map(|name| counts.of(name, "read"));
    assert_eq!(names.map(|name| counts.of(name, "not read")), holes);
    if !is_full() {
        assert!(total > 7000 && said.iter().all(|&count| count > 300), "{total} {said:?}");
        return;
    }
    assert_eq!(total, 37_982);
    assert_eq!(said, [4201, 4201, 4559, 25_010, 31_056, 1993, 5996, 37_048]);
    assert_eq!(holes, [0, 0, 0, 9948, 14_169, 11, 0, 0]);
}

#[test]
fn names_of_dimensions() {
    let tag = OneDnn::of(&array(&[4, 6])).unwrap();
    assert_eq!(tag.with_names("n").unwrap_err(), NotExpressible::Names { names: 1, rank: 2 });
    assert_eq!(tag.with_names("NC").unwrap_err(), NotExpressible::Names { names: 2, rank: 2 });
}
