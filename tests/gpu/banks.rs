//! Bank conflicts.
