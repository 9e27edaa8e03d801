//! Reading HLO text: megabytes a second, medians, and the memory that it takes.
//! `cargo bench -p tiled-layout-tests --bench hlo`.

use std::hint::black_box;
use std::time::Instant;

use layout::hlo::{self, Module, Role};
use layout_tests::data;

const ROUNDS: usize = 7;
const BYTES: usize = 200_000_000;

fn main() {
    let programs = data::hlo();
    let programs = programs.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>();
    let text = repeated(&programs);
    println!("the programs of tests/data/hlo, their computations repeated:");
    run(&text);
    println!("compared, on the same text, with:");
    measure("each shape read where it is found, nothing remembered", &text, || {
        hlo::shapes(&text).filter(|found| found.parse().is_ok()).count()
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
    let count = hlo::shapes(text).count();
    println!("{} bytes, {count} shapes; peak of memory {}", text.len(), peak());
    measure("hlo::shapes: every shape found", text, || hlo::shapes(text).count());
    measure("Module::parse: every shape checked, one that is repeated not each time", text, || {
        parse(text).parameters().len()
    });
    let module = parse(text);
    measure("Module::shapes: the bytes of the arrays of all instructions", text, || {
        let arrays = module.shapes().filter(|(found, _)| found.role() == Role::Instruction);
        arrays.filter_map(|(_, shape)| shape.as_array()?.bytes()).sum()
    });
    println!("peak of memory {}", peak());
}

fn parse(text: &str) -> Module<'_> {
    Module::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A module whose computations are those of the programs, again and again, and whose entry is that of
/// the last one.
fn repeated(programs: &[&str]) -> String {
    let mut text = String::from("HloModule repeated\n");
    let part = |program: &str| {
        let (_, behind_header) = program.split_once('\n').unwrap_or_default();
        behind_header.replace("\nENTRY ", "\n")
    };
    let parts = programs.iter().map(|program| part(program)).collect::<String>();
    let entry = programs.last().and_then(|program| program.rsplit_once("\nENTRY "));
    while text.len() < BYTES {
        text.push_str(&parts);
    }
    text.extend(entry.map(|(_, entry)| ["ENTRY ", entry].concat()));
    text
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
