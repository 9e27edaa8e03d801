//! Programs of TPU, GPU and CPU against the figures of their compilers.

use std::collections::BTreeMap;

use layout_hlo::{AdviceKind, Memory, Place};
use layout_tests::data;
use serde::Deserialize;

use crate::memory;

/// What a compiler says of a program, in bytes: its `memory_analysis()`, or the sum of its `*-buffer-assignment.txt`.
#[derive(Deserialize)]
struct Truth {
    program: String,
    #[serde(flatten)]
    said: Said,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    /// `temp` is what is allocated for temporaries.
    Analysis { arg: u64, out: u64, alias: u64, temp: Option<u64>, peak: u64 },
    /// What all allocations take, constants among them.
    Total { total: u64, peak: Option<u64> },
    /// The same by a libtpu that puts temporaries into the memory of results before these are written.
    Reused { total_reused: u64, peak_reused: u64 },
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

fn place(kind: &str, number: usize) -> Place {
    if kind == "parameter" { Place::Parameter(number) } else { Place::Result(number) }
}

/// Calls with the memory of a program of the data.
fn with<T>(name: &str, of: impl FnOnce(&Memory<'_>) -> T) -> T {
    of(&memory(&data::text(name)))
}

#[test]
fn peaks_are_those_of_the_compilers() {
    let truth = data::json::<Truth>("peak/truth.jsonl");
    assert_eq!(truth.len(), 75);
    let mut exact = 0;
    for Truth { program, said } in truth {
        with(&format!("peak/{program}.hlo"), |memory| {
            let own = &memory.hbm;
            assert_eq!(
                own.arguments_bytes
                    + own.results_bytes
                    + own.constants_bytes
                    + own.temporaries_bytes,
                own.peak_bytes
            );
            // All that is in memory is listed, but for the table of results' addresses.
            let listed = own.live.iter().map(|group| group.bytes).sum::<u64>();
            assert!(own.peak_bytes - listed <= 1024, "{program}: {listed} of {}", own.peak_bytes);
            let peak = match said {
                Said::Total { peak: Some(peak), .. } => peak,
                Said::Total { .. } => return,
                Said::Reused { peak_reused, .. } => {
                    return assert!(peak_reused < memory.peak_bytes, "{program}");
                }
                Said::Analysis { arg, out, alias, peak, .. } => {
                    assert_eq!(own.arguments_bytes, arg, "{program}");
                    // The table of results' addresses has units of 32 bytes on v6e.
                    assert!(own.results_bytes - (out - alias) <= 480, "{program}");
                    let in_hbm =
                        memory.arguments.iter().map(|it| it.bytes).sum::<u64>() - memory.host_bytes;
                    assert!(in_hbm == arg || memory.host_bytes > 0, "{program}");
                    peak
                }
            };
            let off = memory.peak_bytes.abs_diff(peak);
            if program == "flash_train-v5e" {
                // What is updated in place twice in VMEM counts twice.
                return assert!(memory.peak_bytes < peak);
            }
            // A table of results on v6e, and a scalar that a fusion makes and nothing takes.
            let off = off.saturating_sub(512);
            assert!(off <= peak / 10_000, "{program}: {} for {peak}", memory.peak_bytes);
            exact += 1;
        });
    }
    assert_eq!(exact, 62);
}

/// What has to fit: arguments, results, and what the compiler allocates for temporaries.
#[test]
fn what_has_to_fit() {
    let (mut programs, mut within) = (0, 0);
    for Truth { program, said } in data::json::<Truth>("peak/truth.jsonl") {
        let needed = match said {
            Said::Analysis { arg, out, alias, temp: Some(temp), .. } => arg + out - alias + temp,
            Said::Analysis { .. } => continue,
            Said::Total { total, .. } => total,
            Said::Reused { total_reused, .. } => total_reused,
        };
        let is_reused = matches!(said, Said::Reused { .. });
        with(&format!("peak/{program}.hlo"), |memory| {
            let own = match is_reused {
                true => memory.least_allocated_bytes(),
                false => memory.hbm.allocated_bytes,
            };
            assert!(own >= memory.hbm.peak_bytes || is_reused, "{program}");
            let off = own.abs_diff(needed) as f64 / needed as f64;
            assert!(off < 0.012, "{program}: {own} for {needed}");
            programs += 1;
            within += usize::from(off < 0.002);
        });
    }
    assert_eq!((programs, within), (66, 63));
}

/// What XLA allocates of VMEM, as its `buffer-assignment.txt` says.
#[test]
fn vmem_is_what_the_compiler_allocates() {
    with("peak/flash_train-v5e.hlo", |memory| assert_eq!(memory.vmem.peak_bytes, 117_440_512));
}

#[test]
fn cycles_and_operations_that_change_a_layout() {
    for Row { program, cycles, ops, .. } in data::json::<Row>("copies/rows.jsonl") {
        with(&format!("copies/{program}.hlo"), |memory| {
            assert_eq!(memory.cycles().unwrap_or(0), cycles, "{program}");
            let mut own = BTreeMap::new();
            for copy in memory.copies().iter().filter(|copy| !copy.keeps_layout) {
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

/// By layout: which parameters and results, the cycles of all, and the operations.
type Layouts = BTreeMap<(Vec<usize>, bool), (Vec<Place>, u64, Vec<String>)>;

#[test]
fn advice_is_what_the_compiler_approved() {
    let mut pieces = 0;
    for Row { program, advice, cycles, .. } in data::json::<Row>("copies/rows.jsonl") {
        // Below a hundredth of the program advice is silent, that of a parameter and a result in one memory together.
        let save = |ops: &[String]| {
            advice.iter().filter(|piece| piece.ops == ops).map(|piece| piece.save).sum::<u64>()
        };
        let felt = advice.iter().filter(|piece| save(&piece.ops) >= cycles / 100);
        let mut expected = Layouts::new();
        for piece in felt.cloned() {
            pieces += 1;
            let key = (piece.major_to_minor, piece.stored_transposed);
            let (places, save, ops) = expected.entry(key).or_default();
            places.push(place(&piece.kind, piece.number));
            *save += piece.save;
            ops.extend(piece.ops);
        }
        with(&format!("copies/{program}.hlo"), |memory| {
            let mut own = Layouts::new();
            for advice in memory.advice().iter().filter(|it| it.kind == AdviceKind::Layout) {
                let key = (advice.major_to_minor.clone(), advice.is_stored_transposed);
                let new = (advice.places.clone(), advice.saves_cycles, advice.instructions.clone());
                assert!(own.insert(key, new).is_none(), "{program}: one statement for a layout");
            }
            for (places, _, ops) in own.values_mut().chain(expected.values_mut()) {
                places.sort();
                ops.sort();
                ops.dedup();
            }
            assert_eq!(own, expected, "{program}");
        });
    }
    assert!(pieces > 60, "{pieces}");
}

/// Advice of each kind on programs that the compiler judged: what is kept for the backward pass, what is written and not returned, what is
/// donated once, and transposes of GPUs.
#[test]
fn advice_of_each_kind() {
    with("peak/oom-residuals-v5e.hlo", |memory| {
        let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
        assert_eq!(
            (advice.kind, advice.python.as_str()),
            (AdviceKind::Recompute, "jax.checkpoint(f)")
        );
        // Of 62.5 GiB the 400 arrays that the loop carries stay: 25.
        assert_eq!(advice.saves_bytes >> 30, 37);
    });
    with("peak/beam_search-v5e.hlo", |memory| {
        let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
        assert_eq!((advice.kind, advice.saves_bytes), (AdviceKind::Return, 64 << 20));
        assert_eq!(
            (&advice.names[..], &advice.instructions[..]),
            (&["kv".into()][..], &["copy.6".into()][..])
        );
    });
    with("peak/oom-undonated-v5e.hlo", |memory| {
        let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
        assert_eq!(advice.python, "jax.jit(f, donate_argnums=(0, 1, 2))");
    });
    with("peak/quant_serve-h100.hlo", |memory| {
        let listed = memory.copies().iter().map(|copy| (copy.instruction, &copy.dimensions[..]));
        assert!(listed.clone().any(|it| it == ("wrapped_transpose.1", &[2, 0, 1])), "{memory}");
        assert_eq!(listed.count(), 8);
        let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
        assert_eq!((advice.kind, &advice.major_to_minor[..]), (AdviceKind::Layout, &[2, 0, 1][..]));
        assert_eq!((advice.places.len(), memory.cycles()), (4, None));
    });
}
