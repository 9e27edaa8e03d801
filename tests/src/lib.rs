//! What the tests share: a naive model of layouts and the data files.

pub mod agree;
pub mod amount;
pub mod bits;
pub mod build;
pub mod code;
#[cfg(feature = "copies")]
pub mod copies;
pub mod corpus;
pub mod cute;
pub mod data;
pub mod extreme;
pub mod files;
pub mod formula;
pub mod fuzz;
pub mod listing;
pub mod lists;
pub mod naive;
pub mod notations;
pub mod pairs;
pub mod pictures;
pub mod random;
pub mod slices;
pub mod strides;
pub mod table;
mod terms;
mod unknown;
