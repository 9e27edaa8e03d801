//! Texts of shardings: `hlo` those of HLO, `named` those by the names of a mesh's axes; `groups` of collectives.

#[macro_use]
pub(crate) mod fault;
pub(crate) mod cursor;
pub(crate) mod groups;
pub(crate) mod hlo;
pub(crate) mod named;
