//! Elements of any type, between layouts of sizes known at the call and strides, against loops over indices. Miri runs it: it is few
//! elements, through the loops in the caller's code, the matrices and the portable kernels.

use core::fmt::Debug;
use core::mem::MaybeUninit;

use layout::__private::between_strides_inline;
use layout::{AnyLayout, SameArray, Strided, StridedMut, layout};
use layout_tests::random::Random;

/// Bytes between its fields belong to neither.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Padded(u8, u32);

type Rows = layout!(U8[?,?]);
type Columns = layout!(U8[?,?]{0,1});
type Panels = layout!(U8[?,?]{0,1:T(4,1)});
type Tiles = layout!(U8[?,?]{1,0:T(3,5)});

fn indices([rows, columns]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| [row, column]))
}

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
    for value in [None, Some(padding)] {
        let mut expected = vec![value.unwrap_or(before); to.padded_elements()];
        for index in indices(dims) {
            expected[to.offset(index)] = src[from.offset(index)];
        }
        let mut found = vec![before; expected.len()].into_boxed_slice();
        from.relayout_any::<B, T>(&src, &mut found, value).unwrap();
        assert!(*found == expected, "{what}");
        let mut memory = vec![MaybeUninit::uninit(); expected.len()].into_boxed_slice();
        let written = from.relayout_any_uninit::<B, T>(&src, &mut memory, padding).unwrap();
        assert!(value.is_none() || *written == expected, "to uninitialised memory, {what}");
    }
}

fn strides<T: Copy + PartialEq + Debug + 'static>(dims: [usize; 2], of: fn(u32) -> T) {
    let [rows, columns] = dims.map(usize::cast_signed);
    let sources = [[columns, 1], [1, rows], [-columns - 1, 1], [0, 2], [3, 3 * rows]];
    for (from, to) in sources.into_iter().flat_map(|from| {
        [[columns + 2, 1], [1, -rows], [2 * columns, -2]].map(|to: [isize; 2]| (from, to))
    }) {
        // The slot of the first element, and how many there are.
        let place = |strides: [isize; 2]| {
            let ends = [(rows - 1) * strides[0], (columns - 1) * strides[1]];
            let down = ends.iter().map(|end| end.min(&0)).sum::<isize>();
            (-down, 1 + ends.iter().map(|end| end.max(&0)).sum::<isize>() - down)
        };
        let slot = |strides: [isize; 2], [row, column]: [usize; 2]| {
            let offset = row.cast_signed() * strides[0] + column.cast_signed() * strides[1];
            (place(strides).0 + offset).cast_unsigned()
        };
        let src = (0..place(from).1 as u32).map(of).collect::<Box<[_]>>();
        let mut found = vec![of(u32::MAX); place(to).1.cast_unsigned()].into_boxed_slice();
        let mut expected = found.clone();
        for index in indices(dims) {
            expected[slot(to, index)] = src[slot(from, index)];
        }
        let what = format!("{dims:?}: {from:?} to {to:?} of {} bytes", size_of::<T>());
        let strided = Strided::new(&src, dims, from).unwrap();
        strided.relayout_to_strided(&mut StridedMut::new(&mut found, dims, to).unwrap());
        assert!(found == expected, "{what}");
        found.fill(of(u32::MAX));
        let mut out = StridedMut::new(&mut found, dims, to).unwrap();
        assert!(between_strides_inline(&strided, &mut out) && found == expected, "inline, {what}");
    }
}

fn elements<T: Copy + PartialEq + Debug + 'static>(random: &mut Random, of: fn(u32) -> T) {
    let limit = if cfg!(miri) { 6 } else { 70 };
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
    strides(dims, of);
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
    }
}
