//! Typed memory: views, buffers, slices, tiles.

pub(crate) mod block;
#[cfg(feature = "alloc")]
pub(crate) mod buffer;
#[cfg(feature = "bytemuck")]
pub(crate) mod bytes;
#[cfg(feature = "ndarray")]
pub(crate) mod ndarray;
pub(crate) mod packed;
pub(crate) mod slice;
pub(crate) mod slice_mut;
pub(crate) mod slot;
pub(crate) mod stored;
pub(crate) mod tile;
pub(crate) mod view;
pub(crate) mod within_tile;
