//! XLA's utilities on values: the numbers of its own tests, and that an edit moves no element that it
//! does not say.

mod bitcasts;
mod comparisons;
mod dimensions;
mod edits;
mod indices;
mod orders;

use layout::{ArrayShape, Shape};

pub(crate) fn array(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

pub(crate) fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

/// The text of the result, which has to be equal to what is read from it.
pub(crate) fn text<E: core::fmt::Debug>(result: Result<ArrayShape, E>) -> String {
    let shape = result.unwrap();
    let text = shape.to_string();
    assert_eq!(array(&text), shape, "{text}");
    text
}
