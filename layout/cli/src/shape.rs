//! Shapes from the command line.

use layout_core::{ArrayShape, Dim, Shape, Size};

use crate::arguments::Dims;
use crate::output::Refusal;

/// The shape of an array.
fn array(text: &str) -> Result<ArrayShape, Refusal> {
    match text.parse::<Shape>()? {
        Shape::Array(array) | Shape::Buffer(array) => Ok(array),
        shape => Err(Refusal(format!("`{shape}` is not an array: give the shape of one array"))),
    }
}

/// The shape of an array all of whose sizes are known.
pub(crate) fn sized(text: &str, dims: &Dims) -> Result<ArrayShape, Refusal> {
    let shape = array(text)?;
    if let Some(dims) = &dims.dims {
        return Ok(shape.with_dims(dims)?);
    }
    if shape.dims().contains(&Dim::Unbounded) {
        let example = shape.dims().iter().map(|dim| dim.size().unwrap_or(64).to_string());
        let example = example.collect::<Vec<_>>().join(",");
        return Err(Refusal(format!(
            "`{shape}` has unknown sizes\n  = help: give the sizes of all dimensions, as in `--dims {example}`"
        )));
    }
    Ok(shape)
}

/// Coordinates as the picture and the documents write them: `[1, 2, 3]`.
pub(crate) fn index(index: &[Size]) -> String {
    format!("{index:?}")
}
