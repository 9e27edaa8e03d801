//! What becomes of a tensor.

use layout::ArrayShape;

use crate::sidecar::Record;

/// Layouts of a tensor before and after a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub(crate) from: ArrayShape,
    pub(crate) to: ArrayShape,
    /// What it undoes.
    pub(crate) undone: Option<Record>,
}

impl Change {
    /// The tensor lies as `from` and shall lie as `to`.
    pub const fn new(from: ArrayShape, to: ArrayShape) -> Change {
        Change { from, to, undone: None }
    }

    /// Undoes the change of a record.
    pub fn back(record: &Record) -> Change {
        Change { from: record.after, to: record.before, undone: Some(record.clone()) }
    }
}
