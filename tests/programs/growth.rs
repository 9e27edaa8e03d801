//! How the work grows with a text, and that what spares work gives the same places.

use std::cmp::Reverse;
use std::env;
use std::process::Command;
use std::thread;

use layout_hlo::ReportOptions;
use layout_tests::random::Random;

use crate::memory;

const P: &str = "f32[128]{0}";
const A: &str = "f32[512,1024]{1,0}";
const B: &str = "f32[512,1024]{0,1}";

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

fn each(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

/// A program with these lines, whose last operation takes `%x0`, `%x1` and so on.
fn program(tables: &str, count: usize, lines: &str) -> String {
    let taken = list(count, |i| format!("%x{i}"));
    format!(
        "HloModule m, is_scheduled=true\n{tables}\nENTRY %e {{\n%p = {P} parameter(0)\n{lines}\
         ROOT %r = {P} custom-call({taken}), custom_call_target=\"x\"\n}}\n"
    )
}

fn tuple(count: usize, lines: &str, of: impl Fn(usize) -> String) -> String {
    let shape = format!("({})", list(count, |_| P.into()));
    let parts = each(count, |i| format!("%x{i} = {P} get-tuple-element(%t), index={i}\n"));
    program("", count, &format!("{lines}%t = {shape} tuple({})\n{parts}", list(count, of)))
}

/// A name, and a program of so many operations.
type Shape = (&'static str, fn(usize) -> String);

/// Each took a time that grew with its square.
const SHAPES: [Shape; 7] = [
    ("parts", |n| tuple(n, "", |_| "%p".into())),
    ("parameters", |n| {
        let lines = each(n, |i| format!("%q{i} = {P} parameter({})\n", i + 1));
        tuple(n, &lines, |i| format!("%q{i}"))
    }),
    ("live", |n| {
        let size = |i| 1024 + 32 * i;
        let line = |i| format!("%x{i} = f32[{}]{{0}} custom-call(%p), metadata={{}}\n", size(i));
        program("", n, &each(n, line))
    }),
    ("random", |n| random(n, "").0),
    ("copies", |n| {
        let line = |i| format!("%c{i} = {B} copy(%q)\n%x{i} = {A} copy(%c{i})\n");
        program("", n, &format!("%q = {A} parameter(1)\n{}", each(n, line)))
    }),
    ("copied", |n| {
        let line = |i| format!("%q{i} = {A} parameter({})\n%x{i} = {B} copy(%q{i})\n", i + 1);
        program("", n, &each(n, line))
    }),
    ("frames", |n| {
        let rows = each(n, |i| format!("{} {{file_location_id=1 parent_frame_id={i}}}\n", i + 1));
        let line = |i| format!("%x{i} = {B} copy(%q), metadata={{stack_frame_id={n}}}\n");
        let tables =
            "FileNames\n1 \"a.py\"\nFileLocations\n1 {file_name_id=1 line=3}\nStackFrames\n";
        let lines = format!("%q = {A} parameter(1)\n{}", each(n, line));
        program(&(tables.to_owned() + &rows), n, &lines)
    }),
];

/// Twice the text takes at most 2.5 times the instructions. The test calls itself for a shape and a size, under a tool that counts.
#[test]
fn instructions_grow_with_the_text() {
    if let Ok(asked) = env::var("LAYOUT_GROWTH") {
        let (name, count) = asked.split_once(' ').unwrap();
        let (_, text) = SHAPES.iter().find(|shape| shape.0 == name).unwrap();
        let text = text(count.parse().unwrap());
        let report = memory(&text).report(ReportOptions::default());
        return assert!(report.starts_with("m: "), "{report}");
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        return println!("SKIPPED: `valgrind`, which counts instructions, is not installed");
    }
    let count = |asked: String| {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(env::current_exe().unwrap()).arg("growth::instructions_grow_with_the_text");
        let told = command.arg("--exact").env("LAYOUT_GROWTH", asked).output().unwrap();
        let told = String::from_utf8_lossy(&told.stderr);
        let (_, count) = told.split_once("Collected :").unwrap_or_else(|| panic!("{told}"));
        count.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let grown = |name: &str| {
        // Up to 8,192 arrays each is compared with all for its place.
        let size =
            if matches!(name, "live" | "random" | "copies" | "copied") { 10_000 } else { 1000 };
        let [once, twice] = [size, 2 * size].map(|size| count(format!("{name} {size}")));

        assert!(2 * twice <= 5 * once, "{name}: {once} instructions, then {twice}");
    };
    thread::scope(|scope| SHAPES.iter().for_each(|shape| drop(scope.spawn(|| grown(shape.0)))));
}

/// A program of arrays that live for random times, and their bytes with their first and last steps.
fn random(count: usize, tiles: &str) -> (String, Vec<(usize, usize, usize)>) {
    let mut random = Random::new(7);
    let mut dying = vec![String::new(); count + 1];
    let (mut arrays, mut lines) = (Vec::new(), String::new());
    for i in 0..count {
        let (size, end) = (1024 + random.below(1 << 16), i + 1 + random.below(count - i));
        let operands = &dying[i];
        lines +=
            &format!("%y{i} = f32[{size}]{{0{tiles}}} custom-call(%p{operands}), metadata={{}}\n");
        dying[end] += &format!(", %y{i}");
        arrays.push((4 * size, i, end));
    }
    let last = format!("%x0 = {P} custom-call(%p{})\n", dying[count]);
    (program("", 1, &(lines + &last)).replace(P, &format!("f32[128]{{0{tiles}}}")), arrays)
}

/// Each array in its turn lies in the smallest gap that is large enough while it is there, among all that lie already.
#[test]
fn places_are_those_of_a_search_through_all() {
    let end = |arrays: &[(usize, usize, usize)]| {
        let mut placed = Vec::<(usize, usize, usize, usize)>::new();
        for &(bytes, first, last) in arrays {
            let beside = placed.iter().filter(|it| it.2 <= last && first <= it.3);
            let mut taken = beside.map(|it| (it.0, it.1)).collect::<Vec<_>>();
            taken.sort_unstable();
            let (mut end, mut gaps) = (0, Vec::new());
            for (start, stop) in taken {
                gaps.extend((start >= end + bytes).then(|| (start - end, end)));
                end = stop.max(end);
            }
            let start = gaps.into_iter().min().map_or(end, |gap| gap.1);
            placed.push((start, start + bytes, first, last));
        }
        placed.iter().map(|it| it.1).max().unwrap()
    };
    for (tiles, unit) in [("", 256), (":T(128)", 1 << 14)] {
        for count in [3, 10, 40, 300, 1000] {
            let (text, arrays) = random(count, tiles);
            let bytes = |bytes: usize| bytes.next_multiple_of(unit);
            let mut arrays = arrays.iter().map(|it| (bytes(it.0), it.1, it.2)).collect::<Vec<_>>();
            // What the last operation takes.
            arrays.push((bytes(512), count, count + 1));
            let mut ends = vec![end(&arrays)];
            if tiles.is_empty() {
                arrays.sort_by_key(|it| Reverse((it.0, it.2 - it.1)));
                ends = vec![end(&arrays)];
                arrays.sort_by_key(|it| Reverse((it.2 - it.1, it.0)));
                ends.push(end(&arrays));
            }
            let hbm = memory(&text).hbm;
            let block = hbm.allocated_bytes - hbm.arguments_bytes - hbm.results_bytes;
            assert_eq!(ends.into_iter().min(), Some(block as usize), "{count} arrays, {unit}");
        }
    }
}
