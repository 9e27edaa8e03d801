//! What the page asks of the library. Each function takes texts as people write them, and answers with JSON of texts,
//! numbers and pictures, or of what is wrong.

mod array;
mod call;
mod compare;
mod element;
mod program;
mod reading;
mod refusal;
mod shared;
mod tpu;

pub use array::{code, layout, steps};
pub use call::{answered, ask, give};
pub use compare::compare;
pub use element::element;
pub use program::program;
pub use shared::{banks, fragment};
pub use tpu::{pallas, tpus};

use layout_core::tpu::Tpu;
use layout_gpu::code::Language;
use layout_picture::Label;

/// The names that a person chooses from.
pub fn names() -> String {
    let listed = |names: &str| names.split(", ").map(str::to_owned).collect::<Vec<_>>();
    serde_json::json!({
        "devices": layout_hlo::device_names().collect::<Vec<_>>(),
        "labels": listed(Label::NAMES),
        "languages": listed(Language::NAMES),
        "tpus": listed(Tpu::NAMES),
    })
    .to_string()
}
