//! Typed memory: views, buffers, slices, tiles.
//!
//! The order of modules is that of a page of the documentation: the first ones come first on the page of `View`.

pub(crate) mod view;

pub(crate) mod view_mut;

#[cfg(feature = "alloc")]
pub(crate) mod buffer;

mod reads;

mod writes;

pub(crate) mod tile;

pub(crate) mod row;

pub(crate) mod slice;

pub(crate) mod slot;

mod equal;
pub(crate) mod packed;
#[cfg(feature = "rayon")]
mod parallel;
pub(crate) mod print;
pub(crate) mod slots;
pub(crate) mod stored;
pub(crate) mod strided;
