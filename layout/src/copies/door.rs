//! Where a copy begins: each door compares sizes and elements, and resolves the padding.

// The order of modules is that of a page of the documentation: how a `Copier` is made and run comes first.
pub(crate) mod copier;

pub(crate) mod copy;
pub(crate) mod dest;
pub(crate) mod destination;
pub(crate) mod inline;
mod map;
#[cfg(feature = "ndarray")]
mod ndarray;
mod planes;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
pub(crate) mod to;

#[cfg(feature = "alloc")]
pub(crate) mod owned;
