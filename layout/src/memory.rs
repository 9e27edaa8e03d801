//! Typed memory: views, buffers, slices, tiles.

pub(crate) mod block;
#[cfg(feature = "alloc")]
pub(crate) mod buffer;
#[cfg(feature = "bytemuck")]
pub(crate) mod bytes;
mod equal;
#[cfg(feature = "ndarray")]
pub(crate) mod ndarray;
pub(crate) mod packed;
#[cfg(feature = "rayon")]
mod parallel;
mod part;
mod print;
mod reads;
pub(crate) mod row;
pub(crate) mod slice;
pub(crate) mod slice_mut;
pub(crate) mod slot;
pub(crate) mod stored;
pub(crate) mod tile;
pub(crate) mod view;
pub(crate) mod view_mut;
mod writes;
