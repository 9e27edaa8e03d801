//! What becomes of a tensor.

use layout::ArrayShape;

use crate::sidecar::{Form, Record};

/// What a conversion does with a tensor: its layouts before and after, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub(crate) layouts: Option<[ArrayShape; 2]>,
    /// The tensor as it was before the change that is undone.
    pub(crate) undone: Option<Form>,
}

impl Change {
    /// The tensor is written as it is, in another format perhaps.
    pub const NONE: Change = Change { layouts: None, undone: None };

    /// The tensor lies as `from` and shall lie as `to`.
    pub const fn new(from: ArrayShape, to: ArrayShape) -> Change {
        Change { layouts: Some([from, to]), undone: None }
    }

    /// Undoes the change of a record.
    pub fn back(record: &Record) -> Change {
        let Record { before, after } = record;
        Change { layouts: Some([after.layout(), before.layout()]), undone: Some(before.clone()) }
    }
}
