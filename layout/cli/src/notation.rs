//! Layouts in the notations of other systems, by their names.

use layout_core::notation::{LinalgPack, Notation, Numpy};
use layout_core::{ArrayShape, Visible};

use crate::output::Refusal;

/// The name and the text of `onednn:nChw16c`; `None` if it does not begin with a name and `:`.
pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
    let (name, text) = text.trim().split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphabetic() || c == b'_');
    is_name.then_some((name, text.trim()))
}

/// The array in the layout that a text says.
pub(crate) fn layout(name: &str, text: &str, array: &ArrayShape) -> Result<ArrayShape, Refusal> {
    if name.eq_ignore_ascii_case("numpy") {
        return Ok(Numpy::layout(text, array)?);
    }
    let notation = Notation::from_name(name).ok_or_else(|| unknown(name, &["numpy"]))?;
    let read = notation.read(text)?;
    read.layout(array).map_err(|error| {
        Refusal(format!(
            "in `{notation}`, `{}` is not a layout of `{array}`: {error}",
            Visible(text)
        ))
    })
}

/// The text of a layout.
pub(crate) fn print(name: &str, shape: &ArrayShape) -> Result<String, Refusal> {
    let said = match name.to_ascii_lowercase().as_str() {
        "xla" => Ok(shape.to_string()),
        "numpy" => Numpy::of(shape).map(|said| said.to_string()),
        "linalg" => LinalgPack::of(shape).map(|said| said.to_string().trim_end().to_owned()),
        _ => {
            let others = ["numpy", "linalg", "xla"];
            let notation = Notation::from_name(name).ok_or_else(|| unknown(name, &others))?;
            notation.of(shape).map(|said| said.to_string())
        }
    };
    said.map_err(|error| Refusal(format!("`{name}` does not express `{shape}`: {error}")))
}

fn unknown(name: &str, others: &[&str]) -> Refusal {
    let known = Notation::ALL.iter().map(|notation| notation.name()).chain(others.iter().copied());
    let known = known.collect::<Vec<_>>().join(", ");
    Refusal(format!("there is no notation `{}`\n  = help: write one of {known}", Visible(name)))
}
