//! Plans of copies: their loops, their parts, and slices that are too short for them.

use layout::__private::copies::{PaddingPlan, Plan};
use layout::shape::Digits;
use layout_tests::lists::{array, list};

fn digits(text: &str) -> Digits {
    array(text).digits().expect("the sizes are known")
}

/// A plan is not trusted: slices that are shorter than its layouts end in a panic, by every kernel, and
/// nothing outside of them is touched. Where panics do not unwind, the first one ends the program.
#[cfg(panic = "unwind")]
#[test]
fn slices_that_are_too_short() {
    use layout::__private::core::native;
    use layout::__private::{Memory, Plain, copy};
    use layout_tests::copies::all_settings;
    use layout_tests::naive::unflatten;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let texts = [
        ["f32[64,256]", "f32[64,256]{1,0:T(8,128)}"],
        ["f32[64,256]{1,0:T(8,128)(2,1)}", "f32[64,256]"],
        ["f32[64,256]", "f32[64,256]{1,0:T(8,128)(2,1)}"],
        ["f32[64,256]", "f32[64,256]{0,1}"],
        ["f32[63,257]", "f32[63,257]{0,1:T(8,128)}"],
        ["f32[64,256]{1,0:T(8,128)}", "f32[64,256]{1,0:T(6,100)}"],
    ];
    for [from, to] in texts {
        let [a, b] = [from, to].map(array);
        let [a_digits, b_digits] = [a, b].map(|shape| shape.digits().unwrap());
        let [a_slots, b_slots] = [a, b].map(|shape| native(shape.padded_elements().unwrap()));
        // The last slots may be padding.
        let dims = a.dims().iter().map(|dim| dim.size().unwrap()).collect::<Vec<_>>();
        let [a_needs, b_needs] = [a_digits, b_digits].map(|digits| {
            let offsets =
                (0..dims[0] * dims[1]).map(|n| digits.offset_unchecked(&unflatten(n, &dims)));
            native(offsets.max().unwrap() + 1)
        });
        for settings in all_settings() {
            for (src_short, dst_short) in [(1, 0), (0, 1), (a_slots, 0), (0, b_slots), (700, 900)] {
                let src = vec![1.0; a_slots];
                let mut dst = vec![0.0; b_slots];
                let (src, dst_len) = (&src[..a_slots - src_short], b_slots - dst_short);
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let memory = Memory::of(Plain::<f32>::YES, src, &mut dst[..dst_len]);
                    copy([&a_digits, &b_digits], [0; 2], memory, 4, settings);
                }));
                let is_short = src.len() < a_needs || dst_len < b_needs;
                assert_eq!(result.is_err(), is_short, "{from} {to} {settings:?}");
                assert!(dst[dst_len..].iter().all(|&slot| slot == 0.0), "{from} {to}");
            }
        }
    }
}

/// The padding of a layout of more digits than a plan has loops is not planned.
#[test]
fn padding_of_more_digits_than_loops() {
    for (rank, is_planned) in [(8, true), (9, false)] {
        let order = list(&(0..rank).rev().collect::<Vec<_>>());
        let [sizes, tile] = [3, 2].map(|size| list(&vec![size; rank]));
        let digits = digits(&format!("f32[{sizes}]{{{order}:T({tile})}}"));
        let slots = 1 << (2 * rank);
        assert_eq!(PaddingPlan::new(&digits.view(), slots).is_some(), is_planned, "{rank}");
    }
}

/// Threads share the most major digit of the destination, if it is the most major one of its dimension.
#[test]
fn what_threads_share() {
    let shared = |from: &str, to: &str| {
        let plan = Plan::new(&digits(from), &digits(to), 4);
        let number = plan.shared()?;
        let extent = plan.loops[number].extent;
        (extent > 1).then_some((plan.dims[number], extent))
    };
    let rows = "f32[64,256]{1,0}";
    assert_eq!(shared(rows, "f32[64,256]{1,0:T(8,128)}"), Some((0, 8)));
    assert_eq!(shared(rows, "f32[64,256]{0,1}"), Some((1, 256)));
    // The second tile puts `i0/4` below `i0%4`.
    assert_eq!(shared("f32[8]{0}", "f32[8]{0:T(4)(2,1)}"), None);
    // Without a common split, what is the most major of the destination alone.
    let tiled = "f32[64,256]{1,0:T(8,128)}";
    assert_eq!(shared(tiled, "f32[64,256]{1,0:T(6,100)}"), Some((0, 11)));
    assert_eq!(shared(tiled, "f32[64,256]{0,1:T(100,6)}"), Some((1, 3)));
    // A sum is not a dimension's, and an array of one element has no loops.
    assert_eq!(shared("f32[20,20]{1,0}", "f32[20,20]{1,0:T(*,7)(5)}"), None);
    assert_eq!(shared("f32[]", "f32[1]{0:T(2)}"), None);
}

/// What sums resolve to is planned as digits, also where padding or another sum reaches across a digit.
#[test]
fn combined_dimensions_have_loops() {
    for text in [
        "f32[6,4,10]{2,1,0:T(2,*,10)}",
        "f32[6,4,10]{2,1,0:PAD(6,4,12)T(2,*,12)}",
        "f32[3,13]{1,0:T(3)(7,6)(6,*,*,6)}",
    ] {
        let digits = digits(text);
        assert!(!Plan::new(&digits, &digits, 4).is_general(), "{text}");
    }
}

/// Dimensions that go on where another one ends, in both layouts, are counted as one.
#[test]
fn contiguous_dimensions_are_one() {
    let pairs = [
        ("f32[2,5,7,4]", "{3,2,1,0}", "{3,2,1,0}", 1),
        ("f32[2,5,7,4]", "{3,2,1,0}", "{2,1,3,0}", 3),
        ("f32[2,5,7,4]", "{0,1,2,3}", "{0,1,2,3}", 1),
        ("f32[2,5,7,4]", "{3,2,1,0}", "{0,1,2,3}", 4),
        // The quotient of 16 by 8 goes on with the dimensions before; that of 15 does not.
        ("f32[2,3,16,200]", "{3,2,1,0}", "{3,2,1,0:T(8,128)}", 4),
        ("f32[2,3,15,200]", "{3,2,1,0}", "{3,2,1,0:T(8,128)}", 5),
    ];
    for (array, from, to, loops) in pairs {
        let [a, b] = [from, to].map(|layout| digits(&format!("{array}{layout}")));
        assert_eq!(Plan::new(&a, &b, 4).len, loops, "{array}{from} to {to}");
    }
}

/// Arrays fall into parts of about the size that is asked for, whatever the layouts.
#[test]
fn parts_are_small() {
    let lengths = |from: &str, to: &str| {
        let plan = layout::Plan::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
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
    let plan = layout::Plan::new(&rows.parse().unwrap(), &rows.parse().unwrap()).unwrap();
    assert_eq!((plan.parts(0).len(), plan.parts(usize::MAX).len()), (4 << 20, 1));
}

/// A plan is small enough to be kept with each pair of layouts that a program uses.
#[test]
fn plans_take_four_kilobytes_and_a_quarter() {
    assert!(size_of::<layout::Plan>() <= 17 << 8, "{} bytes", size_of::<layout::Plan>());
}
