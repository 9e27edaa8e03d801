//! What users call on a layout.
//!
//! The order of modules is that of a page of the documentation: the first ones come first on the page of `Array`.

pub(crate) mod constants;

pub(crate) mod offset;

pub(crate) mod layout;

pub(crate) mod table;

pub(crate) mod with_dims;
pub(crate) mod with_dims_u32;

mod compile;
pub(crate) mod same_array;
pub(crate) mod tile_of;
pub(crate) mod tiled;
