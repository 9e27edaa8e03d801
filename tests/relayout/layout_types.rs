//! Copies between types of layouts, there and back: with sizes at the call by copiers, functions and loops in the caller's code, from and to
//! parts and planes, and with constant sizes.

use layout::bitcast::same_bytes;
use layout::types::SameArray;
use layout::{Copier, CopyError, Padding, layout};
use layout_tests::amount::times;
use layout_tests::copies::Numbers;
use layout_tests::copies::doors::{Format, Run, Side, dims_of, memory_of, values};
use layout_tests::copies::region::Held;
use layout_tests::doors;
use layout_tests::naive::{self, sizes};
use layout_tests::pairs::ranges;

fn numbers() -> Format<Held<u32>> {
    values(|number| number, Some(0)).declaring(None)
}

/// From the first layout of each line to each other one, and back if that is asked.
macro_rules! crossed {
    ($run:ident $then:ident $ways:ident: $(($($first:tt)*) $(($($other:tt)*))*;)*) => {$(
        crossed! { @ $run $then $ways ($($first)*) $(($($other)*))* }
    )*};
    (@ $run:ident $then:ident $ways:ident $first:tt $($other:tt)*) => {
        $(crossed! { $ways $run $then $first $other })*
    };
    (there_and_back $run:ident $then:ident $a:tt $b:tt) => {
        crossed! { there $run $then $a $b }
        crossed! { there $run $then $b $a }
    };
    (there $run:ident $then:ident ($($from:tt)*) ($($to:tt)*)) => {{
        type A = layout!($($from)*);
        type B = layout!($($to)*);
        let dims = dims_of::<A, B, _>(&mut $run.random, A::SHAPE);
        $then! { $run dims }
    }};
}

macro_rules! at_call {
    ($run:ident $dims:ident) => {
        let [a, b] = Side::pair(&mut $run.random, $dims);
        doors! { $run, a plain numbers() => b plain numbers(), |x| x, [copier map inline panics]:
            [view] A => [view] B;
        }
    };
}

#[test]
fn sizes_at_the_call() {
    let run = &mut Run::new(1);
    for _ in 0..times(100) {
        crossed! { run at_call there_and_back:
            (U32[?,?]) (U32[?,?]) (U32[?,?]{0,1}) (U32[?,?]{1,0:T(8,128)(2,1)})
                (U32[?,?]{0,1:T(4,4)(2,1)L(64)}) (U32[?,?]{0,1:T(2,6)(2,3)}) (U32[?,?]{1,0:T(*,16)});
            (U32[?,12]) (U32[?,12]{0,1}) (U32[?,12]{1,0:T(4,3)});
            (U32[8,12]) (U32[8,12]{0,1}) (U32[8,12]{1,0:T(4,4)});
            (U32[<=9,?]) (U32[<=9,?]{0,1}) (U32[<=9,?]{0,1:T(2)(2,1)L(16)});
            (U32[?,?,?]) (U32[?,?,?]{0,2,1}) (U32[?,?,?]{0,1,2:T(2,2,3)}) (U32[?,?,?]{2,1,0:T(*,2,4)});
            (U32[?,4,?,8]) (U32[?,4,?,8]{2,0,3,1}) (U32[?,4,?,8]{0,2,1,3:T(2,2,2)});
        }
    }
}

/// The whole array, and a part of it.
macro_rules! of_parts {
    ($run:ident $dims:ident) => {
        let part = ranges(&mut $run.random, &$dims);
        let start = std::array::from_fn(|dim| part[dim].start);
        let size = std::array::from_fn(|dim| part[dim].len());
        for [start, size] in [[$dims.map(|_| 0), $dims], [start, size]] {
            let a = Side::of_part(&mut $run.random, [$dims, start, size], true);
            let b = Side::of_part(&mut $run.random, [size, size.map(|_| 0), size], false);
            doors! { $run, a plain numbers() => b plain numbers(), |x| x, [copy_to to row_major]:
                [view part] A => [view] B;
            }
        }
    };
}

#[test]
fn parts_of_any_sizes() {
    let run = &mut Run::new(2);
    for _ in 0..times(100) {
        crossed! { run of_parts there_and_back:
            (U32[?]) (U32[?]{0:T(2)(2,1)});
            (U32[?]{0:T(7)}) (U32[?]{0:T(32)(8)(2,1)});
            (U32[?,?]) (U32[?,?]{0,1:T(8)(2,1)});
            (U32[?,?]{0,1:T(8,16)(2,1)}) (U32[?,?]{1,0:T(8,16)});
            (U32[?,?]{1,0:T(*,7)}) (U32[?,?]{0,1:T(4,6)(2,1)L(64)});
            (U32[<=9,?]) (U32[<=9,?]{0,1:T(2)(2,1)L(16)});
            (U32[?,<=7]{0,1}) (U32[?,<=7]{1,0:T(4,4)}, swizzle = elements<2,0,4>);
            (U32[?,?,?]{0,2,1:T(2,4)}) (U32[?,?,?]{2,1,0:T(4)(2,1)});
        }
    }
}

/// Of all short lengths.
#[test]
fn short_arrays() {
    type A = layout!(U32[?]);
    type B = layout!(U32[?]{0:T(2)(2,1)});
    let run = &mut Run::new(3);
    for dims in (0..=20).map(|length| [length]) {
        of_parts! { run dims }
    }
}

/// Sizes that are known, and elements of a type; the first layout may declare its padding.
#[test]
fn constant_sizes() {
    let run = &mut Run::new(4);
    macro_rules! fixed {
        ($($stored:ty: ($($a:tt)*) ($($b:tt)*), $of:expr, $declared:expr;)*) => {$({
            type A = layout!($($a)*);
            type B = layout!($($b)*);
            let [a, b] = Side::pair(&mut run.random, A::DIMS);
            let format = |declared| values::<$stored>($of, Some(Default::default())).declaring(declared);
            doors! { run, a plain format(None) => b plain format(None), |x| x,
                [constant inline copy_to]:
                [view] A => [view] B;
            }
            doors! { run, b plain format(None) => a plain format($declared), |x| x,
                [constant inline copy_to]:
                [view] B => [view] A;
            }
            let slots = [A::SHAPE, B::SHAPE];
            let slots = slots.map(|shape| naive::slots(&memory_of(shape, &sizes(&A::DIMS))));
            assert_eq!(same_bytes(A::SHAPE, B::SHAPE).is_ok(), slots[0] == slots[1], "{}", B::TEXT);
        })*};
    }
    for _ in 0..times(40) {
        fixed! {
            u32: (U32[]) (U32[]{:T(128)}), |n| n, None;
            u32: (U32[0,5]) (U32[0,5]{0,1:T(2,2)}), |n| n, None;
            i32: (S32[3,5]{0,1:PAD(4,8)FILL(highest)}) (S32[3,5]{1,0:T(2,2)L(7)}),
                u32::cast_signed, Some(i32::MAX);
            u8: (U8[60,130]) (U8[60,130]{1,0:T(32,128)(4,1)}), |n| n as u8, None;
            u16: (BF16[60,200]{0,1}) (BF16[60,200]{1,0:T(8,128)(2,1)}), |n| n as u16, None;
            f32: (F32[60,200]{0,1:T(8,128)}) (F32[60,200]{1,0:T(8,128)}), |n| n as f32, None;
            u32: (U32[30,50,7]{1,2,0:T(6,10)}) (U32[30,50,7]{2,1,0:T(*,8,4)}), |n| n, None;
            i64: (S64[64]) (S64[64]{0:T(16)(4)(2,1)}), |n| i64::from(n) * -77_777_777, None;
            [f64; 2]: (C128[9,31]{0,1:T(2)(2,1)}) (C128[9,31]), |n| [n.into(), 0.5], None;
            u32: (U32[2,3,4,2,3,2]) (U32[2,3,4,2,3,2]{1,3,5,0,2,4:T(2,*,2)}), |n| n, None;
            u32: (U32[8,64]) (U32[8,64]{1,0:T(8,32)}, swizzle = 128B), |n| n, None;
            // Edges with plans of their own, along one dimension and along three.
            u32: (U32[400,7]{1,0:T(3,5)}) (U32[400,7]{0,1:T(2,2)}), |n| n, None;
            u32: (U32[9,31,13]{2,1,0:T(2,4,4)}) (U32[9,31,13]{0,1,2}), |n| n, None;
        }
    }
}

const PADDINGS: [(Padding<u32>, u32); 4] =
    [(Padding::Leave, 7), (Padding::Declared, 7), (Padding::Zero, 0), (Padding::Fill(3), 3)];

/// From planes of `A`, and to planes of it, which lie one after the other there, along a dimension.
fn planes<A, B, const R: usize>(dims: [usize; R])
where
    A: SameArray<B> + Numbers<R>,
    B: SameArray<A> + Numbers<R>,
{
    let [a, b] = [A::with_dims(dims).map(|a| a.shape()), B::with_dims(dims).map(|b| b.shape())]
        .map(|shape| shape.expect("they go with both"));
    let dim = *a.minor_to_major().last().expect("a dimension");
    let [of_a, of_b] = [&a, &b].map(|shape| memory_of(shape, &sizes(&dims)));
    let numbers = |of: &[Option<layout::shape::Size>], padding: u32| {
        of.iter().map(|number| number.map_or(padding, |number| number as u32)).collect::<Vec<_>>()
    };
    let count = dims[dim];
    let slots = of_a.len() / count.max(1);
    let source = numbers(&of_a, u32::MAX);
    let parts = (0..count).map(|plane| &source[plane * slots..][..slots]).collect::<Vec<_>>();
    for (padding, of_padding) in PADDINGS {
        let mut expected = numbers(&of_b, of_padding);
        expected.extend([7; 9]);
        let mut dst = vec![7; expected.len()];
        Copier::<A, B>::new().gather(dims, &parts, &mut dst, padding).unwrap();
        assert!(dst == expected, "from planes: {a:?} to {b:?}, {padding:?}");

        let (source, expected) = (numbers(&of_b, u32::MAX), numbers(&of_a, of_padding));
        let mut parts = vec![vec![7; slots + 3]; count];
        let mut slices = parts.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>();
        Copier::<B, A>::new().scatter(dims, &source, &mut slices, padding).unwrap();
        for (number, part) in parts.iter().enumerate() {
            let expected = [&expected[number * slots..][..slots], &[7; 3]].concat();
            assert!(*part == expected, "to plane {number}: {b:?} to {a:?}, {padding:?}");
        }
    }
    let none: &mut [u32] = &mut [];
    let error = Copier::<A, B>::new().gather(dims, &[[0; 0]; 400], none, Padding::Leave);
    assert_eq!(error, Err(CopyError::Planes { needed: count, given: 400 }));
}

#[test]
fn from_and_to_planes() {
    let run = &mut Run::new(5);
    macro_rules! planes {
        ($run:ident $dims:ident) => {
            planes::<A, B, _>($dims);
        };
    }
    for _ in 0..times(100) {
        crossed! { run planes there:
            (U32[?,?]) (U32[?,?]) (U32[?,?]{1,0:T(3,5)}) (U32[?,?]{0,1:T(2,6)(2,3)})
                (U32[?,?]{1,0:T(*,16)});
            (U32[?,?]{0,1}) (U32[?,?]);
            (U32[?,?]{1,0:T(1,4)}) (U32[?,?]);
            (U32[?,?]{0,1:T(6)(2,1)}) (U32[?,?]);
            (U32[3,?,6]) (U32[3,?,6]{0,2,1}) (U32[3,?,6]{2,1,0:T(2,2,3)})
                (U32[3,?,6]{1,0,2:T(*,4,3)L(32)});
            (U32[3,?,6]{2,1,0:T(2,4)}) (U32[3,?,6]);
            (U32[3,?,6]{2,1,0:T(*,4)}) (U32[3,?,6]);
            (U32[3,?,6]{0,1,2:T(2,2)}) (U32[3,?,6]);
            (U32[3,5,6]) (U32[3,5,6]{2,1,0:PAD(4,5,8)T(2,2,3)}) (U32[3,5,6]{0,1,2:T(3,2)})
                (U32[3,5,6]{2,1,0:T(4,4,2)}, swizzle = elements<2,0,4>);
            (U32[3,5,6]{2,1,0:PAD(3,7,8)T(2,4)}) (U32[3,5,6]);
            (U32[3,5,6]{2,0,1:T(1,4)}) (U32[3,5,6]);
        }
    }
}
