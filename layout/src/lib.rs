//! Array layouts that are known at compile time, in XLA's notation: checked by the compiler, free at
//! run time.
//!
//! `F32[3,5]{1,0:T(2,2)}` is a 3×5 array of `f32`, dimension 1 the most minor in memory, covered by
//! 2×2 tiles and padded where tiles stick out. [`layout!`] turns it into a type, [`Array`], that has
//! the sizes of the array as constants and its arithmetic as `const` functions; [`Layout`] is the
//! trait for code that is generic over layouts. [`spec`] reads the same notation at run time, and
//! does the same with it.
//!
//! ```
//! use layout::{Layout, layout, tiles};
//!
//! type A = layout!(F32[3,5]<1,0:T(2,2)>);
//! const AT: usize = A::offset([2, 3]);
//! assert_eq!(AT, 17);
//!
//! fn padded<L: Layout<2, Tiles = tiles!((2,2))>>() -> usize {
//!     L::PADDED_ELEMENTS
//! }
//! assert_eq!(padded::<A>(), 24);
//! ```
//!
//! # Definitions
//!
//! Dimensions are numbered from 0 as they are written. The order of a layout is *minor to major*:
//! the first dimension named varies fastest in memory. Offsets and sizes are in elements unless the
//! name says bits or bytes. Tiling is pad–reshape–transpose, one tile after another: the bounds that
//! a tile covers are padded to multiples of it, cut into the number of tiles and the size of the
//! tile, and the tile sizes move behind the tile counts; the next tile covers the last of the
//! bounds that result. The source is XLA's document "Tiled layout".
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod any;
mod array;
mod block;
#[cfg(feature = "alloc")]
mod buffer;
#[cfg(feature = "bytemuck")]
mod bytes;
mod check;
pub mod element;
mod eval;
pub mod format;
mod grid;
pub mod guide;
mod layout;
mod list;
mod macros;
mod marker;
mod notation;
mod other;
mod packed;
mod permute;
pub mod property;
mod region;
mod region_walk;
mod relayout;
mod run;
mod slice;
mod slice_mut;
mod slot;
mod stored;
#[cfg(feature = "ndarray")]
mod strided;
mod table;
mod text;
mod tile;
mod tiles;
mod untile;
mod view;
mod with_dims;

/// Layouts as values: the same notation, checks and arithmetic at run time.
pub use layout_core as spec;

pub use any::AnyLayout;
pub use array::Array;
pub use block::{Block, BlockMut};
#[cfg(feature = "alloc")]
pub use buffer::Buffer;
#[cfg(feature = "bytemuck")]
pub use bytes::BytesError;
pub use layout::Layout;
pub use list::{AtMost, C, Dyn, Star};
pub use other::{BufferOf, Opaque, Token};
pub use packed::{PackedView, PackedViewMut};
pub use permute::{Permute, Permuted};
pub use region::{Ranges, Region, SliceError};
pub use relayout::{
    OneByte, Padding, RelayoutError, SameArray, Side, pack, relayout, repack, reshape_is_bitcast,
    same_bytes, transpose_is_bitcast, unpack,
};
pub use run::{Indices, IndicesRowMajor, Paddings, Run, Runs};
pub use slice::Slice;
pub use slot::{SliceMut, Slot};
pub use stored::StoredAs;
#[cfg(feature = "ndarray")]
pub use strided::NdarrayError;
pub use tile::{Tile, TileMut};
pub use tiles::{Tiles, Untiled};
pub use untile::{FirstTile, TileOf, Untile, UntiledOf};
pub use view::{TooShort, View, ViewMut};
pub use with_dims::WithDims;

/// What the macros expand to; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::check::{Valid, check, check_expansion};
    pub use crate::relayout::{Copying, InstructionSet, Settings, fill, relayout_with};
    pub use crate::stored::Plain;
    pub use layout_macros::{hlo, layout, offset, tiles};
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
