//! Settings of [copies](crate::copy()), and what they read and write.

// The order of modules is that of a page of the documentation: how a `Copier` is made and run comes first.
pub(crate) mod copier;

mod bits;
mod check;
mod choose;
pub(crate) mod copy;
pub(crate) mod dest;
mod destination;
pub(crate) mod error;
mod formats;
pub(crate) mod inline;
mod map;
#[cfg(feature = "ndarray")]
mod ndarray;
pub(crate) mod padding;
mod pair;
pub(crate) mod plan;
mod planes;
mod related;
mod run;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
mod slots;
pub(crate) mod to;

#[doc(hidden)]
pub use related::{CopiedAs, CopyTo, MapTo};

pub use dest::Dest;
pub use destination::{Destination, ElementsMut};
pub use error::Side;
pub use inline::copy_const;
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
