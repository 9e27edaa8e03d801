//! Copying an array from any layout to any other.

// The order of modules is that of a page of the documentation: how a `Copier` is made and run comes first.
mod copier;

mod boxes;
mod choice;
mod copy;
pub(crate) mod dest;
mod destination;
pub(crate) mod error;
mod inline;
#[cfg(feature = "ndarray")]
mod ndarray;
mod packed;
pub(crate) mod padding;
mod parts;
mod places;
mod plan;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
mod sides;
mod to;

#[cfg(feature = "alloc")]
pub(crate) use to::{of_row_major, unpacked};

pub use copier::Copier;
pub use copy::{copy, copy_with};
pub use dest::Dest;
pub use destination::{Destination, ElementsMut, MadeOf, References};
pub use error::{CopyError, Side};
pub use inline::{copied_inline, copy_const};
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use padding::Padding;
pub use places::{BitWidths, CopiedTo, MappedTo, Moved};
pub use plan::Plan;
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
