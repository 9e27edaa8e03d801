//! Settings of [copies](crate::copy()), and what they read and write.

// Doors come first, in the order of a page of the documentation. Behind each lies one road: `related` and `formats` say which places and which
// elements go together, `bits` is the road of elements narrower than a byte, `choose` the only place that chooses, `run` does it; `pair`,
// `slots`, `padding` and `check` are what these are given.
pub(crate) mod door;

mod bits;
mod check;
mod choose;
pub(crate) mod error;
mod formats;
pub(crate) mod padding;
mod pair;
pub(crate) mod plan;
pub(crate) mod related;
mod run;
pub(crate) mod slots;

pub use door::dest::Dest;
pub use door::destination::{Destination, ElementsMut};
pub use door::inline::copy_const;
pub use error::Side;
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use plan::blocks::PartOfBlocks;
pub use plan::parts::PlanPart;
pub use plan::placed::Placed;
#[doc(hidden)]
pub use related::{CopiedAs, CopyTo, MapTo};
