//! Copies between memory of any two kinds, whole and in halves: layouts, parts, strides, parts of strides, and layouts as values.

use core::mem::MaybeUninit;

use layout::dynamic::DynLayout;
use layout::memory::{PackedStrided, PackedStridedMut};
use layout::{Padding, Strided, StridedMut, layout};
use layout_tests::amount::times;
use layout_tests::lists::array;
use layout_tests::naive::{flatten, indices, sizes};
use layout_tests::random::Random;
use layout_tests::strides::Place;

use crate::packed_parts::{Memory, parts, ranges};

type Words = layout!(U16[?,?]{1,0:T(8,16)(2,1)});
type Panels = layout!(U16[?,?]{0,1:T(4,1)});
type Nibbles = layout!(U4[?,?]{1,0:T(4,8)E(4)});
type Columns = layout!(U4[?,?]{0,1:E(4)});
type Unpacked = layout!(U4[?,?]{0,1:T(4,1)});

/// One side: the part of an array that is copied.
struct Side {
    whole: [usize; 2],
    start: [usize; 2],
    size: [usize; 2],
    place: Place,
    layout: &'static str,
}

impl Side {
    fn ranges(&self) -> [std::ops::Range<usize>; 2] {
        ranges(self.start, self.size)
    }

    /// The layout as a value, of the part alone or of the whole array.
    fn value(&self, is_whole: bool) -> DynLayout {
        let [rows, columns] = if is_whole { self.whole } else { self.size };
        let (element, layout) = self.layout.split_at(self.layout.find('{').expect("a layout"));
        DynLayout::new(&array(&format!("{element}[{rows},{columns}]{layout}"))).unwrap()
    }

    /// The slots of the part, in row-major order.
    fn slots(&self, kind: &str) -> Vec<usize> {
        let is_whole = kind.starts_with("part");
        let value = self.value(is_whole);
        let slot = |index: [usize; 2]| {
            let at = [0, 1].map(|dim| self.start[dim] + index[dim]);
            match kind {
                "strided" => self.place.first().wrapping_add_signed(
                    (0..2).map(|dim| index[dim].cast_signed() * self.place.strides[dim]).sum(),
                ),
                "part_of_strided" => {
                    self.place.slots[flatten(&sizes(&at), &sizes(&self.whole)) as usize]
                }
                _ => value.offset(if is_whole { &at } else { &index }),
            }
        };
        indices(self.size).map(slot).collect()
    }

    /// Slots of the longest memory.
    fn length(&self) -> usize {
        self.place
            .length
            .max(self.value(true).padded_elements())
            .max(self.value(false).padded_elements())
    }
}

macro_rules! source {
    (view, $layout:ty, $of:ident, $data:expr) => {
        <$layout>::with_dims($of.size).unwrap().view($data).unwrap()
    };
    (part, $layout:ty, $of:ident, $data:expr) => {
        <$layout>::with_dims($of.whole).unwrap().view($data).unwrap().slice($of.ranges()).unwrap()
    };
    (strided, $layout:ty, $of:ident, $data:expr) => {
        Strided::at($data, $of.place.first(), $of.size, $of.place.strides()).unwrap()
    };
    (part_of_strided, $layout:ty, $of:ident, $data:expr) => {
        Strided::at($data, $of.place.first(), $of.whole, $of.place.strides())
            .unwrap()
            .slice($of.ranges())
            .unwrap()
    };
    (value, $layout:ty, $of:ident, $data:expr) => {
        $of.value(false).view($data).unwrap()
    };
    (part_of_value, $layout:ty, $of:ident, $data:expr) => {
        $of.value(true).view($data).unwrap().slice($of.ranges()).unwrap()
    };
}

macro_rules! destination {
    (view, $layout:ty, $of:ident, $data:expr) => {
        <$layout>::with_dims($of.size).unwrap().view_mut($data).unwrap()
    };
    (part, $layout:ty, $of:ident, $data:expr) => {
        <$layout>::with_dims($of.whole)
            .unwrap()
            .view_mut($data)
            .unwrap()
            .into_slice($of.ranges())
            .unwrap()
    };
    (strided, $layout:ty, $of:ident, $data:expr) => {
        StridedMut::at($data, $of.place.first(), $of.size, $of.place.strides()).unwrap()
    };
    (part_of_strided, $layout:ty, $of:ident, $data:expr) => {
        StridedMut::at($data, $of.place.first(), $of.whole, $of.place.strides())
            .unwrap()
            .into_slice($of.ranges())
            .unwrap()
    };
    (value, $layout:ty, $of:ident, $data:expr) => {
        $of.value(false).view_mut($data).unwrap()
    };
    (part_of_value, $layout:ty, $of:ident, $data:expr) => {
        $of.value(true).view_mut($data).unwrap().into_slice($of.ranges()).unwrap()
    };
}

/// Two sides with parts of the same size.
fn sides(random: &mut Random, layouts: [&'static str; 2]) -> Vec<[Side; 2]> {
    let wholes = [[(); 2]; 2].map(|dims| dims.map(|()| 1 + random.below(40)));
    let all = parts(random, wholes).into_iter().map(|(size, starts)| {
        [0, 1].map(|side| {
            let (whole, start) = (wholes[side], starts[side]);
            let place = Place::random(&whole, side == 0, random);
            Side { whole, start, size, place, layout: layouts[side] }
        })
    });
    all.collect()
}

#[test]
fn elements_of_whole_bytes() {
    let random = &mut Random::new(31);
    macro_rules! copies {
        ($a:ident $b:ident [$($from:ident)*] $to:tt) => {$(copies! { @ $a $b $from $to })*};
        (@ $a:ident $b:ident $from:ident [$($to:ident)*]) => {$({
            let data = (0..$a.length() as u16).collect::<Vec<_>>();
            let before = vec![0xffff; $b.length()];
            let [slots, to_slots] = [$a.slots(stringify!($from)), $b.slots(stringify!($to))];
            let mut expected = before.clone();
            for (from, to) in slots.iter().zip(&to_slots) {
                expected[*to] = data[*from];
            }
            let what = concat!(stringify!($from), " to ", stringify!($to));
            let what = format!("{what}, {:?} of {:?} to {:?} of {:?}", $a.ranges(), $a.whole, $b.start, $b.whole);
            let from = source!($from, Words, $a, &data);
            let values = slots.iter().map(|slot| data[*slot]);
            assert!(from.to_row_major().into_iter().eq(values.clone()), "{what}");
            let made = from.to::<Panels>().unwrap();
            assert!(made.to_row_major().into_iter().eq(values), "new: {what}");
            let padding = made.layout().paddings().flatten().map(|slot| made.as_slice()[slot]);
            assert!({ padding }.all(|slot| slot == 0), "new: {what}");
            let mut memory = vec![MaybeUninit::uninit(); made.as_slice().len()];
            let written = from.write_to::<Panels, _>(memory.as_mut_slice(), 0).unwrap();
            assert!(written == made.as_slice(), "to memory that held nothing: {what}");
            let mut found = before.clone();
            from.copy_to(&mut destination!($to, Panels, $b, &mut found), Padding::Leave).unwrap();
            assert!(found == expected, "{what}");

            let (mut found, mut number) = (before.clone(), 0);
            let function = |index: _, element| {
                let index: &[usize] = AsRef::<[usize]>::as_ref(&index);
                let at = flatten(&sizes(index), &sizes(&$a.size)) as usize;
                assert_eq!(element, data[slots[at]], "{what}");
                number += 1;
                element
            };
            let mut to = destination!($to, Panels, $b, &mut found);
            from.map_to(&mut to, Padding::Leave, function).unwrap();
            assert!(found == expected && number == slots.len(), "by a function: {what}");

            let dim = random.below(2);
            let at = random.below($a.size[dim] + 1);
            let mut found = before.clone();
            let mut to = destination!($to, Panels, $b, &mut found);
            let [mut first, mut second] = to.split_at_mut(dim, at).unwrap();
            let [of_first, of_second] = from.split_at(dim, at).unwrap();
            of_second.copy_to(&mut second, Padding::Leave).unwrap();
            of_first.copy_to(&mut first, Padding::Leave).unwrap();
            assert!(found == expected, "halves at {at} of {dim}: {what}");
        })*};
    }
    for _ in 0..times(10) {
        for [a, b] in sides(random, ["u16{1,0:T(8,16)(2,1)}", "u16{0,1:T(4,1)}"]) {
            copies! { a b
                [view part strided part_of_strided value part_of_value]
                [view part strided part_of_strided value part_of_value]
            }
        }
    }
}

macro_rules! packed_source {
    (view, $of:ident, $data:expr) => {
        Nibbles::with_dims($of.size).unwrap().packed_view($data).unwrap()
    };
    (part, $of:ident, $data:expr) => {
        Nibbles::with_dims($of.whole)
            .unwrap()
            .packed_view($data)
            .unwrap()
            .slice($of.ranges())
            .unwrap()
    };
    (strided, $of:ident, $data:expr) => {
        PackedStrided::<4, 2>::at($data, $of.place.first(), $of.size, $of.place.strides()).unwrap()
    };
    (part_of_strided, $of:ident, $data:expr) => {
        PackedStrided::<4, 2>::at($data, $of.place.first(), $of.whole, $of.place.strides())
            .unwrap()
            .slice($of.ranges())
            .unwrap()
    };
}

macro_rules! packed_destination {
    (view, $of:ident, $data:expr) => {
        Columns::with_dims($of.size).unwrap().packed_view_mut($data).unwrap()
    };
    (part, $of:ident, $data:expr) => {
        Columns::with_dims($of.whole)
            .unwrap()
            .packed_view_mut($data)
            .unwrap()
            .slice_mut($of.ranges())
            .unwrap()
    };
    (strided, $of:ident, $data:expr) => {
        PackedStridedMut::<4, 2>::at($data, $of.place.first(), $of.size, $of.place.strides())
            .unwrap()
    };
    (part_of_strided, $of:ident, $data:expr) => {
        PackedStridedMut::<4, 2>::at($data, $of.place.first(), $of.whole, $of.place.strides())
            .unwrap()
            .slice_mut($of.ranges())
            .unwrap()
    };
}

#[test]
fn packed_elements() {
    let random = &mut Random::new(32);
    macro_rules! copies {
        ($a:ident $b:ident [$($from:ident)*] $to:tt) => {$(copies! { @ $a $b $from $to })*};
        (@ $a:ident $b:ident $from:ident [$($to:ident)*]) => {$({
            let data = Memory::random($a.length(), 4, false, random);
            let before = Memory::random($b.length(), 4, false, random);
            let slots = $a.slots(stringify!($from)).into_iter().zip($b.slots(stringify!($to)));
            let (mut expected, mut found) = (before.clone(), before.clone());
            slots.for_each(|(from, to)| expected.set(to, data.get(from)));
            let what = concat!(stringify!($from), " to ", stringify!($to));
            let what = format!("{what}, {:?} of {:?} to {:?} of {:?}", $a.ranges(), $a.whole, $b.start, $b.whole);
            let from = packed_source!($from, $a, &data.bytes);
            let values = $a.slots(stringify!($from)).into_iter().map(|slot| data.get(slot));
            assert!(from.to_row_major().into_iter().eq(values.clone()), "{what}");
            let mut made = from.to::<Unpacked>().unwrap();
            assert!(made.to_row_major().into_iter().eq(values.clone()), "new: {what}");
            made.fill(0xff);
            from.map_to(&mut made, Padding::Leave, |_, element| !element).unwrap();
            assert!(made.to_row_major().into_iter().eq(values.map(|of| !of)), "by a function: {what}");
            from.copy_to(&mut packed_destination!($to, $b, &mut found.bytes), Padding::Leave).unwrap();
            assert!(found == expected, "{what}");
        })*};
    }
    for _ in 0..times(10) {
        for [a, b] in sides(random, ["u4{1,0:T(4,8)E(4)}", "u4{0,1:E(4)}"]) {
            copies! { a b
                [view part strided part_of_strided]
                [view part strided part_of_strided]
            }
        }
    }
}
