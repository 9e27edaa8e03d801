//! Faults of shapes: their messages and help, the error that collects them, and their places.

pub(crate) mod error;
pub(crate) mod kind;
#[cfg(feature = "alloc")]
pub(crate) mod message;
pub(crate) mod place;

pub(crate) use error::Faults;
pub use error::{Error, Fault, MAX_FAULTS};
pub use kind::{Count, FaultKind};
pub(crate) use place::Places;
pub use place::{Place, Span};
