//! What fills the memory while a program runs, as JSON.

use layout::hlo::{Memory, Place};
use serde_json::{Value, json};

/// What `layout hlo --json` prints, of which Python's `memory` is made: other programs read these names.
///
/// # Examples
/// ```
/// use layout::hlo::Module;
/// use layout_files::memory_json;
///
/// let module = Module::parse("\
/// HloModule m, is_scheduled=true
///
/// ENTRY %main (x: f32[1024]) -> f32[1024] {
///   %x = f32[1024]{0} parameter(0), metadata={op_name=\"x\"}
///   ROOT %y = f32[1024]{0} negate(%x)
/// }")?;
/// let json = memory_json(&module.memory()?);
/// assert_eq!(json["peak"]["bytes"], 8192);
/// assert_eq!(json["arguments"][0]["name"], "x");
/// # Ok::<(), layout::hlo::Error>(())
/// ```
pub fn memory_json(memory: &Memory<'_>) -> Value {
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
            "parameters": copy.leads.iter().copied().filter_map(parameter).collect::<Value>(),
            "results": copy.leads.iter().copied().filter_map(result).collect::<Value>(),
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
            "cycles_are_a_guess": advice.is_guess,
            "instructions": advice.instructions,
            "is_sure": advice.is_sure,
            "is_stored_transposed": advice.is_stored_transposed,
            "python": advice.python,
        });
        [Some(advice.place), advice.pair].into_iter().flatten().fold(value, placed)
    });
    let kernels = memory.kernels.iter().map(|kernel| {
        json!({
            "instruction": kernel.instruction,
            "vmem_bytes": kernel.vmem_bytes,
            "limit_bytes": kernel.limit_bytes,
            "source": kernel.source.to_string(),
        })
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
    json!({
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
        "kernels": kernels.collect::<Value>(),
        "cycles": memory.cycles,
        "loops_of_unknown_length": memory.unknown_loops,
    })
}

/// An object with the parameter or result that it is about.
fn placed(mut object: Value, place: Place) -> Value {
    match place {
        Place::Parameter(number) => object["parameter"] = number.into(),
        Place::Result(number) => object["result"] = number.into(),
    }
    object
}

fn parameter(place: Place) -> Option<usize> {
    if let Place::Parameter(number) = place { Some(number) } else { None }
}

fn result(place: Place) -> Option<usize> {
    if let Place::Result(number) = place { Some(number) } else { None }
}
