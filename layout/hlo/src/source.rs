//! Where an array comes from, in a user's words.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::escape::unescape;
use crate::frames::{Frame, user_frame};
use crate::memory::Memory;
use layout_core::Visible;

/// Where an array comes from: an argument by its name, else the line of the user's program.
///
/// It displays as `argument params['w']`, as `model.py:31 loss (tanh)`, or, where the text has no lines, as the
/// instruction's name.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Source<'m> {
    /// The name of the instruction.
    pub instruction: &'m str,
    /// The operation of JAX, or the name of an argument; empty if the text does not say it.
    pub operation: Cow<'m, str>,
    /// Whether it is an argument.
    pub is_argument: bool,
    /// Lines of the program, the innermost first, those of libraries too.
    pub stack: Vec<Frame<'m>>,
}

impl<'m> Source<'m> {
    /// The innermost line that is not in an installed package.
    pub fn frame(&self) -> Option<Frame<'m>> {
        user_frame(&self.stack)
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = Visible(&self.operation);
        match self.frame() {
            _ if self.is_argument => write!(f, "argument {operation}"),
            Some(frame) if self.operation.is_empty() => write!(f, "{frame}"),
            Some(frame) => write!(f, "{frame} ({operation})"),
            None => write!(f, "`{}`", Visible(self.instruction)),
        }
    }
}

impl<'m> Memory<'m> {
    pub(crate) fn source(&self, operation: usize) -> Source<'m> {
        let program = &self.module.program;
        let found = &program.operations[operation];
        let entry = program.computations.get(program.entry);
        let is_entry = entry.is_some_and(|entry| entry.operations.contains(&operation));
        let is_argument = is_entry && found.opcode == "parameter";
        let name = found.attributes().get("op_name").map(unescape).unwrap_or_default();
        let operation_name = match (is_argument, name) {
            (true, name) if name.is_empty() => Cow::Borrowed(found.name),
            (true, name) => name,
            (false, Cow::Borrowed(name)) => {
                Cow::Borrowed(name.rsplit('/').next().unwrap_or_default())
            }
            (false, Cow::Owned(name)) => {
                Cow::Owned(name.rsplit('/').next().unwrap_or_default().into())
            }
        };
        let stack = if is_argument {
            Vec::new()
        } else {
            self.frames.near(program, &self.users, operation)
        };
        Source { instruction: found.name, operation: operation_name, is_argument, stack }
    }
}
