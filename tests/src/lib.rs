//! What the tests share: a naive model of layouts and the data files.

pub mod agree;
pub mod amount;
pub mod bits;
pub mod build;
pub mod code;
pub mod copies;
pub mod corpus;
pub mod data;
pub mod extreme;
pub mod formula;
pub mod fuzz;
pub mod lists;
pub mod naive;
pub mod notations;
pub mod pairs;
pub mod pictures;
pub mod random;
pub mod slices;
pub mod table;
mod terms;
mod unknown;

use layout::copies::RelayoutPlanError;
use layout::{ArrayShape, Relayout};

/// Plans a copy. It names all kernels, which are compiled for this crate then, and not for each binary of tests.
pub static PLAN: fn(&ArrayShape, &ArrayShape) -> Result<Relayout, RelayoutPlanError> =
    Relayout::new;
