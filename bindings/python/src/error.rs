//! Errors of the library as exceptions.

use std::fmt::Display;
use std::io;

use layout_files::{Argument, ErrorKind, Message};
use pyo3::create_exception;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;

/// Characters of a wrong name that an error repeats.
const MOST: usize = 60;

create_exception!(
    tiled_layout,
    LayoutError,
    PyValueError,
    "A layout, an array or a file that is refused. Its text says what is wrong, marks the place and says what to write.\n\n\
     >>> tiled_layout.parse('f23[3,5]')\n\
     Traceback (most recent call last):\n\
     ...\n\
     tiled_layout.LayoutError: unknown element type\n  \
       | f23[3,5]\n  \
       | ^^^\n  \
       = help: did you mean `f32`?\n"
);

/// Any error of the library.
pub(crate) fn refusal(error: impl Display) -> PyErr {
    LayoutError::new_err(error.to_string())
}

/// An error with the help that follows it.
pub(crate) fn refused(what: impl Display, help: impl Display) -> PyErr {
    refusal(Message::new(what).with_help(help))
}

/// An argument whose type is right, but with a number or a text that only Python has.
pub(crate) fn argument<'a, 'py, T>(given: &'a Bound<'py, PyAny>) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    let py = given.py();
    given.extract::<T>().map_err(|error| {
        let help = match () {
            () if error.is_instance_of::<PyOverflowError>(py) => "numbers count from 0, below 2^63",
            () if error.is_instance_of::<PyUnicodeEncodeError>(py) => {
                "write text without surrogates"
            }
            () => return error,
        };
        refused(error.value(py), help)
    })
}

/// The beginning of a text, in quotes.
pub(crate) fn shown(text: &str) -> String {
    let dots = if text.chars().nth(MOST).is_some() { ".." } else { "" };
    format!("{:?}{dots}", text.chars().take(MOST).collect::<String>())
}

/// What the operating system refused is an `OSError`, and of the class that Python gives it. Helps name Python's arguments.
pub(crate) fn of_file(error: layout_files::Error) -> PyErr {
    match error.kind() {
        ErrorKind::Io(cause) => io::Error::new(cause.kind(), error.to_string()).into(),
        _ => refusal(error.worded(|argument| match argument {
            Argument::From => "`from_`",
            Argument::To => "`to`",
            Argument::Tensors => "a function as `to`",
            Argument::Truncate => "`to`, `truncate=True`",
            _ => "the arguments",
        })),
    }
}
