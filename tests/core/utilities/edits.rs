//! Dimensions put in, taken out and permuted: nothing moves but what is said to.

use layout::bitcast::{reshape_is_bitcast, transpose_is_bitcast};
use layout::shape::Dim::Static;
use layout::shape::Origin::{New, Old};
use layout::shape::permutation;
use layout::shape::{Equal, FaultKind};
use layout::{ArrayShape, Shape};
use layout_tests::lists::{array, list, permutations};
use layout_tests::naive::unflatten;
use layout_tests::random::Random;
use layout_tests::{data, extreme, table};
use static_assertions::const_assert;

use super::text;

/// Edits that say that no element moves, and those that move none as long as nothing is tiled.
#[test]
fn edits_move_no_element() {
    let mut random = Random::new(3);
    for _ in 0..400 {
        let rank = 1 + random.below(4);
        let (order, by) = (random.order(rank), random.order(rank));
        let dims = (0..rank).map(|_| 1 + random.below_size(4)).collect::<Vec<_>>();
        let tiles = *random.pick(&["", ":T(2,2)", ":T(2,4)(2,1)", ":T(*,3)"]);
        let shape = array(&format!("f32[{}]{{{}{tiles}}}", list(&dims), list(&order)));

        let permuted = shape.permute_dimensions(&by).unwrap();
        assert!(transpose_is_bitcast(&shape, &permuted, &by));
        let digits = [&shape, &permuted].map(|shape| shape.digits().unwrap());
        for number in 0..shape.elements().unwrap() {
            let index = unflatten(number, &dims);
            let moved = permutation::apply(&index, &by).unwrap();
            assert_eq!(digits[0].offset(&index), digits[1].offset(&moved), "{shape} {by:?}");
        }
        let descending = shape.descending();
        assert!(descending.major_to_minor().is_sorted());
        assert!(transpose_is_bitcast(&shape, &descending, &shape.major_to_minor()));

        // A most major dimension of one element changes nothing, tiled or not, unless `*` joins it.
        let old = (0..rank).map(Old).collect::<Vec<_>>();
        let one = shape.with_dimensions(&[&[New(Static(1))], &old[..]].concat(), rank).unwrap();
        assert!(reshape_is_bitcast(&shape, &one), "{shape} {one}");
        let after = (1..=rank).map(Old).collect::<Vec<_>>();
        assert_eq!(one.with_dimensions(&after, 0), Ok(shape));
        // What is put in can be taken out.
        let (at, place) = (random.below(rank + 1), random.below(rank + 1));
        let mut dims = old.clone();
        dims.insert(at, New(Static(3)));
        let inserted = shape.with_dimensions(&dims, place).unwrap();
        assert_eq!(inserted.minor_to_major()[place], at, "{inserted}");
        let others = (0..=rank).filter(|dim| *dim != at).map(Old).collect::<Vec<_>>();
        assert_eq!(inserted.with_dimensions(&others, 0), Ok(shape));
        // Without tiles, dimensions of one element do not matter.
        let plain = shape.without_tiles();
        let longer = |dim: &usize| plain.dims()[*dim].size() != Some(1);
        let longer = (0..rank).filter(longer).map(Old).collect::<Vec<_>>();
        let dropped = plain.with_dimensions(&longer, 0).unwrap();
        assert!(reshape_is_bitcast(&plain, &dropped), "{plain} {dropped}");
        assert!(dropped.dims().iter().all(|dim| dim.size() != Some(1)));
    }
}

#[test]
fn dimensions_that_an_array_does_not_have() {
    let shape = array("f32[3,5]");
    for (dims, wrong) in [(&[Old(0), Old(2)][..], 2), (&[Old(1), Old(1)], 1)] {
        let fault = shape.with_dimensions(dims, 0).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::NoDim { dim: wrong, rank: 2 });
    }
}

/// No shape that can be read makes any of it panic, and every shape that is made is one that can be read.
#[test]
fn every_shape_of_the_data() {
    let mut arrays = Vec::new();
    let texts =
        data::tpu_shapes().into_iter().chain(data::verdicts().into_iter().map(|line| line.text));
    for read in texts.filter_map(|text| text.parse::<Shape>().ok()) {
        assert!(Equal::new().shapes(&read, &read));
        assert!(read.subshapes().count() >= read.leaves().count());
        arrays.extend(read.flatten().into_iter().filter_map(|leaf| leaf.as_array().copied()));
    }
    let seeds = include_str!("../../../fuzz/seeds.txt").lines();
    arrays.extend(seeds.filter_map(|text| text.parse::<ArrayShape>().ok()));
    assert!(arrays.len() > 5000);
    for (number, shape) in arrays.iter().enumerate() {
        extreme::made(shape, &mut |made| {
            assert_eq!(array(&made.to_string()), made, "{shape}");
        });
        let other = &arrays[number * 7 % arrays.len()];
        let _ = (shape.with_layout_of(other), shape.true_rank());
        let _ = (0..shape.rank()).map(|dim| shape.longest_part(dim)).collect::<Vec<_>>();
        assert!(reshape_is_bitcast(shape, shape), "{shape}");
    }
}

/// A layout without its array is read as the whole shape is.
#[test]
fn layouts_as_text() {
    for array in ["f32[3,5]", "u4[<=8,16]", "f32[?,2]", "f32[]", "f16[64,64]"].map(array) {
        let shape = text(Ok::<_, ()>(array));
        let (sizes, _) = shape.split_once('{').unwrap_or((&shape, ""));
        for layout in &table::texts("layouts", "without an array") {
            let whole = format!("{sizes}{layout}").parse::<ArrayShape>();
            assert_eq!(array.with_layout_text(layout), whole, "{shape} {layout}");
        }
        // Nothing stays of its own layout.
        let tiled = array.with_layout_text("{1,0:T(2,2)E(8)}").unwrap_or(array);
        assert_eq!(tiled.with_layout_text("{1,0}"), array.with_layout_text("{1,0}"));
        for other in ["", "T(8,128)", "1,0", "f32[3,5]{1,0}", "marlin", ", swizzle = 128B"] {
            let error = array.with_layout_text(other).unwrap_err().to_string();
            assert!(error.starts_with("a layout begins with a brace\n"), "{other}: {error}");
        }
    }
}

/// All of it can be computed in a `const`.
#[test]
fn in_constants() {
    const SHAPE: ArrayShape = match ArrayShape::parse_const("f32[16,3,17]{1,2,0:S(1)}") {
        Ok(shape) => shape,
        Err(_) => panic!(),
    };
    const EDITED: ArrayShape =
        match SHAPE.with_dimensions(&[Old(0), New(Static(1)), Old(1), Old(2)], 2) {
            Ok(shape) => shape,
            Err(_) => panic!(),
        };
    const FREE: bool = reshape_is_bitcast(&SHAPE, &EDITED)
        && Equal::new().ignore_layout().arrays(&SHAPE, &SHAPE)
        && SHAPE.xla_bytes().is_some();
    const_assert!(FREE);
    assert_eq!(text(Ok::<_, ()>(EDITED)), "f32[16,1,3,17]{2,3,1,0:S(1)}");
}

#[test]
fn laws_of_permutations() {
    use permutation::{apply, apply_inverse, compose, inverse, is_identity, is_permutation};

    let list = [7, 5, 6];
    for p in permutations(3) {
        let back = inverse(&p).unwrap();
        assert!(is_identity(&compose(&p, &back).unwrap()));
        assert!(is_identity(&compose(&back, &p).unwrap()));
        let there = apply(&list, &p).unwrap();
        assert_eq!(apply_inverse(&there, &p).unwrap(), list);
        for q in permutations(3) {
            let both = compose(&p, &q).unwrap();
            assert_eq!(apply(&there, &q).unwrap(), apply(&list, &both).unwrap());
        }
    }
    let found = (0..27).filter(|n| is_permutation(&[n / 9, n / 3 % 3, n % 3])).count();
    assert_eq!(found, permutations(3).len());
    assert!(compose(&[0, 1], &[0]).is_none() && compose(&[0, 0], &[0, 1]).is_none());
    assert!(apply(&[1, 2], &[2, 0]).is_none());
    assert!(!is_permutation(&[0; 17]) && !is_identity(&[1, 0]));
}
