//! What is drawn.

use crate::picture::frame::Frame;
use crate::shape::array::ArrayShape;

/// A picture of a layout: displays as text, or draws as SVG.
///
/// The grid shows the two most minor dimensions of the layout, the one with the lower number as rows, the
/// other as columns; an array with more dimensions is shown in slices. Each cell has the offset of its
/// element. Padding at the ends of dimensions is part of the grid; padding of later tiles and of `L` is shown
/// only in the order of memory.
///
/// Dimensions are named as in XLA's documents: x, y, z, p from the last one on, or d0, d1 and so on if there
/// are more than four. Of large arrays only parts are shown, including the ends of the array and of its
/// tiles. In text, `…` and `⋮` stand for columns and rows that are left out, `┊` and `┄` for those that tiles
/// end in.
pub struct Picture {
    pub(super) shape: ArrayShape,
    pub(super) frame: Frame,
    /// Characters of a line of text.
    pub(super) columns: usize,
}
