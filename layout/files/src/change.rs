//! What becomes of a tensor.

use layout::ArrayShape;

use crate::sidecar::{Form, Record};

/// What a conversion does with a tensor: its layouts before and after, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub(crate) layouts: Option<[ArrayShape; 2]>,
    /// The tensor as it was before the change that is undone.
    pub(crate) undone: Option<Form>,
    pub(crate) is_truncated: bool,
}

impl Change {
    /// The tensor is written as it is, in another format perhaps.
    pub const NONE: Change = Change { layouts: None, undone: None, is_truncated: false };

    /// The tensor lies as `from` and shall lie as `to`.
    pub const fn new(from: ArrayShape, to: ArrayShape) -> Change {
        Change { layouts: Some([from, to]), undone: None, is_truncated: false }
    }

    /// Undoes the change of a record.
    pub fn back(record: &Record) -> Change {
        let Record { before, after } = record;
        let layouts = Some([after.layout(), before.layout()]);
        Change { layouts, undone: Some(before.clone()), is_truncated: false }
    }

    /// The same change, which keeps the low bits alone of bytes that become narrower elements. Else a byte that these
    /// do not hold is an error: [`ErrorKind::Narrow`](crate::ErrorKind::Narrow).
    #[must_use]
    pub const fn truncated(mut self) -> Change {
        self.is_truncated = true;
        self
    }
}
