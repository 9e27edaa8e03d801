//! What becomes of a tensor.

use layout::ArrayShape;

use crate::sidecar::{Form, Record};

/// Layouts of a tensor before and after a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub(crate) from: ArrayShape,
    pub(crate) to: ArrayShape,
    /// The tensor as it was before the change that is undone.
    pub(crate) undone: Option<Form>,
}

impl Change {
    /// The tensor lies as `from` and shall lie as `to`.
    pub const fn new(from: ArrayShape, to: ArrayShape) -> Change {
        Change { from, to, undone: None }
    }

    /// Undoes the change of a record.
    pub fn back(record: &Record) -> Change {
        let Record { before, after } = record;
        Change { from: after.layout(), to: before.layout(), undone: Some(before.clone()) }
    }
}
