//! An architecture without kernels in vectors.

use crate::relayout::kernel::block::KernelBlock;
use crate::relayout::kernel::copying::Copying;
use crate::relayout::kernel::portable::MoveBlocks;
use crate::relayout::kernel::settings::InstructionSet;

/// There are none.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Kernels;

impl Kernels {
    pub(in crate::relayout) const fn of(_: &KernelBlock, _: usize) -> Kernels {
        Kernels
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
