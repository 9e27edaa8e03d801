//! The tables of formats, a family each.

pub mod amd;
pub mod ggml;
pub mod instruction;
pub mod nvidia;
pub mod one_dnn;
pub mod tensor;
pub mod weights;
