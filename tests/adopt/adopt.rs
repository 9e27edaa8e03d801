//! Times every function of `tiled_layout_adopt` both ways, in turns.
//!
//! `cargo bench --manifest-path tests/adopt/Cargo.toml -- [names of functions]`

use std::env;
use std::time::Instant;

use tiled_layout_adopt::{Case, Class, Function, Way, functions};

/// Rounds in which both sides have their turn, and those of calls that are slow, in nanoseconds.
const ROUNDS: usize = 31;
const SLOW_ROUNDS: usize = 5;
const SLOW: f64 = 1e8;
/// Nanoseconds that a turn takes at least.
const TURN: f64 = 2e6;

/// Has the allocator keep memory that is freed: else one side's calls get pages of the system, which take up to ten times as long
/// as a copy, and which side's that are is chance.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_memory() {
    unsafe extern "C" {
        fn mallopt(parameter: i32, value: i32) -> i32;
    }
    // `M_TRIM_THRESHOLD`, and `M_MMAP_MAX`.
    for (parameter, value) in [(-1, i32::MAX), (-4, 0)] {
        // SAFETY: it takes two numbers, and refuses wrong ones.
        unsafe { mallopt(parameter, value) };
    }
}
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_memory() {}

fn main() {
    keep_memory();
    let only: Vec<_> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let mut table = String::from(
        "| function | layout in the notation | lines | small | middle | large |\n|---|---|---|---|---|---|\n",
    );
    let mut all = Vec::new();
    for function in functions() {
        if !only.is_empty() && !only.iter().any(|name| function.of.contains(name.as_str())) {
            continue;
        }
        let ratios: Vec<_> = function.cases.iter().map(|case| ratio(&function, case)).collect();
        all.extend(&ratios);
        table += &row(&function, &ratios);
    }
    all.sort_by(f64::total_cmp);
    if let Some(lowest) = all.first() {
        println!("{} cases, lowest {lowest:.2}, median {:.2}", all.len(), all[all.len() / 2]);
    }
    println!("{table}");
}

/// How many times as fast ours is.
fn ratio(function: &Function, case: &Case) -> f64 {
    let [mut theirs, mut ours] = (case.both)();
    assert!(theirs.bytes() == ours.bytes(), "{} of {}", function.of, case.name);
    let each = nanoseconds(&mut *theirs, 3).max(nanoseconds(&mut *ours, 3)).max(10.0);
    let times = ((TURN / each) as usize).clamp(1, 100_000);
    let (mut all, mut both) = (Vec::new(), [Vec::new(), Vec::new()]);
    for _ in 0..if each > SLOW { SLOW_ROUNDS } else { ROUNDS } {
        let took = [nanoseconds(&mut *theirs, times), nanoseconds(&mut *ours, times)];
        all.push(took[0] / took[1]);
        both[0].push(took[0]);
        both[1].push(took[1]);
    }
    let [theirs, ours] = both.map(median);
    let ratio = median(all);
    println!("{:34} {:20} {theirs:12.0} ns {ours:12.0} ns {ratio:7.2}", function.of, case.name);
    ratio
}

fn nanoseconds(way: &mut dyn Way, times: usize) -> f64 {
    let start = Instant::now();
    way.repeat(times);
    start.elapsed().as_nanos() as f64 / times as f64
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn row(function: &Function, ratios: &[f64]) -> String {
    let Function { of, layout, their_lines, our_lines, cases } = function;
    let columns = Class::ALL.map(|class| {
        let of_class = cases.iter().zip(ratios).filter(|(case, _)| case.class == class);
        let cells: Vec<_> =
            of_class.map(|(case, ratio)| format!("{} {}", case.name, digits(*ratio))).collect();
        if cells.is_empty() { "–".to_owned() } else { cells.join(", ") }
    });
    format!("| {of} | {layout} | {their_lines}, {our_lines} | {} |\n", columns.join(" | "))
}

/// Two digits after the point, or a whole number where there are three before it.
fn digits(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}
