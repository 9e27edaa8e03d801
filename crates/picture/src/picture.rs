//! What is drawn.

use core::fmt;

use layout_core::ArrayShape;

use crate::ansi;
use crate::padded_box::PaddedBox;

/// A picture of a layout: displays as text, or draws as SVG.
///
/// The grid shows the two most minor dimensions of the layout, the one with the lower number as rows, the
/// other as columns; an array with more dimensions is shown in slices. Each cell has the offset of its
/// element. Padding at the ends of dimensions is part of the grid; padding of later tiles and of `L` is shown
/// only in the order of memory.
///
/// Dimensions are named as in XLA's documents: x, y, z, p from the last one on, or d0, d1 and so on if there
/// are more than four. Large arrays are shown in parts, the ends of the array and of its
/// tiles among them. In text, `…` and `⋮` stand for columns and rows that are left out, `┊` and `┄` for those that tiles
/// end in.
pub struct Picture {
    pub(crate) shape: ArrayShape,
    pub(crate) padded: PaddedBox,
    /// Characters of a line of text.
    pub(crate) columns: usize,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Picture").field(&self.shape).finish()
    }
}

impl Picture {
    /// A picture of the layout of an array; `None` if a dimension has no bound (`?`). A bounded dimension
    /// (`<=N`) is drawn with its bound.
    pub fn new(shape: &ArrayShape) -> Option<Picture> {
        Some(Picture { shape: *shape, padded: PaddedBox::new(shape)?, columns: ansi::WIDTH })
    }

    /// The picture as text with lines of at most this many characters, at least 80; 100 by default. Very
    /// long numbers may exceed it. An SVG is as wide as before.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[300,500]{1,0:T(8,128)}".parse()?;
    /// let picture = Picture::new(&shape).unwrap().with_columns(120);
    /// let widest = picture.to_string().lines().map(|line| line.chars().count()).max();
    /// assert!(widest > Some(100) && widest <= Some(120));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[must_use]
    pub fn with_columns(self, columns: usize) -> Picture {
        Picture { columns: columns.max(ansi::LEAST_WIDTH), ..self }
    }
}
