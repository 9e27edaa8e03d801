//! Pictures of layouts: the array as a grid of offsets beside its order in memory, as XLA's document
//! "Tiled layout" draws it.
//!
//! ```
//! use layout::ArrayShape;
//! use layout_picture::Picture;
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
//!
//! [`Picture::svg`] draws the same, [`Picture::steps`] how tiles make memory of the array, [`chart`] any cells in rows, and with the
//! feature `gpu` the module `gpu` shared memory and fragments.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

mod ansi;
pub mod chart;
#[cfg(feature = "gpu")]
pub mod gpu;
mod grid;
mod memory;
mod padded_box;
mod picture;
mod sheet;
mod steps;
pub mod svg;
mod text;
mod text_grid;
mod track;

use core::fmt;

use ansi::Ink;
pub use grid::{GridCell, Slice};
pub use memory::{Line, Slot};
pub use picture::{Label, Picture};
pub use steps::Step;
pub use track::Track;

impl Picture {
    /// The picture as text with terminal colours: tiles in alternating colours, padding faint.
    pub fn ansi(&self) -> impl fmt::Display + '_ {
        Ansi(self)
    }

    /// The picture as an SVG document, dark on a dark screen.
    ///
    /// Each slot is a group of the class `slot` with its offset, and if it is not padding, with the coordinates of its element,
    /// dimension 0 first. The group has a title, which shows while the pointer is over it.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let svg = Picture::new(&shape).unwrap().svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    ///
    /// // In the grid, and in memory.
    /// let slot = r#"<g class="slot" data-offset="17" data-index="2,3"><title>[2,3] at offset 17</title>"#;
    /// assert_eq!(svg.matches(slot).count(), 2);
    /// assert!(svg.contains(r#"<g class="slot" data-offset="9"><title>padding at offset 9</title>"#));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn svg(&self) -> alloc::string::String {
        sheet::document(self)
    }
}

struct Ansi<'a>(&'a Picture);

impl fmt::Display for Ansi<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, self.0, Ink::Ansi)
    }
}

/// The picture as text: at most 60 lines, usually of at most 100 columns.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, self, Ink::Plain)
    }
}
