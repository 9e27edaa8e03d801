//! Rows, tiles, blocks and boxes of arrays in memory, and iterators over them.

// The order of modules is that of a page of the documentation.
pub(crate) mod tiled;

pub(crate) mod boxes;

pub(crate) mod block;
#[cfg(feature = "rayon")]
mod parallel;
pub(crate) mod row;
mod stretch;
pub(crate) mod tile;
