//! The commands, a file each.

pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod conflicts;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod formats;
pub(crate) mod hlo;
pub(crate) mod install;
pub(crate) mod pallas;
pub(crate) mod reshard;
pub(crate) mod shard;
pub(crate) mod show;
