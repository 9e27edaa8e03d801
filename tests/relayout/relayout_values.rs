//! Copies between layouts that are known at run time, against the naive model.

use layout::__private::core::native;
use layout::copies::{InstructionSet, RelayoutPlanError, Settings};
use layout::shape::Dim;
use layout::{ArrayShape, ElementType, Padding, Relayout, Size};
use layout_tests::pairs::swizzled_pair;
use layout_tests::random::Random;

use crate::relayout_packed::check_naive;

#[test]
fn random_pairs() {
    let mut random = Random::new(15);
    for _ in 0..500 {
        let [a, b] = swizzled_pair(&mut random, 6000);
        let (element, bits) = *random.pick(&[
            ("u8", [8, 8]),
            ("bf16", [16, 16]),
            ("f32", [32, 32]),
            ("s64", [64, 64]),
            ("c128", [128, 128]),
            ("u4", [4, 4]),
            ("s4", [4, 8]),
            ("u4", [8, 4]),
            ("s2", [2, 2]),
            ("s2", [2, 8]),
            ("u2", [8, 2]),
            ("pred", [1, 1]),
            ("pred", [1, 8]),
            ("pred", [8, 1]),
        ]);
        check_naive(&mut random, [&a, &b], element, bits);
    }
}

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

/// Where a more minor digit of a dimension comes first in memory and the layouts share no split, no box of indices is a
/// stretch of memory.
#[test]
fn windows_that_are_no_boxes() {
    for (from, to) in [
        ("u8[60000]{0:T(3)(5,1)}", "u8[60000]{0:T(2)(30000,1)}"),
        ("u4[60000]{0:T(3)(5,1)E(4)}", "u4[60000]{0:T(2)(30000,1)E(4)}"),
        ("u8[60000]", "u8[60000]{0:T(2)(30000,1)}"),
    ] {
        let relayout = Relayout::new(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        let src = (0..relayout.source_bytes()).map(|at| (at * 7 + at / 251) as u8);
        let src = src.collect::<Vec<_>>();
        let mut expected = vec![0; relayout.destination_bytes()];
        relayout.run(&src, &mut expected, Padding::Zero).unwrap();
        for part in [0..7, 14_000..15_003, 14_999..15_001, expected.len() - 9..expected.len()] {
            let mut found = vec![0x5a; part.len()];
            relayout.run_part(part.clone(), &src, &mut found, Padding::Zero).unwrap();
            assert_eq!(found, expected[part.clone()], "{to} {part:?}");
        }
    }
}

/// Threads share a part, which is a share itself.
#[test]
fn threads_share_parts() {
    for (from, to) in [
        ("{1,0:T(6,128)}", "{1,0:T(8,128)}"),
        ("{1,0:T(8,128)}", "{0,1:T(6,100)}"),
        ("{1,0}", "{1,0:T(8,128)}"),
        ("{1,0}", "{0,1}"),
    ] {
        let [from, to] =
            [from, to].map(|layout| format!("s32[389,257]{layout}").parse::<ArrayShape>().unwrap());
        let settings = |threads| Settings { threads: Some(threads), ..Settings::default() };
        let [shared, alone] = [true, false]
            .map(|threads| Relayout::new(&from, &to).unwrap().with_settings(settings(threads)));
        let src = (0..shared.source_bytes()).map(|at| (at * 7 % 251) as u8).collect::<Vec<_>>();
        let mut expected = vec![0; shared.destination_bytes()];
        alone.run(&src, &mut expected, Padding::Zero).unwrap();
        for bytes in [1, 20_000, 100_000] {
            let mut found = vec![1; expected.len()];
            for part in shared.parts(bytes) {
                let to = &mut found[part.clone()];
                shared.run_part(part, &src, to, Padding::Zero).unwrap();
            }
            assert!(found == expected, "{from} to {to} by {bytes}");
        }
    }
}

/// An array that ends within a byte, whose elements lie elsewhere than their neighbours: the rest of the byte is
/// padding.
#[test]
fn a_dimension_that_ends_within_bytes() {
    for (text, padding) in
        [("u4[144]{0:T(16)(2,1)E(4)}", 0xf0), ("u4[3,144]{1,0:T(16)(2,1)E(4)}", 0xf0)]
    {
        let shape: ArrayShape = text.parse().unwrap();
        let relayout = Relayout::new(&shape, &shape).unwrap();
        let src = vec![0xff; relayout.source_bytes()];
        let mut dst = vec![0; relayout.destination_bytes()];
        relayout.run(&src, &mut dst, Padding::Leave).unwrap();
        let digits = shape.digits().unwrap();
        for (at, byte) in dst.iter().enumerate() {
            let bits = [2 * at, 2 * at + 1].map(|slot| digits.index(slot as Size).is_some());
            let expected =
                [0x0f, 0xf0].iter().zip(bits).filter(|(_, is)| *is).map(|(bits, _)| bits);
            assert_eq!(*byte, expected.sum::<u8>(), "{text}: byte {at}");
        }
        assert!(dst.contains(&(!padding)), "{text} has padding within bytes");
    }
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
    }
    let error = relayout.run_part(4..12, &src, &mut [0; 7], Padding::Zero).unwrap_err();
    assert_eq!((error.needed, error.given), (8, 7));
    relayout.run_part(end..end, &src, &mut [], Padding::Zero).unwrap();
}

/// Arrays whose stretches are so short that bits are exchanged, with every instruction set, through the cache and around it.
#[test]
fn short_stretches_of_whole_bytes() {
    let pairs = [
        "bf16[256,256]{1,0:T(8,128)(2,1)} -> bf16[256,256]{0,1:T(8,128)(2,1)}",
        "s8[256,256]{1,0:T(8,128)(4,1)} -> s8[256,256]{0,1:T(8,128)(4,1)}",
        "u8[256,512]{1,0:T(4,8)} -> u8[256,512]{0,1}",
        "u8[512,256]{0,1} -> u8[512,256]{1,0:T(4,8)}",
        "bf16[256,128]{1,0:T(4,8)} -> bf16[256,128]{0,1}",
        "f32[256,256]{0,1} -> f32[256,256]{1,0:T(8,8)}",
        "f32[256,320]{0,1:T(2,2)} -> f32[256,320]",
        "f32[256,256]{1,0:T(8,8)} -> f32[256,256]{0,1}",
        "f64[128,256] -> f64[128,256]{0,1:T(2,2)}",
        "f64[128,256]{1,0:T(4,4)} -> f64[128,256]{0,1}",
        "c128[128,128]{0,1} -> c128[128,128]{1,0:T(2,2)}",
        "bf16[8,64,128]{2,0,1:T(4,4)} -> bf16[8,64,128]{0,2,1:T(2,8)}",
        // The array ends within tiles, and its rows are no power of two.
        "f32[250,250]{0,1} -> f32[250,250]{1,0:T(8,8)}",
        "f32[192,448]{0,1:T(2,2)} -> f32[192,448]",
    ];
    for text in pairs {
        let (from, to) = text.split_once(" -> ").unwrap();
        let [from, to]: [ArrayShape; 2] = [from, to].map(|shape| shape.parse().unwrap());
        let bytes = native(from.element_bits()) / 8;
        let relayout = Relayout::new(&from, &to).unwrap();
        let mut random = Random::new(23);
        let mut src = vec![0; relayout.source_bytes() + 64];
        src.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
        // Aligned to a line or to an element, so that stores go around the cache or not.
        for lead in [src.as_ptr().align_offset(64), 16] {
            let src = &src[lead..];
            let mut expected = vec![0x5a; relayout.destination_bytes()];
            let [a, b] = [&from, &to].map(|shape| shape.digits().unwrap());
            let mut index = vec![0; from.rank()];
            for number in 0..a.elements() {
                let mut rest = number;
                for (dim, at) in index.iter_mut().enumerate().rev() {
                    (*at, rest) = (rest % a.dim(dim), rest / a.dim(dim));
                }
                let [a, b] = [&a, &b].map(|digits| digits.offset(&index).map(native).unwrap());
                expected[b * bytes..][..bytes].copy_from_slice(&src[a * bytes..][..bytes]);
            }
            for set in InstructionSet::all() {
                for streams in [false, true] {
                    let settings =
                        Settings { set: Some(set), streams: Some(streams), ..Settings::default() };
                    let relayout = relayout.clone().with_settings(settings);
                    let mut dst = vec![0x5a; expected.len() + 64];
                    let lead = dst.as_ptr().align_offset(64);
                    let dst = &mut dst[lead..][..expected.len()];
                    relayout.run(src, dst, Padding::Leave).unwrap();
                    assert!(dst == expected, "{text}, {set:?}, {streams}");
                    for part in relayout.parts(expected.len() / 3) {
                        dst[part.clone()].fill(0x5a);
                        relayout
                            .run_part(part.clone(), src, &mut dst[part], Padding::Leave)
                            .unwrap();
                    }
                    assert!(dst == expected, "{text} in parts, {set:?}, {streams}");
                }
            }
        }
    }
}
