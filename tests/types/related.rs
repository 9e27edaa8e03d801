//! Types that follow from a layout's type, and views that become views of other layouts.

use layout::bitcast::{reshape_is_bitcast, transpose_is_bitcast};
use layout::types::{FirstTile, TileOf};
use layout::{Layout, View, ViewMut, element, layout, permutation};
use static_assertions::const_assert;

/// A layout of numbers of 32 bits.
trait Numbers<const R: usize>: Layout<R, Element = element::U32, Width = element::Bits<32>> {}

impl<L, const R: usize> Numbers<R> for L where
    L: Layout<R, Element = element::U32, Width = element::Bits<32>>
{
}

/// Memory in which each slot holds its own number.
fn slots<L: Numbers<R>, const R: usize>() -> Vec<u32> {
    (0..L::PADDED_ELEMENTS as u32).collect()
}

/// A view of `A` as one of `B`: the element with the same row-major number stands in the same place.
fn reshape<A: Numbers<R>, B: Numbers<S>, const R: usize, const S: usize>() {
    let mut data = slots::<A, R>();
    assert!(reshape_is_bitcast(A::SHAPE, B::SHAPE), "{} {}", A::TEXT, B::TEXT);
    let view = View::<A, u32>::new(&data).unwrap();
    let result = view.reshape::<B>();
    let of_result = B::indices_row_major().map(|(index, _)| result[index]);
    assert!(A::indices_row_major().map(|(index, _)| view[index]).eq(of_result));
    let mut view = ViewMut::<A, u32>::new(&mut data).unwrap().reshape::<B>();
    for (index, offset) in B::indices() {
        assert_eq!(view[index] as usize, offset);
        view[index] = 7;
    }
}

#[test]
fn reshapes() {
    reshape::<layout!(U32[]), layout!(U32[1,1]{0,1:T(1)}), _, _>();
    reshape::<layout!(U32[3,5]), layout!(U32[15]), _, _>();
    reshape::<layout!(U32[3,5]{0,1}), layout!(U32[3,1,5,1]{0,3,1,2}), _, _>();
    reshape::<layout!(U32[300,500]{1,0:T(8,128)}), layout!(U32[1,300,500]{2,1,0:T(8,128)}), _, _>();
    reshape::<layout!(U32[16,304,500]{2,1,0:T(8,128)}), layout!(U32[4864,500]{1,0:T(8,128)}), _, _>(
    );
    reshape::<layout!(U32[16,128]{1,0:T(8,128)}), layout!(U32[2048]{0:T(1024)}), _, _>();
    reshape::<layout!(U32[0,5]), layout!(U32[7,0]{0,1:T(2,2)}), _, _>();
    const_assert!(!reshape_is_bitcast(<layout!(U32[3,5]{0,1})>::SHAPE, <layout!(U32[15])>::SHAPE));
    assert!(!reshape_is_bitcast(<layout!(U32[3,5])>::SHAPE, <layout!(U32[16])>::SHAPE));
    assert!(!reshape_is_bitcast(<layout!(U32[3,5])>::SHAPE, <layout!(S32[15])>::SHAPE));
    assert!(!reshape_is_bitcast(<layout!(S4[3,5])>::SHAPE, <layout!(S4[15]{0:E(4)})>::SHAPE));
}

#[test]
fn transposes() {
    type A = layout!(U32[3,5,7]{1,2,0:T(2,4)});
    type B = layout!(U32[5,7,3]{0,1,2:T(2,4)});
    let data = slots::<A, 3>();
    let view = View::<A, u32>::new(&data).unwrap();
    let result = view.transpose::<B, permutation!(1, 2, 0)>();
    for ([i, j, k], _) in A::indices() {
        assert_eq!(view[[i, j, k]], result[[j, k, i]]);
    }
    const_assert!(transpose_is_bitcast(A::SHAPE, B::SHAPE, &[1, 2, 0]));
    for by in [&[1, 0, 2][..], &[1, 1, 0], &[1, 2], &[1, 2, 3]] {
        assert!(!transpose_is_bitcast(A::SHAPE, B::SHAPE, by), "{by:?}");
    }
    type Turned = layout!(U32[5,7,3]{1,0,2:T(2,4)});
    assert!(!transpose_is_bitcast(A::SHAPE, Turned::SHAPE, &[1, 2, 0]));

    // A bounded dimension keeps its valid elements, wherever it goes.
    type Bounded = layout!(U32[<=8,5]{1,0:T(2,2)});
    let a = Bounded::with_dims([3, 5]).unwrap();
    let data = vec![0; a.padded_elements()];
    let view = a.view(&data).unwrap();
    let turned = view.transpose::<layout!(U32[5,<=8]{0,1:T(2,2)}), permutation!(1, 0)>();
    assert_eq!((turned.dims(), turned.get([4, 3])), ([5, 3], None));
}

/// Each tile as an array against the memory of the tile.
fn tiles<L: Numbers<R> + FirstTile<Within: Numbers<2>>, const R: usize>(text: &str) {
    assert_eq!(<L::Within as Layout<2>>::TEXT, text);
    let mut data = slots::<L, R>();
    let view = View::<L, u32>::new(&data).unwrap();
    // The dimensions that a tile covers, the most major first.
    let minor = L::MINOR_TO_MAJOR[0];
    let second = L::MINOR_TO_MAJOR[1];
    for tile in view.tiles() {
        let within = tile.as_view();
        let (origin, extent) = (tile.origin(), tile.extent());
        for i in 0..extent[second] {
            for j in 0..extent[minor] {
                let mut index = origin;
                index[second] += i;
                index[minor] += j;
                assert_eq!(within[[i, j]], view[index], "{text} {index:?}");
            }
        }
        assert_eq!(within.as_slice(), tile.as_slice());
    }
    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    for mut tile in view.tiles_mut() {
        tile.as_view_mut().as_mut_slice().fill(1);
    }
    assert!(data.iter().all(|&x| x == 1));
}

#[test]
fn tile_types() {
    tiles::<layout!(U32[3,5]{1,0:T(2,2)}), 2>("u32[2,2]{1,0}");
    tiles::<layout!(U32[3,5]{0,1:T(2,4)}), 2>("u32[2,4]{1,0}");
    tiles::<layout!(U32[20,300]{1,0:T(8,128)(2,1)}), 2>("u32[8,128]{1,0:T(2,1)}");
    tiles::<layout!(U32[2,20,30]{1,2,0:PAD(2,24,32)T(8,16)(4,1)E(32)S(-1)M(8)}), 3>(
        "u32[8,16]{1,0:T(4,1)E(32)}",
    );
    tiles::<layout!(U32[20,30]{1,0:T(8,16)S(3)}), 2>("u32[8,16]{1,0}");
    tiles::<layout!(U32[20,30]{1,0:T(8,16)(3,5)E(32)}), 2>("u32[8,16]{1,0:T(3,5)E(32)}");
    type Within = TileOf<layout!(S8[99]{0:T(1024)(128)(4,1)})>;
    assert_eq!(Within::TEXT, "s8[1024]{0:T(128)(4,1)}");
}
