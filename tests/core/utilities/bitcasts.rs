//! The bitcasts of XLA's own tests.

use layout::ElementType;
use layout::bitcast::{
    Bitcast, align_layouts, decompose_bitcast, deduce_transpose_for_bitcast,
    is_reshape_or_transpose_bitcast, reshape_is_bitcast, reshape_is_bitcast_by_order,
    transpose_is_bitcast, transpose_is_bitcast_by_order,
};

use super::{array, text};

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
