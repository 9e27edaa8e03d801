//! `layout hlo --json`: names that other programs read.

use std::fmt::Write as _;

use layout_core::is_hidden;
use layout_hlo::{Memory, Place};
use serde::Serialize;
use serde_json::{Value, json};

pub(super) fn json(memory: &Memory<'_>) -> serde_json::Result<String> {
    let peak = &memory.peak;
    let live = peak.live.iter().map(|group| {
        json!({
            "kind": group.kind.name(),
            "shape": group.shape,
            "count": group.count,
            "bytes": group.bytes,
            "padding_bytes": group.padding_bytes,
            "source": group.source.to_string(),
        })
    });
    let copies = memory.copies.iter().map(|copy| {
        let value = json!({
            "instruction": copy.instruction,
            "opcode": copy.opcode,
            "from": copy.from,
            "to": copy.to,
            "bytes": copy.bytes,
            "cycles": copy.cycles,
            "cycles_are_a_guess": copy.is_guess,
            "times": copy.times,
            "source": copy.source.to_string(),
        });
        copy.leads.iter().fold(value, |value, place| placed(value, *place))
    });
    let advice = memory.advice.iter().map(|advice| {
        let value = json!({
            "kind": advice.kind.name(),
            "name": advice.name,
            "major_to_minor": advice.major_to_minor,
            "saves_bytes": advice.saves_bytes,
            "saves_cycles": advice.saves_cycles,
            "instructions": advice.instructions,
            "is_sure": advice.is_sure,
            "is_stored_transposed": advice.is_stored_transposed,
            "python": advice.python,
        });
        [Some(advice.place), advice.pair].into_iter().flatten().fold(value, placed)
    });
    let arguments = memory.arguments.iter().map(|argument| {
        json!({
            "parameter": argument.number,
            "name": argument.name,
            "shape": argument.shape,
            "bytes": argument.bytes,
            "is_donated": argument.is_donated,
        })
    });
    let program = json!({
        "module": memory.module_name(),
        "peak": {
            "bytes": peak.bytes,
            "instruction": peak.instruction,
            "line": peak.source.to_string(),
            "arguments_bytes": peak.arguments_bytes,
            "results_bytes": peak.results_bytes,
            "temporaries_bytes": peak.temporaries_bytes,
            "host_bytes": peak.host_bytes,
            "is_in_vmem": peak.is_in_vmem,
            "live": live.collect::<Value>(),
        },
        "arguments": arguments.collect::<Value>(),
        "copies": copies.collect::<Value>(),
        "advice": advice.collect::<Value>(),
        "cycles": memory.cycles,
        "loops_of_unknown_length": memory.unknown_loops,
    });
    escaped(&program)
}

/// An object with the parameter or result that it is about.
fn placed(mut object: Value, place: Place) -> Value {
    match place {
        Place::Parameter(number) => object["parameter"] = number.into(),
        Place::Result(number) => object["result"] = number.into(),
    }
    object
}

/// The text of a program. What is hidden in it stands in strings, which have an escape for it.
fn escaped(program: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(program)? + "\n";
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Ok(out)
}
