//! What the type of a layout is written with.

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
