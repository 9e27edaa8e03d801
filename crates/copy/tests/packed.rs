//! Copies of packed elements with every instruction set.
#![cfg(feature = "kernels")]

use layout_copy::__private::Plan;
use layout_copy::__private::packed::{Blocks, Extend, Way, Widths, run};
use layout_copy::{InstructionSet, Settings};
use layout_core::__private::native;
use layout_core::{ArrayShape, Index};

/// The bits of a slot of 1, 2, 4 or 8 bits: a byte, and a shift.
fn place(slot: usize, bits: usize, is_mirrored: bool) -> (usize, usize) {
    let shift = slot * bits % 8;
    (slot * bits / 8, if is_mirrored { 8 - bits - shift } else { shift })
}

/// The words of each row of a table.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|row| !row.starts_with('#')).map(|row| row.split(' ').collect())
}

/// Every instruction set and either order of bits on both sides, planned before and at the call.
#[test]
fn orders_of_bits_in_all_vectors() {
    for row in rows(include_str!("packed/orders.txt")) {
        let [src, dst, dims, from, to] = row[..] else { panic!("{row:?}") };
        let dims = dims.trim_matches(['[', ']']).split(',').map(|size| size.parse().unwrap());
        let bits = [src, dst].map(|bits| bits.parse().unwrap());
        check(bits, &dims.collect::<Vec<_>>(), from, to);
    }
}

/// Copies elements of 1, 2, 4 or 8 bits by every instruction set, in all orders of bits.
fn check(bits: [usize; 2], dims: &[usize], from: &str, to: &str) {
    let narrow = bits[0].min(bits[1]);
    let array = format!("u{narrow}{dims:?}").replace(' ', "");
    let from: ArrayShape = format!("{array}{from}").parse().unwrap();
    let to: ArrayShape = format!("{array}{to}").parse().unwrap();
    let [a, b] = [&from, &to].map(|shape| shape.digits().unwrap());
    let plan = &Plan::new(&a, &b, 0);
    let bytes = |shape: &ArrayShape| native(shape.bytes().unwrap());
    let src = (0..bytes(&from)).map(|at| ((at * 151) >> 3) as u8).collect::<Vec<_>>();
    for (set, mirrors, (value, extend)) in InstructionSet::all().flat_map(|set| {
        let all = [[false, false], [false, true], [true, false], [true, true]];
        let ways = [(0x35_u8, Extend::Zeros), (0, Extend::Zeros), (0x35, Extend::Sign)];
        all.into_iter().flat_map(move |mirrors| ways.map(|way| (set, mirrors, way)))
    }) {
        let before = vec![value; bytes(&to)];
        let mut expected = before.clone();
        for number in 0..dims.iter().product() {
            let mut rest: usize = number;
            let mut index = dims.to_vec();
            for coordinate in index.iter_mut().rev() {
                (*coordinate, rest) = (rest % *coordinate, rest / *coordinate);
            }
            let index = Index::of_native(&index);
            let [read, written] = [&a, &b].map(|of| native(of.offset(&index).unwrap()));
            let (read, written) =
                (place(read, bits[0], mirrors[0]), place(written, bits[1], mirrors[1]));
            let [low, mask] = [narrow, bits[1]].map(|bits| 0xff_u8 >> (8 - bits));
            let mut value = src[read.0] >> read.1 & low;
            if extend == Extend::Sign && value > low / 2 {
                value |= !low;
            }
            let byte = &mut expected[written.0];
            *byte = *byte & !(mask << written.1) | (value & mask) << written.1;
        }
        let [src_bits, dst_bits] = bits.map(|bits| bits as u32);
        let widths = Widths { src: src_bits, dst: dst_bits, fixed: 0, extend, mirrors };
        let settings = &Settings { set: Some(set), ..Settings::default() };
        for planned in [None, Some(&Blocks::of(plan, widths, set))] {
            let mut dst = before.clone();
            run(plan, planned, None, widths, &src, &mut dst, settings);
            assert!(dst == expected, "{from} to {to}: {set:?} {mirrors:?}");
        }
    }
}
/// Rows that end within a byte, of all short lengths, from packed elements to bytes and back.
#[test]
fn rows_of_all_short_lengths() {
    let dims = (1..=40).flat_map(|columns| [1, 3, 18].map(|rows| [rows, columns]));
    for dims in dims.chain([[5, 122], [4, 129], [3, 200], [70, 66], [129, 5]]) {
        for row in rows(include_str!("packed/rows.txt")) {
            let [bits, packed, bytes] = row[..] else { panic!("{row:?}") };
            let bits = bits.parse().unwrap();
            check([bits, 8], &dims, packed, bytes);
            check([8, bits], &dims, bytes, packed);
        }
    }
}

/// Blocks of a few bits, powers of two and others, and few elements with padding after them.
#[test]
fn short_dimensions() {
    for sizes in rows(include_str!("packed/sizes.txt")) {
        let dims = sizes.iter().map(|size| size.parse().unwrap()).collect::<Vec<_>>();
        for row in rows(include_str!("packed/turned.txt")) {
            let [from, to] = row[..] else { panic!("{row:?}") };
            check([1, 1], &dims, from, to);
            check([1, 8], &dims, from, "{3,2,1,0}");
            check([8, 1], &dims, "{3,2,1,0}", from);
        }
    }
}

/// Which way a pair of layouts goes, and how many elements a word has where it goes by blocks: a copy takes as long as its words are
/// many, so that words of few elements are a cliff.
#[test]
fn ways_of_pairs() {
    let mut wrong = String::new();
    for row in rows(include_str!("packed/ways.txt")) {
        let [array, from, to, expected @ ..] = &row[..] else { panic!("{row:?}") };
        let expected = expected.join(" ");
        let [a, b] = [from, to].map(|layout| format!("{array}{layout}").parse::<ArrayShape>());
        let [a, b] = [a, b].map(Result::unwrap);
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
