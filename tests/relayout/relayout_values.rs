//! Copies between layouts that are known at run time: their parts, and what is refused.

use layout::copies::RelayoutPlanError;
use layout::shape::Dim;
use layout::{ElementType, Padding, Relayout};

/// Arrays fall into parts of about the size that is asked for, whatever the layouts.
#[test]
fn parts_are_small() {
    let lengths = |from: &str, to: &str| {
        let relayout = Relayout::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        let parts = relayout.parts(1 << 20);
        (parts.len(), parts.map(|part| part.len()).max().unwrap())
    };
    let rows = "f32[4096,1024]";
    assert_eq!(lengths(rows, "f32[4096,1024]{1,0:T(8,128)}"), (16, 1 << 20));
    // Blocks of 64 rows of the transpose, of which one is longer.
    assert_eq!(lengths("f32[16384,1024]", "f32[16384,1024]{0,1}"), (16, 4 << 20));
    // Tiles of rows of more than that, digits of a sum, and no common split.
    assert_eq!(lengths("f32[64,40960]", "f32[64,40960]{1,0:T(8,128)}"), (10, 1 << 20));
    assert_eq!(lengths("u8[2100,2111]", "u8[2100,2111]{1,0:T(*,6)(7)}"), (5, 1 << 20));
    assert_eq!(lengths("u8[12,999999]{1,0:T(7)}", "u8[12,999999]{1,0:T(8)}"), (12, 1_000_000));
    let relayout = Relayout::new(&rows.parse().unwrap(), &rows.parse().unwrap()).unwrap();
    assert_eq!((relayout.parts(0).len(), relayout.parts(usize::MAX).len()), (4 << 20, 1));
}

#[test]
fn what_is_not_copied() {
    let error = |from: &str, to: &str| {
        Relayout::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap_err()
    };
    let RelayoutPlanError::OtherArray(other) = error("f32[3,5]", "s32[3,<=5]") else { panic!() };
    assert_eq!(other.element_types(), [ElementType::F32, ElementType::S32]);
    assert_eq!(other.dims(), [[Dim::Static(3), Dim::Static(5)], [Dim::Static(3), Dim::Bounded(5)]]);
    for (from, to, expected) in [
        (
            "f32[3,5]",
            "f32[3,6]{1,0:T(2,2)}",
            "`f32[3,5]` and `f32[3,6]`: dimension 1 has size 5 in one and 6 in the other",
        ),
        ("f32[5]", "s32[5,1]", "`f32[5]` and `s32[5,1]`: one has 1 dimension and the other 2"),
        (
            "s32[3,5]{0,1}",
            "f32[3,<=5]",
            "`s32[3,5]` and `f32[3,<=5]`: elements are `s32` in one and `f32` in the other",
        ),
        (
            "s32[5,3,<=5]",
            "s32[5,<=3,<=5]",
            "`s32[5,3,<=5]` and `s32[5,<=3,<=5]`: dimension 1 has size 3 in one and <=3 in the other",
        ),
        (
            "f32[5,3]",
            "s32[<=5,4]",
            "`f32[5,3]` and `s32[<=5,4]`: dimension 1 has size 3 in one and 4 in the other",
        ),
    ] {
        let text = error(from, to).to_string();
        assert_eq!(text, format!("the layouts are of different arrays, {expected}"));
    }
    assert!(matches!(error("f32[?]", "f32[?]"), RelayoutPlanError::UnknownSize(_)));
    let bits = RelayoutPlanError::ElementBits { source: 32, destination: 8 };
    assert_eq!(error("pred[3]{0:E(32)}", "pred[3]"), bits);
    assert_eq!(
        bits.to_string(),
        "elements of 32 bits are not copied to elements of 8 bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8"
    );
    let relayout =
        Relayout::new(&"f32[3,5]".parse().unwrap(), &"f32[3,5]{0,1}".parse().unwrap()).unwrap();
    let error = relayout.run(&[0; 59], &mut [0; 60], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (60, 59));
    let error = relayout.run(&[0; 60], &mut [0; 59], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (60, 59));
}

#[test]
fn ranges_that_are_not_copied() {
    let [from, to] = ["f32[45,5]", "f32[45,5]{1,0:T(4,5)}"].map(|text| text.parse().unwrap());
    let relayout = Relayout::new(&from, &to).unwrap();
    let end = relayout.destination_bytes();
    let src = vec![0; relayout.source_bytes()];
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = 8..4;
    for (part, expected) in [
        (2..8, "2..8 cuts an element: elements take 4 bytes"),
        (4..7, "4..7 cuts an element: elements take 4 bytes"),
        (0..end + 4, "0..964 is not a range of the destination's 960 bytes"),
        (end + 4..end + 4, "964..964 is not a range of the destination's 960 bytes"),
        (reversed, "8..4 is not a range of the destination's 960 bytes"),
    ] {
        let run = || relayout.run_part(part.clone(), &src, &mut [0; 2000], Padding::Zero);
        let panic = std::panic::catch_unwind(run).expect_err("it is refused");
        assert_eq!(*panic.downcast::<String>().unwrap(), expected);
        let plan = || relayout.plan_parts([part.clone()]);
        let panic = std::panic::catch_unwind(plan).expect_err("it is refused");
        assert_eq!(*panic.downcast::<String>().unwrap(), expected);
    }
    let planned = relayout.plan_parts([4..12, 0..end, end..end]);
    let error = planned.run(0, &src, &mut [0; 7], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (8, 7));
    let error = planned.run(1, &src[1..], &mut vec![0; end], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (src.len(), src.len() - 1));
    planned.run(2, &src, &mut [], Padding::Zero).unwrap();
    let run = || planned.run(3, &src, &mut [], Padding::Zero);
    let panic = std::panic::catch_unwind(run).expect_err("there is no such part");
    assert_eq!(*panic.downcast::<String>().unwrap(), "part 3 of 3");
    let error = relayout.run_part(4..12, &src, &mut [0; 7], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (8, 7));
    relayout.run_part(end..end, &src, &mut [], Padding::Zero).unwrap();
}

/// A plan is small enough to be kept with each pair of layouts that a program uses.
#[test]
fn plans_take_four_kilobytes() {
    assert!(size_of::<Relayout>() <= 4 << 10, "{} bytes", size_of::<Relayout>());
}
