//! What fills the memory while a program runs, as plain values: the classes are Python's.

use layout::hlo::{Memory, Module, Place, ReportOptions};
use pyo3::prelude::*;

use crate::error::{argument, refusal};

/// Kind, shape, count, bytes, bytes of padding, source.
type Group = (&'static str, String, usize, u64, u64, String);
/// Instruction, shapes before and after, bytes, cycles, whether these are a guess, times, parameters, results, source.
type LayoutCopy = (String, String, String, u64, u64, bool, u64, Vec<usize>, Vec<usize>, String);
/// Kind, name, parameter, result, order, bytes, cycles, instructions, whether it is sure, Python.
type Advice = (
    &'static str,
    String,
    Option<usize>,
    Option<usize>,
    Vec<usize>,
    i64,
    u64,
    Vec<String>,
    bool,
    String,
);
/// Number, name, shape, bytes, whether it is donated.
type Argument = (usize, String, String, u64, bool);
/// The numbers of the peak, instruction and line there, and the lists.
type Parts = (
    [u64; 5],
    (String, String),
    Option<u64>,
    Vec<Argument>,
    Vec<Group>,
    Vec<LayoutCopy>,
    Vec<Advice>,
);

/// Calls with the memory of the program of a text.
fn with_memory<T: Send>(
    py: Python<'_>,
    text: &str,
    of: impl FnOnce(&Memory<'_>) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let module = Module::parse(text).map_err(refusal)?;
        Ok(of(&module.memory().map_err(refusal)?))
    })
}

/// The parts of a program's memory.
#[pyfunction]
pub(crate) fn memory_parts(
    py: Python<'_>,
    #[pyo3(from_py_with = argument)] text: String,
) -> PyResult<Parts> {
    with_memory(py, &text, |memory| {
        let peak = &memory.peak;
        let numbers = [
            peak.bytes,
            peak.arguments_bytes,
            peak.results_bytes,
            peak.temporaries_bytes,
            peak.host_bytes,
        ];
        let arguments = memory.arguments.iter().map(|it| {
            (it.number, it.name.to_owned(), it.shape.to_owned(), it.bytes, it.is_donated)
        });
        let groups = peak.live.iter().map(|it| {
            let source = it.source.to_string();
            (it.kind.name(), it.shape.clone(), it.count, it.bytes, it.padding_bytes, source)
        });
        let copies = memory.copies.iter().map(|it| {
            let (name, [from, to]) = (it.instruction.to_owned(), [it.from.clone(), it.to.clone()]);
            let parameters = it.leads.iter().copied().filter_map(parameter).collect();
            let results = it.leads.iter().copied().filter_map(result).collect();
            let source = it.source.to_string();
            (
                name,
                from,
                to,
                it.bytes,
                it.cycles,
                it.is_guess,
                it.times,
                parameters,
                results,
                source,
            )
        });
        let advice = memory.advice.iter().map(|it| {
            let places = || [Some(it.place), it.pair].into_iter().flatten();
            let (parameter, result) = (places().find_map(parameter), places().find_map(result));
            let (order, names) = (it.major_to_minor.clone(), it.instructions.clone());
            let saves = (it.saves_bytes, it.saves_cycles);
            let (kind, name, python) = (it.kind.name(), it.name.clone(), it.python.clone());
            (kind, name, parameter, result, order, saves.0, saves.1, names, it.is_sure, python)
        });
        let at = (peak.instruction.to_owned(), peak.source.to_string());
        let lists = (arguments.collect(), groups.collect(), copies.collect(), advice.collect());
        (numbers, at, memory.cycles, lists.0, lists.1, lists.2, lists.3)
    })
}

fn parameter(place: Place) -> Option<usize> {
    if let Place::Parameter(number) = place { Some(number) } else { None }
}

fn result(place: Place) -> Option<usize> {
    if let Place::Result(number) = place { Some(number) } else { None }
}

/// The report of a program's memory.
#[pyfunction]
pub(crate) fn memory_report(
    py: Python<'_>,
    text: String,
    #[pyo3(from_py_with = argument)] top: usize,
    frames: bool,
) -> PyResult<String> {
    with_memory(py, &text, |memory| memory.report(ReportOptions { top, frames }))
}

/// The picture of a program's memory over time, as SVG.
#[pyfunction]
pub(crate) fn memory_svg(py: Python<'_>, text: String) -> PyResult<String> {
    with_memory(py, &text, |memory| memory.svg())
}
