//! How to copy an array from one layout to another: a nest of loops over the digits that both
//! share, with the innermost ones chosen for a kernel.

mod bits;
mod boxes;
mod coalesce;
mod edges;
mod general;
pub(crate) mod inline;
mod kernel;
mod padding;
mod share;
mod strides;
mod template;

pub(crate) use edges::Past;
pub use inline::Strides;
pub use padding::{PaddingLevel, PaddingPlan};
pub use template::{LEVELS, PlanTemplate, TemplateLoop};
