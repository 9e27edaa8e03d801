//! An architecture without kernels in vectors.

use layout_core::__private::Plan;

use crate::relayout::kernel::copying::{Copying, Exchange};
use crate::relayout::kernel::portable::MoveBlocks;
use crate::relayout::kernel::settings::InstructionSet;

/// There are none but the exchange of bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Kernels {
    exchange: Option<Exchange>,
}

impl Kernels {
    #[inline]
    pub(in crate::relayout) const fn of(plan: &Plan, element: usize) -> Kernels {
        Kernels { exchange: Exchange::of(plan, element) }
    }

    pub(in crate::relayout) const fn exchange(&self) -> Option<Exchange> {
        self.exchange
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
