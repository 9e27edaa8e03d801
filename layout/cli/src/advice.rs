//! Cheaper layouts of the same array.

use layout_spec::ArrayShape;

/// The same tiles with other orders of the dimensions, each with its bytes, the fewest first; those only
/// that take fewer bytes than the layout itself.
///
/// Any two dimensions are tried as the most minor ones, the others staying in their order.
pub(crate) fn cheaper(shape: &ArrayShape) -> Vec<(ArrayShape, usize)> {
    let text = shape.to_string();
    let (Some(bytes), Some((front, properties))) = (shape.bytes(), text.split_once(':')) else {
        return Vec::new();
    };
    let Some((front, _)) = front.split_once('{') else { return Vec::new() };
    let mut found = Vec::new();
    for first in shape.minor_to_major() {
        for second in shape.minor_to_major().iter().filter(|second| *second != first) {
            let rest = shape.minor_to_major().iter().filter(|dim| *dim != first && *dim != second);
            let order = [first, second].into_iter().chain(rest).map(usize::to_string);
            let order = order.collect::<Vec<_>>().join(",");
            // What is split or too large in another order is no alternative.
            let Ok(other) = format!("{front}{{{order}:{properties}").parse::<ArrayShape>() else {
                continue;
            };
            found.extend(other.bytes().filter(|other| *other < bytes).map(|bytes| (other, bytes)));
        }
    }
    found.sort_by_key(|(_, bytes)| *bytes);
    found
}
