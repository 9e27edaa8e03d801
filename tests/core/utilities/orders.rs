//! Orders of dimensions, and shapes made of parts.

use layout::shape::Dim::{Bounded, Static};
use layout::shape::{FaultKind, TileDim, Tiles};
use layout::xla::{ascending_order, descending_order};
use layout::{ArrayShape, ElementType, Fault, xla};

use super::{array, text};

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
        assert_eq!(xla::is_monotonic_with_dim0_major(&shape), descending, "{text}");
        assert_eq!(xla::is_monotonic_with_dim0_minor(&shape), ascending, "{text}");
        assert_eq!(xla::last_dim_is_minor_most(&shape), descending, "{text}");
        for dim in 0..shape.rank() {
            let place = xla::make_logical_to_physical(&shape)[dim];
            assert_eq!(xla::major(&shape, place), Some(dim));
            assert_eq!(xla::minor(&shape, shape.rank() - 1 - place), Some(dim));
        }
        assert_eq!(
            (xla::major(&shape, shape.rank()), xla::minor(&shape, shape.rank())),
            (None, None)
        );
    }
    let most_major = |text, dim| xla::is_effectively_most_major_dimension(&array(text), dim);
    assert!(most_major("f32[1,1,16,1,279]{4,0,1,2,3}", 2));
    assert!(most_major("f32[1,1,16,1,279]{4,1,2,3,0}", 2));
    assert!(!most_major("f32[1,1,16,1,279]{0,1,2,3,4}", 2));
    assert!(most_major("f32[1,1,16,1,279]{0,1,2,3,4}", 4));
    assert!(!most_major("f32[1,1]", 2));
    let consecutive =
        |dims: &[usize]| xla::are_dimensions_consecutive(&array("f32[1,2,3,4]{2,0,3,1}"), dims);
    assert!(
        consecutive(&[0, 2]) && consecutive(&[3, 0, 2]) && consecutive(&[]) && consecutive(&[1])
    );
    assert!(!consecutive(&[2, 3]) && !consecutive(&[0, 0]) && !consecutive(&[4]));

    let moved = |text: &str, dim| {
        let shape = array(text);
        [
            text_of_order(&xla::move_dim_to_major(&shape, dim)),
            text_of_order(&xla::move_dim_to_minor(&shape, dim)),
        ]
    };
    assert_eq!(moved("f32[2,2,2]{2,1,0}", 0)[0], [2, 1, 0]);
    assert_eq!(moved("f32[2,2,2]{2,1,0}", 1)[0], [2, 0, 1]);
    assert_eq!(moved("f32[2,2,2]{0,2,1}", 0)[0], [2, 1, 0]);
    assert_eq!(moved("f32[2,2,2,2]{2,0,3,1}", 2)[1], [2, 0, 3, 1]);
    assert_eq!(moved("f32[2,2,2,2]{2,0,3,1}", 3)[1], [3, 2, 0, 1]);
    // Splits go with their dimensions, which XLA leaves behind.
    assert_eq!(
        text(xla::move_dim_to_major(&array("f32[20,30,40]{2,1,0:T(8,128)S(1)SC(0:10)(2:7)}"), 2)),
        "f32[20,30,40]{1,0,2:T(8,128)S(1)SC(1:10)(0:7)}"
    );
    let fault = xla::move_dim_to_minor(&array("f32[2]"), 1).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::NoDim { dim: 1, rank: 1 });

    let shape = array("f32[2,3,4]{0,1,2:T(2,2)}");
    assert_eq!(text(xla::set_to_default_layout(&shape)), "f32[2,3,4]{2,1,0:T(2,2)}");
    assert_eq!(
        text(xla::make_layout_from_major_to_minor(&shape, &[1, 0, 2])),
        "f32[2,3,4]{2,0,1:T(2,2)}"
    );
    let fault = shape.with_minor_to_major(&[0, 1]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::MinorToMajorCount { entries: 2, rank: 3 });
    assert_eq!(xla::make_layout_from_major_to_minor(&shape, &[0, 1]).unwrap_err(), fault);
    let fault = shape.with_minor_to_major(&[0, 1, 1]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::MinorToMajorRepeated { dim: 1, missing: 2 });
    // Other dimensions are tiled then, and padded.
    let large = array("s8[1099511627776,1,131072]{0,1,2:T(128)}");
    assert!(matches!(
        large.with_minor_to_major(&[1, 0, 2]).unwrap_err().kind(),
        FaultKind::Overflow { .. }
    ));
}

fn text_of_order(shape: &Result<ArrayShape, Fault>) -> Vec<usize> {
    shape.unwrap().minor_to_major().to_vec()
}

#[test]
fn shapes_from_parts() {
    let mut tiles = Tiles::NONE;
    assert!(tiles.begin() && tiles.push(TileDim::Size(2)) && tiles.push(TileDim::Size(2)));
    let dims = [Static(3), Bounded(5)];
    let dense =
        |order: &[usize]| xla::make_shape_with_dense_layout(ElementType::F32, &dims, order, &tiles);
    assert_eq!(text(dense(&[0, 1])), "f32[3,<=5]{0,1:T(2,2)}");
    assert!(dense(&[0]).is_err() && dense(&[0, 2]).is_err());
    assert_eq!(text(ArrayShape::new(ElementType::U8, &[])), "u8[]");
    assert_eq!(
        text(ArrayShape::new(ElementType::U8, &[Static(2); 16])),
        array("u8[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]").to_string()
    );
    let fault = ArrayShape::new(ElementType::U8, &[Static(2); 17]).unwrap_err();
    assert!(matches!(fault.kind(), FaultKind::TooMany { limit: 16, .. }));
    let root = Static(1 << (layout::Size::BITS / 2));
    let fault = ArrayShape::new(ElementType::U8, &[root, root]).unwrap_err();
    assert!(matches!(fault.kind(), FaultKind::Overflow { .. }));

    let s4 = array("s4[64,128]{1,0:E(4)}");
    let bits = |element| s4.with_element_type(element).unwrap().element_size_in_bits();
    assert_eq!(bits(ElementType::PRED), None);
    assert_eq!(bits(ElementType::U8), None);
    assert_eq!(bits(ElementType::U4), Some(4));
    assert_eq!(bits(ElementType::S2), Some(2));
    assert_eq!(text(array("u8[3]").with_element_type(ElementType::U4)), "u4[3]{0}");
    let bits = array("pred[6917529027641081856]{0:E(1)}");
    assert_eq!(text(bits.with_element_type(ElementType::U8)), "u8[6917529027641081856]{0}");
    assert!(bits.with_element_type(ElementType::U16).is_err());
    assert_eq!(text(array("s2[8]").with_packed_elements(true)), "s2[8]{0:E(2)}");
    assert_eq!(text(array("pred[8]{0:E(32)}").with_packed_elements(true)), "pred[8]{0}");
    assert_eq!(text(bits.with_packed_elements(false)), "pred[6917529027641081856]{0}");
    assert!(array("u16[6917529027641081856]{0:E(1)}").with_packed_elements(false).is_err());

    let device = array("s4[30,50]{0,1:PAD(32,64)FILL(zero)T(2,2)L(64)E(4)S(1)SC(0:16)M(8)}");
    assert!(!xla::device_shape_is_host_shape(&device));
    assert_eq!(text(xla::device_shape_to_host_shape(&device)), "s4[30,50]{0,1}");
    assert!(xla::device_shape_is_host_shape(&xla::device_shape_to_host_shape(&device).unwrap()));
    assert_eq!(text(device.without_layout()), "s4[30,50]{1,0}");
    assert_eq!(
        device.without_tiles().with_memory_space(layout::shape::memory_space::HOST).to_string(),
        "s4[30,50]{0,1:PAD(32,64)FILL(zero)L(64)E(4)S(5)SC(0:16)M(8)}"
    );
    let plain = array("f32[30,50]");
    assert_eq!(
        text(xla::copy_layout_between_shapes(&device, &plain)),
        "f32[30,50]{0,1:PAD(32,64)FILL(zero)T(2,2)L(64)E(4)S(1)SC(0:16)M(8)}"
    );
    assert!(xla::copy_layout_between_shapes(&device, &array("f32[30,50,2]")).is_err());
    assert!(xla::copy_layout_between_shapes(&device, &array("f32[33,50]")).is_err());
}
