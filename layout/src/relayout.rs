//! Copying an array from any layout to any other.

mod boxes;
mod choice;
mod copier;
pub(crate) mod copy;
pub(crate) mod dest;
mod destination;
pub(crate) mod error;
mod inline;
mod methods;
pub(crate) mod packed;
pub(crate) mod padding;
mod plan;
#[cfg(feature = "alloc")]
mod row_major;
pub(crate) mod slice;
mod strided;
mod uninit;

pub use copier::Copier;
pub use copy::{copy, copy_with};
pub use dest::Dest;
pub use destination::Destination;
pub use error::{CopyError, Side};
pub use inline::{copied_inline, copy_const};
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use padding::Padding;
pub use plan::Plan;
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
pub use strided::loops::{between_strides_inline, from_strides_inline, to_strides_inline};
