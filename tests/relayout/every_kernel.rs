//! Elements of each size with every instruction set, where memory begins anywhere in a line and where it ends with a page: channels of
//! images, transposes and panels through the cache, tiles.

use layout::copies::Settings;
use layout_tests::copies::{Case, all_settings};
use layout_tests::pairs::Pair;
use layout_tests::random::Random;

type Places<'a> = &'a [[Option<usize>; 2]];

/// The first elements of pages, and the last ones.
const ENDS: Places<'_> = &[[Some(0); 2], [None; 2]];
/// Elements before both memories: none, some that end with a line of neither, and some on one side.
const IN_LINES: Places<'_> = &[
    [Some(0), Some(0)],
    [Some(1), Some(0)],
    [Some(0), Some(1)],
    [Some(3), Some(5)],
    [Some(8), Some(8)],
    [Some(7), Some(0)],
];

/// Those that start no threads.
fn every_set() -> Vec<Settings> {
    all_settings().iter().copied().filter(|all| all.threads != Some(true)).collect()
}

/// There and back.
fn cases(array: &str, [from, to]: [&str; 2]) -> [Case; 2] {
    [[from, to], [to, from]].map(|layouts| {
        let texts = layouts.map(|layout| format!("u8[{array}]{layout}"));
        Case::new(Pair::of(&texts), &mut Random::new(1))
    })
}

/// Images of pixels with channels, and planes of the channels.
fn images(images: usize, pixels: usize, channels: usize, before: usize) {
    for case in cases(&format!("{images},{pixels},{channels}"), ["{2,1,0}", "{1,2,0}"]) {
        let (all, places) = (&every_set(), &[[Some(before); 2]]);
        case.bytes::<1>(all, places);
        case.bytes::<2>(all, places);
        case.bytes::<4>(all, places);
        case.bytes::<8>(all, places);
    }
}

#[test]
fn every_number_of_channels() {
    for (channels, pixels) in (2..=16).flat_map(|channels| (1..=100).map(move |at| (channels, at)))
    {
        images(1 + pixels % 3, pixels, channels, pixels % 5);
    }
}

/// More than a lane has of a pixel, and what is held around the cache.
#[test]
fn more_channels_and_pixels() {
    for channels in [3, 5, 6, 7, 9, 12, 15, 17, 31, 33, 63] {
        for pixels in [255, 256, 257, 289, 511, 4099] {
            images(1 + pixels % 2, pixels, channels, pixels % 7);
        }
    }
}

/// Columns and panels of a matrix: blocks after the first ones begin with lines.
fn columns<const BYTES: usize>([rows, columns]: [usize; 2]) {
    for to in ["{0,1}", "{1,0:T(64,1)}", "{0,1:T(24,1)}", "{0,1:T(3,1)}"] {
        for case in cases(&format!("{rows},{columns}"), ["{1,0}", to]) {
            case.bytes::<BYTES>(&every_set(), IN_LINES);
        }
    }
}

#[test]
fn whole_lines_after_the_first() {
    let random = &mut Random::new(7);
    let mut sizes = |side: usize| {
        [8, 7].map(|least| side * (least + random.below(5)) + random.below(3) * (side / 4))
    };
    for _ in 0..3 {
        columns::<8>(sizes(8));
        columns::<4>(sizes(16));
        columns::<2>(sizes(32));
        columns::<1>(sizes(64));
    }
}

/// Columns that begin about a multiple of 4 KiB apart, and rows that do, to which panels go back.
#[test]
fn columns_that_share_places_in_the_cache() {
    for (rows, width) in [(4097, 70), (2047, 129), (4096, 64), (72, 4096)] {
        columns::<1>([rows, width]);
        columns::<2>([rows / 2 + 1, width / 2]);
        columns::<4>([rows / 4 + 1, width / 4]);
        columns::<8>([rows / 8 + 1, width / 8]);
    }
}

/// Runs of a destination of 8 MiB and more go around the cache, but for the lines that they share.
#[test]
fn around_the_cache() {
    for case in cases("701,901", ["{1,0}", "{1,0:T(8,128)}"]) {
        case.bytes::<16>(&every_set(), &[[Some(1), Some(3)], [None; 2]]);
    }
}

/// Copies elements of each of some sizes at both ends of memory.
fn at_ends(case: &Case, sizes: &[usize]) {
    for size in sizes {
        let all = &every_set();
        match size {
            1 => case.bytes::<1>(all, ENDS),
            2 => case.bytes::<2>(all, ENDS),
            3 => case.bytes::<3>(all, ENDS),
            4 => case.bytes::<4>(all, ENDS),
            6 => case.bytes::<6>(all, ENDS),
            8 => case.bytes::<8>(all, ENDS),
            12 => case.bytes::<12>(all, ENDS),
            16 => case.bytes::<16>(all, ENDS),
            _ => case.bytes::<24>(all, ENDS),
        }
    }
}

const SIZES: [usize; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 24];

#[test]
fn tiles_at_the_ends_of_memory() {
    let random = &mut Random::new(11);
    for layouts in [
        ["{1,0}", "{0,1}"],
        ["{1,0}", "{1,0:T(8,128)}"],
        ["{1,0}", "{1,0:T(8,128)(2,1)}"],
        ["{1,0}", "{1,0:T(32,128)(4,1)}"],
        ["{1,0}", "{0,1:T(8,128)(2,1)}"],
        ["{1,0}", "{0,1:T(32,128)(4,1)}"],
        ["{1,0:T(8,128)}", "{0,1:T(8,128)}"],
        ["{1,0:T(8,128)}", "{1,0:T(6,100)}"],
    ] {
        for rows in [1, 2, 3, 4, 7, 8, 16, 17, 33, 64, 70] {
            for columns in [1, 2, 4, 5, 8, 15, 16, 31, 33, 64, 100, 127, 129, 200, 260] {
                for case in cases(&format!("{rows},{columns}"), layouts) {
                    at_ends(&case, &[*random.pick(&SIZES)]);
                }
            }
        }
    }
}

#[test]
fn small_matrices_at_the_ends_of_memory() {
    let random = &mut Random::new(12);
    for to in ["{0,1:T(4,1)}", "{0,1}"].repeat(100) {
        let [rows, columns] = [1 + random.below(70), 4 * (1 + random.below(18))];
        for case in cases(&format!("{rows},{columns}"), ["{1,0}", to]) {
            at_ends(&case, &SIZES);
        }
    }
}
