//! An architecture without kernels in vectors.

use layout_core::__private::Plan;

use crate::relayout::kernel::copying::{Copying, Exchange};
use crate::relayout::kernel::portable::MoveBlocks;
use crate::relayout::kernel::settings::InstructionSet;

/// There are none.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Kernels;

impl Kernels {
    pub(in crate::relayout) const fn of(_: &Plan, _: usize) -> Kernels {
        Kernels
    }

    pub(in crate::relayout) const fn exchange(&self) -> Option<Exchange> {
        None
    }
}

/// Nothing is moved.
pub(in super::super) fn copy<const GENERAL: bool, U>(
    _: &Copying<'_>,
    _: MoveBlocks<U>,
    _: &[U],
    _: &mut [U],
    _: Option<InstructionSet>,
    _: bool,
) -> bool {
    false
}
