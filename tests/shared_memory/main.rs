//! Shared memory and registers of GPUs, against rows of the programs that write them.

mod banks;
mod borders;
mod descriptors;
mod fragments;
mod pictures;
mod refused;
mod shared;
mod swizzles;
mod tensor_maps;
