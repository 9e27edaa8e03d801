//! What the page asks of the library. Each function takes texts as people write them, and answers with JSON of texts,
//! numbers and pictures, or of what is wrong.

mod array;
mod compare;
mod element;
mod program;
mod refusal;
mod shared;
mod tpu;

pub use array::{code, layout, steps};
pub use compare::compare;
pub use element::element;
pub use program::{devices, program};
pub use shared::{banks, fragment};
pub use tpu::{pallas, tpus};
