//! Copying an array from any layout to any other.

// The order of modules is that of a page of the documentation: how a `Copier` is made and run comes first.
mod copier;

mod bits;
mod check;
mod choose;
mod copy;
pub(crate) mod dest;
mod destination;
pub(crate) mod error;
mod formats;
mod inline;
mod map;
#[cfg(feature = "ndarray")]
mod ndarray;
pub(crate) mod padding;
mod pair;
mod plan;
mod planes;
mod related;
mod run;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
mod slots;
mod to;

#[cfg(feature = "alloc")]
pub(crate) use to::{of_row_major, unpacked};

pub use copier::Copier;
pub use copy::{copy, copy_with};
pub use dest::Dest;
pub use destination::{Destination, ElementsMut};
pub use error::{CopyError, Side};
pub use inline::{copied_inline, copy_const};
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use padding::Padding;
pub use plan::Plan;
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
#[doc(hidden)]
pub use related::{CopiedAs, CopyTo, MapTo};
