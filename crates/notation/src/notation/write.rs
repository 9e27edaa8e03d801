//! What is shared by what writes layouts in other notations.

use core::fmt;

use crate::digit_order::NotExpressible;
use layout_core::{ArrayShape, TileDim};

/// Writes the items with a separator between them.
pub(super) fn separated<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// A tuple in Python; a single item is followed by a comma.
pub(super) struct PythonTuple<I>(pub(super) I);

impl<T: fmt::Display, I: ExactSizeIterator<Item = T> + Clone> fmt::Display for PythonTuple<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        separated(f, self.0.clone(), ", ")?;
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

/// `*` as a number: XLA's `xla::Tile::kCombineDimension`.
pub(super) const COMBINED: i64 = i64::MIN;

/// An entry of a tile as a number, as XLA stores it. Sizes are at most `MAX_SIZE`.
pub(super) const fn number(entry: TileDim) -> i64 {
    match entry {
        TileDim::Size(size) => size as i64,
        TileDim::Combined => COMBINED,
    }
}

/// An error if the layout is swizzled, or if `PAD` or `L` add slots: order and tiles alone do not express these.
pub(super) const fn order_and_tiles(shape: &ArrayShape) -> Result<(), NotExpressible> {
    if !shape.swizzle().is_none() {
        return Err(NotExpressible::Swizzle);
    }
    if shape.is_widened() {
        return Err(NotExpressible::Widened);
    }
    if has_tail(shape) { Err(NotExpressible::Tail) } else { Ok(()) }
}

/// Whether `L` adds slots, or would for some sizes of unknown dimensions.
pub(super) const fn has_tail(shape: &ArrayShape) -> bool {
    match (shape.physical_elements(), shape.padded_elements()) {
        (Some(physical), Some(padded)) => physical != padded,
        _ => shape.tail_padding_alignment() != 1,
    }
}
