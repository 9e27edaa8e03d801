//! What is wrong and what to do about it, as text.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::base::HELP;

/// A message: what is wrong, and what helps. It displays with each help on a line of its own, as [`Error`](crate::Error)
/// does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong.
    pub what: String,
    /// What to do; empty if nobody knows.
    pub help: Vec<String>,
}

impl Message {
    /// A message without help.
    pub fn new(what: impl fmt::Display) -> Message {
        Message { what: what.to_string(), help: Vec::new() }
    }

    /// This message, with a further help.
    #[must_use]
    pub fn with_help(mut self, help: impl fmt::Display) -> Message {
        self.help.push(help.to_string());
        self
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.help.iter().try_for_each(|help| write!(f, "{HELP}{help}"))
    }
}

impl core::error::Error for Message {}

impl From<&str> for Message {
    fn from(what: &str) -> Message {
        Message::new(what)
    }
}

impl From<String> for Message {
    fn from(what: String) -> Message {
        Message { what, help: Vec::new() }
    }
}
