//! Descriptors of shared memory and of instructions.
