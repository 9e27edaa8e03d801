//! Copies of packed elements with every instruction set.
#![cfg(feature = "kernels")]

use layout_copy::__private::Plan;
use layout_copy::__private::packed::{Blocks, Extend, Way, Widths, run};
use layout_copy::{InstructionSet, Settings};
use layout_core::__private::native;
use layout_core::ArrayShape;

/// The rows of a table.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| row.split(" | ").collect::<Vec<_>>().try_into().unwrap())
}

/// An array in two layouts.
fn shapes([array, from, to]: [&str; 3]) -> [ArrayShape; 2] {
    [from, to].map(|layout| format!("{array}{layout}").parse().unwrap())
}

/// The bits of a slot of 1, 2, 4 or 8 bits: a byte, and a shift.
fn place(slot: usize, bits: usize, is_mirrored: bool) -> (usize, usize) {
    let shift = slot * bits % 8;
    (slot * bits / 8, if is_mirrored { 8 - bits - shift } else { shift })
}

/// Every instruction set and either order of bits on both sides, planned before and at the call.
#[test]
fn orders_of_bits_in_all_vectors() {
    for row in rows(include_str!("pairs.txt")) {
        let [from, to] = shapes(row);
        let bits = [&from, &to].map(|shape| native(shape.element_bits()));
        let narrow = bits[0].min(bits[1]);
        let [a, b] = [&from, &to].map(|shape| shape.digits().unwrap());
        let plan = &Plan::new(&a, &b, 0);
        let bytes = |shape: &ArrayShape| native(shape.bytes().unwrap());
        let src = (0..bytes(&from)).map(|at| ((at * 151) >> 3) as u8).collect::<Vec<_>>();
        for (set, mirrors, value) in InstructionSet::all().flat_map(|set| {
            let all = [[false, true], [true, false], [true, true]];
            all.into_iter().flat_map(move |mirrors| [0x35_u8, 0].map(|value| (set, mirrors, value)))
        }) {
            let before = vec![value; bytes(&to)];
            let mut expected = before.clone();
            for (index, slot) in a.indices() {
                let [read, written] = [slot, b.offset(&index).unwrap()].map(native);
                let (read, written) =
                    (place(read, bits[0], mirrors[0]), place(written, bits[1], mirrors[1]));
                let [low, mask] = [narrow, bits[1]].map(|bits| 0xff_u8 >> (8 - bits));
                let value = src[read.0] >> read.1 & low;
                let byte = &mut expected[written.0];
                *byte = *byte & !(mask << written.1) | value << written.1;
            }
            let [src_bits, dst_bits] = bits.map(|bits| bits as u32);
            let widths =
                Widths { src: src_bits, dst: dst_bits, fixed: 0, extend: Extend::Zeros, mirrors };
            let settings = &Settings { set: Some(set), ..Settings::default() };
            for planned in [None, Some(&Blocks::of(plan, widths, set))] {
                let mut dst = before.clone();
                run(plan, planned, None, widths, &src, &mut dst, settings);
                assert!(dst == expected, "{from} to {to}: {set:?} {mirrors:?}");
            }
        }
    }
}

/// Which way a pair of layouts goes, and how many elements a word has where it goes by blocks: a copy takes as long as its words are
/// many, so that words of few elements are a cliff.
#[test]
fn ways_of_pairs() {
    let mut wrong = String::new();
    for [array, from, to, expected] in rows(include_str!("ways.txt")) {
        let [a, b] = shapes([array, from, to]);
        let [src, dst] = [&a, &b].map(|shape| native(shape.element_bits()) as u32);
        let widths = Widths { src, dst, fixed: 0, extend: Extend::Zeros, mirrors: [false; 2] };
        let plan = &Plan::new(&a.digits().unwrap(), &b.digits().unwrap(), 0);
        let way = match Way::of(plan, widths) {
            Way::Blocks => format!("{:?}", Blocks::of(plan, widths, InstructionSet::Portable)),
            way => format!("{way:?}"),
        };
        if way != expected {
            wrong += &format!("{a} to {b}: {way}, not {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
