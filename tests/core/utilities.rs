//! XLA's utilities: what `docs/xla.md` says to write for each, judged by the numbers of XLA's own tests. And edits of
//! shapes: they move no element that they do not say.

mod comparisons;
mod edits;
mod written;

use layout::ArrayShape;
use layout_tests::lists::array;

/// The text of the result, which has to be equal to what is read from it.
pub(crate) fn text<E: core::fmt::Debug>(result: Result<ArrayShape, E>) -> String {
    let shape = result.unwrap();
    let text = shape.to_string();
    assert_eq!(array(&text), shape, "{text}");
    text
}
