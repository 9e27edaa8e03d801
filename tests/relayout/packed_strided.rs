//! Packed elements from and to strides of their own, on either side, in either order of bits: against one element after the other.

use layout::copies::OneByte;
use layout::element::{Bits, PackedWidth};
use layout::memory::{PackedStrided, PackedStridedMut, StridesError};
use layout::types::{HighFirst, LowFirst, StoredIn};
use layout::{AnyLayout, Padding, Strided, StridedMut, layout};
use layout_tests::naive::indices;
use layout_tests::random::Random;
use layout_tests::strides::Place;

use crate::packed_parts::{Memory, Order, number, pad};
use crate::strided::sizes;

/// A source, of strides that may be anything.
fn any(random: &mut Random, dims: [usize; 2]) -> Place {
    let strides = match random.below(8) {
        0 => [(); 2].map(|()| random.below(5).cast_signed() - 2),
        1 => [*random.pick(&[0, 40, 64]), 1],
        2 => [8 * dims[1].div_ceil(8).cast_signed(), 1],
        _ => return Place::random(&dims, false, random),
    };
    Place::of(&dims, strides.to_vec())
}

/// The place with some slots before it, and how many there are with some after it.
fn within(random: &mut Random, place: &Place) -> (usize, usize) {
    let before = random.below(20);
    (before, before + place.length + random.below(20))
}

/// Packed ones of the layout `L`, and those of `B`, a byte each, from and to strides.
fn check<L, B, T, O, P, const BITS: usize>(random: &mut Random, of: impl Fn(u8) -> T)
where
    L: AnyLayout<Index = [usize; 2], Element = B::Element, Width = Bits<BITS>>,
    B: AnyLayout<Index = [usize; 2]>,
    T: OneByte + StoredIn<B> + layout::types::StoredAs<B::Element> + PartialEq + std::fmt::Debug,
    O: Order,
    P: Order,
    Bits<BITS>: PackedWidth,
{
    let dims = sizes(random);
    let (packed, plain) = (L::with_dims(dims).unwrap(), B::with_dims(dims).unwrap());
    let (from, to) = (any(random, dims), Place::random(&dims, false, random));
    let (before, given) = within(random, &from);
    let src = Memory::random(given, BITS, O::IS_HIGH, random);
    let bits = from.slots.iter().map(|slot| src.get(before + slot)).collect::<Vec<_>>();
    let elements = || indices(dims).zip(bits.iter().copied());
    let first = before + from.first();
    let strides = from.strides();
    let side =
        || O::strided(PackedStrided::<BITS, 2>::at(&src.bytes, first, dims, strides).unwrap());
    let what = format!("{strides:?} to {:?} of {BITS} bits: {packed:?}", to.strides);
    for (index, bits) in elements().step_by(5) {
        assert_eq!(side().get(index), Some(bits), "{what}");
    }
    assert_eq!(side().get(dims), None);

    // Packed strides to a packed layout, and from there to packed strides and to strides of bytes.
    let mut expected = Memory::random(packed.padded_elements(), BITS, P::IS_HIGH, random);
    let mut found = expected.clone();
    pad(packed, &mut expected, 1);
    for (index, bits) in elements() {
        expected.set(packed.offset(index), bits);
    }
    let mut view = P::view_mut(packed.packed_view_mut(&mut found.bytes).unwrap());
    side().copy_to(&mut view, number::<L>(1, BITS)).unwrap();
    assert!(found == expected, "{what}");

    let (lead, slots) = within(random, &to);
    let (at, to_strides) = (lead + to.first(), to.strides());
    let mut written = Memory::random(slots, BITS, O::IS_HIGH, random);
    let mut expected = written.clone();
    for (slot, bits) in to.slots.iter().zip(&bits) {
        expected.set(lead + slot, *bits);
    }
    let view = P::view(packed.packed_view(&found.bytes).unwrap());
    let strided =
        PackedStridedMut::<BITS, 2>::at(&mut written.bytes, at, dims, to_strides).unwrap();
    view.copy_to(&mut O::strided_mut(strided), Padding::Leave).unwrap();
    assert!(written == expected, "{what}");

    let mut bytes = (0..slots).map(|_| of(random.below(2) as u8)).collect::<Vec<T>>();
    let mut expected = bytes.clone();
    for (slot, bits) in to.slots.iter().zip(&bits) {
        expected[lead + slot] = of(*bits);
    }
    let mut strided = StridedMut::at(&mut bytes, at, dims, to_strides).unwrap();
    view.copy_to(&mut strided, Padding::Leave).unwrap();
    assert!(bytes == expected, "{what}");

    // The same strides of bytes, packed again.
    let mut again = Memory::random(packed.padded_elements(), BITS, P::IS_HIGH, random);
    let mut expected = again.clone();
    for (index, bits) in elements() {
        expected.set(packed.offset(index), bits);
    }
    let mut view = P::view_mut(packed.packed_view_mut(&mut again.bytes).unwrap());
    Strided::at(&bytes, at, dims, to_strides).unwrap().copy_to(&mut view, Padding::Leave).unwrap();
    assert!(again == expected, "{what}");

    // One a byte, and back.
    let mut plains = vec![of(0); plain.padded_elements()];
    let mut expected = plains.clone();
    for (index, bits) in elements() {
        expected[plain.offset(index)] = of(bits);
    }
    side().copy_to(&mut plain.view_mut(&mut plains).unwrap(), Padding::Zero).unwrap();
    assert!(plains == expected, "{what}");
    let mut written = src.clone();
    let apart = PackedStridedMut::<BITS, 2>::at(&mut written.bytes, first, dims, strides);
    if let Ok(strided) = apart {
        plain.view(&plains).unwrap().copy_to(&mut O::strided_mut(strided), Padding::Leave).unwrap();
        assert!(written == src, "{what}");
    }
}

#[test]
fn packed_strides() {
    let random = &mut Random::new(23);
    let signed = |bits: u8| (bits << 4).cast_signed() >> 4;
    let unsigned = |bits: u8| bits;
    for _ in 0..if cfg!(miri) { 3 } else { 120 } {
        check::<layout!(PRED[?,?]{1,0:E(1)}), layout!(PRED[?,?]), bool, HighFirst, LowFirst, 1>(
            random,
            |bits| bits > 0,
        );
        check::<
            layout!(PRED[?,?]{1,0:T(8,1)E(1)}),
            layout!(PRED[?,?]{0,1}),
            bool,
            HighFirst,
            LowFirst,
            1,
        >(random, |bits| bits > 0);
        check::<layout!(U2[?,?]{0,1:T(4)E(2)}), layout!(U2[?,?]), u8, LowFirst, HighFirst, 2>(
            random, unsigned,
        );
        check::<layout!(U4[?,?]{1,0:T(8,8)E(4)}), layout!(U4[?,?]), u8, LowFirst, LowFirst, 4>(
            random, unsigned,
        );
        check::<
            layout!(S4[?,?]{0,1:E(4)}),
            layout!(S4[?,?]{1,0:T(3,5)}),
            i8,
            HighFirst,
            HighFirst,
            4,
        >(random, signed);
        // Tiles of other tiles, whose digits are no digits of coordinates.
        check::<
            layout!(U4[?,?]{1,0:T(4,6)(2,4)E(4)}),
            layout!(U4[?,?]{1,0:T(*,8)}),
            u8,
            LowFirst,
            HighFirst,
            4,
        >(random, unsigned);
    }
}

#[test]
fn refused_strides() {
    let mut bytes = [0; 5];
    let of = |dims, strides| PackedStrided::<1, 2>::new(&[0; 5], dims, strides).err();
    assert_eq!(of([2, 20], [20, 1]), None);
    assert_eq!(of([2, 20], [21, 1]), Some(StridesError::TooShort { needed: 41, given: 40 }));
    assert!(
        PackedStrided::<4, 1>::at(&bytes, 2, [4], [-1])
            .is_err_and(|error| { error == StridesError::BeforeStart { needed: 3, first: 2 } })
    );
    assert!(
        PackedStridedMut::<4, 2>::new(&mut bytes, [2, 3], [2, 1]).is_err_and(|error| {
            error == StridesError::Overlap { dim: 0, stride: 2, needed: 3 }
        })
    );
}
