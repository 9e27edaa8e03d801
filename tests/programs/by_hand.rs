//! Small programs whose copies, loops and advice can be told by hand. Memory alone is in `data/tables/hlo.txt`.

use layout_hlo::{Advice, AdviceKind, ErrorKind, LayoutCopy, Module, ReportOptions};
use layout_tests::random::Random;
use layout_tests::table::{self, or_none};
use layout_tests::{data, fuzz};

use crate::memory;

/// A module of an entry with these lines, and computations before it.
fn module(before: &str, header: &str, lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    format!(
        "HloModule m, is_scheduled=true{header}\n\n{before}\nENTRY %main (p: f32[256]) -> f32[256] {{\n{lines}}}\n"
    )
}

/// Bytes of arguments, results and temporaries at the peak, in arrays of 1 KiB, on a TPU.
fn peak(before: &str, header: &str, lines: &[&str]) -> [u64; 3] {
    let text = module(before, header, lines).replace("f32[256]{0}", "f32[256]{0:T(256)}");
    peak_of(&text.replace("f32[256]{0:S(5)}", "f32[256]{0:T(256)S(5)}"))
}

fn peak_of(text: &str) -> [u64; 3] {
    let peak = memory(text).hbm;
    [peak.arguments_bytes, peak.results_bytes, peak.temporaries_bytes].map(|bytes| bytes / 1024)
}

const P: &str = "%p = f32[256]{0} parameter(0)";

/// What the table asks of a program.
fn said(question: &str, columns: &[&str]) -> String {
    let text = fuzz::scheduled(columns[0]);
    fuzz::hlo(&text);
    let memory = memory(&text);
    let copy = |it: &LayoutCopy<'_>| {
        let how = if it.keeps_layout { "kept" } else { "changed" };
        format!(
            "`{}` {} times, {} bytes {how}, {:?}",
            it.instruction, it.times, it.bytes, it.causes
        )
    };
    let layout = |it: &Advice| {
        let guess = if it.is_guess { ", a guess" } else { "" };
        format!("{:?} {:?}, {} cycles{guess}", it.places, it.major_to_minor, it.saves_cycles)
    };
    let donated = |it: &Advice| format!("{:?}, {} bytes: {}", it.names, it.saves_bytes, it.python);
    let of_kind = |kind| memory.advice().iter().filter(move |it| it.kind == kind);
    let top = if question == "first line" { 1 } else { 20 };
    let report = memory.report(ReportOptions { top, ..ReportOptions::default() });
    let mut said = match question {
        "copies" => memory.copies().iter().map(copy).collect::<Vec<_>>(),
        "layouts" => of_kind(AdviceKind::Layout).map(layout).collect(),
        "donated" => of_kind(AdviceKind::Donate).map(donated).collect(),
        _ => {
            let lines = report.lines().filter(|line| line.contains(columns[1]));
            lines.map(|line| line.trim().to_owned()).collect()
        }
    };
    if question == "copies" {
        said.push(format!("{:?} cycles", memory.cycles()));
    }
    said.join("; ")
}

#[test]
fn worked_examples() {
    table::check("programs", &mut said);
}

/// A loop from `start` while it compares with `limit`, in steps, which carries an array.
fn loop_of(numbers: &[&str]) -> String {
    let places = ["DIRECTION", "START", "LIMIT", "STEP"].into_iter().zip(numbers);
    places.fold(data::text("hlo_by_hand/loop.txt"), |text, (place, number)| {
        text.replace(place, number)
    })
}

#[test]
fn loops() {
    table::check("loops", &mut |_, columns| {
        let memory = memory(&loop_of(columns));
        // What is carried is dead between its last use and what takes its place.
        assert_eq!(memory.hbm.temporaries_bytes / 1024, 2, "{columns:?}");
        format!("{}, {}", or_none(memory.cycles()), memory.unknown_loops())
    });
}

/// What is updated in a loop that carries it is in one place, in VMEM too.
#[test]
fn in_the_chips_memory() {
    const WHOLE: &str = "f32[256]{0:T(256)S(1)}";
    let text = loop_of(&["LT", "0", "10", "1"])
        .replace("reverse(%y), dimensions={0}", "dynamic-update-slice(%x, %y, %i)");
    assert_eq!(peak_of(&text.replace("f32[256]{0}", "f32[256]{0:T(256)}"))[2], 2);
    let text = text.replace("f32[256]{0}", WHOLE);
    let module = Module::parse(&text).unwrap();
    // With the argument.
    assert_eq!(module.memory().unwrap().vmem.peak_bytes, 3072);
}

/// A limit that the loop carries along, copied each time.
#[test]
fn loops_with_a_limit_that_is_carried() {
    let text = loop_of(&["LT", "0", "10", "1"])
        .replace("(s32[], f32[256]{0})", "(s32[], f32[256]{0}, s32[])")
        .replace(
            "%step =",
            "%same = s32[] get-tuple-element(%c), index=2\n  %kept = s32[] copy(%same)\n  %step =",
        )
        .replace("tuple(%next, %z)", "tuple(%next, %z, %kept)")
        .replace("%limit = s32[] constant(10)", "%limit = s32[] get-tuple-element(%c.1), index=2")
        .replace("%init =", "%ten = s32[] constant(10)\n  %init =")
        .replace("tuple(%start, %a)", "tuple(%start, %a, %ten)");
    let memory = memory(&text);
    assert_eq!((memory.unknown_loops(), memory.cycles()), (0, Some(70)));
}

/// Computations that call themselves are refused, and calls of calls end.
#[test]
fn circles_and_depths() {
    let circle = "%f (x: f32[256]) -> f32[256] {\n  %x = f32[256]{0} parameter(0)\n  \
        ROOT %g = f32[256]{0} fusion(%x), kind=kLoop, calls=%f\n}\n";
    let error = Module::parse(&module(circle, "", &[P])).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::UnknownComputation);
    for (nest, opcode) in [("kind=kLoop, calls", "fusion"), ("to_apply", "call")] {
        let mut before =
            "%f0 (x: f32[256]) -> f32[256] {\n  ROOT %x = f32[256]{0} parameter(0)\n}\n".to_owned();
        for i in 1..20_000 {
            before += &format!(
                "%f{i} (x: f32[256]) -> f32[256] {{\n  %x = f32[256]{{0}} parameter(0)\n  \
                 ROOT %y = f32[256]{{0}} {opcode}(%x), {nest}=%f{}\n}}\n",
                i - 1
            );
        }
        let root = format!("ROOT %r = f32[256]{{0}} {opcode}(%p), {nest}=%f19999");
        let text = module(&before, "", &[P, &root]);
        let module = Module::parse(&text).unwrap();
        let kind = module.memory().map_err(|error| *error.kind()).err();
        let refused = (opcode == "call").then_some(ErrorKind::TooManyCalls);
        assert_eq!(kind, refused);
    }
    // Calls of calls of calls: half a kilobyte would be executed for a year.
    let mut before = "%f0 { ROOT %x = f32[] constant(1) }\n".to_owned();
    for i in 1..30 {
        let call = format!("f32[] call(), to_apply=%f{}", i - 1);
        before += &format!("%f{i} {{ %x = {call} ROOT %y = {call} }}\n");
    }
    let text = module(&before, "", &[P, "ROOT %r = f32[] call(), to_apply=%f29"]);
    let error = Module::parse(&text).unwrap().memory().unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooManyCalls);
    // Of one memory with something that there is not.
    let wrong = module("", ", input_output_alias={ {}: (7, {}, may-alias) }", &[P]);
    let error = Module::parse(&wrong).unwrap().memory().unwrap_err();
    assert_eq!((error.kind(), error.line(), error.column()), (&ErrorKind::AliasPlace, 1, 52));
}

/// Letters of real programs lost, doubled and exchanged: nothing panics, and nothing takes long.
#[test]
fn damaged_programs() {
    let texts = [
        "peak/cond-v5e.hlo",
        "peak/int8-h100.hlo",
        "copies/v5e-conv_nchw.hlo",
        "programs/step.hlo",
    ];
    let mut random = Random::new(41);
    for text in texts.map(data::text) {
        for _ in 0..150 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                let from = random.below(bytes.len());
                match random.below(3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = bytes[from],
                    _ => {
                        let end = (from + 40).min(bytes.len());
                        let piece = bytes[from..end].to_vec();
                        bytes.splice(at..at, piece);
                    }
                }
            }
            if let Ok(text) = String::from_utf8(bytes) {
                fuzz::hlo(&text);
            }
        }
    }
}

/// Not a bound on speed, but on how it grows: a chain of a hundred thousand equal arrays and a tuple of ten thousand, taken
/// apart in a loop, take no time that is felt.
#[test]
fn many_operations() {
    let mut lines = vec![P.to_owned(), "%x0 = f32[256]{0} negate(%p)".to_owned()];
    for i in 1..100_000 {
        lines.push(format!("%x{i} = f32[256]{{0}} add(%x{}, %p)", i - 1));
    }
    lines.push("ROOT %r = f32[256]{0} negate(%x99999)".to_owned());
    let lines = lines.iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(peak("", "", &lines), [1, 1, 1]);
    assert_eq!(peak_of(&module("", "", &lines)), [1, 1, 0]);

    let list =
        |item: &dyn Fn(usize) -> String| (0..10_000).map(item).collect::<Vec<_>>().join(", ");
    let shape = format!("({})", list(&|_| "f32[256]{0}".to_owned()));
    let parts = (0..10_000).map(|i| format!("%y{i} = f32[256]{{0}} negate(%p#{i}) "));
    let (parts, all) = (parts.collect::<String>(), list(&|i| format!("%y{i}")));
    let before = format!(
        "%c {{ %p = {shape} parameter(0) ROOT %c = pred[] custom-call() }}\n\
         %b {{ %p = {shape} parameter(0) {parts} ROOT %t = {shape} tuple({all}) }}\n"
    );
    let parameters = (0..10_000).map(|i| format!("%p{i} = f32[256]{{0}} parameter({i})"));
    let mut lines = parameters.collect::<Vec<_>>();
    lines.push(format!("%t = {shape} tuple({})", list(&|i| format!("%p{i}"))));
    lines.push(format!("ROOT %w = {shape} while(%t), condition=%c, body=%b"));
    let lines = lines.iter().map(String::as_str).collect::<Vec<_>>();
    let [arguments, results, _] = peak_of(&module(&before, "", &lines));
    assert_eq!((arguments, results), (10_000, 78));
}

/// Chains and paths as long as a text makes them: nothing is followed by calls inside of calls.
#[test]
fn long_chains_and_paths() {
    let mut lines = vec![P.to_owned(), "%x0 = f32[256]{0} copy(%p)".to_owned()];
    for i in 1..100_000 {
        lines.push(format!("%x{i} = f32[256]{{0}} bitcast(%x{})", i - 1));
    }
    let path = "a/".repeat(100_000);
    lines.push(format!("%y = f32[256]{{0}} reverse(%x99999), metadata={{op_name=\"{path}rev\"}}"));
    lines.push("ROOT %r = f32[] custom-call(%y)".to_owned());
    let text = module("", "", &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let memory = memory(&text);
    let tree = memory.report(ReportOptions { tree: true, ..ReportOptions::default() });
    assert!(tree.contains("  a/a/a/a/") && tree.len() < 4_000, "{}", tree.len());
    assert_eq!(memory.advice().len(), 0);
}
