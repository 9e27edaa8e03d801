//! Copies of packed elements between views and slices, in either order of bits within bytes: against one element after the other.

use layout::element::{Bits, PackedValue, PackedWidth};
use layout::memory::{PackedStrided, PackedStridedMut};
use layout::types::{BitOrder, Element, HighFirst, LowFirst};
use layout::{AnyLayout, PackedView, PackedViewMut, Padding, layout};
use layout_tests::naive::indices;
use layout_tests::random::Random;

/// Whether the high bits of a byte are its first element.
pub(crate) trait Order: BitOrder {
    const IS_HIGH: bool;
    fn view<'a, L: AnyLayout>(view: PackedView<'a, L>) -> PackedView<'a, L, Self>;
    fn view_mut<'a, L: AnyLayout>(view: PackedViewMut<'a, L>) -> PackedViewMut<'a, L, Self>;
    fn strided<const B: usize>(view: PackedStrided<'_, B, 2>) -> PackedStrided<'_, B, 2, Self>
    where
        Bits<B>: PackedWidth;
    fn strided_mut<const B: usize>(
        view: PackedStridedMut<'_, B, 2>,
    ) -> PackedStridedMut<'_, B, 2, Self>
    where
        Bits<B>: PackedWidth;
}

macro_rules! order {
    ($order:ty, $is_high:literal $(, $high_first:ident)?) => {
        impl Order for $order {
            const IS_HIGH: bool = $is_high;
            fn view<'a, L: AnyLayout>(view: PackedView<'a, L>) -> PackedView<'a, L, Self> {
                view$(.$high_first())?
            }
            fn view_mut<'a, L: AnyLayout>(
                view: PackedViewMut<'a, L>,
            ) -> PackedViewMut<'a, L, Self> {
                view$(.$high_first())?
            }
            fn strided<const B: usize>(
                view: PackedStrided<'_, B, 2>,
            ) -> PackedStrided<'_, B, 2, Self>
            where
                Bits<B>: PackedWidth,
            {
                view$(.$high_first())?
            }
            fn strided_mut<const B: usize>(
                view: PackedStridedMut<'_, B, 2>,
            ) -> PackedStridedMut<'_, B, 2, Self>
            where
                Bits<B>: PackedWidth,
            {
                view$(.$high_first())?
            }
        }
    };
}

order! { LowFirst, false }
order! { HighFirst, true, high_first }

/// Memory of elements of `bits` bits, read and written one by one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Memory {
    pub bytes: Vec<u8>,
    bits: usize,
    is_high: bool,
}

impl Memory {
    pub(crate) fn random(slots: usize, bits: usize, is_high: bool, random: &mut Random) -> Memory {
        let bytes = (0..(slots * bits).div_ceil(8)).map(|_| random.below(256) as u8).collect();
        Memory { bytes, bits, is_high }
    }

    fn place(&self, slot: usize) -> (usize, usize) {
        let number = slot * self.bits % 8;
        let shift = if self.is_high { 8 - self.bits - number } else { number };
        (slot * self.bits / 8, shift)
    }

    pub(crate) fn get(&self, slot: usize) -> u8 {
        let (byte, shift) = self.place(slot);
        self.bytes[byte] >> shift & (0xff >> (8 - self.bits))
    }

    pub(crate) fn set(&mut self, slot: usize, value: u8) {
        let (byte, shift) = self.place(slot);
        let mask = (0xff >> (8 - self.bits)) << shift;
        self.bytes[byte] = self.bytes[byte] & !mask | value << shift & mask;
    }
}

pub(crate) fn ranges<const R: usize>(
    start: [usize; R],
    size: [usize; R],
) -> [std::ops::Range<usize>; R] {
    std::array::from_fn(|dim| start[dim]..start[dim] + size[dim])
}

/// Sizes and places of parts: the whole array first, then random ones, often on borders of bytes and tiles.
pub(crate) fn parts<const R: usize>(
    random: &mut Random,
    [a, b]: [[usize; R]; 2],
) -> Vec<([usize; R], [[usize; R]; 2])> {
    // Miri takes a few small ones.
    let rounds = if cfg!(miri) { 1..4 } else { 0..40 };
    rounds
        .map(|round| {
            let size: [usize; R] = std::array::from_fn(|dim| match round {
                0 => a[dim].min(b[dim]),
                1..10 => random.below(a[dim].min(b[dim]).min(9) + 1),
                _ => random.below(a[dim].min(b[dim]) + 1),
            });
            let places = [a, b].map(|dims| {
                std::array::from_fn(|dim| {
                    let start = random.below(dims[dim] - size[dim] + 1);
                    if random.below(2) == 0 { start / 8 * 8 } else { start }
                })
            });
            (size, places)
        })
        .collect()
}

/// The number with the bits of a packed element.
pub(crate) fn number<L: AnyLayout>(bits: u8, width: usize) -> <L::Element as Element>::Packed {
    *PackedValue::of_bits(bits, width as u32)
}

/// What padding becomes.
pub(crate) fn pad<L: AnyLayout>(layout: layout::WithDims<L>, memory: &mut Memory, value: u8) {
    for slot in layout.paddings().flatten() {
        memory.set(slot, value);
    }
}

/// Copies parts of packed arrays to parts of others, and all of them.
macro_rules! repacked {
    ($($a:ty, $dims_a:expr => $b:ty, $dims_b:expr;)*) => {$(
        repacked!{ $a, $dims_a => $b, $dims_b, LowFirst LowFirst, LowFirst HighFirst, HighFirst LowFirst, HighFirst HighFirst }
    )*};
    ($a:ty, $dims_a:expr => $b:ty, $dims_b:expr, $($o:ident $p:ident),*) => {$({
        let random = &mut Random::new(7);
        let (a, b) = (<$a>::with_dims($dims_a).unwrap(), <$b>::with_dims($dims_b).unwrap());
        let bits = <$a>::SHAPE.element_bits() as usize;
        let src = Memory::random(a.padded_elements(), bits, $o::IS_HIGH, random);
        for (size, [from, to]) in parts(random, [a.dims(), b.dims()]) {
            let what = format!("{a:?} {from:?} to {b:?} {to:?}: {size:?}, {} {}", stringify!($o), stringify!($p));
            let mut dst = Memory::random(b.padded_elements(), bits, $p::IS_HIGH, random);
            let mut expected = dst.clone();
            for index in indices(size) {
                let read = std::array::from_fn(|dim| from[dim] + index[dim]);
                let written = std::array::from_fn(|dim| to[dim] + index[dim]);
                expected.set(b.offset(written), src.get(a.offset(read)));
            }
            let view = $o::view(a.packed_view(&src.bytes).unwrap());
            let part = view.slice(ranges(from, size)).unwrap();
            let mut written = dst.clone();
            let mut out = $p::view_mut(b.packed_view_mut(&mut written.bytes).unwrap());
            let slice = &mut out.slice_mut(ranges(to, size)).unwrap();
            part.copy_to(slice, Padding::Fill(1)).unwrap();
            assert!(written == expected, "{what}");
            if size == a.dims() {
                let mut written = dst.clone();
                let mut out = $p::view_mut(b.packed_view_mut(&mut written.bytes).unwrap());
                view.copy_to(&mut out.slice_mut(ranges(to, size)).unwrap(), Padding::Zero).unwrap();
                assert!(written == expected, "a view: {what}");
            }
            if size == b.dims() {
                for (padding, value) in [(Padding::Leave, None), (Padding::Zero, Some(0)), (Padding::Fill(1), Some(1))] {
                    let mut written = dst.clone();
                    let mut out = $p::view_mut(b.packed_view_mut(&mut written.bytes).unwrap());
                    part.copy_to(&mut out, padding).unwrap();
                    if let Some(value) = value {
                        pad(b, &mut expected, value);
                    }
                    assert!(written == expected, "to a view: {padding:?} {what}");
                }
            }
            dst.bytes.clear();
        }
    })*};
}

#[test]
fn packed_slices() {
    type Rows = layout!(U1[?,?]{1,0:E(1)});
    type Pages = layout!(U1[?,?]{1,0:T(8,128)(8,1)E(1)});
    type Columns = layout!(U4[?,?]{0,1:E(4)});
    type Words = layout!(U4[?,?]{1,0:T(8,128)(8,1)E(4)});
    repacked! {
        Rows, [40, 150] => Rows, [45, 171];
        Rows, [40, 150] => Pages, [48, 150];
        Pages, [48, 256] => Rows, [48, 256];
        Columns, [33, 60] => Words, [33, 60];
        Words, [40, 130] => Columns, [41, 131];
        layout!(U2[5,37]{0,1:E(2)}), [5, 37] => layout!(U2[<=6,40]{1,0:T(2,4)E(2)}), [5, 40];
        layout!(U4[12,30]{1,0:T(7)E(4)}), [12, 30] => layout!(U4[12,30]{1,0:T(8)E(4)}), [12, 30];
    }
}

/// Whole arrays whose plans are constants, in blocks that vectors exchange, with edges and without.
macro_rules! whole {
    ($($a:ty => $b:ty;)*) => {$(whole!{ $a => $b, LowFirst LowFirst, LowFirst HighFirst, HighFirst LowFirst, HighFirst HighFirst })*};
    ($a:ty => $b:ty, $($o:ident $p:ident),*) => {$({
        type A = $a;
        type B = $b;
        let random = &mut Random::new(8);
        let bits = A::SHAPE.element_bits() as usize;
        let src = Memory::random(A::PADDED_ELEMENTS, bits, $o::IS_HIGH, random);
        let dst = Memory::random(B::PADDED_ELEMENTS, bits, $p::IS_HIGH, random);
        for (padding, value) in [(Padding::Leave, None), (Padding::Fill(1), Some(1))] {
            let (mut written, mut expected) = (dst.clone(), dst.clone());
            if let Some(value) = value {
                pad(B::with_dims(B::DIMS).unwrap(), &mut expected, value);
            }
            for index in indices(A::DIMS) {
                expected.set(B::offset(index), src.get(A::offset(index)));
            }
            let mut out = $p::view_mut(PackedViewMut::<B>::new(&mut written.bytes).unwrap());
            $o::view(PackedView::<A>::new(&src.bytes).unwrap()).copy_to(&mut out, padding).unwrap();
            assert!(written == expected, "{} to {} {} {} {padding:?}", A::SHAPE, B::SHAPE, stringify!($o), stringify!($p));
        }
    })*};
}

#[test]
fn orders_of_bits() {
    whole! {
        layout!(U1[8,8]{1,0:E(1)}) => layout!(U1[8,8]{0,1:E(1)});
        layout!(U1[5,7]{1,0:E(1)}) => layout!(U1[5,7]{0,1:E(1)});
        layout!(U1[16,10]{1,0:E(1)}) => layout!(U1[16,10]{0,1:T(8)E(1)});
        layout!(U1[10,16]{0,1:T(8,4)E(1)}) => layout!(U1[10,16]{1,0:E(1)});
        layout!(U1[16,16]{1,0:E(1)}) => layout!(U1[16,16]{0,1:E(1)});
        layout!(U1[8,128]{1,0:E(1)}) => layout!(U1[8,128]{0,1:E(1)});
        layout!(U1[16,64]{1,0:E(1)}) => layout!(U1[16,64]{1,0:T(8,8)E(1)});
        layout!(U2[5,3,7]{2,1,0:E(2)}) => layout!(U2[5,3,7]{0,2,1:E(2)});
        layout!(U4[5,6]{1,0:T(4,2)E(4)}) => layout!(U4[5,6]{0,1:T(3)E(4)});
        layout!(U4[16,16]{1,0:E(4)}) => layout!(U4[16,16]{0,1:E(4)});
        layout!(U1[32,32]{1,0:E(1)}) => layout!(U1[32,32]{0,1:E(1)});
        layout!(U1[64,128]{1,0:E(1)}) => layout!(U1[64,128]{1,0:T(8,128)(8,1)E(1)});
        layout!(U1[61,130]{1,0:E(1)}) => layout!(U1[61,130]{1,0:T(8,128)(8,1)E(1)});
        layout!(U1[10,13]{1,0:E(1)}) => layout!(U1[10,13]{0,1:T(8,1)E(1)});
        layout!(U1[300,300]{1,0:E(1)}) => layout!(U1[300,300]{0,1:E(1)});
        layout!(U1[5,4096]{1,0:E(1)}) => layout!(U1[5,4096]{1,0:T(1,1024)E(1)});
        layout!(U2[64,64]{1,0:E(2)}) => layout!(U2[64,64]{0,1:E(2)});
        layout!(U4[8,8]{1,0:E(4)}) => layout!(U4[8,8]{0,1:E(4)});
        layout!(U4[64,64]{1,0:E(4)}) => layout!(U4[64,64]{0,1:E(4)});
        layout!(U4[130,70]{1,0:E(4)}) => layout!(U4[130,70]{1,0:T(8,128)(8,1)E(4)});
        layout!(U4[16,8]{1,0:E(4)}) => layout!(U4[16,8]{1,0:T(2,8)(2,1)E(4)});
    }
}

/// Copies between packed elements and one a byte: all of arrays, and parts.
macro_rules! unpacked {
    ($($t:ty: $a:ty, $dims_a:expr => $b:ty, $dims_b:expr, |$value:ident, $bits:ident| $widened:expr;)*) => {$(
        unpacked! { $t: $a, $dims_a => $b, $dims_b, |$value, $bits| $widened, LowFirst, HighFirst }
    )*};
    ($t:ty: $a:ty, $dims_a:expr => $b:ty, $dims_b:expr, |$value:ident, $bits:ident| $widened:expr, $($o:ident),*) => {$({
        let random = &mut Random::new(9);
        let (a, b) = (<$a>::with_dims($dims_a).unwrap(), <$b>::with_dims($dims_b).unwrap());
        let $bits = <$a>::SHAPE.element_bits() as u32;
        let widened = |$value: u8| -> $t { $widened };
        let packed = Memory::random(a.padded_elements(), $bits as usize, $o::IS_HIGH, random);
        for (size, [from, to]) in parts(random, [a.dims(), b.dims()]) {
            let what = format!("{a:?} {from:?} to {b:?} {to:?}: {size:?}, {}", stringify!($o));
            let place = |start: [usize; 2], index: [usize; 2]| [start[0] + index[0], start[1] + index[1]];
            let elements = (0..b.padded_elements()).map(|_| widened(random.below(256) as u8)).collect::<Vec<$t>>();
            let mut expected = elements.clone();
            for index in indices(size) {
                expected[b.offset(place(to, index))] = widened(packed.get(a.offset(place(from, index))));
            }
            let view = $o::view(a.packed_view(&packed.bytes).unwrap());
            let mut written = elements.clone();
            let mut out = b.view_mut(&mut written).unwrap();
            let part = view.slice(ranges(from, size)).unwrap();
            part.copy_to(&mut out.slice_mut(ranges(to, size)).unwrap(), Padding::Leave).unwrap();
            assert!(written == expected, "unpacked: {what}");
            if size == b.dims() {
                let mut written = elements.clone();
                part.copy_to(&mut b.view_mut(&mut written).unwrap(), Padding::Leave).unwrap();
                assert!(written == expected, "unpacked to a view: {what}");
            }
            if size == b.dims() && size == a.dims() {
                let mut written = elements.clone();
                view.copy_to(&mut b.view_mut(&mut written).unwrap(), Padding::Leave).unwrap();
                assert!(written == expected, "an unpacked view: {what}");
            }

            let mut written = packed.clone();
            let mut expected = packed.clone();
            for index in indices(size) {
                expected.set(a.offset(place(from, index)), elements[b.offset(place(to, index))] as u8);
            }
            let mut out = $o::view_mut(a.packed_view_mut(&mut written.bytes).unwrap());
            let view = b.view(&elements).unwrap();
            let part = view.slice(ranges(to, size)).unwrap();
            part.copy_to(&mut out.slice_mut(ranges(from, size)).unwrap(), Padding::Leave).unwrap();
            assert!(written == expected, "packed: {what}");
            if size == a.dims() {
                let mut written = packed.clone();
                part.copy_to(&mut $o::view_mut(a.packed_view_mut(&mut written.bytes).unwrap()), Padding::Leave).unwrap();
                assert!(written == expected, "packed to a view: {what}");
            }
            if size == b.dims() && size == a.dims() {
                let mut written = packed.clone();
                view.copy_to(&mut $o::view_mut(a.packed_view_mut(&mut written.bytes).unwrap()), Padding::Leave).unwrap();
                assert!(written == expected, "a packed view: {what}");
            }

            // Halves of the bytes, which other threads may write at the same time.
            let mut elements = elements.clone();
            let mut before = elements.clone();
            for index in indices(size) {
                before[b.offset(place(to, index))] = widened(packed.get(a.offset(place(from, index))));
            }
            let mut all = b.view_mut(&mut elements).unwrap();
            let half = size[0] / 2;
            let halves = all.slice_mut(ranges(to, size)).unwrap().into_halves(0, half).unwrap();
            let view = $o::view(a.packed_view(&packed.bytes).unwrap());
            let parts = [ranges(from, [half, size[1]]), ranges([from[0] + half, from[1]], [size[0] - half, size[1]])];
            for (mut half, part) in halves.into_iter().zip(parts) {
                view.slice(part).unwrap().copy_to(&mut half, Padding::Leave).unwrap();
            }
            assert!(elements == before, "halves: {what}");
        }
    })*};
}

#[test]
fn bytes_and_packed_slices() {
    type Bits = layout!(PRED[?,?]{1,0:E(1)});
    type Pages = layout!(PRED[?,?]{1,0:T(8,128)(8,1)E(1)});
    type Bools = layout!(PRED[?,?]);
    type Nibbles = layout!(S4[?,?]{0,1:E(4)});
    unpacked! {
        u8: Bits, [40, 150] => Bools, [45, 171], |value, bits| value & (0xff >> (8 - bits));
        bool: Pages, [40, 150] => Bools, [40, 150], |value, _bits| value & 1 != 0;
        bool: layout!(PRED[16,64]{1,0:E(1)}), [16, 64] => layout!(PRED[16,64]{0,1}), [16, 64], |value, _bits| value & 1 != 0;
        bool: Bits, [5, 7] => Bools, [5, 7], |value, _bits| value & 1 != 0;
        bool: layout!(PRED[16,10]{1,0:T(8)E(1)}), [16, 10] => layout!(PRED[16,10]{0,1}), [16, 10], |value, _bits| value & 1 != 0;
        bool: layout!(PRED[8,8]{1,0:E(1)}), [8, 8] => layout!(PRED[8,8]{0,1}), [8, 8], |value, _bits| value & 1 != 0;
        i8: Nibbles, [9, 11] => layout!(S4[?,?]{1,0:T(2,4)}), [9, 11], |value, bits| (value << (8 - bits)) as i8 >> (8 - bits);
        i8: Nibbles, [33, 60] => layout!(S4[?,?]{1,0:T(2,4)}), [33, 60], |value, bits| (value << (8 - bits)) as i8 >> (8 - bits);
        i8: layout!(S4[32,64]{1,0:E(4)}), [32, 64] => layout!(S4[32,64]{0,1}), [32, 64], |value, bits| (value << (8 - bits)) as i8 >> (8 - bits);
        u8: layout!(U2[20,30]{1,0:E(2)}), [20, 30] => layout!(U2[20,30]{0,1}), [20, 30], |value, bits| value & (0xff >> (8 - bits));
    }
}
