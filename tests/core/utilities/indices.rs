//! Indices without tiles, stepping, strides and sizes.

use core::cmp::Ordering;
use layout::{Size, xla};

use layout::ElementType;
use layout::xla::{bump_indices, byte_strides_are_major_to_minor, compare_indices};

use super::array;

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
            assert_eq!(
                xla::multidimensional_index_to_linear_index(&shape, index),
                Some(linear),
                "{text}"
            );
            assert_eq!(
                *xla::linear_index_to_multidimensional_index(&shape, linear).unwrap(),
                *index,
                "{text}"
            );
        }
        let elements = shape.elements().unwrap();
        assert_eq!(xla::linear_index_to_multidimensional_index(&shape, elements), None, "{text}");
        for (number, index) in xla::indices_in_order(&shape).enumerate() {
            assert_eq!(
                xla::multidimensional_index_to_linear_index(&shape, &index),
                Some(number as Size),
                "{text}"
            );
            let strides =
                (0..shape.rank()).map(|dim| xla::get_dimension_stride(&shape, dim).unwrap());
            assert_eq!(strides.zip(index.iter()).map(|(s, i)| s * i).sum::<Size>(), number as Size);
        }
    }
    assert_eq!(xla::multidimensional_index_to_linear_index(&array("f32[2,3]"), &[2, 0]), None);
    assert_eq!(xla::multidimensional_index_to_linear_index(&array("f32[2,3]"), &[0]), None);
    assert_eq!(xla::multidimensional_index_to_linear_index(&array("f32[?,3]"), &[0, 0]), None);
    assert_eq!(xla::get_dimension_stride(&array("f32[?,3]"), 0), Some(3));
    assert_eq!(xla::get_dimension_stride(&array("f32[?,3]{0,1}"), 1), None);
    assert_eq!(
        xla::get_dimension_stride(&array("s8[0,4294967296,1048576,3]{1,2,0,3}"), 3),
        Some(0)
    );

    for (text, visits) in [
        ("f32[]", 1),
        ("f32[0]", 0),
        ("f32[16]", 16),
        ("f32[3,0]", 0),
        ("f32[4,16]", 64),
        ("f32[6,11,17]", 1122),
        ("f32[?]", 0),
    ] {
        assert_eq!(xla::indices_in_order(&array(text)).count(), visits, "{text}");
        assert_eq!(xla::indices_in_order(&array(text)).size_hint().0, visits, "{text}");
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
    let mut index = [0, Size::MAX];
    assert!(bump_indices(&[2, 2], &mut index) && index == [1, 0]);

    let shape = array("f32[2,?]");
    assert!(
        xla::index_in_bounds(&shape, &[1, 1 << (Size::BITS - 24)])
            && !xla::index_in_bounds(&shape, &[2, 0])
    );
    assert!(!xla::index_in_bounds(&shape, &[1]) && xla::index_in_bounds(&array("f32[]"), &[]));
    assert_eq!(compare_indices(&[1, 2], &[1, 3]), Ordering::Less);
    assert_eq!(compare_indices(&[2], &[1, 3]), Ordering::Greater);
    assert_eq!(compare_indices(&[1, 3], &[1, 3]), Ordering::Equal);
    assert_eq!(compare_indices(&[1, 3], &[1, 3, 0]), Ordering::Less);
    assert_eq!(compare_indices(&[2], &[]), Ordering::Greater);
}

#[test]
fn strides_and_sizes() {
    let strides = |text: &str| xla::byte_strides(&array(text)).map(|strides| strides.to_vec());
    let unpacked = |text: &str| xla::unpacked_byte_strides(&array(text)).unwrap().to_vec();
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
    let major = |strides: &[Size]| {
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
        assert_eq!(xla::array_data_size(&array(text)), Some(bytes), "{text}");
    }
    let split = array("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
    assert_eq!(
        [0, 1, 2, 3].map(|dim| xla::max_split_size(&split, dim)),
        [Some(150), Some(90), Some(70), None]
    );
    assert_eq!(xla::max_elements_in_per_split(&split), Some(150 * 90 * 70));
    assert_eq!(xla::max_elements_in_per_split(&array("f32[150,200,100]")), Some(150 * 200 * 100));
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
        // One element may have no next one, at a distance that does not fit in 64 bits.
        ("f32[2,9007199254740991]{1,0:T(*,5)(131071,1)}", false),
        ("s8[2,4611686018427387903]{1,0:T(1,4611686018427387903)}", true),
        ("s8[7,1317624576693539401]{1,0:T(*,7)(1)}", true),
        ("s8[7,1317624576693539401]{1,0:T(*,1317624576693539401)(7,1)}", false),
    ] {
        assert_eq!(xla::is_untiled_layout(&array(text)), is_untiled, "{text}");
    }
    let factor = |text: &str| xla::packed_factor_for_1d_interleaved_array(&array(text));
    assert_eq!(factor("bf16[1024]{0:T(1024)(128)(2,1)}"), Some(2));
    assert_eq!(factor("bf16[1024]{0:T(1024)(128)(*,1)}"), None);
    assert_eq!(factor("bf16[8,128]{1,0:T(8,128)(2,1)}"), None);
}
