//! Pictures of layouts: the array as a grid of offsets beside its order in memory, as XLA's document
//! "Tiled layout" draws it.
//!
//! ```
//! use layout::ArrayShape;
//! use layout::picture::Picture;
//!
//! let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
//! let picture = Picture::new(&shape).unwrap();
//! assert_eq!(picture.to_string(), "\
//! f32[3,5]{1,0:T(2,2)}
//!
//!   y\\x    0  1    2  3    4  5
//!       ┌───────┬───────┬───────┐
//!     0 │  0  1 │  4  5 │  8░░9░│
//!     1 │  2  3 │  6  7 │ 10░11░│
//!       ├───────┼───────┼───────┤
//!     2 │ 12 13 │ 16 17 │ 20░21░│
//!     3 │░14░15░│░18░19░│░22░23░│
//!       └───────┴───────┴───────┘
//!
//!   in memory, by offset; ░ is padding
//!     0 │ 0,0 0,1 1,0 1,1 │ 0,2 0,3 1,2 1,3 │ 0,4 ░░░ 1,4 ░░░
//!    12 │ 2,0 2,1 ░░░ ░░░ │ 2,2 2,3 ░░░ ░░░ │ 2,4 ░░░ ░░░ ░░░
//! ");
//! # Ok::<(), layout::Error>(())
//! ```

mod frame;
mod grid;
mod ink;
mod memory;
mod ruled;
mod subject;
mod svg;
mod text;
mod track;

use core::fmt;

use crate::shape::array::ArrayShape;
use frame::Frame;

pub use grid::{Cell, Slice};
pub use memory::{Line, Slot};
pub use subject::Picture;
pub use track::Track;

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Picture").field(&self.shape).finish()
    }
}

impl Picture {
    /// A picture of the layout of an array; `None` if a dimension has no bound (`?`). A bounded dimension
    /// (`<=N`) is drawn with its bound.
    pub fn new(shape: &ArrayShape) -> Option<Picture> {
        Some(Picture { shape: *shape, frame: Frame::new(shape)?, columns: ink::WIDTH })
    }

    /// The picture as text with lines of at most this many characters, at least 80; 100 by default. Very
    /// long numbers may exceed it. An SVG is as wide as before.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[300,500]{1,0:T(8,128)}".parse()?;
    /// let picture = Picture::new(&shape).unwrap().with_columns(120);
    /// let widest = picture.to_string().lines().map(|line| line.chars().count()).max();
    /// assert!(widest > Some(100) && widest <= Some(120));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[must_use]
    pub fn with_columns(self, columns: usize) -> Picture {
        Picture { columns: columns.max(ink::LEAST_WIDTH), ..self }
    }

    /// The picture as text with terminal colours: tiles in alternating colours, padding faint.
    pub fn ansi(&self) -> impl fmt::Display + '_ {
        Ansi(self)
    }

    /// The picture as an SVG document.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let svg = Picture::new(&shape).unwrap().svg().to_string();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn svg(&self) -> impl fmt::Display + '_ {
        svg::Svg { picture: self }
    }

    /// The grid alone, for documentation, if it is small: 2 to 64 slots in memory and at most 80 columns of
    /// text.
    #[doc(hidden)]
    pub fn small_grid(shape: &ArrayShape) -> Option<alloc::string::String> {
        if !matches!(shape.padded_elements(), Some(2..=64)) {
            return None;
        }
        let grid = ruled::grid(&Picture::new(shape)?, ink::Ink::Plain);
        grid.lines().all(|line| line.chars().count() <= 80).then_some(grid)
    }
}

struct Ansi<'a>(&'a Picture);

impl fmt::Display for Ansi<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, self.0, ink::Ink::Ansi)
    }
}

/// The picture as text: at most 60 lines, usually of at most 100 columns.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, self, ink::Ink::Plain)
    }
}
