//! Shared memory and registers of GPUs: bank conflicts, fragments of operands, descriptors and tensor maps.

#[macro_use]
mod error;
mod mode;

pub mod banks;
pub mod descriptor;
pub mod fragment;
pub mod shared;
pub mod tensor_map;
