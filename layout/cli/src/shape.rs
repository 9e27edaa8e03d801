//! Shapes from the command line.

use layout_core::packed_format::{MosaicGpu, PackedFormat, PackedFormatError};
use layout_core::{ArrayShape, Dim, Shape, Visible};

use crate::arguments::{Dims, ShapeText};
use crate::notation;
use crate::output::Refusal;

/// The shape of an array, or of one in a packed format: a name, the name with a shape; or of one in another notation.
pub(crate) fn array(text: &str) -> Result<ArrayShape, Refusal> {
    if let Some((name, text)) = notation::split(text) {
        let apart = text.trim().rsplit_once(char::is_whitespace);
        let (text, array) = apart.filter(|(_, array)| is_shape(array)).ok_or_else(|| {
            Refusal(format!(
                "`{name}:` needs the array that it lays out\n  = help: write it after the layout, as in `onednn:nChw16c f32[2,40,5,7]`"
            ))
        })?;
        return notation::layout(name, text, &plain_array(array)?);
    }
    let (name, array) = match text.trim().rsplit_once(char::is_whitespace) {
        Some((name, array)) if array.contains('[') => (name, Some(array)),
        _ => (text.trim(), None),
    };
    // No name has brackets, and no shape is without.
    if !name.contains(['[', '(', '{', '<']) {
        let array = array.map(plain_array).transpose()?;
        if let Some(shape) = named(name, array.as_ref())? {
            return Ok(shape);
        }
    }
    plain_array(text)
}

/// Whether a word begins as a shape does: `f32[`.
fn is_shape(word: &str) -> bool {
    word.find('[').is_some_and(|at| at > 0 && word[..at].bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// An array in the format of a name, or the format at a size that shows it; `None` if the name is none.
fn named(name: &str, array: Option<&ArrayShape>) -> Result<Option<ArrayShape>, Refusal> {
    if let Some(tiled) = MosaicGpu::find(name) {
        let array = array.copied().unwrap_or_else(|| tiled.smallest());
        return Ok(Some(tiled.layout(&array)?));
    }
    match PackedFormat::find(name) {
        Ok(format) => match array {
            Some(array) => Ok(Some(format.layout(array)?)),
            None => Ok(format.examples().next()),
        },
        // The reader of shapes says what is wrong with the text.
        Err(PackedFormatError::Unknown { nearest: None }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn plain_array(text: &str) -> Result<ArrayShape, Refusal> {
    match text.parse::<Shape>()? {
        Shape::Array(array) | Shape::Buffer(array) => Ok(array),
        shape => Err(Refusal(format!("`{shape}` is not an array: give the shape of one array"))),
    }
}

/// The layout that a text gives an array: a layout without sizes, a whole shape, the name of a packed format, or another
/// notation.
pub(crate) fn of_array(text: &str, of: &ArrayShape) -> Result<ArrayShape, Refusal> {
    let text = text.trim();
    if let Some((name, text)) = notation::split(text) {
        return notation::layout(name, text, of);
    }
    if text.starts_with(['{', '<']) {
        return Ok(of.with_layout_text(text)?);
    }
    if !text.contains('[') {
        let found = named(text, Some(of))?;
        let help = "write a layout as `{1,0:T(8,128)}`, a shape with it, or a name that `layout formats` lists";
        return found.ok_or_else(|| {
            Refusal(format!("`{}` is not a layout\n  = help: {help}", Visible(text)))
        });
    }
    array(text)
}

/// The shape that the words of a command are, which need not be quoted as one.
pub(crate) fn sized_words(shape: &ShapeText) -> Result<ArrayShape, Refusal> {
    sized(&shape.words.join(" "), &shape.dims)
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
