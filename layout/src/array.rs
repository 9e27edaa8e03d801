//! What users call on a layout.

pub(crate) mod code;
mod compile;
pub(crate) mod constants;
pub(crate) mod derived;
pub(crate) mod layout;
pub(crate) mod notation;
pub(crate) mod offset;
pub(crate) mod permute;
pub(crate) mod row_major;
pub(crate) mod same_array;
pub(crate) mod table;
pub(crate) mod tiled;
pub(crate) mod untile;
pub(crate) mod with_dims;
pub(crate) mod with_dims_u32;
