//! A fuzzer that runs on stable Rust, for minutes by hand:
//! `cargo run --profile fuzz -p tiled-layout-tests --bin fuzz -- parser 120` (or `extreme`, `hlo`,
//! `arithmetic`, `notations`, `names`, `copies`, `matrices`). It runs only where overflow is checked, as in that profile and in that of tests.
//!
//! Texts start from `seeds.txt`, those of other notations from `notations.txt`; what is found goes there.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use layout_tests::copies::{self, Tally};
use layout_tests::random::Random;
use layout_tests::{extreme, fuzz};

/// No text of a few kilobytes takes so long, on a machine in use.
const LONGEST: Duration = Duration::from_secs(2);

fn main() {
    if !fuzz::overflow_is_checked() {
        eprintln!("overflow is not checked: run it with `--profile fuzz`");
        std::process::exit(2);
    }
    let mut arguments = std::env::args().skip(1);
    let target = arguments.next().unwrap_or_default();
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let seeds = include_str!("seeds.txt").lines().map(str::to_owned).collect::<Vec<_>>();
    let notations = include_str!("notations.txt").lines().map(str::to_owned).collect::<Vec<_>>();
    let names = fuzz::format_names();
    let programs = fuzz::programs();
    if target == "matrices" {
        return matrices();
    }
    if target == "copies" {
        return copies(Duration::from_secs(seconds), seed);
    }
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0u64;
    while Instant::now() < end {
        for _ in 0..100 {
            let (text, check): (_, fn(&str)) = match target.as_str() {
                "parser" => (fuzz::mutate(&mut random, &seeds), fuzz::parser),
                "notations" => (fuzz::mutate_notation(&mut random, &notations), fuzz::notations),
                "names" => (fuzz::mutate_name(&mut random, &names), fuzz::names),
                "extreme" => (extreme::text(&mut random), fuzz::extreme),
                "hlo" => (fuzz::mutate_hlo(&mut random, &programs), fuzz::hlo),
                "arithmetic" => {
                    fuzz::arithmetic(&mut random);
                    continue;
                }
                _ => {
                    eprintln!(
                        "usage: fuzz parser|extreme|hlo|arithmetic|notations|names|copies|matrices [seconds] [seed]"
                    );
                    std::process::exit(2);
                }
            };
            let start = Instant::now();
            let is_wrong = std::panic::catch_unwind(|| check(&text)).is_err();
            if is_wrong || start.elapsed() > LONGEST {
                println!("found, in {:.1} s: {text:?}", start.elapsed().as_secs_f32());
                std::process::exit(1);
            }
        }
        count += 100;
    }
    println!("{count} inputs, nothing found");
}

/// All small matrices, however long that takes.
fn matrices() {
    let (start, mut tally) = (Instant::now(), Tally::default());
    if let Err(failure) = copies::matrices(1, &mut tally) {
        println!("{failure}");
        std::process::exit(1);
    }
    let seconds = start.elapsed().as_secs();
    println!("COUNTED: all small matrices, {} copies, in {seconds} s", copies::copied());
}

/// Pairs of layouts by every path of copying: the pair of the seed and those after it. It prints each failure as a test, and
/// goes on.
fn copies(time: Duration, first: u64) {
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut found = BTreeSet::new();
    let mut failed = 0u64;
    for seed in first.. {
        if let Err(failure) = copies::check(seed, &mut tally) {
            failed += 1;
            println!("{:.1} s: {}", start.elapsed().as_secs_f32(), failure.said);
            if found.insert(failure.test.clone()) {
                println!("{}", failure.test);
            }
        }
        if start.elapsed() >= time {
            println!("{tally}");
            println!(
                "COUNTED: {} pairs, {} copies, in {} s from seed {first} on",
                seed - first + 1,
                copies::copied(),
                start.elapsed().as_secs()
            );
            break;
        }
    }
    if failed > 0 {
        println!("{failed} pairs failed, {} tests", found.len());
        std::process::exit(1);
    }
}
