//! Copying an array from any layout to any other.

mod any;
mod boxes;
mod choice;
mod copier;
pub(crate) mod copy;
mod destination;
pub(crate) mod error;
mod inline;
mod methods;
pub(crate) mod packed;
pub(crate) mod padding;
#[cfg(feature = "alloc")]
mod row_major;
pub(crate) mod slice;
mod strided;
mod uninit;
mod value;

pub use copier::{Copier, CopyError};
pub use copy::{relayout, relayout_with};
pub use destination::Destination;
pub use error::{RelayoutError, Side};
pub use inline::{copied_inline, relayout_const};
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use packed::{pack, repack, unpack};
pub use padding::Padding;
pub use strided::loops::{between_strides_inline, from_strides_inline, to_strides_inline};
pub use strided::part::PartOfBlocks;
pub use strided::value::StridedRelayout;
pub use uninit::relayout_uninit;
pub use value::Relayout;
pub use value::error::RelayoutPlanError;
#[cfg(feature = "alloc")]
pub use value::parts::PlannedParts;
