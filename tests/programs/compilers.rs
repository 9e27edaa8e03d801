//! Programs of TPU, GPU and CPU against the figures of their compilers.

use std::collections::BTreeMap;

use layout_hlo::{AdviceKind, Memory, Module, Place};
use layout_tests::data;
use serde::Deserialize;

/// The compiler's `memory_analysis()` of a program, in bytes.
#[derive(Deserialize)]
struct Truth {
    program: String,
    arg: u64,
    out: u64,
    alias: u64,
    peak: u64,
}

#[derive(Deserialize)]
struct Row {
    program: String,
    cycles: u64,
    advice: Vec<Piece>,
    ops: Vec<Operation>,
}

/// What an algorithm in Python advised, which was judged by compiling again: nothing became worse.
#[derive(Clone, Deserialize)]
struct Piece {
    kind: String,
    number: usize,
    major_to_minor: Vec<usize>,
    save: u64,
    ops: Vec<String>,
    stored_transposed: bool,
}

#[derive(Deserialize)]
struct Operation {
    op: String,
    times: Option<u64>,
    bytes: u64,
    leads: Vec<(String, usize)>,
}

fn rows<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let text = data::text(name);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place(kind: &str, number: usize) -> Place {
    if kind == "parameter" { Place::Parameter(number) } else { Place::Result(number) }
}

/// Calls with the memory of a program of the data.
fn with<T>(name: &str, of: impl FnOnce(&Memory<'_>) -> T) -> T {
    let text = data::text(name);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let memory = module.memory().unwrap_or_else(|error| panic!("{name}: {error}"));
    of(&memory)
}

#[test]
fn peaks_are_those_of_the_compilers() {
    let truth = rows::<Truth>("peak/truth.jsonl");
    assert_eq!(truth.len(), 24);
    for Truth { program, arg, out, alias, peak } in truth {
        with(&format!("peak/{program}.hlo"), |memory| {
            let own = &memory.peak;
            assert_eq!((own.arguments_bytes, own.results_bytes), (arg, out - alias), "{program}");
            // The scalars that the compiler keeps besides: 8 KiB, or a ten-thousandth.
            let off = own.bytes.abs_diff(peak);
            assert!(off <= 8192.max(peak / 10_000), "{program}: {} for {peak}", own.bytes);
            assert_eq!(own.arguments_bytes + own.results_bytes + own.temporaries_bytes, own.bytes);
            // All that is in memory is listed, but for the table of results' addresses.
            let listed = own.live.iter().map(|group| group.bytes).sum::<u64>();
            assert!(own.bytes - listed <= 1024, "{program}: {listed} of {}", own.bytes);
            assert_eq!(memory.arguments.iter().map(|it| it.bytes).sum::<u64>(), arg);
        });
    }
}

#[test]
fn cycles_and_operations_that_change_a_layout() {
    for Row { program, cycles, ops, .. } in rows::<Row>("copies/rows.jsonl") {
        with(&format!("copies/{program}.hlo"), |memory| {
            assert_eq!(memory.cycles().unwrap_or(0), cycles, "{program}");
            let mut own = BTreeMap::new();
            for copy in memory.copies() {
                own.insert(
                    copy.instruction.to_owned(),
                    (copy.times, copy.bytes, copy.causes.clone()),
                );
            }
            let expected = ops.into_iter().map(|Operation { op, times, bytes, leads }| {
                let mut leads =
                    leads.iter().map(|(kind, number)| place(kind, *number)).collect::<Vec<_>>();
                leads.sort();
                (op, (times.unwrap_or(1), bytes, leads))
            });
            assert_eq!(own, expected.collect(), "{program}");
        });
    }
}

#[test]
fn advice_is_what_the_compiler_approved() {
    let mut pieces = 0;
    for Row { program, advice, cycles, .. } in rows::<Row>("copies/rows.jsonl") {
        // Below a hundredth of the program advice is silent, that of a parameter and a result in one memory together.
        let save = |ops: &[String]| {
            advice.iter().filter(|piece| piece.ops == ops).map(|piece| piece.save).sum::<u64>()
        };
        let felt = advice.iter().filter(|piece| save(&piece.ops) >= cycles / 100);
        let expected = felt.cloned().map(|piece| {
            let mut ops = piece.ops;
            ops.sort();
            pieces += 1;
            let of = (piece.major_to_minor, piece.save, ops, piece.stored_transposed);
            (place(&piece.kind, piece.number), of)
        });
        let expected = expected.collect::<BTreeMap<_, _>>();
        with(&format!("copies/{program}.hlo"), |memory| {
            let mut own = BTreeMap::new();
            for advice in memory.advice().iter().filter(|it| it.kind == AdviceKind::Layout) {
                let mut ops = advice.instructions.clone();
                ops.sort();
                let of = |save| {
                    (advice.major_to_minor.clone(), save, ops.clone(), advice.is_stored_transposed)
                };
                own.insert(advice.place, of(advice.saves_cycles));
                own.extend(advice.pair.map(|pair| (pair, of(0))));
            }
            assert_eq!(own, expected, "{program}");
        });
    }
    assert!(pieces > 60, "{pieces}");
}
