//! Elements of any type, between layouts of sizes known at the call, against loops over indices. Miri runs it: it is few elements,
//! through the loops in the caller's code, the matrices and the portable kernels.

use core::fmt::Debug;
use core::mem::MaybeUninit;

use layout::copies::Placed;
use layout::types::SameArray;
use layout::{AnyLayout, Padding, Plan, layout};
use layout_tests::naive::indices;
use layout_tests::random::Random;

/// Bytes between its fields belong to neither.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Padded(u8, u32);

type Rows = layout!(U8[?,?]);
type Columns = layout!(U8[?,?]{0,1});
type Panels = layout!(U8[?,?]{0,1:T(4,1)});
type Tiles = layout!(U8[?,?]{1,0:T(3,5)});
type Fixed = layout!(U8[13,21]);
type FixedTiles = layout!(U8[13,21]{0,1:T(8,2)});

fn check<A, B, T>(dims: [usize; 2], of: fn(u32) -> T)
where
    A: SameArray<B> + AnyLayout<Index = [usize; 2]>,
    B: AnyLayout<Index = [usize; 2]>,
    T: Copy + PartialEq + Debug + 'static,
{
    let (from, to) = (A::with_dims(dims).unwrap(), B::with_dims(dims).unwrap());
    let (before, padding) = (of(u32::MAX), of(u32::MAX - 1));
    let src = (0..from.padded_elements() as u32).map(of).collect::<Box<[_]>>();
    let what = format!("{from:?} to {to:?} of {} bytes", size_of::<T>());
    let shapes = [from.shape(), to.shape()];
    let plan = Placed::from(&shapes[0]).element_bytes(size_of::<T>());
    let plan = Plan::between(plan, &shapes[1]).unwrap();
    for value in [None, Some(padding)] {
        let mut expected = vec![value.unwrap_or(before); to.padded_elements()];
        for index in indices(dims) {
            expected[to.offset(index)] = src[from.offset(index)];
        }
        let mut found = vec![before; expected.len()].into_boxed_slice();
        plan.run(&src, &mut found, value.map_or(Padding::Leave, Padding::Fill)).unwrap();
        assert!(*found == expected, "{what}");
        let mut memory = vec![MaybeUninit::uninit(); expected.len()];
        let written = plan.run(&src, &mut memory[..], padding).unwrap();
        assert!(value.is_none() || *written == expected, "to uninitialised memory, {what}");
    }
}

fn elements<T: Copy + PartialEq + Debug + 'static>(random: &mut Random, of: fn(u32) -> T) {
    let limit = if cfg!(miri) { 6 } else { 130 };
    let side = |random: &mut Random| match random.below(4) {
        0 => 1 + random.below(3),
        1 => limit,
        2 => 4 * (1 + random.below(limit / 4)),
        _ => 1 + random.below(limit),
    };
    let dims = [side(random), side(random)];
    check::<Rows, Columns, T>(dims, of);
    check::<Columns, Panels, T>(dims, of);
    check::<Rows, Panels, T>(dims, of);
    check::<Tiles, Columns, T>(dims, of);
    check::<Panels, Tiles, T>(dims, of);
    check::<Fixed, FixedTiles, T>([13, 21], of);
}

#[test]
fn of_any_type() {
    fn bytes<const N: usize>(number: u32) -> [u8; N] {
        core::array::from_fn(|at| (number >> (8 * (at % 4))) as u8 ^ at as u8)
    }
    let random = &mut Random::new(5);
    for _ in 0..if cfg!(miri) { 1 } else { 40 } {
        elements::<u8>(random, |number| number as u8);
        elements::<u16>(random, |number| number as u16);
        elements::<u32>(random, |number| number);
        elements::<f64>(random, f64::from);
        elements::<Padded>(random, |number| Padded(number as u8, !number));
        elements::<(u64, u8)>(random, |number| (number.into(), 7));
        elements::<Option<&u8>>(random, |number| (number % 3 > 0).then_some(&7));
        elements(random, bytes::<3>);
        elements(random, bytes::<5>);
        elements(random, bytes::<6>);
        elements(random, bytes::<7>);
        elements(random, bytes::<9>);
        elements(random, bytes::<12>);
        elements(random, bytes::<15>);
        elements(random, bytes::<17>);
        elements(random, bytes::<24>);
        elements(random, bytes::<33>);
        elements(random, bytes::<40>);
    }
}
