//! The loops of a copy, and what runs in the innermost ones.

pub(crate) mod bits;
pub(crate) mod block;
pub(crate) mod copying;
pub(crate) mod fill;
pub(crate) mod general;
pub(crate) mod nest;
pub mod packed;
pub(crate) mod policy;
pub(crate) mod portable;
pub(crate) mod raw;
pub(crate) mod settings;
pub(crate) mod stretches;
#[cfg(feature = "rayon")]
pub(crate) mod threads;
pub(crate) mod walk;
pub(crate) mod weave;
