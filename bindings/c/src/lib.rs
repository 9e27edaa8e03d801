#![doc = include_str!("../README.md")]

mod border;
mod digits;
mod error;
mod layout;
mod offsets;
mod relayout;

pub use digits::*;
pub use error::*;
pub use layout::*;
pub use offsets::*;
pub use relayout::*;
