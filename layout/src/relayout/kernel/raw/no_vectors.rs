//! An architecture without kernels in vectors.

use layout_core::__private::Plan;

use crate::relayout::kernel::settings::InstructionSet;

/// Nothing is moved.
pub(in super::super) fn copy<U>(
    _: &Plan,
    _: &[U],
    _: &mut [U],
    _: InstructionSet,
    _: bool,
) -> bool {
    false
}
