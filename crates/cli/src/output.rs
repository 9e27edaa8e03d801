//! What a command answers, and writing it.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

use layout_core::{Message, Size};
use serde_json::Value;

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

    /// JSON in a line.
    pub(crate) fn json(answer: &Value) -> Result<Answer, Refusal> {
        Ok(Answer::yes(serde_json::to_string(answer)? + "\n"))
    }
}

/// Why a command cannot answer: a message for the standard error.
pub(crate) struct Refusal(pub Message);

impl Refusal {
    /// With what to do about it.
    pub(crate) fn new(what: impl Display, help: impl Display) -> Refusal {
        Refusal(Message::new(what).with_help(help))
    }
}

impl<T: Display> From<T> for Refusal {
    fn from(error: T) -> Refusal {
        Refusal(Message::new(error))
    }
}

/// Text with names at the left.
pub(crate) struct Page {
    pub text: String,
}

impl Page {
    pub(crate) fn row(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.text, "  {name:11} {value}");
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// A number of things: `1 byte`, `2 bytes`.
pub(crate) fn count(number: Size, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Writes the answer. That nobody reads it any more is not an error.
pub(crate) fn write(answer: Result<Answer, Refusal>) -> ExitCode {
    let written = answer.and_then(|answer| {
        let mut out = io::stdout().lock();
        match out.write_all(answer.text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("standard output: {error}").into())
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
