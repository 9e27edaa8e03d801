//! What users call on a layout.

#[cfg(feature = "code")]
pub(crate) mod code;
mod compile;
pub(crate) mod constants;
pub(crate) mod derived;
pub(crate) mod layout;
#[cfg(feature = "notation")]
pub(crate) mod notation;
pub(crate) mod offset;
mod offset_u32;
pub(crate) mod permute;
pub(crate) mod row_major;
pub(crate) mod same_array;
pub(crate) mod table;
pub(crate) mod tiled;
pub(crate) mod untile;
pub(crate) mod with_dims;
pub(crate) mod with_dims_u32;
