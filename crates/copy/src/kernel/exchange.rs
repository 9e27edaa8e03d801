//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(crate) mod bits;
mod block;
pub(crate) mod blocks;
mod gathered;
mod lanes;
pub(crate) mod narrow;
mod order;
mod passes;
pub(crate) mod planned;
mod rows;
pub(crate) mod ways;
pub(crate) mod widths;
