#![doc = include_str!("../README.md")]

mod conversion;
mod error;
mod format;
mod map;
mod new_file;
mod program;
mod share;
mod sidecar;
mod target;
mod tensor;
mod tensor_file;

pub use conversion::{Check, Conversion, Coverage, TensorChange};
pub use error::{Argument, Difference, Error, ErrorKind};
pub use format::Format;
/// ```
/// use layout_files::Message;
///
/// let message = Message::new("no file is given").with_help("name one");
/// assert_eq!(message.to_string(), "no file is given\n  = help: name one");
/// ```
pub use layout_core::Message;
pub use new_file::{ArrayMemory, NewFile};
pub use program::{Arguments, Misfit, Parameter};
pub use share::Share;
pub use share::join::join;
pub use sidecar::change::Change;
pub use sidecar::{Form, Record, Sidecar};
pub use tensor::Tensor;
pub use tensor::dtype::Dtype;
pub use tensor_file::TensorFile;
