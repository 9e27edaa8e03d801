//! Reading HLO text: megabytes a second, medians, and the memory that it takes.
//! `cargo bench -p tiled-layout-tests --bench hlo`.

use std::hint::black_box;
use std::time::Instant;

use layout_hlo::{self as hlo, Module};
use layout_tests::data;

const ROUNDS: usize = 7;
const BYTES: usize = 200_000_000;

fn main() {
    let programs = data::programs("hlo");
    let programs = programs.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>();
    let text = repeated(&programs);
    println!("the programs of tests/data/hlo, their computations repeated:");
    run(&text);
    println!("compared, on the same text, with:");
    measure("each shape read where it is found, nothing remembered", &text, || {
        count(&text, |found| found.parse().is_ok())
    });
    measure("lines with ` = ` and a bracket behind it, strings not told apart", &text, || {
        let lines = text.lines().filter_map(|line| line.split_once(" = "));
        lines.filter(|(_, rest)| rest.contains('[')).count()
    });
    measure("newlines counted", &text, || text.bytes().filter(|byte| *byte == b'\n').count());
    drop(text);

    println!("the old syntax, with the shape of every operand, repeated:");
    run(&repeated(&[&data::text("hlo_by_hand/old_syntax.hlo")]));
}

fn run(text: &str) {
    println!("{} bytes, {} shapes; peak of memory {}", text.len(), count(text, |_| true), peak());
    measure("for_each_shape: every shape found", text, || count(text, |_| true));
    measure("Module::parse: every shape checked, one that is repeated not each time", text, || {
        parse(text).parameters().len()
    });
    println!("peak of memory {}", peak());
}

fn count(text: &str, is_counted: impl Fn(&hlo::Occurrence<'_>) -> bool) -> usize {
    let mut count = 0;
    hlo::for_each_shape(text, |found| count += usize::from(is_counted(found))).unwrap();
    count
}

fn parse(text: &str) -> Module<'_> {
    Module::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A module whose computations are those of the programs, again and again under other names, and whose entry is that of the
/// last one.
fn repeated(programs: &[&str]) -> String {
    let mut text = String::from("HloModule repeated\n");
    // Without the header and the tables of frames.
    let part = |program: &&str| {
        let first = program.find("\n%").or(program.find("\nENTRY ")).unwrap_or(0);
        program[first..].to_owned()
    };
    let parts = programs.iter().map(part).collect::<Vec<_>>();
    let named = |part: &str, number: usize| {
        let names = ["\n%", "=%", "={%"].map(|before| (before, format!("{before}r{number}.")));
        names.iter().fold(part.to_owned(), |part, (before, after)| part.replace(before, after))
    };
    for number in 0.. {
        if text.len() > BYTES {
            break;
        }
        let part = &parts[number % parts.len()];
        text += &named(&part.replace("\nENTRY ", "\n"), number);
    }
    text + &named(&parts[parts.len() - 1].replace("\nENTRY ", "\n\nENTRY "), usize::MAX)
}

fn measure(what: &str, text: &str, run: impl Fn() -> usize) {
    let mut seconds = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        })
        .collect::<Vec<_>>();
    seconds.sort_by(f64::total_cmp);
    println!("  {:7.0} MB/s  {what}", text.len() as f64 / seconds[ROUNDS / 2] / 1e6);
}

/// The most memory that this process has had, as Linux says.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
