//! The arrays of a compiled program.

use layout::{ArrayShape, Shape};
use layout_hlo::Module;
use pyo3::prelude::*;

use crate::error::{argument, refusal};
use crate::layout::Layout;

/// A compiled program, of its text.
///
/// >>> program = hlo('''HloModule m
/// ... ENTRY %main (x: f32[4,1000]) -> f32[1000,4] {
/// ...   %x = f32[4,1000]{1,0:T(4,128)} parameter(0)
/// ...   ROOT %t = f32[1000,4]{1,0:T(8,128)} transpose(%x), dimensions={1,0}
/// ... }''')
/// >>> program.parameters()
/// [Buffer(name='x', place='0', layout=Layout('f32[4,1000]{1,0:T(4,128)}'), wasted_bytes=384)]
#[pyclass(frozen, module = "tiled_layout")]
pub(crate) struct Program {
    text: String,
    /// The name of the module.
    #[pyo3(get)]
    name: String,
    /// The name of the entry computation.
    #[pyo3(get)]
    entry: String,
}

/// A parameter or result of a program.
#[pyclass(frozen, module = "tiled_layout")]
pub(crate) struct Buffer {
    /// What the program calls it; empty for a result.
    #[pyo3(get)]
    name: String,
    /// Its number among the parameters or results, and in tuples the numbers of parts: `0.1`.
    #[pyo3(get)]
    place: String,
    /// Bytes of padding; `None` if a size is not known.
    #[pyo3(get)]
    wasted_bytes: Option<usize>,
    /// In a box, so that buffers are small when they are sorted.
    shape: Box<ArrayShape>,
}

/// Reads the text of a compiled program: `compiled.as_text()` of JAX.
///
/// >>> hlo("not a program")
/// Traceback (most recent call last):
/// ...
/// tiled_layout.LayoutError: ...
#[pyfunction]
pub(crate) fn hlo(
    py: Python<'_>,
    #[pyo3(from_py_with = argument)] text: String,
) -> PyResult<Program> {
    let names = py.detach(|| {
        let module = Module::parse(&text).map_err(|error| error.to_string())?;
        Ok((module.name().to_owned(), module.entry_name().to_owned()))
    });
    let (name, entry) = names.map_err(|error: String| refusal(error))?;
    Ok(Program { text, name, entry })
}

#[pymethods]
impl Program {
    /// The parameters of the entry computation, in their order; `name` is that of the argument where it is known.
    fn parameters(&self) -> PyResult<Vec<Buffer>> {
        let module = Module::parse(&self.text).map_err(refusal)?;
        let layout = module.computation_layout();
        let mut found = Vec::new();
        for (number, text) in layout.parameters().iter().enumerate() {
            let name = module.parameters().get(number).map_or("", |own| own.any_name());
            let _ = Shape::for_each_array(text, |place, shape| {
                found.push(Buffer::new(name, joined(Some(number), place), shape));
            });
        }
        Ok(found)
    }

    /// The results of the entry computation, in their order.
    fn results(&self) -> PyResult<Vec<Buffer>> {
        let module = Module::parse(&self.text).map_err(refusal)?;
        let mut found = Vec::new();
        let _ = Shape::for_each_array(module.computation_layout().result(), |place, shape| {
            let place = if place.is_empty() { &[0] } else { place };
            found.push(Buffer::new("", joined(None, place), shape));
        });
        Ok(found)
    }

    fn __repr__(&self) -> String {
        format!("Program({:?}, entry={:?})", self.name, self.entry)
    }
}

impl Buffer {
    fn new(name: &str, place: String, shape: &ArrayShape) -> Buffer {
        let wasted_bytes = Layout::from(*shape).wasted_bytes().ok();
        Buffer { name: name.to_owned(), place, wasted_bytes, shape: Box::new(*shape) }
    }
}

#[pymethods]
impl Buffer {
    /// Shape and layout.
    #[getter]
    fn layout(&self) -> Layout {
        Layout::from(*self.shape)
    }

    fn __repr__(&self) -> String {
        let Buffer { name, place, wasted_bytes, shape } = self;
        let wasted = wasted_bytes.map_or("None".to_owned(), |bytes| bytes.to_string());
        format!(
            "Buffer(name='{name}', place='{place}', layout=Layout('{shape}'), wasted_bytes={wasted})"
        )
    }
}

fn joined(number: Option<usize>, place: &[usize]) -> String {
    let numbers = number.iter().chain(place).map(usize::to_string);
    numbers.collect::<Vec<_>>().join(".")
}
