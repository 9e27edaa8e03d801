//! What fills the memory while a program runs, as texts: the classes are Python's.

use layout::shape::Size;
use layout_hlo::{Bytes, Memory, Module, ReportOptions, device_bytes, device_names};
use pyo3::prelude::*;

use crate::error::{argument, refusal, refused};

/// The mesh, and of parameters by number the sizes of the whole array and its sharding.
type Shardings = (Option<String>, Vec<(usize, Vec<Size>, String)>);

/// Calls with the memory of the program of a text.
fn with_memory<T: Send>(
    py: Python<'_>,
    text: &str,
    (mesh, arguments): Shardings,
    of: impl FnOnce(&Memory<'_>) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let module = Module::parse(text).map_err(refusal)?;
        let memory = module.memory().map_err(refusal)?;
        let arguments =
            arguments.iter().map(|(number, dims, text)| (*number, dims.clone(), &**text));
        Ok(of(&memory.with_shardings(mesh.as_deref(), arguments).map_err(refusal)?))
    })
}

/// A program's memory, as JSON.
#[pyfunction]
pub(crate) fn memory_json(
    py: Python<'_>,
    #[pyo3(from_py_with = argument)] text: String,
    shardings: Shardings,
) -> PyResult<String> {
    with_memory(py, &text, shardings, |memory| serde_json::to_string(memory))?.map_err(refusal)
}

/// The report of a program's memory.
#[pyfunction]
pub(crate) fn memory_report(
    py: Python<'_>,
    text: String,
    #[pyo3(from_py_with = argument)] top: usize,
    lists: (bool, bool, bool),
    bytes: (Option<u64>, Option<u64>),
    shardings: Shardings,
) -> PyResult<String> {
    let ((frames, vmem, tree), (limit, needed)) = (lists, bytes);
    let options = ReportOptions { top, frames, vmem, tree, limit, needed };
    with_memory(py, &text, shardings, |memory| memory.report(options))
}

/// The bytes that a device has, or that a text says.
#[pyfunction]
pub(crate) fn limit_bytes(text: &str) -> PyResult<u64> {
    if let Some(bytes) = device_bytes(text) {
        return Ok(bytes.0);
    }
    let names = device_names().collect::<Vec<_>>().join(", ");
    let help = format!("write bytes, as in 15.75G, or a device: {names}");
    text.parse::<Bytes>().map(|it| it.0).map_err(|error| refused(error, help))
}

/// The picture of a program's memory over time, as SVG.
#[pyfunction]
pub(crate) fn memory_svg(py: Python<'_>, text: String, limit: Option<u64>) -> PyResult<String> {
    with_memory(py, &text, Shardings::default(), |memory| memory.svg(limit))
}
