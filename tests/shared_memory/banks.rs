//! Bank conflicts.

mod mistakes;
mod random;
mod rows;
mod search;
