//! Copies by every path, of random pairs of layouts and of all small ones.

use layout_tests::amount::{is_full, times};
use layout_tests::copies::{Failure, Tally, again, check, exhaustive};

fn fail(result: Result<(), Box<Failure>>) {
    result.unwrap_or_else(|failure| panic!("as a test:\n{failure}"));
}

/// `LAYOUT_SEED` repeats one pair.
#[test]
fn random_pairs() {
    let mut tally = Tally::default();
    let given = std::env::var("LAYOUT_SEED").ok();
    let seeds = match given.map(|seed| seed.parse().expect("LAYOUT_SEED is a number")) {
        Some(seed) => seed..seed + 1,
        None => 0..times(20_000) as u64,
    };
    for seed in seeds {
        fail(check(seed, &mut tally));
    }
    println!("{tally}");
}

#[test]
fn small_matrices() {
    let mut tally = Tally::default();
    fail(exhaustive(if is_full() { 1 } else { 25 }, 0, &mut tally));
    println!("{tally}");
}

/// Pairs that were copied wrongly.
#[test]
fn found() {
    for (path, pair) in [
        ("parts", ["u8[3,3]{1,0}", "u8[3,3]{0,1:T(2)(2,1)}"]),
        ("parts", ["u8[7,4]{1,0}", "u8[7,4]{0,1:T(2)(2,1)}"]),
        ("ranges", ["u16[8,277]{0,1}", "u16[8,277]{1,0:T(128)(2,1)}"]),
        ("ranges", ["u8[8,433]{0,1}", "u8[8,433]{1,0:T(128)(4,1)}"]),
        ("ranges", ["u4[31,16]{0,1:T(*,4)E(4)}", "u4[31,16]{1,0:T(2)(3,1)E(4)}"]),
        ("ranges", ["bf16[7,38]{0,1:T(4)}", "bf16[7,38]{1,0:T(32)(8,2)}"]),
        ("parts", ["u32[18,4]{1,0}", "u32[18,4]{0,1:T(8)(4,4)}"]),
    ] {
        again(path, pair);
    }
}
