//! Equality with exceptions, and the parts of tuples.

use layout::shape::Equal;

use layout_tests::lists::{array, shape};

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
}

#[test]
fn tuples() {
    let tuple = shape("(f32[2], (s32[3], (), token[]), opaque[])");
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
    assert_eq!(tuple.subshape(&[3]), None);
    assert_eq!(tuple.subshape(&[0, 0]), None);
    assert_eq!(shape("f32[]").leaves().count(), 1);
}
