//! Shapes from the command line.

use layout_core::{ArrayShape, Dim};
use layout_formats::parse_any;

use crate::arguments::{Dims, ShapeText};
use crate::output::Refusal;

/// The shape that the words of a command are, which need not be quoted as one.
pub(crate) fn sized_words(shape: &ShapeText) -> Result<ArrayShape, Refusal> {
    sized(&shape.words.join(" "), &shape.dims)
}

/// The shape of an array all of whose sizes are known.
pub(crate) fn sized(text: &str, dims: &Dims) -> Result<ArrayShape, Refusal> {
    let shape = parse_any::array(text)?;
    if let Some(dims) = &dims.dims {
        return Ok(shape.with_dims(dims)?);
    }
    if shape.dims().contains(&Dim::Unbounded) {
        let example = shape.dims().iter().map(|dim| dim.size().unwrap_or(64).to_string());
        let example = example.collect::<Vec<_>>().join(",");
        return Err(Refusal::new(
            format!("`{shape}` has unknown sizes"),
            format!("give the sizes of all dimensions, as in `--dims {example}`"),
        ));
    }
    Ok(shape)
}
