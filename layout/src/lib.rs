//! Array layouts known at compile time, in XLA's notation: checked by the compiler, free at run time.
//!
//! `F32[3,5]{1,0:T(2,2)}` is a 3×5 array of `f32`. Dimension 1 is the most minor (it varies fastest in
//! memory), and 2×2 tiles cover the array, padded at the edges where tiles extend past it. In the picture
//! each element is its offset in memory, and `░` is padding:
//!
//! ```text
//!   y\x    0  1    2  3    4  5
//!       ┌───────┬───────┬───────┐
//!     0 │  0  1 │  4  5 │  8░░9░│
//!     1 │  2  3 │  6  7 │ 10░11░│
//!       ├───────┼───────┼───────┤
//!     2 │ 12 13 │ 16 17 │ 20░21░│
//!     3 │░14░15░│░18░19░│░22░23░│
//!       └───────┴───────┴───────┘
//! ```
//!
//! # What to use
//!
//! **A layout and its constants**: [`layout!`] turns the notation into a type, [`Array`]. Sizes are constants,
//! offsets `const fn`, and each mistake is a compile error at the offending token.
//!
//! ```
//! # use layout::layout;
//! type A = layout!(F32[3,5]{1,0:T(2,2)});
//! const AT: usize = A::offset([2, 3]); // 17, computed by the compiler
//! # assert_eq!(AT, 17);
//! ```
//!
//! **Memory**: [`View`] and [`ViewMut`] borrow a slice, [`Buffer`] owns aligned memory, [`PackedView`] reads
//! elements narrower than a byte. All are one type, [`Memory`]: indexed, walked by runs of contiguous elements or by tiles,
//! copied to each other.
//!
//! ```
//! # use layout::{Buffer, layout};
//! # type A = layout!(F32[3,5]{1,0:T(2,2)});
//! let mut buffer = Buffer::<A>::zeroed();
//! buffer[[2, 3]] = 1.0; // at offset 17; bounds are checked
//! # assert_eq!(buffer.as_slice()[17], 1.0);
//! ```
//!
//! **Copies**: [`copy`](copy()) copies an array from any layout to any other, as fast as the memory
//! allows for common ones. [`View::reshape`] and [`View::transpose`] copy nothing: they compile if no element has
//! to move.
//!
//! ```
//! # use layout::{Padding, copy, layout};
//! # type A = layout!(F32[3,5]{1,0:T(2,2)});
//! # let (rows, mut tiles) = ([1.0; 15], [0.0; A::PADDED_ELEMENTS]);
//! copy::<layout!(F32[3,5]), A, _>(&rows, &mut tiles, Padding::Zero)?;
//! # assert_eq!((tiles[8], tiles[9]), (1.0, 0.0));
//! # Ok::<(), layout::CopyError>(())
//! ```
//!
//! **Values**: [`ArrayShape`] is a layout as a value, known only at run time, and [`Shape`] is any shape of XLA.
//! [`Digits`](shape::Digits) is a layout prepared for offsets, and [`Plan`] a planned copy between two layouts.
//!
//! ```
//! # use layout::ArrayShape;
//! let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
//! let digits = shape.digits()?;
//! assert_eq!(digits.offset(&[2, 3]), Some(17));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Code that is generic over layouts takes `L:` [`Layout<R>`](Layout) for an array of `R` dimensions, or `L:`
//! [`AnyLayout`] for any rank. A kernel for one arrangement of memory takes `L:` [`TiledBy`], which fixes the order and
//! the tiles. Sizes that are known at run time only are written `?`; [`Array::with_dims`] then gives them. The [`guide`]
//! teaches all of this step by step.
//!
//! # Errors and panics
//!
//! Functions that take data return a `Result` where the data can be wrong: slices, vectors and lists that are too short,
//! arrays of `ndarray`, sizes of dimensions, ranges, texts; a copy between arrays of other sizes. Mistakes of the program panic, as
//! indexing a slice does: an index out of bounds in `[]` and `offset` (`get` and `checked_offset` return an `Option`), a value
//! that does not fit in a packed element. A mistake that the compiler can see is a compile error.
//!
//! # Definitions
//!
//! Dimensions are numbered from 0 as they are written. The order of a layout is *minor to major*: the first
//! dimension listed varies fastest in memory. Offsets and sizes are in elements unless the name says bits or
//! bytes. *Padding* is memory that holds no element.
//!
//! Tiling is pad, reshape, transpose, one tile after another. The bounds that a tile covers are padded to
//! multiples of the tile. Each is split into the number of tiles and the size of a tile, and the sizes of the
//! tile move after all tile counts. The next tile covers the last of the bounds that result. The definition is
//! XLA's document "Tiled layout".
//!
//! # Where things are
//!
//! | to | look at |
//! |---|---|
//! | write a layout, tiles, an order or a permutation | [`layout!`], [`tiles!`], [`order!`], [`permutation!`] |
//! | find a layout's constants and functions | [`Array`]; the traits [`Layout`], [`TiledBy`] and [`AnyLayout`] |
//! | have the offsets of all elements, or the element of each slot, in a table | [`Array::offset_table`], [`Array::element_table`] |
//! | name the layout within one tile | [`TileOf`](types::TileOf) |
//! | write a layout's type without the macro | [`types`], [`element`], [`types::format`], [`types::property`] |
//! | read and write memory | [`Memory`], by its other names: [`View`], [`ViewMut`], [`Buffer`], [`Slice`], [`Strided`] …; items of walks over them: [`walks`] |
//! | read and write elements narrower than a byte; unpack them | [`PackedView`], [`PackedViewMut`]; [`Memory::copy_to`] |
//! | copy from any memory to any other, layouts, parts and strides, packed or not | [`Memory::copy_to`], [`Memory::to`], [`Memory::write_to`] |
//! | compute while copying | [`Memory::map_to`], [`Copier::map`] |
//! | copy between slices | [`copy`](copy()); in a `const`: [`copy_const`](copies::copy_const); with sizes at the call: [`Copier`] |
//! | copy planes in memory of their own | [`Copier::gather`], [`Copier::scatter`] |
//! | set the padding; settings of copies; the error | [`Padding`]; [`copies`]; [`CopyError`] |
//! | copy to a `Vec`, or to memory that is not initialised | [`Dest`](copies::Dest) |
//! | copy between layouts, strides or blocks that are known at run time; elements of any type; a part of an array at a time | [`Plan`] |
//! | work with arrays whose layouts are known only at run time | [`dynamic`] |
//! | parse, check, compute and print layouts at run time | [`ArrayShape`], [`Shape`], [`Error`]; offsets, and types of their fields: [`shape`] |
//! | ask whether a reshape or transpose moves elements | [`bitcast`] |
//! | get the layout that a TPU's compiler chooses, and the cost of padding | [`tpu`] |
//! | find a function of XLA by its name | search these pages for it; `docs/xla.md` in the repository says what to write |
//!
//! # Crates beside this one
//!
//! | to | crate |
//! |---|---|
//! | read a compiled program: its memory, its copies, what to change; check the blocks of Pallas kernels | `tiled-layout-hlo` |
//! | read or write a layout as another system does: oneDNN, TVM, einops, CuTe, MLIR, Mosaic, JAX | `tiled-layout-notation` |
//! | use a packed format by its name, as a value or as a type: Marlin, `Q4_0_4_8`, operands of tensor cores | `tiled-layout-formats` |
//! | generate the functions of a layout for GPU kernels; bank conflicts, fragments, descriptors, tensor maps | `tiled-layout-gpu` |
//! | draw a layout | `tiled-layout-picture` |
//! | convert tensors in files | `tiled-layout-files`; the command `layout` |
//!
//! # Features
//!
//! The crate compiles with Rust 1.89 and later.
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | `alloc`; copies choose their vector instructions at run time; with `default-features = false` the crate is `no_std` |
//! | `alloc` | what needs a heap: [`Buffer`], [`dynamic`], tuples of shapes as values |
//! | `relayout` (default) | copies between layouts: [`copy`](copy()), [`Copier`], [`Plan`]; a program contains only the kernels of its copies |
//! | `rayon` | large copies on several threads; tiles and runs of views as parallel iterators |
//! | `serde` | shapes serialized as their text; buffers as shape, sizes and elements |
//! | `half` | 16-bit floats as the types of the crate `half`; without it they are their bits, in `u16` |
//! | `bytemuck` | views of bytes as views of elements |
//! | `ndarray` | views as views of the crate `ndarray` 0.17; copies from and to its arrays |
//!
//! # Limits
//!
//! A shape beyond a limit is an error that names the limit. [`shape::limits`] has these numbers as constants.
//!
//! | what | at most |
//! |---|---|
//! | dimensions of an array | 16 |
//! | tiles of a layout, repeated ones included | 8 |
//! | sizes in all tiles together | 32 |
//! | split configurations; indices in all of them together | 16; 32 |
//! | levels of nested shapes | 128 |
//! | elements of an array, and bytes in memory with padding | 2⁶³ − 1; for a type on a 32-bit target 2³¹ − 1 |
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "alloc", feature = "relayout")),
    allow(dead_code, unreachable_pub, reason = "copies and values use what other rooms hold")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
extern crate layout_core;

/// Panics with the parts of `say!`, in a `const fn` too.
macro_rules! stop {
    ($($part:expr),+ $(,)?) => {{
        let text: layout_core::__private::Text<320> = text!($($part),+);
        panic!("{}", text.as_str())
    }};
}

/// Makes an error of those that its values hold, so that `?` does.
macro_rules! error_of {
    ($error:ident { $($(#[$feature:meta])? $value:ident($held:ty);)* }) => {$(
        $(#[$feature])?
        impl From<$held> for $error {
            fn from(held: $held) -> $error {
                $error::$value(held)
            }
        }
    )*};
}

/// Implements `Copy` for any parameters: `derive` would require the parameters to be `Copy` too.
macro_rules! copy {
    ($name:ident<$($lifetime:lifetime,)? $($parameter:ident $(: $bound:ident)?),+>) => {
        impl<$($lifetime,)? $($parameter $(: $bound)?),+> Clone for $name<$($lifetime,)? $($parameter),+> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($lifetime,)? $($parameter $(: $bound)?),+> Copy for $name<$($lifetime,)? $($parameter),+> {}
    };
}

mod array;
mod compiled;
#[cfg(feature = "relayout")]
pub mod copies;
#[cfg(feature = "relayout")]
pub mod guide;
mod macros;
pub mod memory;
mod order;
mod reinterpret;
mod spec;
pub mod tpu;
mod walk;

// What it adds to views and copies stands after their own methods.
#[cfg(all(feature = "alloc", feature = "relayout"))]
pub mod dynamic;

// Layouts as types.
pub use array::layout::Layout;
pub use array::tiled::TiledBy;
pub use array::with_dims::WithDims;
pub use compiled::{AnyLayout, StaticLayout};
pub use spec::array::Array;
pub use spec::element;

// Memory.
#[cfg(feature = "alloc")]
pub use memory::Buffer;
pub use memory::error::MemoryError;
pub use memory::{
    Memory, PackedView, PackedViewMut, Slice, SliceMut, Strided, StridedMut, View, ViewMut,
};

// Copies.
#[cfg(feature = "relayout")]
pub use copies::{
    door::copier::Copier, door::copy::copy, error::CopyError, padding::Padding, plan::Plan,
};

// Layouts as values.
pub use layout_core::{ArrayShape, ElementType, Error, Shape};

pub mod bitcast {
    //! Bitcasts: reshapes and transposes that leave every element where it is, so nothing is copied.

    #[doc(inline)]
    pub use layout_copy::bitcast::*;
}

pub mod types {
    //! What the type of a layout is written with, and the traits to bound its parts in generic code.
    //!
    //! [`Array<E, D, M, T, P>`](crate::Array) is a layout where `E:` [`Element`], `D:` [`DimList`], `M:` [`NumberList`],
    //! `T:` [`TileSpec`] and `P:` [`Properties`]. `D:` [`Dims<R>`](Dims) fixes the number of dimensions, and `D:`
    //! [`StaticDims`] requires that the type has all sizes.
    //!
    //! # Examples
    //! Code that is generic over the tiles of a layout:
    //! ```
    //! use layout::types::TileSpec;
    //! use layout::{Layout, TiledBy, layout, order, tiles};
    //!
    //! fn slots<T: TileSpec, L: Layout<2> + TiledBy<order!(1, 0), T>>() -> usize {
    //!     L::PADDED_ELEMENTS
    //! }
    //!
    //! type A = layout!(F32[3,5]{1,0:T(2,2)});
    //! assert_eq!(slots::<tiles!((2,2)), A>(), 24);
    //! ```

    pub use crate::array::same_array::{SameArray, SameDims};
    pub use crate::array::table::Table;
    pub use crate::array::tile_of::{FirstTile, TileOf};
    pub use crate::array::tiled::LooselyTiledBy;
    pub use crate::array::with_dims_u32::WithDimsU32;
    #[doc(no_inline)]
    pub use crate::element;
    pub use crate::memory::bits::{BitOrder, HighFirst, LowFirst};
    pub use crate::memory::stored::{StoredAs, StoredIn};
    pub use crate::spec::{
        AtMost, BufferOf, C, DimList, DimType, Dims, Dyn, Element, IndexArray, LayoutTypes,
        NumberList, NumberType, Opaque, Permutation, PermutationSpec, Properties, Property, Star,
        StaticDim, StaticDims, TileDimType, TileList, TileShape, TileSpec, Tiles, Token, Untiled,
        format, property,
    };
}

pub mod walks {
    //! The types of walks over layouts and memory: iterators, their items and their arguments.
    //!
    //! | a walk | gives | of |
    //! |---|---|---|
    //! | `indices`, `indices_row_major`, `paddings` | indices with their offsets, offsets | a layout |
    //! | `runs` | [`Run`], of memory with its elements | a layout, views, slices |
    //! | `rows` | [`Row`] | views, slices |
    //! | `tiles` | [`Tile`], of memory with its elements | a layout, views, slices |
    //! | `blocks` | [`Block`] | views |

    pub use crate::order::region::{Ranges, Region, SliceError};
    pub use crate::order::run::Run;
    pub use crate::order::tile::Tile;
    pub use crate::walk::block::Block;
    pub use crate::walk::boxes::Boxes;
    pub use crate::walk::row::Row;

    // Iterators: what they give is said where they are made.
    #[doc(hidden)]
    pub use crate::{
        memory::place::Offsets, memory::place::strided::StrideRuns, memory::walked::ByNumber,
        memory::walked::Lies, memory::walked::Numbered, memory::walked::Walked,
        order::grid::RowsOfTile, order::indices::Indices, order::indices::IndicesRowMajor,
        order::indices::Paddings, order::region_walk::RegionRuns, order::run::RunWalk,
        order::run::Runs, order::tile::Tiled, order::tiles::LayoutTiles, walk::block::BlockOffsets,
        walk::block::Blocks, walk::row::RowOffsets, walk::row::Rows,
    };
}

pub mod shape {
    //! The types of an [`ArrayShape`](crate::ArrayShape)'s fields, and of the faults of texts and values.

    #[cfg(feature = "alloc")]
    #[doc(inline)]
    pub use layout_core::Subshapes;
    #[doc(inline)]
    pub use layout_core::{
        ArrayFields, Count, Digits, Dim, DimNumbers, Equal, Fault, FaultKind, Fill, Index, List,
        MAX_FAULTS, Origin, Place, Property, Size, Splits, Swizzle, SwizzleUnit, TileDim, TileDims,
        Tiles, Tuple, UnknownSize, Visible, XorBits, analysis, is_hidden, limits, memory_space,
        permutation,
    };
}

/// What the macros expand to; not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::compiled::check::{Valid, check, check_expansion, check_text};
    #[cfg(feature = "relayout")]
    pub use crate::copies::door::{copy::copy_with, inline::copied_inline};
    pub use crate::order::base::base;
    pub use layout_copy::__private as copies;
    pub use layout_copy::__private::Plain;
    #[cfg(feature = "relayout")]
    pub use layout_copy::__private::{Memory, copy, fill};
    pub use layout_core::__private as core;
    pub use layout_macros::{layout, order, tiles};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
