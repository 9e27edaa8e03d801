//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

mod block;
pub(crate) mod blocks;
mod ends;
mod gathered;
mod lanes;
pub(crate) mod narrow;
mod order;
mod passes;
pub(crate) mod place;
pub(crate) mod planned;
mod rows;
pub(crate) mod ways;
pub(crate) mod widths;
mod words;
