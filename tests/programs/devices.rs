//! Programs on eight devices: what is whole on each, what is sent, and what to write instead.

use layout::shape::Size;
use layout_hlo::{AdviceKind, Memory, ReportOptions};
use layout_tests::lists::numbers;
use layout_tests::{data, table};
use serde::Deserialize;

use crate::memory;

/// Asks for the memory of a program, with the shardings of a table.
fn with_shardings(program: &str, given: Option<&str>) -> Memory<'static> {
    let memory = memory(&data::text(&format!("mesh/{program}.hlo")));
    let Some(given) = given else { return memory };
    let rows = table::of("shardings", given);
    let shardings =
        rows.iter().map(|row| (row[0].parse().unwrap(), numbers::<Size>(&row[1]), row[2].as_str()));
    memory.with_shardings(Some("fsdp=4,tp=2"), shardings).unwrap()
}

/// The part of a report about devices, and advice about shardings.
fn report(memory: &Memory<'_>) -> String {
    let report = memory.report(ReportOptions { top: 20, ..ReportOptions::default() });
    let start = report.find("on each of").unwrap_or(report.len());
    let part = report[start..].split("\n\n").next().unwrap_or_default().trim_end();
    let advice = memory
        .advice()
        .iter()
        .filter(|it| matches!(it.kind, AdviceKind::Shard | AdviceKind::Reshard));
    let advice = advice.map(|it| format!("\n{}\n  saves {}", it.python, it.saves_bytes));
    part.to_owned() + &advice.collect::<String>()
}

#[test]
fn reports_of_programs_on_eight_devices() {
    data::assert_cases("mesh/reports.txt", |program| {
        let (name, given) =
            program.split_once(", ").map_or((program, None), |(name, given)| (name, Some(given)));
        report(&with_shardings(name, given))
    });
}

#[test]
fn collectives_receive_what_xla_plans() {
    #[derive(Deserialize)]
    struct Row {
        id: String,
        received: u64,
        text: String,
    }
    for row in data::json::<Row>("mesh/collectives.jsonl") {
        let memory = memory(&row.text);
        let received = memory.collectives().iter().map(|it| it.received_bytes()).sum::<u64>();
        assert_eq!(received, row.received, "{}", row.id);
    }
}

#[test]
fn a_collective_that_is_cut_into_parts_counts_once() {
    let memory = with_shardings("train-tpu", None);
    let parts = memory.collectives().iter().filter(|it| it.op == "all-gather" && it.group == 8);
    assert_eq!(parts.map(|it| (it.bytes, it.times)).collect::<Vec<_>>(), [(56 << 20, 1); 2]);
}

#[test]
fn programs_for_one_device_have_nothing_of_this() {
    let memory = memory(&data::text("programs/step.hlo"));
    assert_eq!((memory.devices(), memory.whole_arguments().len()), (1, 0));
    assert!(memory.collectives().is_empty() && memory.gathers().is_empty());
}

#[test]
fn wrong_shardings_are_refused() {
    let memory = || crate::memory(&data::text("mesh/reshard-tpu.hlo"));
    assert!(memory().with_shardings(Some("x=0"), []).is_err());
    let wrong = [(0, vec![4, 4], "P('z')"), (0, vec![4], "P(None, None)")];
    for given in wrong {
        assert!(memory().with_shardings(Some("x=8"), [given]).is_err());
    }
    // Numbers that the program does not have, and arrays that only it knows, say nothing.
    let given = [(99, vec![4, 4], "P('x')"), (0, vec![1024, 1024, 256], "{manual}")];
    let memory = memory().with_shardings(Some("x=8"), given).unwrap();
    assert!(memory.whole_arguments().is_empty());
}
