//! XLA's utilities on values: the numbers of its own tests, and that an edit moves no element that it
//! does not say.

mod comparisons;
mod dimensions;
mod edits;
mod worked;

use layout::bitcast::reshape_is_bitcast;
use layout::{ArrayShape, Fault, xla};
use layout_tests::lists::array;

/// The text of the result, which has to be equal to what is read from it.
pub(crate) fn text<E: core::fmt::Debug>(result: Result<ArrayShape, E>) -> String {
    let shape = result.unwrap();
    let text = shape.to_string();
    assert_eq!(array(&text), shape, "{text}");
    text
}

/// The array without its dimensions of one element.
pub(crate) fn drop_degenerate_dimensions(array: &ArrayShape) -> Result<ArrayShape, Fault> {
    xla::filter_dimensions(array, |dim| array.dims()[dim].size() != Some(1))
}

/// Whether the tiles change nothing.
pub(crate) fn is_untiled_layout(array: &ArrayShape) -> bool {
    array.tiles().is_empty() || reshape_is_bitcast(array, &array.without_tiles())
}
