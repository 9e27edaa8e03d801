//! Which reshapes and transposes move no byte: against a naive model, and what the TPU compiler found.

mod moved;

use layout::ArrayShape;
use layout::bitcast::same_bytes;
use layout::bitcast::{
    NotBitcast, check_reshape_is_bitcast, check_transpose_is_bitcast, reshape_is_bitcast,
    transpose_is_bitcast,
};
use layout::layout;
use layout::shape::permutation;
use layout_tests::lists::{array, dims, numbers};
use layout_tests::naive::sizes;
use layout_tests::{data, table};
use static_assertions::const_assert;

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
    const_assert!(FREE);
}

/// Equal digits are equal layouts, however many elements there are.
#[test]
fn layouts_of_the_same_digits() {
    type A = layout!(S8[1000,1000]{1,0:T(*,7)(5)});
    type Padded = layout!(S8[1000,1000]{1,0:PAD(1001,1000)T(*,7)(5)L(3)});
    const {
        assert!(same_bytes(A::SHAPE, A::SHAPE).is_ok());
        assert!(same_bytes(A::SHAPE, Padded::SHAPE).is_ok());
        assert!(reshape_is_bitcast(A::SHAPE, A::SHAPE));
        assert!(transpose_is_bitcast(A::SHAPE, A::SHAPE, &[0, 1]));
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
