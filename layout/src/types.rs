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

pub(crate) mod array;
pub mod element;
pub mod format;
pub(crate) mod index;
pub(crate) mod layout_types;
pub(crate) mod list;
pub(crate) mod marker;
pub(crate) mod other;
pub(crate) mod permutation;
pub mod property;
pub(crate) mod sealed;
pub(crate) mod text;
pub(crate) mod tiles;

pub use crate::array::same_array::{SameArray, SameDims};
pub use crate::array::table::Table;
pub use crate::array::tile_of::{FirstTile, TileOf};
pub use crate::array::tiled::LooselyTiledBy;
pub use crate::array::with_dims_u32::WithDimsU32;
pub use crate::memory::bits::{BitOrder, HighFirst, LowFirst};
pub use crate::memory::stored::{StoredAs, StoredIn};
pub use element::Element;
pub use index::IndexArray;
pub use layout_types::LayoutTypes;
pub use list::{
    AtMost, C, DimList, DimType, Dims, Dyn, NumberList, NumberType, Star, StaticDim, StaticDims,
    TileDimType, TileList, TileShape,
};
pub use other::{BufferOf, Opaque, Token};
pub use permutation::{Permutation, PermutationSpec};
pub use property::{Properties, Property};
pub use tiles::{TileSpec, Tiles, Untiled};
