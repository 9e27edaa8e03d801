//! What goes wrong with files.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use layout::{RelayoutPlanError, Visible};

/// What went wrong, in which file and with which tensor of it.
///
/// Its text names both and says what to do. No error leaves a target half written: what stood at its path before
/// is still there.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    tensor: Option<String>,
    kind: ErrorKind,
}

/// Why a file cannot be read, converted or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused it.
    Io(io::Error),
    /// The file is not what its name says, or is damaged.
    Malformed(String),
    /// The record of layouts is not that of the file.
    Record(String),
    /// The file was written after it was opened.
    Changed {
        /// Bytes that it had.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// The tensor cannot be converted as asked.
    Layout(String),
    /// There is no copy between the two layouts.
    Plan(RelayoutPlanError),
    /// A layout takes another number of bytes than the tensor has.
    Bytes {
        /// Bytes of the layout.
        layout: u64,
        /// Bytes of the tensor.
        tensor: u64,
    },
    /// What was asked for cannot be done with these files.
    Unsupported(String),
    /// An element is another one in the new file.
    Check {
        /// The byte of the tensor, in the source, at which the first such element lies.
        byte: u64,
    },
}

impl Error {
    pub(crate) fn new(path: &Path, kind: ErrorKind) -> Error {
        Error { path: path.to_owned(), tensor: None, kind }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::new(path, ErrorKind::Io(error))
    }

    pub(crate) fn malformed(path: &Path, what: impl Into<String>) -> Error {
        Error::new(path, ErrorKind::Malformed(what.into()))
    }

    /// An error that says why a tensor is not given the layout that was asked for.
    pub fn layout(path: &Path, tensor: &str, why: impl fmt::Display) -> Error {
        Error::new(path, ErrorKind::Layout(why.to_string())).of(tensor)
    }

    pub(crate) fn of(mut self, tensor: &str) -> Error {
        self.tensor = Some(tensor.to_owned());
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tensor, if it is about one.
    pub fn tensor(&self) -> Option<&str> {
        self.tensor.as_deref()
    }

    /// What went wrong.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", Visible(&self.path.display().to_string()))?;
        if let Some(tensor) = &self.tensor {
            write!(f, "tensor `{}`: ", Visible(tensor))?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Io(error) => {
                error.fmt(f)?;
                let help = match error.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                        "the target is as it was; make room and run it again"
                    }
                    io::ErrorKind::NotFound => "look how the path is written, or make its folder",
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        "allow it, or name another path: a file is written beside its target first"
                    }
                    _ => return Ok(()),
                };
                write!(f, "\n  = help: {help}")
            }
            ErrorKind::Changed { expected, found } => {
                match expected == found {
                    true => f.write_str("the file was written while it was read")?,
                    false => write!(
                        f,
                        "the file had {expected} bytes when it was opened and now has {found}"
                    )?,
                }
                f.write_str("\n  = help: the target is as it was; run it again when nothing writes the file")
            }
            ErrorKind::Malformed(why)
            | ErrorKind::Record(why)
            | ErrorKind::Layout(why)
            | ErrorKind::Unsupported(why) => f.write_str(why),
            ErrorKind::Plan(error) => error.fmt(f),
            ErrorKind::Bytes { layout, tensor } => write!(
                f,
                "the layout takes {layout} bytes and the tensor has {tensor}\n  = help: `--from` says how the tensor lies in the file now"
            ),
            ErrorKind::Check { byte } => write!(
                f,
                "the element at byte {byte} of the tensor is another one in the new file\n  = help: the target is as it was; elements of the new layout are too narrow for its values, or the disk is damaged"
            ),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            ErrorKind::Plan(error) => Some(error),
            _ => None,
        }
    }
}
