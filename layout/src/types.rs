//! What the type of a layout is written with.

pub(crate) mod array;
pub mod element;
pub mod format;
pub(crate) mod index;
pub(crate) mod list;
pub(crate) mod marker;
pub(crate) mod other;
pub mod property;
pub(crate) mod sealed;
pub(crate) mod tiles;

pub use index::IndexArray;
pub use list::{
    AtMost, C, DimList, DimType, Dims, Dyn, NumberList, NumberType, Star, StaticDim, StaticDims,
    Tile, TileDimType, TileList,
};
pub use other::{BufferOf, Opaque, Token};
pub use tiles::{TileSpec, Tiles, Untiled};
