//! Where an array comes from, in a user's words.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::program::frames::{Frame, user_frame};
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
