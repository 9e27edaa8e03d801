//! Transposes and panels through the cache, of memory that begins anywhere in a line: blocks after the first ones begin with lines.

use layout::__private::core::native;
use layout::__private::{Memory, Plain, copy};
use layout::ArrayShape;
use layout::copies::{InstructionSet, Settings};
use layout::shape::Size;
use layout_tests::random::Random;

/// Elements before both memories: none, some that end with a line of neither, and some on one side.
const BEFORE: [[usize; 2]; 6] = [[0, 0], [1, 0], [0, 1], [3, 5], [8, 8], [7, 0]];

fn check<T: Copy + PartialEq + Default + 'static>(
    random: &mut Random,
    name: &str,
    side: usize,
    of: fn(usize) -> T,
) {
    let sizes = [8, 7].map(|least| side * (least + random.below(5)) + random.below(3) * (side / 4));
    check_sizes(name, sizes, of);
}

fn check_sizes<T: Copy + PartialEq + Default + 'static>(
    name: &str,
    [rows, columns]: [usize; 2],
    of: fn(usize) -> T,
) {
    let shape =
        |tiles: &str| -> ArrayShape { format!("{name}[{rows},{columns}]{tiles}").parse().unwrap() };
    let from = shape("").digits().unwrap();
    let data = (0..rows * columns).map(of).collect::<Vec<_>>();
    for tiles in ["{0,1}", "{1,0:T(64,1)}", "{0,1:T(24,1)}", "{0,1:T(3,1)}"] {
        let to = shape(tiles).digits().unwrap();
        let mut turned = vec![T::default(); native(to.size())];
        for (at, element) in data.iter().enumerate() {
            let index = [(at / columns) as Size, (at % columns) as Size];
            turned[native(to.offset(&index).unwrap())] = *element;
        }
        for (set, before) in InstructionSet::all().flat_map(|set| BEFORE.map(|at| (set, at))) {
            let settings = Settings { set: Some(set), ..Settings::default() };
            for (digits, src, expected) in
                [([&from, &to], &data, &turned), ([&to, &from], &turned, &data)]
            {
                let src = [&vec![T::default(); before[0]], &src[..]].concat();
                let mut dst = vec![T::default(); before[1] + expected.len() + 9];
                let slots = &mut dst[before[1]..][..expected.len()];
                let memory = Memory::of(Plain::of_type(), &src[before[0]..], slots);
                copy(digits, [0; 2], memory, size_of::<T>(), &settings);
                let (head, rest) = dst.split_at(before[1]);
                let (found, tail) = rest.split_at(expected.len());
                assert!(found == expected, "{name}[{rows},{columns}]{tiles}, {set:?}, {before:?}");
                assert!(head.iter().chain(tail).all(|element| *element == T::default()));
            }
        }
    }
}

#[test]
fn whole_lines_after_the_first() {
    let random = &mut Random::new(7);
    for _ in 0..3 {
        check(random, "f64", 8, |number| number as f64);
        check(random, "f32", 16, |number| number as f32);
        check(random, "u16", 32, |number| number as u16);
        check(random, "u8", 64, |number| (number ^ number >> 8 ^ number >> 16) as u8);
    }
}

/// Columns that begin about a multiple of 4 KiB apart, and rows that do, to which panels go back.
#[test]
fn columns_that_share_places_in_the_cache() {
    for (rows, columns) in [(4097, 70), (2047, 129), (4096, 64), (72, 4096)] {
        check_sizes("u8", [rows, columns], |number| (number ^ number >> 8) as u8);
        check_sizes("u16", [rows / 2 + 1, columns / 2], |number| number as u16);
        check_sizes("f32", [rows / 4 + 1, columns / 4], |number| number as f32);
        check_sizes("f64", [rows / 8 + 1, columns / 8], |number| number as f64);
    }
}
