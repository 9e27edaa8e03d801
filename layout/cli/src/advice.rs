//! Cheaper layouts of the same array.

use layout_core::tpu::cheaper_layouts;
use layout_core::{ArrayShape, Size};

/// The order of dimensions that takes the fewest bytes with the same tiles, and fewer rows in the first
/// tile, of this order and of that one: those that take fewer bytes than the layout itself, the fewest
/// first, each with its bytes.
pub(crate) fn cheaper(shape: &ArrayShape) -> Vec<(ArrayShape, Size)> {
    let found = cheaper_layouts(shape).into_iter().flatten();
    let mut found = found.filter_map(|shape| Some((shape, shape.bytes()?))).collect::<Vec<_>>();
    found.sort_by_key(|(_, bytes)| *bytes);
    found
}
