//! A fuzzer that runs on stable Rust, for minutes by hand:
//! `cargo run --profile fuzz -p tiled-layout-tests --bin fuzz -- parser 120` (or `extreme`, `hlo`,
//! `arithmetic`, `notations`, `names`). It runs only where overflow is checked, as in that profile and in that of tests.
//!
//! Texts start from `seeds.txt`, those of other notations from `notations.txt`; what is found goes there.

use std::time::{Duration, Instant};

use layout_tests::random::Random;
use layout_tests::{extreme, fuzz};

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
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0u64;
    while Instant::now() < end {
        for _ in 0..100 {
            match target.as_str() {
                "parser" => {
                    let text = fuzz::mutate(&mut random, &seeds);
                    if std::panic::catch_unwind(|| fuzz::parser(&text)).is_err() {
                        println!("found: {text:?}");
                        std::process::exit(1);
                    }
                }
                "notations" => {
                    let text = fuzz::mutate_notation(&mut random, &notations);
                    if std::panic::catch_unwind(|| fuzz::notations(&text)).is_err() {
                        println!("found: {text:?}");
                        std::process::exit(1);
                    }
                }
                "names" => {
                    let text = fuzz::mutate_name(&mut random, &names);
                    if std::panic::catch_unwind(|| fuzz::names(&text)).is_err() {
                        println!("found: {text:?}");
                        std::process::exit(1);
                    }
                }
                "extreme" => {
                    let text = extreme::text(&mut random);
                    if std::panic::catch_unwind(|| fuzz::extreme(&text)).is_err() {
                        println!("found: {text:?}");
                        std::process::exit(1);
                    }
                }
                "hlo" => {
                    let text = fuzz::mutate_hlo(&mut random, &programs);
                    if std::panic::catch_unwind(|| fuzz::hlo(&text)).is_err() {
                        println!("found: {text:?}");
                        std::process::exit(1);
                    }
                }
                "arithmetic" => fuzz::arithmetic(&mut random),
                _ => {
                    eprintln!(
                        "usage: fuzz parser|extreme|hlo|arithmetic|notations|names [seconds] [seed]"
                    );
                    std::process::exit(2);
                }
            }
            count += 1;
        }
    }
    println!("{count} inputs, nothing found");
}
