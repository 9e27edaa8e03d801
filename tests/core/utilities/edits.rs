//! Dimensions put in, taken out and permuted: nothing moves but what is said to.

use layout::Size;

use layout::bitcast::{
    Bitcast, align_layouts, decompose_bitcast, deduce_transpose_for_bitcast,
    is_reshape_or_transpose_bitcast, reshape_is_bitcast, reshape_is_bitcast_by_order,
    transpose_is_bitcast, transpose_is_bitcast_by_order,
};
use layout::shape::Dim::Static;
use layout::xla::{Equal, inserted_or_deleted_size_one_dims, normalized_transpose};
use layout::{ArrayShape, Shape, permutation, xla};
use layout_tests::lists::{array, list, permutations};
use layout_tests::naive::{offsets, unflatten};
use layout_tests::random::Random;
use layout_tests::{data, extreme};

use super::{drop_degenerate_dimensions, is_untiled_layout, text};

#[test]
fn every_permutation_is_deduced() {
    for order in permutations(3) {
        let shape = array(&format!("f32[10,100,1000]{{{}}}", list(&order)));
        for by in permutations(3) {
            let permuted = shape.permute_dimensions(&by).unwrap();
            assert!(transpose_is_bitcast(&shape, &permuted, &by));
            assert_eq!(deduce_transpose_for_bitcast(&shape, &permuted).unwrap(), by);
        }
    }
    let filtered = xla::filter_dimensions(&array("f32[5,3,2]{2,0,1}"), |dim| dim != 1);
    assert_eq!(text(filtered), "f32[5,2]{1,0}");
}

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
        assert!(transpose_is_bitcast_by_order(&shape, &permuted, &by));
        let digits = [&shape, &permuted].map(|shape| shape.digits().unwrap());
        for number in 0..shape.elements().unwrap() {
            let index = unflatten(number, &dims);
            let moved = permutation::apply(&index, &by).unwrap();
            assert_eq!(digits[0].offset(&index), digits[1].offset(&moved), "{shape} {by:?}");
        }
        let descending = shape.descending();
        assert!(descending.major_to_minor().is_sorted());
        assert!(transpose_is_bitcast(&shape, &descending, &shape.major_to_minor()));
        assert!(is_reshape_or_transpose_bitcast(&shape, &descending));
        let found = deduce_transpose_for_bitcast(&shape, &descending).unwrap();
        assert!(transpose_is_bitcast(&shape, &descending, &found));

        // A most major dimension of one element changes nothing, tiled or not, unless `*` joins it.
        let one = xla::insert_dimension(&shape, 0, rank, Static(1)).unwrap();
        assert!(reshape_is_bitcast(&shape, &one), "{shape} {one}");
        assert_eq!(xla::delete_dimensions(&one, &[0]), Ok(shape));
        let at = random.below(rank + 1);
        let inserted = xla::insert_dimensions_at_index(&shape, at, &[Static(3)]).unwrap();
        assert_eq!(xla::delete_dimensions(&inserted, &[at]), Ok(shape));
        let plain = shape.without_tiles();
        let dropped = drop_degenerate_dimensions(&plain).unwrap();
        assert!(reshape_is_bitcast(&plain, &dropped), "{plain} {dropped}");
        assert!(dropped.dims().iter().all(|dim| dim.size() != Some(1)));
        assert_eq!(align_layouts(&plain, &dropped), Some(dropped));

        let digits = shape.digits().unwrap();
        // Strides in bytes say where every element lies.
        if let Some(strides) = xla::byte_strides(&shape) {
            for number in 0..shape.elements().unwrap() {
                let index = unflatten(number, &dims);
                let bytes = index.iter().zip(strides.iter()).map(|(i, s)| i * s).sum::<Size>();
                assert_eq!(digits.offset(&index), Some(bytes / 4), "{shape}");
            }
        } else {
            assert!(!is_untiled_layout(&shape), "{shape}");
        }
        let last = offsets(&shape).into_iter().max();
        assert_eq!(xla::array_data_size(&shape), last.map(|last| 4 * (last + 1)), "{shape}");
    }
}

/// An array that fits in memory only packed has linear indices too, which no tile counts in.
#[test]
fn linear_index_of_an_array_that_fits_packed() {
    let array = array("bf16[6,1099511627775,1048576]{2,1,0:T(1025)E(1)}");
    let last = [5, 1_099_511_627_774, 1_048_575];
    let number = xla::multidimensional_index_to_linear_index(&array, &last).unwrap();
    assert_eq!(number, array.elements().unwrap() - 1);
    assert_eq!(*xla::linear_index_to_multidimensional_index(&array, number).unwrap(), last);
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
        let _ = (xla::byte_size_of(&read, 8), xla::byte_size_of_elements_recursive(&read));
        assert_eq!(xla::copy_layout_between_shapes(&read, &read), Ok(read.clone()));
        arrays.extend(read.flatten().into_iter().filter_map(|leaf| leaf.as_array().copied()));
    }
    let seeds = include_str!("../../../fuzz/seeds.txt").lines();
    arrays.extend(seeds.filter_map(|text| text.parse::<ArrayShape>().ok()));
    assert!(arrays.len() > 5000);
    for (number, shape) in arrays.iter().enumerate() {
        extreme::made(shape, &mut |made| {
            assert_eq!(array(&made.to_string()), made, "{shape}");
            let _ = (
                xla::byte_strides(&made),
                xla::unpacked_byte_strides(&made),
                is_untiled_layout(&made),
            );
            let _ = (
                xla::max_elements_in_per_split(&made),
                xla::multidimensional_index_to_linear_index(&made, &[0, 0]),
            );
            let _ =
                (normalized_transpose(&made, &made.major_to_minor()), xla::indices_in_order(&made));
        });
        let _ = xla::linear_index_to_multidimensional_index(shape, number as Size);
        let other = &arrays[number * 7 % arrays.len()];
        let _ = (reshape_is_bitcast_by_order(shape, other), shape.with_layout_of(other));
        let _ = (decompose_bitcast(shape, other), align_layouts(shape, other));
        let _ = inserted_or_deleted_size_one_dims(shape, other);
        assert!(reshape_is_bitcast(shape, shape) && is_reshape_or_transpose_bitcast(shape, shape));
        assert_eq!(decompose_bitcast(shape, shape), Some(Bitcast::Reshape), "{shape}");
        if shape.elements().is_some_and(|elements| elements < 1 << 20) {
            let bytes = (xla::array_data_size(shape), shape.bytes());
            assert!(bytes.0 <= bytes.1, "{shape}");
        }
    }
}

/// A layout without its array is read as the whole shape is.
#[test]
fn layouts_as_text() {
    for array in ["f32[3,5]", "u4[<=8,16]", "f32[?,2]", "f32[]", "f16[64,64]"].map(array) {
        let shape = text(Ok::<_, ()>(array));
        let (sizes, _) = shape.split_once('{').unwrap_or((&shape, ""));
        for layout in [
            "{0,1}",
            "<1,0:T(2,2)>",
            " {1,0 : T(8,4)E(4)} ",
            "{:T(4)}",
            "{1,0}, swizzle = 128B",
            "{0}",
            "{1,1}",
            "{1,0:T(8,128}",
            "{1,0}{1,0}",
        ] {
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
    const EDITED: ArrayShape = match xla::insert_dimensions_at_index(&SHAPE, 1, &[Static(1)]) {
        Ok(shape) => shape,
        Err(_) => panic!(),
    };
    const FREE: bool = reshape_is_bitcast(&SHAPE, &EDITED)
        && deduce_transpose_for_bitcast(&SHAPE, &SHAPE).is_some()
        && align_layouts(&SHAPE, &EDITED).is_some()
        && decompose_bitcast(&SHAPE, &EDITED).is_some()
        && Equal::new().ignore_layout().arrays(&SHAPE, &SHAPE)
        && xla::byte_strides(&SHAPE).is_some();
    const { assert!(FREE) };
    assert_eq!(text(Ok::<_, ()>(EDITED)), "f32[16,1,3,17]{2,1,3,0:S(1)}");
}
