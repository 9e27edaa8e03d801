//! What is drawn.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_core::{ArrayShape, Size};

use crate::ansi;
use crate::padded_box::PaddedBox;

/// A picture of a layout: displays as text, or draws as SVG.
///
/// The grid shows the two most minor dimensions of the layout, the one with the lower number as rows, the other as
/// columns, or [those that are asked for](Self::with_axes); an array with more dimensions is shown in slices. Each cell has
/// the offset of its element. Padding at the ends of dimensions is part of the grid; padding of later tiles and of `L` is
/// shown only in the order of memory.
///
/// In text, dimensions are named as in XLA's documents: x, y, z, p from the last one on, or d0, d1 and so on if there
/// are more than four. Large arrays are shown in parts, the ends of the array and of its
/// tiles among them. In text, `…` and `⋮` stand for columns and rows that are left out, `┊` and `┄` for those that tiles
/// end in.
pub struct Picture {
    pub(crate) shape: ArrayShape,
    pub(crate) padded: PaddedBox,
    /// Characters of a line of text.
    pub(crate) columns: usize,
    /// Pixels of the SVG.
    pub(crate) width: usize,
    pub(crate) label: Label,
    /// The dimensions of rows and columns, as the box numbers them, if they are chosen.
    pub(crate) axes: Option<[usize; 2]>,
    /// A slot of the box in the only slice that is drawn.
    pub(crate) at: Option<Vec<Size>>,
}

layout_core::named! {
    /// What stands in the cells of the SVG.
    #[derive(Default)]
    pub enum Label {
        /// The offset in the grid, and the index in memory.
        #[default]
        Offset = "offset",
        /// The index.
        Index = "index",
        /// The offset, and the index below it.
        Both = "both",
        /// Nothing: the cells are small.
        None = "none",
    }
}

/// Pixels of an SVG, if nothing else is asked for.
const WIDTH: usize = 1264;

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Picture").field(&self.shape).finish()
    }
}

impl Picture {
    /// A picture of the layout of an array; `None` if a dimension has no bound (`?`). A bounded dimension
    /// (`<=N`) is drawn with its bound.
    pub fn new(shape: &ArrayShape) -> Option<Picture> {
        let (columns, width, label, axes, at) = (ansi::WIDTH, WIDTH, Label::Offset, None, None);
        let padded = PaddedBox::new(shape)?;
        Some(Picture { shape: *shape, padded, columns, width, label, axes, at })
    }

    /// The picture as text with lines of at most this many characters, at least 80; 100 by default. Very
    /// long numbers may exceed it. It does not change an SVG.
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

    /// The picture as SVG with this many pixels in width, or a few more or less, from 280 to 10000; 1264 by default. Long numbers may
    /// exceed it. It does not change the text.
    #[must_use]
    pub fn with_width(self, pixels: usize) -> Picture {
        Picture { width: pixels.clamp(280, 10_000), ..self }
    }

    /// The picture with this label in the cells of the SVG. It does not change the text.
    #[must_use]
    pub fn with_label(self, label: Label) -> Picture {
        Picture { label, ..self }
    }

    /// The picture with these dimensions as rows and as columns; `None` unless they are two different dimensions of the array.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[2,3,5]".parse()?;
    /// let picture = Picture::new(&shape).unwrap().with_axes(2, 0).unwrap();
    /// assert_eq!((picture.extent(), picture.slice_count()), ([5, 2], 3));
    ///
    /// // The slice through [1,2,4], whose coordinates along rows and columns do not matter.
    /// let picture = picture.at(&[1, 2, 4]).unwrap();
    /// assert_eq!(picture.slice_count(), 1);
    /// assert!(picture.to_string().contains("y = 2"));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn with_axes(self, rows: usize, columns: usize) -> Option<Picture> {
        if rows == columns || rows.max(columns) >= self.shape.rank() {
            return None;
        }
        let axes = Some([rows, columns].map(|dim| dim + self.padded.leading));
        Some(Picture { axes, ..self })
    }

    /// The picture of the slice through this element only. The coordinates along rows and columns do not matter. `None` if the
    /// others are out of range; padding at the ends of dimensions is in range.
    pub fn at(self, index: &[Size]) -> Option<Picture> {
        let extents = self.padded.extents.get(self.padded.leading..)?;
        let axes = self.axes();
        let inside = |(dim, (at, extent)): (usize, (&Size, &Size))| {
            Some(*at).filter(|at| at < extent).or(axes.contains(&Some(dim)).then_some(0))
        };
        let own = index.iter().zip(extents).enumerate().map(inside).collect::<Option<Vec<_>>>()?;
        let at = Some([vec![0; self.padded.leading], own].concat());
        (index.len() == extents.len()).then_some(Picture { at, ..self })
    }
}
