//! Why there is no answer.

use std::fmt::Display;

use layout_core::{ArrayShape, Dim, Message, Size};
use layout_formats::parse_any::{self, ParseAnyError};
use serde_json::{Value, json};

/// What is wrong: each fault with its place in the text, if it has one.
pub(crate) struct Refusal(Vec<Value>);

impl Refusal {
    pub(crate) fn new(message: &Message) -> Refusal {
        Refusal(vec![json!({"what": message.what, "help": message.help.join("\n")})])
    }

    fn of_text(error: &ParseAnyError, text: &str) -> Refusal {
        if error.faults().is_empty() {
            return Refusal::new(error.message());
        }
        // JavaScript counts in units of UTF-16.
        let units = |end: usize| text[..end].encode_utf16().count();
        let fault = |(range, message): &(std::ops::Range<usize>, Message)| {
            let at = [units(range.start), units(range.end)];
            json!({"at": at, "what": message.what, "help": message.help.join("\n")})
        };
        Refusal(error.faults().iter().map(fault).collect())
    }
}

impl<T: Display> From<T> for Refusal {
    fn from(error: T) -> Refusal {
        let text = error.to_string();
        let (what, help) = text.split_once("\n  = help: ").unwrap_or((&text, ""));
        Refusal::new(&Message::new(what).with_help(help))
    }
}

/// The answer as the page reads it.
pub(crate) fn answer(found: Result<Value, Refusal>) -> String {
    found.unwrap_or_else(|Refusal(faults)| json!({"faults": faults})).to_string()
}

/// Numbers with commas between them.
pub(crate) fn numbers(text: &str) -> Option<Vec<Size>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// The array that a text says, all of whose sizes are known.
pub(crate) fn array(text: &str) -> Result<ArrayShape, Refusal> {
    let shape = parse_any::array(text).map_err(|error| Refusal::of_text(&error, text))?;
    sized(shape)
}

/// The array, or the layout of another array, that a text says.
pub(crate) fn layout_of(text: &str, of: &ArrayShape) -> Result<ArrayShape, Refusal> {
    let shape = parse_any::layout(text, of).map_err(|error| Refusal::of_text(&error, text))?;
    sized(shape)
}

fn sized(shape: ArrayShape) -> Result<ArrayShape, Refusal> {
    if shape.dims().contains(&Dim::Unbounded) {
        let what = format!("`{shape}` has sizes that are known at run time only");
        return Err(Refusal::new(&Message::new(what).with_help("write a number for each `?`")));
    }
    Ok(shape)
}
