//! Copies by every path, for as long as one likes: all small matrices, and random pairs of layouts.
//! `cargo run --profile corpus -p tiled-layout-tests --bin corpus -- copies 60 1`, the number being the first seed, or `matrices`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use layout_tests::copies;

fn main() {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
    let number = |text: &str| text.parse().expect("a number");
    match arguments[..] {
        ["matrices", ..] => matrices(),
        ["copies"] => copies(Duration::from_secs(60), 1),
        ["copies", seconds, seed] => copies(Duration::from_secs(number(seconds)), number(seed)),
        _ => {
            eprintln!("usage: corpus matrices|copies [seconds seed]");
            std::process::exit(2);
        }
    }
}

/// All small matrices, however long that takes.
fn matrices() {
    let start = Instant::now();
    if let Err(failure) = copies::matrices(1) {
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
    let mut found = BTreeSet::new();
    let mut failed = 0u64;
    for seed in first.. {
        if let Err(failure) = copies::check(seed) {
            failed += 1;
            println!("{:.1} s: {}", start.elapsed().as_secs_f32(), failure.said);
            if found.insert(failure.test.clone()) {
                println!("{}", failure.test);
            }
        }
        if start.elapsed() >= time {
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
