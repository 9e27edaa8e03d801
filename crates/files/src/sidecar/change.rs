//! What becomes of a tensor.

use layout_core::ArrayShape;

use crate::sidecar::Record;

/// The change of one tensor in a conversion: its layouts before and after, or a plain copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub(crate) kind: ChangeKind,
    pub(crate) is_truncated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    Copy,
    Layouts(Box<[ArrayShape; 2]>),
    /// The tensor was changed by the conversion of this number, and was this before.
    Undo(usize, Box<Record>),
}

impl Change {
    /// Writes the tensor as it is, perhaps in another file format.
    pub const NONE: Change = Change { kind: ChangeKind::Copy, is_truncated: false };

    /// Converts the tensor from the layout `from`, which it has, to the layout `to`.
    pub fn new(from: ArrayShape, to: ArrayShape) -> Change {
        Change { kind: ChangeKind::Layouts(Box::new([from, to])), is_truncated: false }
    }

    pub(crate) fn undo(step: usize, before: &Record) -> Change {
        Change { kind: ChangeKind::Undo(step, Box::new(before.clone())), is_truncated: false }
    }

    /// This change, but where bytes become narrower elements it keeps only their low bits. Without `truncated`, a byte that
    /// does not fit in an element is an error: [`ErrorKind::Narrow`](crate::ErrorKind::Narrow).
    #[must_use]
    pub const fn truncated(mut self) -> Change {
        self.is_truncated = true;
        self
    }
}
