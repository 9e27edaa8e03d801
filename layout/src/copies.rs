//! Settings of [copies](crate::copy()), and what they read and write.

// The order of modules is that of a page of the documentation: how a `Copier` is made and run comes first.
pub(crate) mod copier;

pub(crate) mod copy;
pub(crate) mod dest;
mod destination;
pub(crate) mod error;
pub(crate) mod inline;
mod map;
#[cfg(feature = "ndarray")]
mod ndarray;
pub(crate) mod plan;
mod planes;
pub(crate) mod road;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
pub(crate) mod to;

#[doc(hidden)]
pub use road::related::{CopiedAs, CopyTo, MapTo};

pub use dest::Dest;
pub use destination::{Destination, ElementsMut};
pub use error::Side;
pub use inline::copy_const;
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
