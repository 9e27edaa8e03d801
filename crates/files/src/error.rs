//! What goes wrong with files.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use layout::CopyError;
use layout_core::{Message, Visible};

/// An error with the file and the tensor that it is about.
///
/// Its text names both and says what to do. No error leaves a target half written: the old file is still at its path.
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
    Malformed(Message),
    /// The record of layouts is not that of the file.
    Record(Message),
    /// A file is not joined from these shares.
    Share(Message),
    /// The file was written after it was opened.
    Changed {
        /// Bytes that it had.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// The tensor cannot be converted to the requested layout.
    Layout(Message),
    /// The layout of the tensor in the source is needed, or the given one is wrong.
    Source(Message),
    /// The target's format has no such element type.
    ElementType(Message),
    /// The conversion needs another choice of tensors.
    Choice(Message),
    /// The library cannot copy between the two layouts.
    Plan {
        /// The shape before.
        from: String,
        /// The shape after.
        to: String,
        /// Why.
        error: Box<CopyError>,
    },
    /// A layout takes another number of bytes than the tensor has.
    Bytes {
        /// The shape with the layout.
        shape: String,
        /// Bytes of the layout.
        layout: u64,
        /// Bytes of the tensor.
        tensor: u64,
    },
    /// The request is not possible with these files.
    Unsupported(Message),
    /// A byte of the tensor does not fit in the narrower element that it becomes: the element extended to a byte again
    /// (by zeros, or by its sign if its type is signed) would be another byte.
    /// [`Change::truncated`](crate::Change::truncated) allows it.
    Narrow {
        /// The element's index.
        index: Vec<u64>,
        /// The byte.
        value: u8,
        /// Bits of the new element.
        bits: usize,
        /// Whether the element type has a sign.
        is_signed: bool,
    },
    /// The new file differs from its source and the layouts: the first such place of a tensor.
    Check(Box<Difference>),
}

/// A place where a new file differs from its source and the layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The element's index; `None` for padding, for the header, and for a tensor that is only copied.
    pub index: Option<Vec<u64>>,
    /// The place in the source, as a number of bits from the start of the file; `None` for padding and for the header.
    pub source_bit: Option<u64>,
    /// The place in the new file, as a number of bits from its start.
    pub target_bit: u64,
    /// The bits that belong there.
    pub expected: u128,
    /// The bits that are there.
    pub found: u128,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { index, source_bit, target_bit, expected, found } = self;
        let place = |bit: u64| match bit % 8 {
            0 => format!("byte {}", bit / 8),
            within => format!("byte {}, bit {within},", bit / 8),
        };
        let target = place(*target_bit);
        match (index, source_bit.map(place)) {
            (Some(index), Some(source)) => write!(
                f,
                "element {index:?} must be {expected:#x}, from {source} of the source, and is {found:#x} at {target} of the new file"
            ),
            (_, Some(source)) => write!(
                f,
                "{target} of the new file must be {expected:#x}, from {source} of the source, and is {found:#x}"
            ),
            (_, None) => write!(
                f,
                "{target} of the new file holds no element: it must be {expected:#x} and is {found:#x}"
            ),
        }
    }
}

/// An argument of a conversion that is missing or wrong. Each program has its own name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// The layout of a tensor in the source.
    From,
    /// The layout of a tensor in the target.
    To,
    /// Which tensors are converted.
    Tensors,
    /// The layout in the target, or [`Change::truncated`](crate::Change::truncated).
    Truncate,
}

impl Error {
    pub(crate) fn new(path: &Path, kind: ErrorKind) -> Error {
        Error { path: path.to_owned(), tensor: None, kind }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::new(path, ErrorKind::Io(error))
    }

    pub(crate) fn malformed(path: &Path, what: impl Into<Message>) -> Error {
        Error::new(path, ErrorKind::Malformed(what.into()))
    }

    pub(crate) fn unsupported(path: &Path, what: impl Into<Message>) -> Error {
        Error::new(path, ErrorKind::Unsupported(what.into()))
    }

    /// An error of the file that is to be written, whose path is not known yet.
    pub(crate) fn of_target(kind: ErrorKind) -> Error {
        Error::new(Path::new(""), kind)
    }

    /// This error with the path of the target, if it has no path yet: [`Conversion::new`] returns such errors about the
    /// target's format.
    ///
    /// [`Conversion::new`]: crate::Conversion::new
    #[must_use]
    pub fn with_target(mut self, path: &Path) -> Error {
        if self.path.as_os_str().is_empty() {
            self.path = path.to_owned();
        }
        self
    }

    /// This error, with this path if it is the error of a comparison.
    pub(crate) fn if_check_at(mut self, path: &Path) -> Error {
        if matches!(self.kind, ErrorKind::Check(_)) {
            self.path = path.to_owned();
        }
        self
    }

    /// An error that says why a tensor is not given the layout that was asked for.
    pub fn layout(path: &Path, tensor: &str, why: impl Into<Message>) -> Error {
        Error::new(path, ErrorKind::Layout(why.into())).of(tensor)
    }

    /// An error of a tensor whose layout in the source is not known: why [`TensorFile::layout`](crate::TensorFile::layout) has
    /// none.
    pub fn source_layout(path: &Path, tensor: &str, why: impl Into<Message>) -> Error {
        Error::new(path, ErrorKind::Source(why.into())).of(tensor)
    }

    pub(crate) fn of(mut self, tensor: &str) -> Error {
        self.tensor = Some(tensor.to_owned());
        self
    }

    /// The file; empty if it is a target whose path is not known yet: [`with_target`](Self::with_target).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tensor, if it is about one.
    pub fn tensor(&self) -> Option<&str> {
        self.tensor.as_deref()
    }

    /// The kind of the error.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The argument of the conversion to change, if that is known.
    pub fn argument(&self) -> Option<Argument> {
        match &self.kind {
            ErrorKind::Source(_) | ErrorKind::ElementType(_) | ErrorKind::Bytes { .. } => {
                Some(Argument::From)
            }
            ErrorKind::Plan { error, .. } => match **error {
                CopyError::OtherRank { .. }
                | CopyError::OtherSize { .. }
                | CopyError::OtherElements { .. } => Some(Argument::To),
                _ => None,
            },
            ErrorKind::Choice(_) => Some(Argument::Tensors),
            ErrorKind::Narrow { .. } => Some(Argument::Truncate),
            _ => None,
        }
    }

    /// The message, whose help begins with what a program calls the [`argument`](Self::argument).
    ///
    /// # Examples
    /// ```
    /// use std::path::Path;
    ///
    /// use layout_files::{Argument, Error, Message};
    ///
    /// let why = Message::new("elements of type `<V2` have no layout");
    /// let why = why.with_help("say what they are, as in `bf16[300,500]`");
    /// let error = Error::source_layout(Path::new("w.npy"), "w", why);
    /// assert_eq!(error.argument(), Some(Argument::From));
    /// assert_eq!(
    ///     error.worded(|_| "`--from`").to_string(),
    ///     "w.npy: tensor `w`: elements of type `<V2` have no layout\n  = help: `--from`: say what they are, as in `bf16[300,500]`"
    /// );
    /// ```
    pub fn worded(&self, name: impl Fn(Argument) -> &'static str) -> Message {
        let mut message = self.message();
        if let (Some(argument), Some(help)) = (self.argument(), message.help.first_mut()) {
            *help = format!("{}: {help}", name(argument));
        }
        message
    }

    /// The text and its help apart.
    pub fn message(&self) -> Message {
        let mut message = self.kind.message();
        let tensor = self.tensor.as_ref();
        let tensor = tensor.map(|tensor| format!("tensor `{}`: ", Visible(tensor)));
        let path = match self.path.as_os_str().is_empty() {
            true => "the new file".to_owned(),
            false => Visible(&self.path.display().to_string()).to_string(),
        };
        message.what = format!("{path}: {}{}", tensor.unwrap_or_default(), message.what);
        message
    }
}

impl ErrorKind {
    fn message(&self) -> Message {
        match self {
            ErrorKind::Malformed(message)
            | ErrorKind::Record(message)
            | ErrorKind::Share(message)
            | ErrorKind::Layout(message)
            | ErrorKind::Source(message)
            | ErrorKind::ElementType(message)
            | ErrorKind::Choice(message)
            | ErrorKind::Unsupported(message) => message.clone(),
            ErrorKind::Io(error) => {
                let help = match error.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                        "the target is as it was; make room and run it again"
                    }
                    io::ErrorKind::NotFound => "look how the path is written, or make its folder",
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        "allow it, or name another path: a file is written beside its target first"
                    }
                    _ => return Message::new(error),
                };
                Message::new(error).with_help(help)
            }
            ErrorKind::Changed { expected, found } => {
                let what = match expected == found {
                    true => "the file was written while it was read".to_owned(),
                    false => {
                        format!("the file had {expected} bytes when it was opened and now has {found}")
                    }
                };
                let help = "the target is as it was; run it again when nothing writes the file";
                Message::from(what).with_help(help)
            }
            ErrorKind::Plan { from, to, error } => {
                let message = Message::from(format!("from `{from}` to `{to}`: {error}"));
                let help = match **error {
                    CopyError::UnknownSize(_) => "write the size in place of `?`",
                    CopyError::OtherRank { .. }
                    | CopyError::OtherSize { .. }
                    | CopyError::OtherElements { .. } => {
                        "a layout without element type and sizes, as in `{1,0:T(8,128)}`, keeps both"
                    }
                    CopyError::ElementBits { .. } => {
                        "write the `E(..)` of the layout before, or none: bytes alone become narrower, and other elements bytes"
                    }
                    _ => return message,
                };
                message.with_help(help)
            }
            ErrorKind::Bytes { shape, layout, tensor } => {
                Message::from(format!("`{shape}` takes {layout} bytes and the tensor has {tensor}"))
                    .with_help("say how the tensor lies in the file now: its element type, all of its dimensions, its layout")
            }
            ErrorKind::Narrow { index, value, bits, is_signed } => {
                let highest = (1_u16 << bits.saturating_sub(usize::from(*is_signed))) - 1;
                let negative = match is_signed {
                    true => format!(" and 0x{:02x} to 0xff", 0xff - highest),
                    false => String::new(),
                };
                let truncated = match *is_signed && u16::from(*value) <= 2 * highest + 1 {
                    true => ", which is right if the bytes have zeros above negative numbers, as those of ml_dtypes",
                    false => "",
                };
                Message::from(format!(
                    "element {index:?} is 0x{value:02x}, which {bits} bits do not hold: they hold 0x00 to 0x{highest:02x}{negative}"
                ))
                .with_help(format!(
                    "a layout without `E({bits})` keeps the bytes; truncation keeps the low {bits} bits of each{truncated}"
                ))
            }
            ErrorKind::Check(difference) => Message::new(difference).with_help(
                "write the file again; if it is wrong again, this is a mistake of the library: report both layouts",
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            ErrorKind::Plan { error, .. } => Some(&**error),
            _ => None,
        }
    }
}
