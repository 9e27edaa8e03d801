//! The order of memory: runs, tiles, parts of an array.

pub(crate) mod base;
pub(crate) mod grid;
pub(crate) mod indices;
pub(crate) mod odometer;
pub(crate) mod region;
pub(crate) mod region_walk;
pub(crate) mod run;
pub(crate) mod tile;
pub(crate) mod tiles;
