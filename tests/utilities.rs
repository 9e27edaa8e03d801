//! XLA's utilities on values: the numbers of its own tests, and that an edit moves no element that it does not say.

use core::cmp::Ordering;

use layout::spec::Dim::{Bounded, Static};
use layout::spec::{
    ArrayShape, Bitcast, Dim, EditError, ElementType, Equal, FaultKind, Shape, TileDim, Tiles,
    align_layouts, ascending_order, bump_indices, byte_strides_are_major_to_minor, compare_indices,
    decompose_bitcast, deduce_transpose_for_bitcast, descending_order, dims_unmodified_by_reshape,
    inserted_or_deleted_size_one_dims, is_reshape_or_transpose_bitcast, normalized_transpose,
    permutation, reshape_is_bitcast, reshape_is_bitcast_by_order, transpose_is_bitcast,
    transpose_is_bitcast_by_order,
};
use layout_tests::data;
use layout_tests::naive::unflatten;
use layout_tests::random::Random;

fn array(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

fn sizes(shape: &ArrayShape) -> Vec<usize> {
    shape.dims().iter().map(|dim| dim.size().unwrap()).collect()
}

/// The text of the result, which has to be equal to what is read from it.
fn text<E: core::fmt::Debug>(result: Result<ArrayShape, E>) -> String {
    let shape = result.unwrap();
    let text = shape.to_string();
    assert_eq!(array(&text), shape, "{text}");
    text
}

#[test]
fn linear_indices() {
    for (text, pairs) in [
        ("f32[100]{0}", [(&[42][..], 42), (&[99], 99)]),
        ("f32[10,20]{0,1}", [(&[3, 5], 53), (&[9, 19], 199)]),
        ("f32[10,20]{1,0:T(8,128)}", [(&[3, 5], 65), (&[9, 19], 199)]),
        ("f32[10,20,30]{2,1,0}", [(&[3, 5, 7], 1957), (&[8, 15, 27], 5277)]),
        ("f32[10,20,30]{1,2,0:PAD(11,21,31)}", [(&[3, 5, 7], 1945), (&[8, 15, 27], 5355)]),
        ("pred[]{:T(128)E(32)}", [(&[], 0), (&[], 0)]),
    ] {
        let shape = array(text);
        for (index, linear) in pairs {
            assert_eq!(shape.linear_index(index), Some(linear), "{text}");
            assert_eq!(*shape.multidimensional_index(linear).unwrap(), *index, "{text}");
        }
        let elements = shape.elements().unwrap();
        assert_eq!(shape.multidimensional_index(elements), None, "{text}");
        for (number, index) in shape.indices_in_order().enumerate() {
            assert_eq!(shape.linear_index(&index), Some(number), "{text}");
            let strides = (0..shape.rank()).map(|dim| shape.dimension_stride(dim).unwrap());
            assert_eq!(strides.zip(index.iter()).map(|(s, i)| s * i).sum::<usize>(), number);
        }
    }
    assert_eq!(array("f32[2,3]").linear_index(&[2, 0]), None);
    assert_eq!(array("f32[2,3]").linear_index(&[0]), None);
    assert_eq!(array("f32[?,3]").linear_index(&[0, 0]), None);
    assert_eq!(array("f32[?,3]").dimension_stride(0), Some(3));
    assert_eq!(array("f32[?,3]{0,1}").dimension_stride(1), None);
    assert_eq!(array("s8[0,4294967296,1048576,3]{1,2,0,3}").dimension_stride(3), Some(0));

    for (text, visits) in [
        ("f32[]", 1),
        ("f32[0]", 0),
        ("f32[16]", 16),
        ("f32[3,0]", 0),
        ("f32[4,16]", 64),
        ("f32[6,11,17]", 1122),
        ("f32[?]", 0),
    ] {
        assert_eq!(array(text).indices_in_order().count(), visits, "{text}");
        assert_eq!(array(text).indices_in_order().len(), visits, "{text}");
    }
}

#[test]
fn stepping() {
    let mut index = [0, 0];
    let mut seen = vec![index];
    while bump_indices(&[2, 2], &mut index) {
        seen.push(index);
    }
    assert_eq!(seen, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(index, [0, 0]);
    assert!(!bump_indices(&[], &mut []) && !bump_indices(&[2, 0], &mut [0, 0]));
    assert!(!bump_indices(&[2], &mut [0, 0]));
    // A coordinate out of bounds goes back to 0 like the last one.
    let mut index = [0, usize::MAX];
    assert!(bump_indices(&[2, 2], &mut index) && index == [1, 0]);

    let shape = array("f32[2,?]");
    assert!(shape.index_in_bounds(&[1, 1 << 40]) && !shape.index_in_bounds(&[2, 0]));
    assert!(!shape.index_in_bounds(&[1]) && array("f32[]").index_in_bounds(&[]));
    assert_eq!(compare_indices(&[1, 2], &[1, 3]), Ordering::Less);
    assert_eq!(compare_indices(&[2], &[1, 3]), Ordering::Greater);
    assert_eq!(compare_indices(&[1, 3], &[1, 3]), Ordering::Equal);
    assert_eq!(compare_indices(&[1, 3], &[1, 3, 0]), Ordering::Less);
    assert_eq!(compare_indices(&[2], &[]), Ordering::Greater);
}

#[test]
fn orders() {
    assert_eq!(descending_order(5).unwrap(), [4, 3, 2, 1, 0]);
    assert_eq!(descending_order(1).unwrap(), [0]);
    assert!(descending_order(0).unwrap().is_empty() && descending_order(17).is_none());
    assert_eq!(ascending_order(5).unwrap(), [0, 1, 2, 3, 4]);
    for (text, descending, ascending) in [
        ("f32[]", true, true),
        ("f32[2]", true, true),
        ("f32[2,3]{1,0}", true, false),
        ("f32[2,3]{0,1}", false, true),
        ("f32[2,3,4]{0,2,1}", false, false),
    ] {
        let shape = array(text);
        assert_eq!(shape.is_monotonic_with_dim0_major(), descending, "{text}");
        assert_eq!(shape.is_monotonic_with_dim0_minor(), ascending, "{text}");
        assert_eq!(shape.last_dim_is_minor_most(), descending, "{text}");
        for dim in 0..shape.rank() {
            let place = shape.logical_to_physical()[dim];
            assert_eq!(shape.physical_dim(dim), Some(place));
            assert_eq!(shape.major(place), Some(dim));
            assert_eq!(shape.minor(shape.rank() - 1 - place), Some(dim));
        }
        assert_eq!((shape.major(shape.rank()), shape.minor(shape.rank())), (None, None));
    }
    let most_major = |text, dim| array(text).is_effectively_most_major_dimension(dim);
    assert!(most_major("f32[1,1,16,1,279]{4,0,1,2,3}", 2));
    assert!(most_major("f32[1,1,16,1,279]{4,1,2,3,0}", 2));
    assert!(!most_major("f32[1,1,16,1,279]{0,1,2,3,4}", 2));
    assert!(most_major("f32[1,1,16,1,279]{0,1,2,3,4}", 4));
    assert!(!most_major("f32[1,1]", 2));
    let consecutive =
        |dims: &[usize]| array("f32[1,2,3,4]{2,0,3,1}").are_dimensions_consecutive(dims);
    assert!(
        consecutive(&[0, 2]) && consecutive(&[3, 0, 2]) && consecutive(&[]) && consecutive(&[1])
    );
    assert!(!consecutive(&[2, 3]) && !consecutive(&[0, 0]) && !consecutive(&[4]));

    let moved = |text: &str, dim| {
        let shape = array(text);
        [text_of_order(&shape.move_dim_to_major(dim)), text_of_order(&shape.move_dim_to_minor(dim))]
    };
    assert_eq!(moved("f32[2,2,2]{2,1,0}", 0)[0], [2, 1, 0]);
    assert_eq!(moved("f32[2,2,2]{2,1,0}", 1)[0], [2, 0, 1]);
    assert_eq!(moved("f32[2,2,2]{0,2,1}", 0)[0], [2, 1, 0]);
    assert_eq!(moved("f32[2,2,2,2]{2,0,3,1}", 2)[1], [2, 0, 3, 1]);
    assert_eq!(moved("f32[2,2,2,2]{2,0,3,1}", 3)[1], [3, 2, 0, 1]);
    // Splits go with their dimensions, which XLA leaves behind.
    assert_eq!(
        text(array("f32[20,30,40]{2,1,0:T(8,128)S(1)SC(0:10)(2:7)}").move_dim_to_major(2)),
        "f32[20,30,40]{1,0,2:T(8,128)S(1)SC(1:10)(0:7)}"
    );
    assert_eq!(array("f32[2]").move_dim_to_minor(1), Err(EditError::Dim { dim: 1, rank: 1 }));

    let shape = array("f32[2,3,4]{0,1,2:T(2,2)}");
    assert_eq!(text(shape.with_default_order()), "f32[2,3,4]{2,1,0:T(2,2)}");
    assert_eq!(text(shape.with_major_to_minor(&[1, 0, 2])), "f32[2,3,4]{2,0,1:T(2,2)}");
    let fault = shape.with_minor_to_major(&[0, 1]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::MinorToMajorCount { entries: 2, rank: 3 });
    assert_eq!(shape.with_major_to_minor(&[0, 1]).unwrap_err(), fault);
    let fault = shape.with_minor_to_major(&[0, 1, 1]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::MinorToMajorRepeated { dim: 1, missing: 2 });
    // Other dimensions are tiled then, and padded.
    let large = array("s8[1099511627776,1,131072]{0,1,2:T(128)}");
    assert!(matches!(
        large.with_minor_to_major(&[1, 0, 2]).unwrap_err().kind(),
        FaultKind::Overflow { .. }
    ));
}

fn text_of_order(shape: &Result<ArrayShape, EditError>) -> Vec<usize> {
    shape.unwrap().minor_to_major().to_vec()
}

#[test]
fn shapes_from_parts() {
    let mut tiles = Tiles::NONE;
    assert!(tiles.begin() && tiles.push(TileDim::Size(2)) && tiles.push(TileDim::Size(2)));
    let dims = [Static(3), Bounded(5)];
    let dense =
        |order: &[usize]| ArrayShape::with_dense_layout(ElementType::F32, &dims, order, &tiles);
    assert_eq!(text(dense(&[0, 1])), "f32[3,<=5]{0,1:T(2,2)}");
    assert!(dense(&[0]).is_err() && dense(&[0, 2]).is_err());
    assert_eq!(text(ArrayShape::new(ElementType::U8, &[])), "u8[]");
    assert_eq!(
        text(ArrayShape::new(ElementType::U8, &[Static(2); 16])),
        array("u8[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]").to_string()
    );
    let fault = ArrayShape::new(ElementType::U8, &[Static(2); 17]).unwrap_err();
    assert!(matches!(fault.kind(), FaultKind::TooMany { limit: 16, .. }));
    let fault = ArrayShape::new(ElementType::U8, &[Static(1 << 32), Static(1 << 32)]).unwrap_err();
    assert!(matches!(fault.kind(), FaultKind::Overflow { .. }));

    let s4 = array("s4[64,128]{1,0:E(4)}");
    let bits = |element| s4.with_element_type(element).unwrap().element_size_in_bits();
    assert_eq!(bits(ElementType::PRED), None);
    assert_eq!(bits(ElementType::U8), None);
    assert_eq!(bits(ElementType::U4), Some(4));
    assert_eq!(bits(ElementType::S2), Some(2));
    assert_eq!(text(array("u8[3]").with_element_type(ElementType::U4)), "u4[3]{0}");
    assert!(array("pred[6917529027641081856]{0:E(1)}").with_element_type(ElementType::U4).is_err());
    assert_eq!(text(array("s2[8]").with_packed_elements(true)), "s2[8]{0:E(2)}");
    assert_eq!(text(array("pred[8]{0:E(32)}").with_packed_elements(true)), "pred[8]{0}");
    assert!(array("pred[6917529027641081856]{0:E(1)}").with_packed_elements(false).is_err());

    let device = array("s4[30,50]{0,1:PAD(32,64)FILL(zero)T(2,2)L(64)E(4)S(1)SC(0:16)M(8)}");
    assert!(!device.is_host_shape());
    assert_eq!(text(device.to_host_shape()), "s4[30,50]{0,1}");
    assert!(device.to_host_shape().unwrap().is_host_shape());
    assert_eq!(text(device.without_layout()), "s4[30,50]{1,0}");
    assert_eq!(
        device.without_tiles().with_memory_space(layout::spec::memory_space::HOST).to_string(),
        "s4[30,50]{0,1:PAD(32,64)FILL(zero)L(64)E(4)S(5)SC(0:16)M(8)}"
    );
    let plain = array("f32[30,50]");
    assert_eq!(
        text(plain.with_layout_of(&device)),
        "f32[30,50]{0,1:PAD(32,64)FILL(zero)T(2,2)L(64)E(4)S(1)SC(0:16)M(8)}"
    );
    assert!(array("f32[30,50,2]").with_layout_of(&device).is_err());
    assert!(array("f32[33,50]").with_layout_of(&device).is_err());
}

#[test]
fn dimensions_put_in_and_out() {
    let deleted = |from: &str, dims: &[usize]| text(array(from).delete_dimensions(dims));
    assert_eq!(deleted("f32[2,3]{0,1}", &[1]), "f32[2]{0}");
    assert_eq!(deleted("f32[2,3]{1,0}", &[0]), "f32[3]{0}");
    assert_eq!(
        deleted("f32[50,60,70]{2,0,1:SC(0:10)(1:20)(2:30)}", &[0]),
        "f32[60,70]{1,0:SC(0:10)(1:30)}"
    );
    for dims in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
        assert_eq!(deleted("f32[5,3,2,7,9]{2,0,1,4,3}", &dims), "f32[5,9]{0,1}");
    }
    assert_eq!(
        deleted("f32[5,3,2]{2,0,1:PAD(6,7,8)T(8,128)}", &[1, 1]),
        "f32[5,2]{1,0:PAD(6,8)T(8,128)}"
    );
    assert_eq!(deleted("f32[5]{0:T(4)}", &[0]), "f32[]{:T(4)}");
    assert_eq!(array("f32[5,3]").delete_dimensions(&[0]).unwrap(), array("f32[3]"));
    assert_eq!(array("f32[5]").delete_dimensions(&[1]), Err(EditError::Dim { dim: 1, rank: 1 }));
    let filtered = array("f32[5,3,2]{2,0,1}").filter_dimensions(|dim| dim != 1);
    assert_eq!(text(filtered), "f32[5,2]{1,0}");

    let [d10, d40, d50] = [10, 40, 50].map(Static);
    let three = |order: &str| array(&format!("f32[10,20,30]{{{order}}}"));
    let order = |shape: Result<ArrayShape, EditError>| shape.unwrap().minor_to_major().to_vec();
    assert_eq!(order(three("0,2,1").prepend_major_dimension(d40)), [1, 3, 2, 0]);
    assert_eq!(order(three("2,1,0").prepend_major_dimension(d40)), [3, 2, 1, 0]);
    assert_eq!(text(three("0,2,1").append_minor_dimension(d40)), "f32[10,20,30,40]{3,0,2,1}");
    assert_eq!(text(three("0,2,1").append_major_dimension(d40)), "f32[10,20,30,40]{0,2,1,3}");
    assert_eq!(text(three("2,1,0").insert_dimension(1, d40)), "f32[10,40,20,30]{3,2,1,0}");
    assert_eq!(order(three("0,2,1").insert_dimension(1, d40)), [0, 3, 2, 1]);
    assert_eq!(order(three("2,1,0").insert_dimension(3, d40)), [3, 2, 1, 0]);
    assert_eq!(order(three("2,1,0").insert_dimension(0, d40)), [3, 2, 1, 0]);
    assert_eq!(text(array("f32[]").insert_dimension(0, d10)), "f32[10]{0}");
    for at in [0, 1, 3] {
        assert_eq!(order(three("2,1,0").insert_dimensions(at, &[d40, d50])), [4, 3, 2, 1, 0]);
    }
    assert_eq!(order(three("0,2,1").insert_dimensions(1, &[d40, d50])), [0, 4, 3, 2, 1]);
    assert_eq!(three("0,2,1").insert_dimensions(1, &[]), Ok(three("0,2,1")));
    assert_eq!(three("0,2,1").insert_dimension(4, d40), Err(EditError::Dim { dim: 4, rank: 3 }));
    assert_eq!(
        text(
            array("f32[30,<=50]{0,1:PAD(32,64)T(8,128)E(16)S(1)SC(0:16)}")
                .prepend_major_dimension(d40)
        ),
        "f32[40,30,<=50]{1,2,0:PAD(40,32,64)T(8,128)E(16)S(1)SC(1:16)}"
    );
    assert!(array("f32[2]{0:PAD(3)}").append_major_dimension(Dim::Unbounded).is_err());
    let full = ArrayShape::new(ElementType::U8, &[Static(1); 16]).unwrap();
    let error = full.prepend_major_dimension(d10).unwrap_err();
    assert!(
        matches!(error, EditError::Shape(fault) if matches!(fault.kind(), FaultKind::TooMany { .. }))
    );

    let degenerate = |text: &str| array(text).has_degenerate_dimensions();
    assert!(degenerate("f32[3,1,2]") && degenerate("f32[3,1,1]"));
    assert!(!degenerate("f32[3,3,5]") && !degenerate("f32[3,0,5]") && !degenerate("f32[?]"));
    assert_eq!(text(array("f32[1,?,1,5]{2,3,0,1}").drop_degenerate_dimensions()), "f32[?,5]{1,0}");

    let permuted =
        |from: &str, list: &[usize]| array(from).permute_dimensions(list).unwrap().to_string();
    assert_eq!(permuted("f32[16,3,12,17]{1,2,0,3}", &[0, 2, 1, 3]), "f32[16,12,3,17]{2,1,0,3}");
    assert_eq!(permuted("f32[10,20,30]{2,1,0}", &[1, 2, 0]), "f32[20,30,10]{1,0,2}");
    assert_eq!(
        permuted("f32[10,20]{1,0:PAD(11,22)T(8,128)SC(0:7)}", &[1, 0]),
        "f32[20,10]{0,1:PAD(22,11)T(8,128)SC(0:7)}"
    );
    assert_eq!(
        text(
            array("f32[10,20]{1,0:PAD(11,22)SC(0:7)}").permute_dimensions_ignoring_layout(&[1, 0])
        ),
        "f32[20,10]{1,0:PAD(22,11)SC(1:7)}"
    );
    assert_eq!(array("f32[2,2]").permute_dimensions(&[0, 0]), None);
    assert_eq!(
        array("f32[2,2]").permute_dimensions_ignoring_layout(&[0]),
        Err(EditError::Permutation { rank: 2 })
    );
    assert_eq!(
        array("f32[128,24,?,48,48]{2,4,3,1,0:T(8,128)}")
            .descending_with_same_physical_layout()
            .to_string(),
        "f32[128,24,48,48,?]{4,3,2,1,0:T(8,128)}"
    );
    for dims in [1, 3, 2] {
        assert!(array("f32[2,3]").dimension_number(-dims).is_some() == (dims < 3));
    }
    assert_eq!(array("f32[2,3]").dimension_number(-1), Some(1));
}

/// Edits that say that no element moves, and those that move none as long as nothing is tiled.
#[test]
fn edits_move_no_element() {
    let mut random = Random::new(3);
    for _ in 0..400 {
        let rank = 1 + random.below(4);
        let mut order = (0..rank).collect::<Vec<_>>();
        let mut list = order.clone();
        for i in (1..rank).rev() {
            order.swap(i, random.below(i + 1));
            list.swap(i, random.below(i + 1));
        }
        let numbers =
            |list: &[usize]| list.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let dims = (0..rank).map(|_| 1 + random.below(4)).collect::<Vec<_>>();
        let tiles = *random.pick(&["", ":T(2,2)", ":T(2,4)(2,1)", ":T(*,3)"]);
        let shape = array(&format!("f32[{}]{{{}{tiles}}}", numbers(&dims), numbers(&order)));

        let permuted = shape.permute_dimensions(&list).unwrap();
        assert!(transpose_is_bitcast(&shape, &permuted, &list));
        assert!(transpose_is_bitcast_by_order(&shape, &permuted, &list));
        for number in 0..shape.elements().unwrap() {
            let index = unflatten(number, &dims);
            let moved = permutation::apply(&index, &list).unwrap();
            assert_eq!(shape.offset(&index), permuted.offset(&moved), "{shape} {list:?}");
        }
        let descending = shape.descending_with_same_physical_layout();
        assert!(descending.is_monotonic_with_dim0_major());
        assert!(transpose_is_bitcast(&shape, &descending, &shape.major_to_minor()));
        assert!(is_reshape_or_transpose_bitcast(&shape, &descending));
        let found = deduce_transpose_for_bitcast(&shape, &descending).unwrap();
        assert!(transpose_is_bitcast(&shape, &descending, &found));

        // A most major dimension of one element changes nothing, tiled or not, unless `*` joins it.
        let one = shape.prepend_major_dimension(Static(1)).unwrap();
        assert!(reshape_is_bitcast(&shape, &one), "{shape} {one}");
        assert_eq!(one.delete_dimensions(&[0]), Ok(shape));
        let at = random.below(rank + 1);
        let inserted = shape.insert_dimension(at, Static(3)).unwrap();
        assert_eq!(inserted.delete_dimensions(&[at]), Ok(shape));
        let plain = shape.without_tiles();
        let dropped = plain.drop_degenerate_dimensions().unwrap();
        assert!(reshape_is_bitcast(&plain, &dropped), "{plain} {dropped}");
        assert!(!dropped.has_degenerate_dimensions());
        assert_eq!(align_layouts(&plain, &dropped), Some(dropped));

        // Strides in bytes say where every element lies.
        if let Some(strides) = shape.byte_strides() {
            for number in 0..shape.elements().unwrap() {
                let index = unflatten(number, &dims);
                let bytes = index.iter().zip(strides.iter()).map(|(i, s)| i * s).sum::<usize>();
                assert_eq!(shape.offset(&index), Some(bytes / 4), "{shape}");
            }
        } else {
            assert!(!shape.is_untiled(), "{shape}");
        }
        let last = (0..shape.elements().unwrap())
            .map(|number| shape.offset(&unflatten(number, &dims)).unwrap())
            .max();
        assert_eq!(shape.data_bytes(), last.map(|last| 4 * (last + 1)), "{shape}");
    }
}

#[test]
fn strides_and_sizes() {
    let strides = |text: &str| array(text).byte_strides().map(|strides| strides.to_vec());
    let unpacked = |text: &str| array(text).unpacked_byte_strides().unwrap().to_vec();
    assert_eq!(unpacked("f32[3,5,7]"), [140, 28, 4]);
    assert_eq!(unpacked("f16[5,7,9]"), [126, 18, 2]);
    assert_eq!(unpacked("s4[2,4]{1,0:E(4)}"), [4, 1]);
    assert_eq!(unpacked("pred[2,4]{1,0:T(8,128)E(32)}"), [4, 1]);
    assert_eq!(strides("f16[5,7,9]"), Some(vec![126, 18, 2]));
    assert_eq!(strides("s4[10,20]{1,0:E(4)}"), None);
    // XLA gives 1 for the last dimension here.
    assert_eq!(strides("pred[2,4]{1,0:E(32)}"), Some(vec![16, 4]));
    assert_eq!(strides("f32[2,4]{1,0:PAD(2,6)}"), Some(vec![24, 4]));
    assert_eq!(strides("f32[2,1,4]{2,1,0}"), Some(vec![16, 16, 4]));
    assert_eq!(strides("f32[2,300]{1,0:T(8,128)}"), None);
    assert_eq!(strides("f32[]{:T(128)}"), Some(vec![]));
    assert_eq!(strides("f32[0,5]"), Some(vec![20, 4]));
    assert_eq!(strides("f32[?]"), None);
    let major = |strides: &[usize]| {
        byte_strides_are_major_to_minor(strides, &[8, 9, 10, 11], ElementType::F32)
    };
    assert!(major(&[3960, 440, 44, 4]));
    assert!(!major(&[1880, 220, 22, 2]) && !major(&[1880, 440, 44, 4]) && !major(&[440, 44, 4]));

    for (text, bytes) in [
        ("s4[64,128]{1,0:E(4)}", 4096),
        ("s4[9216,6144]{1,0:T(64,128)(8,1)E(4)}", 28311552),
        ("f32[3,5]{1,0:T(2,2)}", 84),
        ("f32[]{:T(256)}", 4),
        ("f32[3]{0:T(8,128)}", 12),
        ("f32[0,5]{1,0:T(2,2)}", 0),
        ("s4[3]{0:E(4)}", 2),
        ("f32[5]{0:T(2)(3)}", 28),
    ] {
        assert_eq!(array(text).data_bytes(), Some(bytes), "{text}");
    }
    let split = array("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
    assert_eq!(
        [0, 1, 2, 3].map(|dim| split.max_split_size(dim)),
        [Some(150), Some(90), Some(70), None]
    );
    assert_eq!(split.max_elements_in_per_split(), Some(150 * 90 * 70));
    assert_eq!(array("f32[150,200,100]").max_elements_in_per_split(), Some(150 * 200 * 100));
    for (text, is_untiled) in [
        ("f32[24,128]{1,0:T(8,128)}", true),
        ("f32[4,256]{1,0:T(1,128)}", true),
        ("f32[2,3,4]{2,1,0:T(8,128)}", false),
        ("f32[4,128]{1,0:T(2,128)}", true),
        ("f32[4,128]{1,0:T(4,64)}", false),
        ("f32[1024]{0:T(128)}", true),
        ("f32[1000]{0:T(128)}", false),
        ("f32[]{:T(1)}", true),
        ("f32[]{:T(128)}", false),
        ("f32[?]", true),
    ] {
        assert_eq!(array(text).is_untiled(), is_untiled, "{text}");
    }
    let factor = |text: &str| array(text).packed_factor_for_1d_interleaved_array();
    assert_eq!(factor("bf16[1024]{0:T(1024)(128)(2,1)}"), Some(2));
    assert_eq!(factor("bf16[1024]{0:T(1024)(128)(*,1)}"), None);
    assert_eq!(factor("bf16[8,128]{1,0:T(8,128)(2,1)}"), None);
}

#[test]
fn bitcasts_of_xla() {
    let a = |order: &str| array(&format!("f32[3,4]{{{order}}}"));
    let b = |order: &str| array(&format!("f32[6,2]{{{order}}}"));
    for (x, y) in [("1,0", "1,0"), ("1,0", "0,1"), ("0,1", "1,0"), ("0,1", "0,1")] {
        let expected = (x, y) == ("1,0", "1,0");
        assert_eq!(reshape_is_bitcast(&a(x), &b(y)), expected);
        assert_eq!(reshape_is_bitcast_by_order(&a(x), &b(y)), expected);
    }
    let (from, to) = (array("f32[3,2,2]{1,0,2}"), array("f32[6,2]{0,1}"));
    assert!(reshape_is_bitcast(&from, &to));
    assert!(!reshape_is_bitcast(&array("f32[3,2,2]{0,1,2}"), &to));
    let half = to.with_element_type(ElementType::F16).unwrap();
    assert!(!reshape_is_bitcast(&from, &half) && !reshape_is_bitcast_by_order(&from, &half));
    let same = half.with_element_type(from.element_type()).unwrap();
    assert!(reshape_is_bitcast_by_order(&from, &same));
    let (from, to) = (array("f32[10,5]{1,0}"), array("f32[5,10]{0,1}"));
    assert!(is_reshape_or_transpose_bitcast(&from, &to));
    assert!(transpose_is_bitcast_by_order(&from, &to, &[1, 0]));
    let half = to.with_element_type(ElementType::F16).unwrap();
    assert!(!transpose_is_bitcast_by_order(&from, &half, &[1, 0]));
    // Where XLA's answer is another one: it looks neither at tiles nor at what has one element.
    let tiled = [array("f32[16,256]{1,0:T(8,128)}"), array("f32[4096]{0}")];
    assert!(reshape_is_bitcast_by_order(&tiled[0], &tiled[1]));
    assert!(!reshape_is_bitcast(&tiled[0], &tiled[1]));
    let ones = [array("f32[1,8]{1,0}"), array("f32[8,1]{1,0}")];
    assert!(!transpose_is_bitcast_by_order(&ones[0], &ones[1], &[1, 0]));
    assert!(transpose_is_bitcast(&ones[0], &ones[1], &[1, 0]));
    assert_eq!(deduce_transpose_for_bitcast(&ones[0], &ones[1]).unwrap(), [1, 0]);

    let from = array("f32[5,3]{1,0}");
    assert_eq!(deduce_transpose_for_bitcast(&from, &array("f32[3,5]{0,1}")).unwrap(), [1, 0]);
    assert_eq!(deduce_transpose_for_bitcast(&from, &array("f32[3,5]{1,0}")), None);
    let orders = ["2,1,0", "2,0,1", "1,2,0", "1,0,2", "0,1,2", "0,2,1"];
    for order in orders {
        let shape = array(&format!("f32[10,100,1000]{{{order}}}"));
        for list in orders {
            let list = list.split(',').map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
            let permuted = shape.permute_dimensions(&list).unwrap();
            assert!(transpose_is_bitcast(&shape, &permuted, &list));
            assert_eq!(deduce_transpose_for_bitcast(&shape, &permuted).unwrap(), list);
        }
    }
}

#[test]
fn decompositions_of_xla() {
    let decompose = |from: &str, to: &str| decompose_bitcast(&array(from), &array(to));
    for (from, to) in [
        ("f32[1,16,17,3]{3,2,1,0}", "f32[16,51]{1,0}"),
        ("f32[17,3,1,16]{1,0,3,2}", "f32[51,16]{0,1}"),
        ("s4[3,2]", "s8[3,2]"),
    ] {
        assert_eq!(decompose(from, to), Some(Bitcast::Reshape), "{from} {to}");
    }
    let Some(Bitcast::Transpose { permutation }) =
        decompose("f32[3,7,6,4]{3,2,1,0}", "f32[3,6,4,7]{2,1,3,0}")
    else {
        panic!()
    };
    assert_eq!(permutation, [0, 2, 3, 1]);
    assert_eq!(decompose("s4[3,2]", "s8[3]"), None);
    assert_eq!(decompose("f32[3,2]", "f16[3,2]"), None);
    assert_eq!(decompose("f32[16,256]{0,1:T(8,128)}", "f32[4096]{0:T(1024)}"), None);
    for (from, to, expected) in [
        (
            "f32[16,17,3]{2,1,0}",
            "f32[51,16]{0,1}",
            ("0,1,2", "f32[16,17,3]{2,1,0}", "f32[16,51]{1,0}", "1,0"),
        ),
        (
            "f32[16,17,3,7]{3,2,1,0}",
            "f32[7,16,51]{0,2,1}",
            ("0,1,2,3", "f32[16,17,3,7]{3,2,1,0}", "f32[16,51,7]{2,1,0}", "2,0,1"),
        ),
        (
            "f32[16,3,17]{1,2,0}",
            "f32[51,16]{1,0}",
            ("0,2,1", "f32[16,17,3]{2,1,0}", "f32[51,16]{1,0}", "0,1"),
        ),
        (
            "f32[16,3,17]{1,2,0}",
            "f32[16,51]{0,1}",
            ("0,2,1", "f32[16,17,3]{2,1,0}", "f32[51,16]{1,0}", "1,0"),
        ),
        (
            "f32[256,16]{0,1:T(8,128)}",
            "f32[2,256,8]{1,2,0:T(8,128)}",
            ("1,0", "f32[16,256]{1,0:T(8,128)}", "f32[2,8,256]{2,1,0:T(8,128)}", "0,2,1"),
        ),
    ] {
        let Some(Bitcast::TransposeReshapeTranspose { first, transposed, reshaped, second }) =
            decompose(from, to)
        else {
            panic!("{from} {to}")
        };
        let list =
            |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let found = (list(&first), transposed.to_string(), reshaped.to_string(), list(&second));
        assert_eq!(
            (found.0.as_str(), found.1.as_str(), found.2.as_str(), found.3.as_str()),
            expected,
            "{from} {to}"
        );
        assert!(transpose_is_bitcast(&array(from), &transposed, &first));
        assert!(reshape_is_bitcast(&transposed, &reshaped));
        assert!(transpose_is_bitcast(&reshaped, &array(to), &second));
    }

    let align = |from: &str, to: &str| {
        align_layouts(&array(from), &array(to)).map(|shape| text(Ok::<_, ()>(shape)))
    };
    let from = "f32[3,8,5,7,11]{3,2,1,0,4}";
    assert_eq!(align(from, "f32[4,3,2,7,5,11]").unwrap(), "f32[4,3,2,7,5,11]{4,3,2,1,0,5}");
    assert_eq!(align(from, "f32[3,2,4,35,11]").unwrap(), "f32[3,2,4,35,11]{3,2,1,0,4}");
    assert_eq!(align(from, "f32[4,3,2,5,77]"), None);
    assert_eq!(align("f32[3,8,5,7,11]{2,3,1,0,4}", "f32[4,3,2,7,5,11]"), None);
    assert!(
        align("f32[1,3,8,1,5,7,1,11,1,1]{5,0,4,2,1,3,6,7,9,8}", "f32[1,4,1,3,2,7,5,11,1]")
            .is_some()
    );
    assert_eq!(
        align("f32[1,1,1,1]{0,1,3,2}", "f32[1,1,1,1,1]").unwrap(),
        "f32[1,1,1,1,1]{4,3,2,1,0}"
    );
    assert_eq!(
        align("bf16[16,256]{1,0:T(8,128)(2,1)S(1)}", "bf16[2,8,256]").unwrap(),
        "bf16[2,8,256]{2,1,0:T(8,128)(2,1)S(1)}"
    );
    assert_eq!(align("bf16[16,256]{1,0:T(8,128)(2,1)}", "bf16[4096]"), None);
    assert_eq!(align("f32[3]", "f32[4]"), None);
}

#[test]
fn reshapes_and_transposes_of_dimensions() {
    let f32s = |dims: &[usize]| {
        ArrayShape::new(ElementType::F32, &dims.iter().map(|&dim| Static(dim)).collect::<Vec<_>>())
            .unwrap()
    };
    let unmodified = |from: &[usize], to: &[usize]| {
        let pairs = dims_unmodified_by_reshape(&f32s(from), &f32s(to)).unwrap();
        (pairs.from.to_vec(), pairs.to.to_vec())
    };
    assert_eq!(unmodified(&[1, 1, 1, 1], &[1, 1, 1]), (vec![0, 1, 2], vec![0, 1, 2]));
    assert_eq!(unmodified(&[4, 1, 3, 5, 6, 7], &[2, 6, 1, 5, 1, 42]), (vec![3], vec![3]));
    assert_eq!(unmodified(&[1, 4, 2], &[4, 2, 1]), (vec![1, 2], vec![0, 1]));
    assert_eq!(unmodified(&[2, 0, 3], &[2, 3, 0]), (vec![0], vec![0]));
    assert_eq!(dims_unmodified_by_reshape(&f32s(&[2]), &f32s(&[3])), None);
    let changes =
        inserted_or_deleted_size_one_dims(&f32s(&[9, 1, 4]), &f32s(&[1, 9, 4, 1])).unwrap();
    assert_eq!((changes.deleted.to_vec(), changes.inserted.to_vec()), (vec![1], vec![0, 3]));
    assert_eq!(inserted_or_deleted_size_one_dims(&f32s(&[9, 1, 4]), &f32s(&[3, 1, 12])), None);

    for (from, list, dims, order) in [
        (&[10, 1, 11, 32][..], &[3, 1, 0, 2][..], &[32, 110][..], &[1, 0][..]),
        (&[50, 20, 30], &[1, 2, 0], &[600, 50], &[1, 0]),
        (&[64, 128, 1], &[0, 2, 1], &[8192], &[0]),
        (&[8, 32768, 16], &[0, 2, 1], &[8, 16, 32768], &[0, 2, 1]),
        (&[8, 32, 32, 32, 16], &[0, 4, 1, 2, 3], &[8, 16, 32768], &[0, 2, 1]),
        (&[4096, 4096, 128, 16], &[3, 0, 1, 2], &[16, 2147483648], &[1, 0]),
        (&[1, 32, 1, 3, 1, 64, 1], &[6, 1, 4, 5, 2, 3, 0], &[32, 64, 3], &[0, 2, 1]),
        (&[100, 1, 10, 32, 2], &[2, 1, 3, 0, 4], &[320, 100, 2], &[1, 0, 2]),
        (&[1, 1], &[1, 0], &[], &[]),
    ] {
        let (found, permutation) = normalized_transpose(&f32s(from), list).unwrap();
        assert_eq!((&*found, &*permutation), (dims, order), "{from:?} {list:?}");
    }
    assert_eq!(normalized_transpose(&array("f32[2,3]{0,1}"), &[1, 0]), None);
    assert_eq!(normalized_transpose(&f32s(&[2, 3]), &[1, 1]), None);

    assert_eq!(sizes(&f32s(&[2, 3])), [2, 3]);
}

/// Pairs of equal dimensions with as much in front of them, and transposes with fewer dimensions that are the same.
#[test]
fn dimensions_against_naive_ones() {
    let mut random = Random::new(9);
    let mut pairs_found = 0;
    for _ in 0..2000 {
        let factors = (0..5).map(|_| 1 + random.below(4)).collect::<Vec<_>>();
        let mut joined = || {
            let mut dims = vec![1];
            for factor in &factors {
                if random.below(3) > 0 {
                    dims.push(1);
                }
                *dims.last_mut().unwrap() *= factor;
            }
            dims
        };
        let (from, to) = (joined(), joined());
        let shapes = [&from, &to].map(|dims| {
            let dims = dims.iter().map(|&dim| Static(dim)).collect::<Vec<_>>();
            ArrayShape::new(ElementType::F32, &dims).unwrap()
        });
        let pairs = dims_unmodified_by_reshape(&shapes[0], &shapes[1]).unwrap();
        let longer = |(i, j): (&usize, &usize)| (from[*i] > 1).then_some((*i, *j));
        let found = pairs.from.iter().zip(pairs.to.iter()).filter_map(longer).collect::<Vec<_>>();
        let mut naive = Vec::new();
        for i in 0..from.len() {
            for j in 0..to.len() {
                let front =
                    from[..i].iter().product::<usize>() == to[..j].iter().product::<usize>();
                if front && from[i] == to[j] && from[i] > 1 {
                    naive.push((i, j));
                }
            }
        }
        assert_eq!(found, naive, "{from:?} {to:?}");
        pairs_found += found.len();
        assert!(pairs.from.iter().zip(pairs.to.iter()).all(|(i, j)| from[*i] == to[*j]));

        let mut list = (0..from.len()).collect::<Vec<_>>();
        for i in (1..list.len()).rev() {
            list.swap(i, random.below(i + 1));
        }
        let (dims, order) = normalized_transpose(&shapes[0], &list).unwrap();
        assert!(dims.iter().all(|&dim| dim > 1));
        assert!(order.windows(2).all(|pair| pair[0] + 1 != pair[1]), "{from:?} {list:?}");
        let whole = transposed_numbers(&from, &list);
        let back = permutation::inverse(&order).unwrap();
        let source = permutation::apply(&dims, &back).unwrap();
        assert_eq!(transposed_numbers(&source, &order), whole, "{from:?} {list:?}");
    }
    assert!(pairs_found > 2000, "{pairs_found}");
}

/// The row-major numbers of an array's elements in the order of its transpose.
fn transposed_numbers(dims: &[usize], list: &[usize]) -> Vec<usize> {
    let to = list.iter().map(|&dim| dims[dim]).collect::<Vec<_>>();
    (0..dims.iter().product())
        .map(|number| {
            let index = permutation::apply_inverse(&unflatten(number, &to), list).unwrap();
            index.iter().zip(dims).fold(0, |number, (i, dim)| number * dim + i)
        })
        .collect()
}

/// All of it can be computed in a `const`.
#[test]
fn in_constants() {
    const SHAPE: ArrayShape = match ArrayShape::parse_const("f32[16,3,17]{1,2,0:S(1)}") {
        Ok(shape) => shape,
        Err(_) => panic!(),
    };
    const EDITED: ArrayShape = match SHAPE.insert_dimension(1, Static(1)) {
        Ok(shape) => shape,
        Err(_) => panic!(),
    };
    const FREE: bool = reshape_is_bitcast(&SHAPE, &EDITED)
        && deduce_transpose_for_bitcast(&SHAPE, &SHAPE).is_some()
        && align_layouts(&SHAPE, &EDITED).is_some()
        && decompose_bitcast(&SHAPE, &EDITED).is_some()
        && Equal::new().ignore_layout().arrays(&SHAPE, &SHAPE)
        && matches!(compare_indices(&[1], &[2]), Ordering::Less)
        && SHAPE.byte_strides().is_some();
    const { assert!(FREE) };
    assert_eq!(text(Ok::<_, ()>(EDITED)), "f32[16,1,3,17]{2,1,3,0:S(1)}");
}

/// No shape that can be read makes any of it panic, and every shape that is made is one that can be read.
#[test]
fn every_shape_of_the_data() {
    let mut arrays = Vec::new();
    let texts =
        data::tpu_shapes().into_iter().chain(data::verdicts().into_iter().map(|line| line.text));
    for read in texts.filter_map(|text| text.parse::<Shape>().ok()) {
        assert!(Equal::new().shapes(&read, &read) && read.is_compatible_with(&read));
        assert!(read.subshapes().count() >= read.leaves().count());
        let _ = (read.unpadded_bytes(8), read.unpadded_bytes_recursive(), read.is_nested_tuple());
        assert_eq!(read.with_layouts_of(&read), Ok(read.clone()));
        arrays.extend(read.flatten().into_iter().filter_map(|leaf| leaf.as_array().copied()));
    }
    for text in [
        "u8[9223372036854775807]{0:E(1)}",
        "u8[1152921504606846975]{0:T(1,1)}",
        "u8[1,1152921504606846975,0,1]{0,3,2,1}",
        "pred[4294967296,1073741824]{0,1:E(1)S(-128)M(9223372036854775807)}",
        "f32[2147483648,1048576,0,3]{3,1,0,2:PAD(2147483648,1048577,1,4)T(2)}",
        "f32[?,?,3]{0,1,2:T(*,8,128)L(1024)}",
        "s4[3,<=7]{0,1:PAD(9,9)FILL(one)T(4,4)(2,2,2,2,2)L(3)E(4)S(5)SC(0:2)(1:1)M(7)}",
        "f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
    ] {
        arrays.push(array(text));
    }
    assert!(arrays.len() > 5000);
    let big = 1usize << 40;
    for (number, shape) in arrays.iter().enumerate() {
        let rank = shape.rank();
        let made = [
            shape.delete_dimensions(&[rank / 2]).ok(),
            shape.drop_degenerate_dimensions().ok(),
            shape.filter_dimensions(|dim| dim % 2 == 1).ok(),
            shape.insert_dimension(rank / 2, Static(1)).ok(),
            shape.insert_dimensions(rank, &[Dim::Unbounded, Bounded(big)]).ok(),
            shape.append_major_dimension(Static(big)).ok(),
            shape.append_minor_dimension(Static(usize::MAX)).ok(),
            shape.prepend_major_dimension(Static(0)).ok(),
            shape.move_dim_to_major(0).ok(),
            shape.move_dim_to_minor(0).ok(),
            shape.with_default_order().ok(),
            shape.with_major_to_minor(&shape.logical_to_physical()).ok(),
            shape.with_element_type(ElementType::C128).ok(),
            shape.with_packed_elements(true).ok(),
            shape.to_host_shape().ok(),
            shape.without_layout().ok(),
            shape.permute_dimensions(&shape.major_to_minor()),
            shape.permute_dimensions_ignoring_layout(&shape.major_to_minor()).ok(),
            Some(shape.without_tiles()),
            Some(shape.descending_with_same_physical_layout()),
        ];
        for made in made.into_iter().flatten() {
            assert_eq!(array(&made.to_string()), made, "{shape}");
            let _ = (made.byte_strides(), made.unpacked_byte_strides(), made.is_untiled());
            let _ = (made.max_elements_in_per_split(), made.linear_index(&[0, 0]));
            let _ = (normalized_transpose(&made, &made.major_to_minor()), made.indices_in_order());
        }
        let _ = shape.multidimensional_index(number);
        let other = &arrays[number * 7 % arrays.len()];
        let _ = (reshape_is_bitcast_by_order(shape, other), other.with_layout_of(shape));
        let _ = (decompose_bitcast(shape, other), align_layouts(shape, other));
        let _ = inserted_or_deleted_size_one_dims(shape, other);
        assert!(reshape_is_bitcast(shape, shape) && is_reshape_or_transpose_bitcast(shape, shape));
        assert_eq!(decompose_bitcast(shape, shape), Some(Bitcast::Reshape), "{shape}");
        if shape.elements().is_some_and(|elements| elements < 1 << 20) {
            let bytes = (shape.data_bytes(), shape.bytes());
            assert!(bytes.0 <= bytes.1, "{shape}");
        }
    }
}

#[test]
fn equality() {
    let base = array("s4[30,50]{1,0:T(8,128)}");
    for (other, ignoring) in [
        ("s4[30,50]{1,0}", Equal::new().ignore_tiles()),
        ("s4[30,50]{1,0:T(8,128)E(4)}", Equal::new().ignore_element_size()),
        ("s4[30,50]{1,0:T(8,128)S(1)}", Equal::new().ignore_memory_space()),
        ("s4[30,50]{1,0:T(8,128)SC(0:3)}", Equal::new().ignore_splits()),
        ("s4[30,50]{1,0:T(8,128)L(7)}", Equal::new().ignore_tail_padding()),
        ("s4[30,50]{1,0:PAD(30,50)T(8,128)}", Equal::new().ignore_padding()),
        ("s4[30,50]{1,0:T(8,128)M(4)}", Equal::new().ignore_metadata()),
        ("s4[30,50]{1,0:T(8,128)(2,1)L(2)E(4)S(1)SC(1:3)M(1)}", Equal::new().minor_to_major_only()),
        ("s4[30,50]{0,1:T(8,128)}", Equal::new().ignore_layout()),
        ("u4[30,50]{1,0:T(8,128)}", Equal::new().ignore_element_type()),
        ("s4[30,<=50]{1,0:T(8,128)}", Equal::new().ignore_dynamic_dimension()),
        ("s4[30,51]{1,0:T(8,128)}", Equal::new().ignore_dimensions()),
    ] {
        let other = array(other);
        assert_ne!(base, other);
        assert!(!Equal::new().arrays(&base, &other) && !Equal::new().arrays(&other, &base));
        assert!(ignoring.arrays(&base, &other) && ignoring.arrays(&other, &base), "{other}");
        assert!(ignoring.arrays(&base, &base) && Equal::new().arrays(&other, &other));
        // Another exception does not hide it.
        assert!(!Equal::new().ignore_fp_precision().arrays(&base, &other));
    }
    assert!(Equal::new().ignore_dynamic_dimension().arrays(&array("f32[?]"), &array("f32[3]")));
    assert!(!Equal::new().ignore_layout().arrays(&array("f32[?]"), &array("f32[3]")));
    let buffer = shape("b(f32[2]{0})");
    assert!(!Equal::new().shapes(&buffer, &shape("f32[2]")));
    assert!(Equal::new().ignore_buffer().shapes(&buffer, &shape("f32[2]")));
    // An exception holds inside tuples too.
    let tuples = [shape("((f32[2]{0:S(1)}), token[])"), shape("((f32[2]), token[])")];
    assert!(!Equal::new().shapes(&tuples[0], &tuples[1]));
    assert!(Equal::new().ignore_memory_space().shapes(&tuples[0], &tuples[1]));
    assert!(!Equal::new().shapes(&shape("(f32[2])"), &shape("(f32[2], f32[2])")));
    assert!(!Equal::new().shapes(&shape("token[]"), &shape("opaque[]")));

    let (a, b) = (shape("(f32[2,3]{0,1}, token[])"), shape("(f32[2,<=3], token[])"));
    assert!(a.is_compatible_with(&b));
    let half = shape("(bf16[2,3], token[])");
    assert!(!a.is_compatible_with(&half) && a.is_compatible_ignoring_fp_precision(&half));
    assert!(a.is_compatible_ignoring_element_type(&shape("(s8[2,3], token[])")));
    assert!(!a.is_compatible_ignoring_fp_precision(&shape("(s8[2,3], token[])")));
    assert!(array("s8[2,3]{0,1}").same_dimensions(&array("f32[2,3]")));
    assert!(!array("s8[2,3]").same_dimensions(&array("s8[2,4]")));
}

#[test]
fn tuples() {
    let mut tuple = shape("(f32[2], (s32[3], (), token[]), opaque[])");
    let indices = tuple.subshapes().map(|(index, _)| index).collect::<Vec<_>>();
    assert_eq!(indices, [vec![], vec![0], vec![1], vec![1, 0], vec![1, 1], vec![1, 2], vec![2]]);
    for (index, part) in tuple.subshapes() {
        assert_eq!(tuple.subshape(&index), Some(part));
    }
    assert_eq!(
        tuple.leaves().map(|(index, _)| index).collect::<Vec<_>>(),
        [vec![0], vec![1, 0], vec![1, 2], vec![2]]
    );
    let flat = tuple.flatten().into_iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(flat, ["f32[2]{0}", "s32[3]{0}", "token[]", "opaque[]"]);
    assert!(tuple.is_nested_tuple() && !shape("(f32[])").is_nested_tuple());
    assert_eq!(tuple.subshape(&[3]), None);
    assert_eq!(tuple.subshape(&[0, 0]), None);
    assert_eq!(shape("f32[]").leaves().count(), 1);
    assert_eq!(tuple.unpadded_bytes_recursive(), None);
    assert_eq!(tuple.unpadded_bytes(8), Some(24));

    *tuple.subshape_mut(&[2]).unwrap() = shape("f32[4]");
    let mut seen = Vec::new();
    tuple.for_each_leaf_mut(|index, leaf| {
        seen.push(index.to_vec());
        if let Shape::Array(array) = leaf {
            *array = array.with_memory_space(1);
        }
    });
    assert_eq!(seen, [vec![0], vec![1, 0], vec![1, 2], vec![2]]);
    assert_eq!(
        tuple.to_string(),
        "(f32[2]{0:S(1)}, (s32[3]{0:S(1)}, (), token[]), f32[4]{0:S(1)})"
    );
    assert_eq!(tuple.unpadded_bytes_recursive(), Some(8 + 12 + 16));
    assert_eq!(shape("(s32[], s32[])").unpadded_bytes_recursive(), Some(8));
    assert_eq!(Shape::maybe_tuple(vec![shape("f32[]")]), shape("f32[]"));
    assert_eq!(Shape::maybe_tuple(vec![]), shape("()"));
    assert_eq!(
        Shape::maybe_tuple(vec![shape("f32[]"), shape("token[]")]),
        shape("(f32[], token[])")
    );

    let layouts = shape("(f32[9,9]{0,1:T(2,2)}, (b(s8[7]{0:S(1)})), token[])");
    let copied = shape("(f32[3,5], (b(f32[2])), token[])").with_layouts_of(&layouts).unwrap();
    assert_eq!(copied.to_string(), "(f32[3,5]{0,1:T(2,2)}, (b(f32[2]{0:S(1)})), token[])");
    for other in ["(f32[3,5], (f32[2]), token[])", "(f32[3,5], (b(f32[2])))", "f32[3,5]"] {
        assert_eq!(shape(other).with_layouts_of(&layouts), Err(EditError::Structure), "{other}");
    }
    assert!(shape("(f32[3], (b(f32[2])), token[])").with_layouts_of(&layouts).is_err());
}
