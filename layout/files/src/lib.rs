#![doc = include_str!("../README.md")]

mod change;
mod conversion;
mod digest;
mod dtype;
mod error;
mod format;
mod join;
mod kernel;
mod map;
mod memory;
mod new_file;
mod output;
mod program;
mod share;
mod sidecar;
mod target;
mod tensor;
mod tensor_file;

pub use change::Change;
pub use conversion::{Check, Checked, Conversion, TensorChange};
pub use dtype::Dtype;
pub use error::{Argument, Difference, Error, ErrorKind};
pub use format::Format;
pub use join::join;
pub use kernel::KernelAnswer;
pub use memory::memory_json;
pub use new_file::{ArrayMemory, NewFile};
pub use program::{Arguments, Misfit, Parameter};
pub use share::Share;
pub use sidecar::{Form, Record, Sidecar};
pub use tensor::Tensor;
pub use tensor_file::TensorFile;
