//! Which reshapes and transposes move no byte: against a naive model, and what the TPU compiler found.

use layout::Size;
use layout::bitcast::same_bytes;
use layout::bitcast::{
    NotBitcast, align_layouts, check_reshape_is_bitcast, check_transpose_is_bitcast,
    decompose_bitcast, deduce_transpose_for_bitcast, reshape_is_bitcast, transpose_is_bitcast,
};
use layout::layout;
use layout::{ArrayShape, permutation};
use layout_tests::lists::{array, dims, list, numbers, permutations};
use layout_tests::naive::{Naive, sizes, unflatten};
use layout_tests::random::Random;
use layout_tests::{data, table};

/// A reshape is a bitcast if the numbers of the elements stand in memory in the same order, with the same
/// padding; if not, the first element that lies elsewhere is named.
fn compare(a: &Naive, b: &Naive) -> bool {
    let (from, to) = (array(&a.text("f32")), array(&b.text("f32")));
    let (x, y) = (a.memory(), b.memory());
    let is_bitcast =
        if x.iter().flatten().count() == 0 { y.iter().flatten().count() == 0 } else { x == y };
    assert_eq!(reshape_is_bitcast(&from, &to), is_bitcast, "{from} {to}");
    let place = |memory: &[Option<Size>], number: Size| {
        memory.iter().position(|&slot| slot == Some(number)).unwrap() as Size
    };
    match check_reshape_is_bitcast(&from, &to) {
        Ok(()) => assert!(is_bitcast, "{from} {to}"),
        Err(NotBitcast::Moved { from: i, to: j, offsets }) => {
            let elements = from.elements().unwrap();
            let moved = (0..elements).find(|&n| place(&x, n) != place(&y, n)).unwrap();
            assert_eq!(i, unflatten(moved, &a.dims), "{from} {to}");
            assert_eq!(j, unflatten(moved, &b.dims), "{from} {to}");
            assert_eq!(offsets, [place(&x, moved), place(&y, moved)], "{from} {to}");
        }
        Err(NotBitcast::Size { padded_elements }) => {
            assert_eq!(padded_elements, [x.len() as Size, y.len() as Size], "{from} {to}");
            let elements = from.elements().unwrap();
            assert!((0..elements).all(|n| place(&x, n) == place(&y, n)), "{from} {to}");
        }
        Err(NotBitcast::Elements { elements }) => {
            assert_eq!(elements[0], a.dims.iter().product::<Size>());
            assert_eq!(elements[1], b.dims.iter().product::<Size>());
            assert_ne!(elements[0], elements[1]);
        }
        Err(other) => panic!("{from} {to}: {other}"),
    }
    is_bitcast
}

/// Every shape of that many elements with at most three dimensions.
fn shapes(elements: Size) -> Vec<Vec<Size>> {
    let mut shapes = vec![vec![elements]];
    for a in 1..=elements {
        if !elements.is_multiple_of(a) {
            continue;
        }
        shapes.push(vec![a, elements / a]);
        let left = elements / a;
        for b in 1..=left {
            if left.is_multiple_of(b) {
                shapes.push(vec![a, b, left / b]);
            }
        }
    }
    shapes
}

fn orders(rank: usize) -> Vec<Vec<usize>> {
    match rank {
        1 => vec![vec![0]],
        2 => vec![vec![1, 0], vec![0, 1]],
        _ => vec![vec![2, 1, 0], vec![1, 2, 0], vec![0, 1, 2], vec![2, 0, 1]],
    }
}

/// A layout with the text of its tiles.
fn naive(dims: &[Size], order: &[usize], tiles: &str) -> Naive {
    Naive::of(&array(&format!("f32[{}]{{{}{tiles}}}", list(dims), list(order))), dims)
}

#[test]
fn every_pair_of_small_layouts() {
    let tiles =
        ["", ":T(2)", ":T(2,2)", ":T(2,3)", ":T(2,4)(2,1)", ":T(4)(3)", ":T(*,4)", ":T(4,4)(*,2)"];
    let mut found = 0;
    for elements in [1, 6, 8, 12] {
        let mut layouts = Vec::new();
        for dims in shapes(elements) {
            for order in orders(dims.len()) {
                for tiles in tiles {
                    layouts.push(naive(&dims, &order, tiles));
                }
            }
        }
        // A part of the pairs of many layouts, each layout with itself and with its neighbours included.
        let step = 1 + layouts.len() / 31;
        for (i, a) in layouts.iter().enumerate() {
            for (j, b) in layouts.iter().enumerate() {
                if i.abs_diff(j) < 12 || (i + j).is_multiple_of(step) {
                    found += usize::from(compare(a, b));
                }
            }
        }
    }
    assert!(found > 3000, "{found}");
}

/// Dimensions that tiles do not divide, under larger ones, split and joined at random.
#[test]
fn ragged_tiles_under_reshapes() {
    let mut random = Random::new(7);
    let mut found = 0;
    for _ in 0..6000 {
        let factors = (0..4).map(|_| 1 + random.below_size(5)).collect::<Vec<_>>();
        let join = |random: &mut Random| {
            let mut dims = vec![1];
            for factor in &factors {
                if random.below(3) > 0 {
                    dims.push(1);
                }
                *dims.last_mut().unwrap() *= factor;
            }
            dims
        };
        let mut tiles = Vec::new();
        for _ in 0..random.below(3) {
            let len = 1 + random.below(3);
            let mut tile = (0..len).map(|_| Some(1 + random.below_size(4))).collect::<Vec<_>>();
            if len > 1 && random.below(4) == 0 {
                tile[0] = None;
            }
            tiles.push(tile);
        }
        let layout = |random: &mut Random, dims: Vec<Size>| {
            let mut order = (0..dims.len()).rev().collect::<Vec<_>>();
            if random.below(4) == 0 {
                let (i, j) = (random.below(order.len()), random.below(order.len()));
                order.swap(i, j);
            }
            let padded = (random.below(5) == 0)
                .then(|| dims.iter().map(|dim| dim + random.below_size(2)).collect());
            Naive {
                minor_to_major: order,
                padded,
                tiles: if random.below(8) == 0 { Vec::new() } else { tiles.clone() },
                tail_alignment: 1 + 3 * (random.below_size(6) / 5),
                dims,
                swizzle: None,
            }
        };
        let dims = [join(&mut random), join(&mut random)];
        let [a, b] = dims.map(|dims| layout(&mut random, dims));
        found += usize::from(compare(&a, &b));
    }
    assert!(found > 900, "{found}");
}

#[test]
fn transposes() {
    let mut random = Random::new(11);
    let mut found = 0;
    for _ in 0..3000 {
        let rank = 1 + random.below(4);
        let dims = (0..rank).map(|_| random.below_size(5)).collect::<Vec<_>>();
        let permutation = random.order(rank);
        let tiles = *random.pick(&["", ":T(2,2)", ":T(2,4)(2,1)", ":T(*,3)"]);
        let from = naive(&dims, &random.order(rank), tiles);
        let a = array(&from.text("f32"));
        let mut to =
            Naive { dims: permutation.iter().map(|&dim| dims[dim]).collect(), ..from.clone() };
        let permuted = a.permute_dimensions(&permutation).unwrap();
        to.minor_to_major = match random.below(2) {
            0 => permuted.minor_to_major().to_vec(),
            _ => random.order(rank),
        };
        let b = array(&to.text("f32"));
        let elements = dims.iter().product::<Size>();
        let digits = [&a, &b].map(|shape| shape.digits().unwrap());
        let moved = (0..elements).find_map(|number| {
            let index = unflatten(number, &to.dims);
            let source = permutation::apply_inverse(&index, &permutation).unwrap().to_vec();
            let offsets = [digits[0].offset(&source).unwrap(), digits[1].offset(&index).unwrap()];
            (offsets[0] != offsets[1]).then_some((source, index, offsets))
        });
        let is_bitcast = moved.is_none() && a.padded_elements() == b.padded_elements();
        found += usize::from(is_bitcast);
        assert_eq!(transpose_is_bitcast(&a, &b, &permutation), is_bitcast, "{a} {b}");
        if let Some((from, to, offsets)) = moved {
            let error = check_transpose_is_bitcast(&a, &b, &permutation).unwrap_err();
            let NotBitcast::Moved { from: i, to: j, offsets: at } = error else {
                panic!("{error}")
            };
            assert_eq!((i.as_slice(), j.as_slice(), at), (&*from, &*to, offsets), "{a} {b}");
        }
    }
    assert!(found > 1500, "{found}");
}

#[test]
fn what_the_tpu_compiler_found() {
    let lines = data::tpu_bitcasts();
    assert_eq!(lines.len(), 545);
    let (mut counts, mut whole) = ([0; 3], 0);
    for line in lines {
        let (from, to) = (array(&line.from), array(&line.to));
        whole += usize::from(decompose_bitcast(&from, &to).is_some());
        let mut shape = from;
        for (number, (name, argument)) in line.ops.iter().enumerate() {
            let next = match line.ops.get(number + 1) {
                None => Some(to),
                Some(_) if name == "transpose" => shape.permute_dimensions(argument),
                Some((_, after)) => to.permute_dimensions(&permutation::inverse(after).unwrap()),
            };
            let next = next.expect("a permutation");
            let result = match name.as_str() {
                "transpose" => check_transpose_is_bitcast(&shape, &next, argument),
                "reshape" => {
                    assert_eq!(sizes(argument), dims(&next), "{} {}", line.from, line.to);
                    check_reshape_is_bitcast(&shape, &next)
                }
                other => panic!("unknown operation {other}"),
            };
            assert_eq!(result, Ok(()), "{} {}", line.from, line.to);
            shape = next;
        }
        match &line.ops[..] {
            [(name, _)] => counts[usize::from(name == "transpose")] += 1,
            ops => counts[ops.len()] += 1,
        }
    }
    assert_eq!(counts, [302, 166, 77]);
    // The others are a transpose between two reshapes.
    assert_eq!(whole, 523);
}

/// What is said of an error that has a message of its own here, or its name.
fn reason(result: Result<(), NotBitcast>) -> String {
    match result {
        Ok(()) => "they have".to_owned(),
        Err(error @ NotBitcast::Dims(_)) => error.to_string(),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn worked_examples() {
    table::check("bitcasts", &mut |question, columns| {
        let (from, to) = (array(columns[0]), array(columns[1]));
        match (question, &columns[2..]) {
            ("reshape is bitcast", []) => {
                let is_bitcast = reshape_is_bitcast(&from, &to);
                assert_eq!(check_reshape_is_bitcast(&from, &to).is_ok(), is_bitcast);
                is_bitcast.to_string()
            }
            ("transpose is bitcast", [by]) => {
                transpose_is_bitcast(&from, &to, &numbers::<usize>(by)).to_string()
            }
            ("same bytes", []) => reason(same_bytes(&from, &to)),
            ("transpose", [by]) => {
                reason(check_transpose_is_bitcast(&from, &to, &numbers::<usize>(by)))
            }
            _ => panic!("unknown question"),
        }
    });
    const FREE: bool = {
        let from = ArrayShape::parse_const("bf16[64,4096,4096]{2,1,0:T(8,128)(2,1)}");
        let to = ArrayShape::parse_const("bf16[262144,4096]{1,0:T(8,128)(2,1)}");
        match (from, to) {
            (Ok(from), Ok(to)) => reshape_is_bitcast(&from, &to),
            _ => false,
        }
    };
    const { assert!(FREE) };
}

/// What is deduced is there, and what is not deduced is not there.
#[test]
fn deductions_against_every_permutation() {
    let mut random = Random::new(5);
    let [mut transposes, mut aligned] = [0; 2];
    for _ in 0..2500 {
        let rank = 1 + random.below(4);
        let dims = (0..rank).map(|_| *random.pick(&[1, 1, 2, 2, 4, 3])).collect::<Vec<_>>();
        let tiles =
            *random.pick(&["", "", ":T(2,2)", ":T(4)", ":T(2,4)(2,1)", ":T(*,2)", ":T(2)(2,1)"]);
        let all = permutations(rank);
        let layout = |dims: &[Size], order: &[usize]| {
            array(&format!("f32[{}]{{{}{tiles}}}", list(dims), list(order)))
        };
        let from = layout(&dims, &all[random.below(all.len())]);
        let by = &all[random.below(all.len())];
        let to_dims = permutation::apply(&dims, by).unwrap().to_vec();
        let to = match random.below(2) {
            0 => from.permute_dimensions(by).unwrap(),
            _ => layout(&to_dims, &all[random.below(all.len())]),
        };
        let exists = all.iter().any(|list| transpose_is_bitcast(&from, &to, list));
        let found = deduce_transpose_for_bitcast(&from, &to);
        assert_eq!(found.is_some(), exists, "{from} {to}");
        assert!(found.is_none_or(|list| transpose_is_bitcast(&from, &to, &list)), "{from} {to}");
        transposes += usize::from(exists);

        // Any reshape, with dimensions of the same product.
        let mut reshaped = vec![1];
        for size in dims {
            if random.below(2) == 0 {
                reshaped.push(1);
            }
            *reshaped.last_mut().unwrap() *= size;
        }
        let orders = permutations(reshaped.len());
        let exists =
            orders.iter().any(|order| reshape_is_bitcast(&from, &layout(&reshaped, order)));
        let found = align_layouts(&from, &layout(&reshaped, &orders[0]));
        assert!(found.is_none_or(|to| reshape_is_bitcast(&from, &to)), "{from} {reshaped:?}");
        aligned += usize::from(found.is_some());
        assert_eq!(found.is_some(), exists, "{from} {reshaped:?}");
    }
    assert!(transposes > 1000 && aligned > 1000, "{transposes} {aligned}");
}

/// Two layouts as values, and what the functions say of their types.
struct Pair {
    shapes: [&'static ArrayShape; 2],
    reshape: bool,
    transpose: fn(&[usize]) -> bool,
}

/// The functions on types answer what those on values do.
#[test]
fn types_as_values() {
    /// Calls a macro with pairs of layouts: each with itself, and chosen ones.
    macro_rules! pairs {
        ($then:ident: $($same:ident)*; $($a:ident to $b:ident,)*) => {
            [$($then!($same, $same),)* $($then!($a, $b),)*]
        };
    }
    macro_rules! bitcasts {
        ($a:ident, $b:ident) => {
            Pair {
                shapes: [$a::SHAPE, $b::SHAPE],
                reshape: layout::reshape_is_bitcast::<$a, $b>(),
                transpose: layout::transpose_is_bitcast::<$a, $b>,
            }
        };
    }
    macro_rules! same_bytes {
        ($a:ident, $b:ident) => {
            ($a::SHAPE, $b::SHAPE, layout::same_bytes::<$a, $b>())
        };
    }
    layout! {
        type Rows = F32[4,8];
        type Columns = F32[4,8]{0,1};
        type Tiles = F32[4,8]{1,0:T(2,8)};
        type Cut = F32[4,8]{1,0:T(2,4)};
        type Wide = F32[4,8]{1,0:T(8,8)};
        type Wider = F32[4,8]{1,0:PAD(5,8)};
        type Tail = F32[4,8]{1,0:L(5)};
        type Turned = F32[8,4];
        type TurnedColumns = F32[8,4]{0,1};
        type TurnedWide = F32[8,4]{0,1:T(8,8)};
        type Flat = F32[32];
        type FlatTail = F32[32]{0:L(64)};
        type Deep = F32[2,2,8];
        type AtMost = F32[<=4,8];
        type AtMostTiles = F32[<=4,8]{1,0:T(8,8)};
        type AtMostBoth = F32[<=8,<=4]{0,1};
        type Open = F32[?,8];
        type OpenColumns = F32[?,8]{0,1};
        type OpenElsewhere = F32[8,?]{0,1:S(1)};
        type Integers = S32[4,8];
        type Narrow = S4[4,8]{1,0:E(4)};
        type Bytes = S4[4,8];
    }
    let bitcasts = pairs! { bitcasts:
        Rows Columns Tiles Cut Wide Wider Tail Turned TurnedColumns TurnedWide Flat FlatTail Deep
        AtMost AtMostTiles AtMostBoth Open OpenColumns OpenElsewhere Integers Narrow Bytes;
        Rows to Flat, Flat to Rows, Rows to Deep, Deep to Flat, Deep to Wide,
        Rows to Columns, Rows to TurnedColumns, Turned to Columns, TurnedColumns to Turned,
        Rows to Tiles, Cut to Tiles, Wide to Rows, Wide to TurnedWide, TurnedWide to AtMostTiles,
        Wide to Wider, Tail to Wider, Tail to Flat, Flat to FlatTail, Rows to Tail, Rows to FlatTail,
        Rows to AtMost, AtMost to Deep, AtMost to AtMostTiles, AtMostBoth to AtMost, AtMostBoth to Turned,
        AtMost to Flat, AtMost to TurnedColumns, AtMostTiles to TurnedWide, AtMost to AtMostBoth,
        Open to OpenElsewhere, OpenElsewhere to OpenColumns, Open to Rows, AtMost to Open, Open to OpenColumns,
        Rows to Integers, Integers to Narrow, Bytes to Narrow,
    };
    let mut answers = [0; 2];
    for Pair { shapes: [a, b], reshape, transpose } in bitcasts {
        assert_eq!(reshape, reshape_is_bitcast(a, b), "{a} {b}");
        answers[usize::from(reshape)] += 1;
        for permutation in permutations(a.rank()) {
            let expected = transpose_is_bitcast(a, b, &permutation);
            assert_eq!(transpose(&permutation), expected, "{a} {b} {permutation:?}");
            answers[usize::from(expected)] += 1;
        }
    }
    let same = pairs! { same_bytes:
        Rows Columns Tiles Cut Wide Wider Tail AtMost AtMostTiles Open OpenColumns Narrow Bytes;
        Rows to Tiles, Tiles to Cut, Rows to Columns, Wide to Rows, Wider to Tail, Tail to Columns,
        Rows to Tail, AtMost to AtMostTiles, OpenColumns to Open, Open to OpenColumns, Narrow to Bytes,
    };
    for (a, b, is_same) in same {
        assert_eq!(is_same, same_bytes(a, b).is_ok(), "{a} {b}");
        answers[usize::from(is_same)] += 1;
    }
    assert_eq!(answers, [128, 81]);
}

/// Equal digits are equal layouts, however many elements there are.
#[test]
fn layouts_of_the_same_digits() {
    type A = layout!(S8[1000,1000]{1,0:T(*,7)(5)});
    type Padded = layout!(S8[1000,1000]{1,0:PAD(1001,1000)T(*,7)(5)L(3)});
    const {
        assert!(layout::same_bytes::<A, A>());
        assert!(layout::same_bytes::<A, Padded>());
        assert!(layout::reshape_is_bitcast::<A, A>());
        assert!(layout::transpose_is_bitcast::<A, A>(&[0, 1]));
    }
    let a = array("s8[100000007,1000009]{1,0:T(*,7)(5)}");
    assert_eq!(same_bytes(&a, &a), Ok(()));
    // More sums than groups of dimensions have room for.
    let many =
        array(&format!("s8[99991,99991]{{1,0:T({}7)(5)(4)(3)(2)(3)(4)(5)}}", "*,".repeat(20)));
    assert!(reshape_is_bitcast(&many, &many));
    // A value's elements are compared without a limit: here only the last ones differ.
    let late = array("s8[1000,1000]{1,0:T(*,999995)(7)(5)}");
    let Err(NotBitcast::Moved { from: index, .. }) = same_bytes(A::SHAPE, &late) else { panic!() };
    assert_eq!(*index, [999, 995]);
}
