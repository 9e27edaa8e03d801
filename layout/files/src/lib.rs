#![doc = include_str!("../README.md")]

mod change;
mod conversion;
mod digest;
mod dtype;
mod error;
mod format;
mod join;
mod map;
mod output;
mod program;
mod share;
mod sidecar;
mod target;
mod tensor;
mod tensor_file;

pub use change::Change;
pub use conversion::{Conversion, TensorChange};
pub use dtype::Dtype;
pub use error::{Argument, Error, ErrorKind};
pub use format::Format;
pub use join::join;
pub use program::{Arguments, Misfit, Parameter};
pub use share::Share;
pub use sidecar::{Form, Record, Sidecar};
pub use tensor::Tensor;
pub use tensor_file::TensorFile;
