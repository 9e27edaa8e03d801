//! What fills the memory while a program runs, as texts: the classes are Python's.

use layout_hlo::{Memory, Module, ReportOptions};
use pyo3::prelude::*;

use crate::error::{argument, refusal};

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

/// A program's memory, as JSON.
#[pyfunction]
pub(crate) fn memory_json(
    py: Python<'_>,
    #[pyo3(from_py_with = argument)] text: String,
) -> PyResult<String> {
    with_memory(py, &text, |memory| serde_json::to_string(memory))?.map_err(refusal)
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
