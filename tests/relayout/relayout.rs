//! Copies between layouts, against the naive model element by element.

use std::collections::BTreeMap;
use std::fmt::Debug;

use layout::__private::core::{PaddingPlan, Plan};
use layout::__private::{Copying, Plain, Plans, fill};
use layout::copies::{InstructionSet, Settings};
use layout::{ArrayShape, Digits, Size, StoredAs, element};
use layout_tests::amount::times;
use layout_tests::corpus;
use layout_tests::naive::Naive;
use layout_tests::pairs::swizzled_pair;
use layout_tests::random::Random;

/// Every way to copy that the machine has.
fn all_settings() -> Vec<Settings> {
    let of = |set| {
        [(false, false), (true, false), (false, true), (true, true)].map(|(streams, threads)| {
            Settings { set: Some(set), streams: Some(streams), threads: Some(threads) }
        })
    };
    let mut all = InstructionSet::all().flat_map(of).collect::<Vec<_>>();
    all.push(Settings::default());
    all
}

fn digits(naive: &Naive) -> Digits {
    let text = naive.text("f32");
    let shape: ArrayShape = text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"));
    shape.digits().expect("the sizes are known")
}

fn slots(naive: &Naive, memory: &[Option<Size>]) -> usize {
    if naive.dims.contains(&0) { 0 } else { memory.len() }
}

/// Copies between slices that lie anywhere, and looks at every slot and around.
fn check<T: Copy + PartialEq + Debug + 'static>(
    random: &mut Random,
    [a, b]: [&Naive; 2],
    value: fn(Size) -> T,
) where
    AnyPlan: Plans<T>,
{
    let text = format!("{} to {}", a.text("f32"), b.text("f32"));
    let (from, to) = (a.memory(), b.memory());
    let (a_slots, b_slots) = (slots(a, &from), slots(b, &to));
    let [a_digits, b_digits] = [digits(a), digits(b)];
    let paddings = PaddingPlan::new(&b_digits, b_slots as Size);
    const PADDING: Size = 7_777_777;

    for settings in all_settings() {
        let (lead, guard) = (random.below(9), value(9_999_999));
        let mut src = vec![guard; lead];
        src.extend(from[..a_slots].iter().map(|number| number.map_or(guard, value)));
        let mut dst = vec![guard; b_slots + 200];
        // On the border of a line, where vectors store differently, or anywhere.
        let lead_dst = match random.below(2) {
            0 => dst.as_ptr().align_offset(64).min(64),
            _ => random.below(99),
        };
        let is_filled = random.below(2) == 0;
        let slots = &mut dst[lead_dst..][..b_slots];
        if is_filled {
            fill(paddings.as_ref(), b_slots, slots, value(PADDING));
        }
        Copying::with(&a_digits, &b_digits, size_of::<T>(), |copying| {
            copying.run::<AnyPlan, T>(&src[lead..], slots, &settings);
        });
        for (at, found) in dst.iter().enumerate() {
            let slot = at.checked_sub(lead_dst).filter(|slot| *slot < b_slots);
            let expected = match slot.map(|slot| to[slot]) {
                Some(Some(number)) => value(number),
                Some(None) if is_filled => value(PADDING),
                _ => guard,
            };
            assert_eq!(
                *found,
                expected,
                "{text} at {slot:?}, {} bytes, {settings:?}",
                size_of::<T>()
            );
        }
    }
}

/// Any plan, for elements of every size, and of types that are not plain numbers.
struct AnyPlan;

macro_rules! any_plan {
    ($($stored:ty: $plain:expr;)*) => {
        $(impl Plans<$stored> for AnyPlan {
            const PLAIN: Plain<$stored> = $plain;
        })*
    };
}

any_plan! {
    u8: <u8 as StoredAs<element::U8>>::PLAIN;
    u16: <u16 as StoredAs<element::U16>>::PLAIN;
    f32: <f32 as StoredAs<element::F32>>::PLAIN;
    i64: <i64 as StoredAs<element::S64>>::PLAIN;
    [f32; 2]: <[f32; 2] as StoredAs<element::C64>>::PLAIN;
    [f64; 2]: <[f64; 2] as StoredAs<element::C128>>::PLAIN;
    [u8; 3]: Plain::NO;
    (u8, u32): Plain::NO;
}

/// Elements of all sizes; numbers are told apart as far as the size allows.
fn check_all(random: &mut Random, pair: [&Naive; 2]) {
    match random.below(8) {
        0 => check(random, pair, |n| (n % 251) as u8),
        1 => check(random, pair, |n| (n % 65_521) as u16),
        2 => check(random, pair, |n| n as f32),
        3 => check(random, pair, |n| n as i64 * -77_777_777),
        4 => check(random, pair, |n| [n as f32, -(n as f32)]),
        5 => check(random, pair, |n| [n as f64, -(n as f64)]),
        6 => check(random, pair, |n| [n as u8, (n >> 8) as u8, (n >> 16) as u8]),
        _ => check(random, pair, |n| (n as u8, n as u32)),
    }
}

/// Each layout of the corpus from and to plain rows and columns.
#[test]
fn the_corpus() {
    let mut random = Random::new(3);
    for (shape, dims) in corpus::shapes() {
        let a = Naive::of(&shape, &dims);
        let rows = (0..dims.len()).rev().collect::<Vec<_>>();
        let plain =
            |minor_to_major| Naive { dims: dims.clone(), minor_to_major, ..Naive::default() };
        for b in [plain(rows.clone()), plain(rows.iter().rev().copied().collect())] {
            check_all(&mut random, [&a, &b]);
            check_all(&mut random, [&b, &a]);
        }
    }
}

#[test]
fn random_pairs() {
    let mut random = Random::new(4);
    let mut kernels = BTreeMap::new();
    for _ in 0..times(2000) {
        let [a, b] = swizzled_pair(&mut random, 20_000);
        let kernel = Plan::new(&digits(&a), &digits(&b), 2).kernel;
        *kernels.entry(format!("{kernel:?}")).or_insert(0) += 1;
        check_all(&mut random, [&a, &b]);
        check_all(&mut random, [&b, &a]);
    }
    assert!(kernels.len() == 6 && kernels.values().all(|&count| count > times(20)), "{kernels:?}");
}

/// Every length around those of vectors and lines, for every number of rows, and longer rows than are
/// held at a time.
#[test]
fn edges_of_kernels() {
    let mut random = Random::new(6);
    let matrix = |rows: Size, columns: Size, is_flipped: bool| Naive {
        dims: vec![rows, columns],
        minor_to_major: if is_flipped { vec![0, 1] } else { vec![1, 0] },
        ..Naive::default()
    };
    let mut both = |rows, columns| {
        let pair = [matrix(rows, columns, false), matrix(rows, columns, true)];
        for [a, b] in [[&pair[0], &pair[1]], [&pair[1], &pair[0]]] {
            check_all(&mut random, [a, b]);
        }
    };
    for rows in [2, 4, 8] {
        for columns in (0..=70).chain([127, 128, 129, 255, 256, 257, 1000, 2500]) {
            both(rows, columns);
            both(rows, columns);
        }
    }
    for rows in [1, 3, 15, 16, 17, 31, 33, 63, 64, 65, 130] {
        for columns in [1, 2, 7, 8, 9, 15, 16, 17, 32, 33, 63, 64, 65, 129] {
            both(rows, columns);
        }
    }
    both(1100, 37);
}

/// Rows that are tiled with a ragged edge, so that lines of the destination hold parts of two tiles.
#[test]
fn rows_that_begin_anywhere() {
    let mut random = Random::new(7);
    for columns in [129, 515, 1003, 1111] {
        for (rows, tiles) in [
            (19, vec![vec![Some(8), Some(128)]]),
            (19, vec![vec![Some(8), Some(128)], vec![Some(2), Some(1)]]),
            (67, vec![vec![Some(32), Some(128)], vec![Some(4), Some(1)]]),
        ] {
            let a =
                Naive { dims: vec![rows, columns], minor_to_major: vec![1, 0], ..Naive::default() };
            let b = Naive { tiles, ..a.clone() };
            for _ in 0..6 {
                check_all(&mut random, [&a, &b]);
                check_all(&mut random, [&b, &a]);
            }
        }
    }
}

/// Columns longer than what is transposed at a time, for each size of elements: every line at the borders of strips.
#[test]
fn long_columns() {
    let mut random = Random::new(9);
    for (rows, columns) in [(1025, 65), (1088, 64), (1151, 71), (2049, 67)] {
        let a = Naive { dims: vec![rows, columns], minor_to_major: vec![1, 0], ..Naive::default() };
        let b = Naive { minor_to_major: vec![0, 1], ..a.clone() };
        let tiles = vec![vec![Some(8), Some(128)]];
        let tiled = Naive { tiles, ..b.clone() };
        let pair = [&a, &b];
        check::<u8>(&mut random, pair, |n| (n % 251) as u8);
        check::<u16>(&mut random, pair, |n| (n % 65_521) as u16);
        check_all(&mut random, pair);
        check_all(&mut random, [&tiled, &a]);
    }
}

/// Columns of tiles with packed elements: pairs and quadruples are contiguous in both layouts, at any offset of
/// the other, and the array ends within them.
#[test]
fn packed_columns() {
    let mut random = Random::new(8);
    for (rows, columns) in [
        (1, 1),
        (3, 5),
        (127, 31),
        (128, 32),
        (129, 33),
        (130, 66),
        (261, 35),
        (37, 1003),
        (1100, 131),
        (700, 262),
    ] {
        for tiles in [
            vec![vec![Some(8), Some(128)]],
            vec![vec![Some(8), Some(128)], vec![Some(2), Some(1)]],
            vec![vec![Some(32), Some(128)], vec![Some(4), Some(1)]],
            vec![vec![Some(16), Some(32)], vec![Some(16), Some(2)]],
            vec![vec![Some(16), Some(64)], vec![Some(16), Some(4)]],
        ] {
            let dims = vec![rows, columns];
            let a = Naive { dims: dims.clone(), minor_to_major: vec![1, 0], ..Naive::default() };
            let b = Naive { dims, minor_to_major: vec![0, 1], tiles, ..Naive::default() };
            let size = random.below(4);
            for pair in [[&a, &b], [&b, &a]] {
                check::<u8>(&mut random, pair, |n| (n % 251) as u8);
                match size {
                    0..2 => check::<u16>(&mut random, pair, |n| (n % 65_521) as u16),
                    _ => check_all(&mut random, pair),
                }
            }
        }
    }
}

/// Every size of tiles against others: pieces that begin and end anywhere, rows in turns, ragged edges, ranks, and sums
/// that tie dimensions.
#[test]
fn layouts_without_a_common_split() {
    let mut random = Random::new(8);
    let tiles: [&[&[Size]]; 8] = [
        &[&[8, 128]],
        &[&[8, 128], &[2, 1]],
        &[&[32, 128], &[4, 1]],
        &[&[6, 100]],
        &[&[9, 70], &[3, 1]],
        &[&[12, 50], &[4, 1]],
        &[&[5, 300], &[1, 7]],
        &[&[6, 100], &[0, 7]],
    ];
    let dims: [&[Size]; 5] = [&[48, 1200], &[61, 515], &[3, 40, 331], &[2, 3, 29, 130], &[1, 4099]];
    let mut general = 0;
    for dims in dims {
        let layout = |tiles: &[&[Size]], is_flipped: bool| {
            let mut minor_to_major = (0..dims.len()).rev().collect::<Vec<_>>();
            if is_flipped {
                minor_to_major.swap(0, 1);
            }
            // 0 stands for `*`.
            let tiles =
                tiles.iter().map(|tile| tile.iter().map(|&size| (size > 0).then_some(size)));
            Naive {
                dims: dims.to_vec(),
                minor_to_major,
                tiles: tiles.map(Iterator::collect).collect(),
                ..Naive::default()
            }
        };
        for number in 0..tiles.len() {
            for other in 0..number {
                let pair =
                    [layout(tiles[number], false), layout(tiles[other], random.below(5) == 0)];
                let [a, b] = [&pair[0], &pair[1]];
                let [from, to] = [digits(a), digits(b)];
                general += u32::from(Plan::new(&from, &to, 2).is_general());
                check_all(&mut random, [a, b]);
                check_all(&mut random, [b, a]);
            }
        }
    }
    assert!(general > 80, "{general}");
}

/// A plan is not trusted: slices that are shorter than its layouts end in a panic, by every kernel, and
/// nothing outside of them is touched. Where panics do not unwind, the first one ends the program.
#[cfg(panic = "unwind")]
#[test]
fn slices_that_are_too_short() {
    use layout::__private::core::native;
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
        let [a, b] = [from, to].map(|text| text.parse::<ArrayShape>().unwrap());
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
                    Copying::with(&a_digits, &b_digits, 4, |copying| {
                        copying.run::<AnyPlan, f32>(src, &mut dst[..dst_len], &settings);
                    });
                }));
                let is_short = src.len() < a_needs || dst_len < b_needs;
                assert_eq!(result.is_err(), is_short, "{from} {to} {settings:?}");
                assert!(dst[dst_len..].iter().all(|&slot| slot == 0.0), "{from} {to}");
            }
        }
    }
}

/// What `same_bytes` says, against comparing every element.
#[test]
fn same_bytes() {
    let mut random = Random::new(5);
    let mut counts = [0; 2];
    for number in 0..times(6000) {
        let [mut a, mut b] = swizzled_pair(&mut random, 3000);
        // Half of them are made to be the same, or nearly so.
        if number % 2 == 0 && !a.dims.is_empty() {
            b = a.clone();
            let whole = a.minor_to_major.iter().rev().map(|&dim| Some(a.dims[dim].max(1)));
            match random.below(5) {
                0 => b.tiles.push(vec![Some(1); 1 + random.below(3)]),
                1 if a.padded.is_none() => b.tiles.insert(0, whole.collect()),
                2 => b.tail_alignment *= 2 + random.below_size(9),
                // Another split of the same order, the same where it divides.
                3 => {
                    a.tiles = vec![vec![Some(2 * (1 + random.below_size(4)))]];
                    b.tiles = Vec::new();
                }
                _ => b.tiles.insert(0, vec![Some(1)]),
            }
            if b.size_within(3000).is_none() || a.size_within(3000).is_none() {
                continue;
            }
        }
        let [from, to] = [digits(&a), digits(&b)];
        let found = from.difference(&to, Size::MAX);
        let rank = a.dims.len();
        let expected =
            a.indices().find(|index| from.offset_unchecked(index) != to.offset_unchecked(index));
        let text = format!("{} and {}", a.text("f32"), b.text("f32"));
        assert_eq!(found.map(|found| found.from[..rank].to_vec()), expected, "{text}");
        if let (Some(found), Some(index)) = (found, &expected) {
            assert_eq!(
                found.offsets,
                [from.offset_unchecked(index), to.offset_unchecked(index)],
                "{text}"
            );
        }
        counts[usize::from(expected.is_some())] += 1;
    }
    assert!(counts.iter().all(|&count| count > times(1000)), "{counts:?}");
}

/// The padding of a layout of more digits than a plan has loops is not planned.
#[test]
fn padding_of_more_digits_than_loops() {
    for (rank, is_planned) in [(8, true), (9, false)] {
        let naive = Naive {
            dims: vec![3; rank],
            minor_to_major: (0..rank).rev().collect(),
            padded: None,
            tiles: vec![vec![Some(2); rank]],
            tail_alignment: 1,
            swizzle: None,
        };
        let slots = 1 << (2 * rank);
        assert_eq!(PaddingPlan::new(&digits(&naive), slots).is_some(), is_planned, "{rank}");
    }
}

/// Threads share the most major digit of the destination, if it is the most major one of its dimension.
#[test]
fn what_threads_share() {
    let shared = |from: &str, to: &str| {
        let [from, to] = [from, to]
            .map(|text| text.parse::<ArrayShape>().unwrap().digits().expect("known sizes"));
        let plan = Plan::new(&from, &to, 4);
        plan.shared().map(|number| (plan.dims[number], plan.loops[number].extent))
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
        let digits = text.parse::<ArrayShape>().unwrap().digits().expect("known sizes");
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
        let shapes =
            [from, to].map(|layout| format!("{array}{layout}").parse::<ArrayShape>().unwrap());
        let digits = shapes.map(|shape| shape.digits().unwrap());
        let plan = Plan::new(&digits[0], &digits[1], 4);
        assert_eq!(plan.len, loops, "{} to {}", shapes[0], shapes[1]);
    }
}
