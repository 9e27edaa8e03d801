//! Fragments of operands.
