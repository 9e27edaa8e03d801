//! An architecture without kernels in vectors.

use crate::relayout::kernel::copying::Copying;
use crate::relayout::kernel::settings::InstructionSet;

/// Nothing is moved.
pub(in super::super) fn copy<U>(
    _: &Copying<'_>,
    _: &[U],
    _: &mut [U],
    _: Option<InstructionSet>,
    _: bool,
) -> bool {
    false
}
