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

pub(crate) mod compiled;

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod array;
pub mod guide;
mod macros;
mod memory;
mod reinterpret;
mod relayout;
mod text;
pub mod types;
mod walk;

pub use array::layout::Layout;
pub use array::permute::{Permute, Permuted};
pub use array::same_array::SameArray;
pub use array::untile::{FirstTile, TileOf, Untile, UntiledOf};
pub use array::with_dims::WithDims;
pub use compiled::AnyLayout;
#[cfg(feature = "alloc")]
pub use layout_core::picture;
pub use layout_core::{
    ArrayShape, Count, Digits, Dim, DimsError, EditError, ElementType, Error, Fault, FaultKind,
    Fill, Index, List, MAX_FAULTS, Place, Property, Shape, Splits, TileDim, Tiles, analysis,
    bitcast, hlo, limits, memory_space, notation, permutation, tpu, xla,
};
pub use memory::block::{Block, BlockMut};
#[cfg(feature = "alloc")]
pub use memory::buffer::{Buffer, WrongLength};
#[cfg(feature = "bytemuck")]
pub use memory::bytes::BytesError;
#[cfg(feature = "ndarray")]
pub use memory::ndarray::NdarrayError;
pub use memory::packed::{PackedView, PackedViewMut};
pub use memory::slice::Slice;
pub use memory::slot::{SliceMut, Slot};
pub use memory::stored::StoredAs;
pub use memory::tile::{Tile, TileMut};
pub use memory::view::{TooShort, View};
pub use memory::view_mut::ViewMut;
pub use reinterpret::{reshape_is_bitcast, same_bytes, transpose_is_bitcast};
pub use relayout::{OneByte, Padding, RelayoutError, Side, pack, relayout, repack, unpack};
pub use types::array::Array;
pub use types::{element, format, property};
pub use walk::region::{Ranges, Region, SliceError};
pub use walk::run::{Indices, IndicesRowMajor, Paddings, Run, Runs};

/// What the macros expand to; not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::compiled::check::{Valid, check, check_expansion, check_text};
    pub use crate::memory::stored::Plain;
    pub use crate::relayout::kernel::copying::fill;
    pub use crate::relayout::{Copying, InstructionSet, Settings, relayout_with};
    pub use layout_core::__private as core;
    pub use layout_macros::{hlo, layout, offset, tiles};
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
