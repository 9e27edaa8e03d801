//! Arrays and layouts by any text that says one: for programs whose users write layouts.
//!
//! | text | as in | says |
//! |---|---|---|
//! | a shape | `f32[300,500]{1,0:T(8,128)}` | an array and its layout |
//! | a layout alone | `{1,0:T(8,128)}` | the layout of an array that is known |
//! | a packed format | `marlin` | the layout of an array that is known |
//! | another notation | `onednn:nChw16c` | the layout of an array that is known |
//!
//! The last two say an array too with its shape after a space: `marlin u4[64,128]`. Texts are read as they are copied: in quotes,
//! in `layout!(…)`, as a line of HLO, and without the name of a notation where their first letters say it: JAX's `Layout(…)`, MLIR's
//! `#tpu.tiled<…>`, CuTe's `(4,2):(1,4)`, oneDNN's `f32::blocked:acdb::f0`.

mod pasted;

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::packed_format::{MosaicGpu, PackedFormat, PackedFormatError};
use layout_core::{ArrayShape, Error, Fault, Message, Shape, Visible};
use layout_notation::notation::{AnyNotation, Notation, Numpy};

/// Why a text says no array, or not a layout of the array: what is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseAnyError {
    message: Message,
    faults: Vec<(Range<usize>, Message)>,
}

impl ParseAnyError {
    /// What is wrong, and what to write instead.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Each fault by itself, with its place in the text that was given, in bytes: for programs that mark it there. There are
    /// none if the text can be read, and it is the layout that is wrong.
    ///
    /// # Examples
    /// ```
    /// use layout_formats::parse_any;
    ///
    /// let text = "onednn:nChw17x f32[2,40,5,7]";
    /// let error = parse_any::array(text).unwrap_err();
    /// let (range, fault) = &error.faults()[0];
    /// assert_eq!((&text[range.clone()], fault.what.as_str()), ("17x", "no dimension of the tag has the letter of the block"));
    /// ```
    pub fn faults(&self) -> &[(Range<usize>, Message)] {
        &self.faults
    }
}

impl fmt::Display for ParseAnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl core::error::Error for ParseAnyError {}

fn refused(what: impl fmt::Display) -> ParseAnyError {
    ParseAnyError { message: Message::new(what), faults: Vec::new() }
}

fn refused_with(what: impl fmt::Display, help: impl fmt::Display) -> ParseAnyError {
    ParseAnyError { message: Message::new(what).with_help(help), faults: Vec::new() }
}

/// The error of a part of a text. What was read had `added` bytes before the part.
fn misread(error: &Error, part: &str, text: &str, added: usize) -> ParseAnyError {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    let fault = |fault: &Fault| {
        let range = fault.range().unwrap_or(added..added + part.len());
        let [first, end] = [range.start, range.end].map(|at| start + at.saturating_sub(added));
        (first..end, Message::new(fault.message()).with_help(fault.help()))
    };
    ParseAnyError {
        message: Message::new(error),
        faults: error.faults().iter().map(fault).collect(),
    }
}

/// The array `of` in the layout that a text describes. A text that is a whole shape gives that shape instead; `of` is
/// then ignored.
///
/// # Errors
/// If the text is none of those, or does not fit the array.
///
/// # Examples
/// ```
/// use layout_formats::parse_any;
///
/// let array = "u4[64,128]".parse()?;
/// assert_eq!(parse_any::layout("{1,0:T(8,128)E(4)}", &array)?.to_string(), "u4[64,128]{1,0:T(8,128)E(4)}");
/// assert!(parse_any::layout("marlin", &array)?.to_string().starts_with("u4[64,128]{1,0:T(16,8)"));
/// assert_eq!(parse_any::layout("einops:h w -> w h", &array)?.to_string(), "u4[64,128]{0,1}");
/// assert_eq!(parse_any::layout("u4[8,8]", &array)?.to_string(), "u4[8,8]{1,0}");
/// assert_eq!(parse_any::layout("Layout(major_to_minor=(1, 0))", &array)?.to_string(), "u4[64,128]{0,1}");
/// let error = parse_any::layout("marln", &array).unwrap_err();
/// assert_eq!(error.to_string(), "no packed format has this name: did you mean `marlin`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn layout(text: &str, of: &ArrayShape) -> Result<ArrayShape, ParseAnyError> {
    let layout = pasted::said(text);
    pasted::not_read(layout)?;
    if let Some((name, layout)) = in_notation(layout) {
        return laid_out(known(name, XLA)?, layout, of, text);
    }
    if is_alone(layout) {
        // A scalar is written without a layout.
        let array = of.to_string();
        let before = array.find('{').unwrap_or(array.len());
        return of.with_layout_text(layout).map_err(|error| misread(&error, layout, text, before));
    }
    if !layout.contains('[') {
        let found = named(layout, Some(of))?;
        let help = "write a layout as `{1,0:T(8,128)}`, a shape with it, or the name of a packed format, as `marlin`";
        let what = || format!("`{}` is not a layout", Visible(layout));
        return found.ok_or_else(|| refused_with(what(), help));
    }
    array(text)
}

/// Whether [`layout`](fn@layout) needs the array: whether the text is not a whole shape.
///
/// # Examples
/// ```
/// use layout_formats::parse_any::needs_array;
///
/// assert!(needs_array("{1,0:T(8,128)}") && needs_array("marlin") && needs_array("cute:(4,2):(1,4)"));
/// assert!(!needs_array("f32[3,5]{1,0}") && !needs_array("marlin u4[64,128]"));
/// ```
pub fn needs_array(text: &str) -> bool {
    let text = pasted::said(text);
    in_notation(text).is_some() || is_alone(text) || !text.contains('[')
}

/// The array that a text says; the name of a packed format alone is an array that shows it.
///
/// # Errors
/// If the text is none of those.
///
/// # Examples
/// ```
/// use layout_formats::parse_any;
///
/// let shape = parse_any::array("onednn:nChw16c f32[2,40,5,7]")?;
/// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
/// assert_eq!(parse_any::array("FRACTAL_NZ")?.to_string(), "f16[32,48]{0,1:T(16,16)(16,1)}");
/// assert_eq!(parse_any::array("%p = f32[3,5]{1,0:T(2,2)} parameter(0)")?.to_string(), "f32[3,5]{1,0:T(2,2)}");
/// # Ok::<(), parse_any::ParseAnyError>(())
/// ```
pub fn array(text: &str) -> Result<ArrayShape, ParseAnyError> {
    let said = pasted::said(text);
    pasted::not_read(said)?;
    if let Some((name, said)) = in_notation(said) {
        let notation = known(name, XLA)?;
        let apart = said.rsplit_once(char::is_whitespace);
        let (layout, array) = apart
            .filter(|(_, array)| is_shape(array))
            .ok_or_else(|| without_array(notation, said))?;
        return laid_out(notation, layout, &plain_array(array, text)?, text);
    }
    let (name, array) = match said.rsplit_once(char::is_whitespace) {
        Some((name, array)) if array.contains('[') => (name, Some(array)),
        _ => (said, None),
    };
    // No name has brackets, and no shape is without.
    if !name.contains(['[', '(', '{', '<']) {
        let array = array.map(|array| plain_array(array, text)).transpose()?;
        if let Some(shape) = named(name, array.as_ref())? {
            return Ok(shape);
        }
    }
    plain_array(said, text)
}

/// A text says no array. The example is the text itself with an array, if it lays that out.
fn without_array(notation: Notation, said: &str) -> ParseAnyError {
    let read = notation.read(said);
    let array = match &read {
        // It has the sizes itself.
        Ok(AnyNotation::Cute(cute)) => format!("f32{:?}", cute.dims()).replace(' ', ""),
        _ => notation.example_array().to_string(),
    };
    let lays_out = |array: ArrayShape| read.is_ok_and(|read| read.layout(&array).is_ok());
    let help = match array.parse().is_ok_and(lays_out) {
        true => format!("`{notation}:{} {array}`", Visible(said)),
        false => format!("`{notation}:{} {}`", notation.example(), notation.example_array()),
    };
    let help = format!("write it after the layout, as in {help}");
    refused_with(format!("`{notation}:` needs the array that it lays out"), help)
}

/// The layout of an array as text in the notation of a name: those of [`Notation`], `numpy` and `xla`.
///
/// # Errors
/// If no notation has this name, or the notation cannot express the layout.
///
/// # Examples
/// ```
/// use layout_formats::parse_any;
///
/// let shape = "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}".parse()?;
/// assert_eq!(parse_any::written("onednn", &shape)?, "aBcd16b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn written(notation: &str, shape: &ArrayShape) -> Result<String, ParseAnyError> {
    let said = match notation.to_ascii_lowercase().as_str() {
        "xla" => Ok(shape.to_string()),
        "numpy" => Numpy::of(shape).map(|said| said.to_string()),
        _ => known(notation, "numpy, xla")?.of(shape).map(|said| said.to_string()),
    };
    said.map_err(|error| refused(format!("`{notation}` does not express `{shape}`: {error}")))
}

/// The notation of a name; an error lists others too.
fn known(name: &str, others: &str) -> Result<Notation, ParseAnyError> {
    Notation::from_name(name).ok_or_else(|| {
        let what = match ["numpy", "xla"].iter().any(|own| own.eq_ignore_ascii_case(name)) {
            true => format!("`{name}` is printed only: `--as {name}`"),
            false => format!("there is no notation `{}`", Visible(name)),
        };
        refused_with(what, format!("write one of {}, {others}", Notation::NAMES))
    })
}

/// Whether a text begins as a layout without an array does.
fn is_alone(text: &str) -> bool {
    text.starts_with(['{', '<'])
}

/// Whether a word begins as a shape does: `f32[`.
fn is_shape(word: &str) -> bool {
    word.find('[').is_some_and(|at| at > 0 && word[..at].bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// What to write for the name of a notation, besides those of [`Notation`].
const XLA: &str = "or XLA's notation without a name before it";

/// The name and the text of `onednn:nChw16c`; `None` if it does not begin with a name and `:`, and not as texts of a notation do.
fn in_notation(text: &str) -> Option<(&str, &str)> {
    let named = text.split_once(':').filter(|(name, _)| {
        !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphabetic() || c == b'_')
    });
    let of_text = || Notation::of_text(text).map(|notation| (notation.name(), text));
    match named {
        Some((name, text)) if Notation::from_name(name).is_some() => Some((name, text.trim())),
        _ => of_text().or(named),
    }
}

/// The array in the layout that a part of a text says in a notation.
fn laid_out(
    notation: Notation,
    layout: &str,
    array: &ArrayShape,
    text: &str,
) -> Result<ArrayShape, ParseAnyError> {
    let read = notation.read(layout).map_err(|error| misread(&error, layout, text, 0))?;
    read.layout(array).map_err(|error| {
        refused(format!(
            "in `{notation}`, `{}` is not a layout of `{array}`: {error}",
            Visible(layout)
        ))
    })
}

/// An array in the format of a name, or the format at a size that shows it; `None` if the name is none.
fn named(name: &str, array: Option<&ArrayShape>) -> Result<Option<ArrayShape>, ParseAnyError> {
    if let Some(tiled) = MosaicGpu::find(name) {
        let array = array.copied().unwrap_or_else(|| tiled.smallest());
        return tiled.layout(&array).map(Some).map_err(refused);
    }
    match PackedFormat::find(name) {
        Ok(format) => match array {
            Some(array) => format.layout(array).map(Some).map_err(refused),
            None => Ok(format.examples().next()),
        },
        // The reader of shapes says what is wrong with the text.
        Err(PackedFormatError::Unknown { nearest: None }) => Ok(None),
        Err(error) => Err(refused(error)),
    }
}

/// The array that a part of a text is.
fn plain_array(array: &str, text: &str) -> Result<ArrayShape, ParseAnyError> {
    match array.parse::<Shape>().map_err(|error| misread(&error, array, text, 0))? {
        Shape::Array(array) | Shape::Buffer(array) => Ok(array),
        shape => Err(refused(format!("`{shape}` is not an array: give the shape of one array"))),
    }
}
