//! Which reshapes and transposes move no byte: against a naive model, and what the TPU compiler found.

mod moved;

use layout::bitcast::same_bytes;
use layout::bitcast::{
    NotBitcast, check_reshape_is_bitcast, check_transpose_is_bitcast, reshape_is_bitcast,
    transpose_is_bitcast,
};
use layout::layout;
use layout::{ArrayShape, permutation};
use layout_tests::lists::{array, dims, numbers, permutations};
use layout_tests::naive::sizes;
use layout_tests::{data, table};

#[test]
fn what_the_tpu_compiler_found() {
    let lines = data::tpu_bitcasts();
    assert_eq!(lines.len(), 545);
    let (mut counts, mut whole) = ([0; 3], 0);
    for line in lines {
        let (from, to) = (array(&line.from), array(&line.to));
        let is_whole = reshape_is_bitcast(&from, &to)
            || reshape_is_bitcast(&from.descending(), &to.descending());
        whole += usize::from(is_whole);
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
