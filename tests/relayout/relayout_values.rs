//! Copies between layouts that are known at run time: their parts, and what is refused.

use layout::CopyError;
use layout::copies::{Placed, Side};
use layout::{ElementType, Padding, Plan};

/// Arrays fall into parts of about the size that is asked for, whatever the layouts.
#[test]
fn parts_are_small() {
    let lengths = |from: &str, to: &str| {
        let plan = Plan::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        let parts = plan.parts(1 << 20);
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
    let plan = Plan::new(&rows.parse().unwrap(), &rows.parse().unwrap()).unwrap();
    assert_eq!((plan.parts(0).len(), plan.parts(usize::MAX).len()), (4 << 20, 1));
}

#[test]
fn what_is_not_copied() {
    let error =
        |from: &str, to: &str| Plan::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap_err();
    for (from, to, expected) in [
        (
            "f32[3,5]",
            "f32[3,6]{1,0:T(2,2)}",
            "dimension 1 has size 5 in the source and 6 in the destination",
        ),
        ("f32[5]", "s32[5,1]", "the source has rank 1, the destination rank 2"),
        (
            "s32[3,5]{0,1}",
            "f32[3,5]",
            "elements are `s32` in the source and `f32` in the destination",
        ),
        (
            "s32[5,3,<=5]",
            "s32[5,<=3,<=5]",
            "3 is the size of dimension 1 on one side, and its bound on the other",
        ),
    ] {
        assert_eq!(error(from, to).to_string(), format!("the arrays differ: {expected}"));
    }
    let (source, destination) = (ElementType::F32, ElementType::S8);
    assert_eq!(error("f32[3]", "s8[3]"), CopyError::OtherElements { source, destination });
    assert!(matches!(error("f32[?]", "f32[?]"), CopyError::UnknownSize(_)));
    let bits = CopyError::ElementBits { source: 32, destination: 8 };
    assert_eq!(error("pred[3]{0:E(32)}", "pred[3]"), bits);
    assert_eq!(
        bits.to_string(),
        "elements of 32 bits are not copied to elements of 8 bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8"
    );
    let plan = Plan::new(&"f32[3,5]".parse().unwrap(), &"f32[3,5]{0,1}".parse().unwrap()).unwrap();
    let error = plan.run_bytes(&[0; 59], &mut [0; 60], Padding::Zero).unwrap_err();
    let (needed, given) = (60, 59);
    assert_eq!(error, CopyError::TooShort { side: Side::Source, needed, given });
    let error = plan.run_bytes(&[0; 60], &mut [0; 59], Padding::Zero).unwrap_err();
    assert_eq!(error, CopyError::TooShort { side: Side::Destination, needed, given });
    let error = plan.run(&[0_u8; 60], &mut [0; 60], Padding::Zero).unwrap_err();
    assert_eq!(error, CopyError::ElementBytes { planned: 4, given: 1 });
    // Only numbers say which value has no bits.
    let padded = Plan::new(&"u16[3]".parse().unwrap(), &"u16[3]{0:T(4)}".parse().unwrap()).unwrap();
    let to_bytes = padded.run(&[[true; 2]; 3], &mut [[true; 2]; 4], Padding::Zero);
    assert_eq!(to_bytes, Err(CopyError::NoPadding));
    padded.run(&[[true; 2]; 3], &mut [[true; 2]; 4], Padding::Leave).unwrap();
    let new = padded.run(&[[true; 2]; 3], &mut Vec::new(), Padding::Leave);
    assert_eq!(new, Err(CopyError::NoPadding));
}

#[test]
fn ranges_that_are_not_copied() {
    let [from, to] = ["f32[45,5]", "f32[45,5]{1,0:T(4,5)}"].map(|text| text.parse().unwrap());
    let plan = Plan::new(&from, &to).unwrap();
    let end = plan.destination_bytes();
    let src = vec![0; plan.source_bytes()];
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = 8..4;
    for part in [2..8, 4..7, 0..end + 4, end + 4..end + 4, reversed] {
        let (start, end) = (part.start, part.end);
        let error = CopyError::Part { start, end, bytes: 960, element: 4 };
        assert_eq!(plan.part(part).unwrap_err(), error);
    }
    let [middle, whole, none] = [4..12, 0..end, end..end].map(|part| plan.part(part).unwrap());
    let error = middle.run_bytes(&src, &mut [0; 7], Padding::Zero).unwrap_err();
    assert_eq!(error, CopyError::TooShort { side: Side::Destination, needed: 8, given: 7 });
    let error = whole.run_bytes(&src[1..], &mut vec![0; end], Padding::Zero).unwrap_err();
    let (needed, given) = (src.len(), src.len() - 1);
    assert_eq!(error, CopyError::TooShort { side: Side::Source, needed, given });
    none.run_bytes(&src, &mut [0; 0], Padding::Zero).unwrap();
    let strided = Plan::between(Placed::strides(&from, &[5, 1]), &to).unwrap();
    assert!(strided.parts(100).eq(std::iter::once(0..end)) && strided.part(0..end).is_ok());
    let error = strided.part(0..4).unwrap_err();
    assert_eq!(error, CopyError::OnePart { side: Side::Source, bytes: end });
    assert!(matches!(strided.part(0..2), Err(CopyError::Part { start: 0, end: 2, .. })));
    let strided = Plan::between(&from, Placed::strides(&from, &[6, 1])).unwrap();
    let error = strided.part(0..4).unwrap_err();
    assert!(matches!(error, CopyError::OnePart { side: Side::Destination, .. }));
}

/// A plan is small enough to be kept with each pair of layouts that a program uses.
#[test]
fn plans_take_four_kilobytes_and_a_quarter() {
    assert!(size_of::<Plan>() <= 17 << 8, "{} bytes", size_of::<Plan>());
}
