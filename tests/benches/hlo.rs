//! Reading HLO text of 200 MB, and the memory that it takes. `cargo bench -p tiled-layout-tests --bench hlo`.

use std::sync::LazyLock;

use divan::{AllocProfiler, Bencher, counter::BytesCount};
use layout_hlo::{self as hlo, Module};
use layout_tests::data;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const BYTES: usize = 200_000_000;

/// The programs of tests/data/hlo, their computations repeated.
static PROGRAMS: LazyLock<String> = LazyLock::new(|| {
    let programs = data::programs("hlo");
    repeated(&programs.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>())
});
/// The old syntax, with the shape of every operand.
static OLD_SYNTAX: LazyLock<String> =
    LazyLock::new(|| repeated(&[&data::text("hlo_by_hand/old_syntax.hlo")]));

fn main() {
    divan::main();
}

fn read(bencher: Bencher, name: &str, of: impl Fn(&'static str) -> usize + Sync) {
    let text = if name == "programs" { &*PROGRAMS } else { &*OLD_SYNTAX };
    bencher.counter(BytesCount::of_str(text)).bench(|| of(text));
}

#[divan::bench(args = ["programs", "old syntax"], sample_count = 7)]
fn for_each_shape(bencher: Bencher, name: &str) {
    read(bencher, name, |text| count(text, |_| true));
}

/// Each shape where it is found, nothing remembered.
#[divan::bench(args = ["programs", "old syntax"], sample_count = 7)]
fn parse_each_shape(bencher: Bencher, name: &str) {
    read(bencher, name, |text| count(text, |found| found.parse().is_ok()));
}

#[divan::bench(args = ["programs", "old syntax"], sample_count = 7)]
fn parse_module(bencher: Bencher, name: &str) {
    read(bencher, name, |text| Module::parse(text).expect("a module").parameters().len());
}

/// To compare with: the least that reading is.
#[divan::bench(args = ["programs", "old syntax"], sample_count = 7)]
fn count_newlines(bencher: Bencher, name: &str) {
    read(bencher, name, |text| text.bytes().filter(|byte| *byte == b'\n').count());
}

fn count(text: &str, is_counted: impl Fn(&hlo::Occurrence<'_>) -> bool) -> usize {
    let mut count = 0;
    hlo::for_each_shape(text, |found| count += usize::from(is_counted(found))).expect("HLO");
    count
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
