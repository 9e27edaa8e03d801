//! What a command answers, and writing it.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::{ExitCode, exit};

use clap::error::ContextValue;
use layout_core::Visible;

use crate::arguments::Arguments;

/// What goes to the standard output, and what the exit status says.
pub(crate) struct Answer {
    pub text: String,
    /// Whether the status is 0, else 1.
    pub is_yes: bool,
}

impl Answer {
    pub(crate) fn yes(text: String) -> Answer {
        Answer { text, is_yes: true }
    }
}

/// Why there is no answer: a message for the standard error.
pub(crate) struct Refusal(pub String);

impl<T: Display> From<T> for Refusal {
    fn from(error: T) -> Refusal {
        Refusal(error.to_string())
    }
}

/// Says what is wrong with the arguments, or gives help, and ends.
pub(crate) fn usage(mut error: clap::Error) -> Arguments {
    // What was written, not clap's own text, which has lines.
    let visible = |text: &dyn Display| Visible(&text.to_string()).to_string();
    let written = error.context().filter_map(|(kind, value)| {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(visible(text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| visible(text)).collect())
            }
            ContextValue::StyledStrs(texts) => {
                ContextValue::StyledStrs(texts.iter().map(|text| visible(text).into()).collect())
            }
            _ => return None,
        };
        Some((kind, value))
    });
    for (kind, value) in written.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    let written = error.print().and_then(|()| io::stdout().flush());
    match written {
        Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: standard output: {fault}");
            exit(2)
        }
        _ => exit(error.exit_code()),
    }
}

/// Writes the answer. That nobody reads it any more is not an error.
pub(crate) fn write(answer: Result<Answer, Refusal>) -> ExitCode {
    let written = answer.and_then(|answer| {
        let mut out = io::stdout().lock();
        match out.write_all(answer.text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Refusal(format!("standard output: {error}")))
            }
            _ => Ok(answer.is_yes),
        }
    });
    match written {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(Refusal(message)) => {
            // Where the message cannot be written, the status still says it.
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}
