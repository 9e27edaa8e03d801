//! Which way a copy of packed elements goes: as runs of bytes, by rows, or by blocks, which may be planned before.

use layout_core::base::width::native;
use layout_core::{Size, each};

use crate::kernel::exchange::widths::Widths;
use crate::plan::{Kernel, Plan};
use crate::policy::LONG;

/// Elements of a row on both sides, if the kernel moves rows, else 0.
const fn run_of(plan: &Plan) -> usize {
    match plan.kernel {
        Kernel::Run => native(plan.elements_as_one)
            .saturating_mul(native(plan.loops[plan.source_minor as usize].extent)),
        _ => 0,
    }
}

/// Whether stretches that both layouts have are so long that they are copied as such.
pub const fn has_long_runs(plan: &Plan, widths: Widths) -> bool {
    let is_repacked = widths.src == widths.dst && widths.fixed == 0;
    is_repacked && run_of(plan) >= LONG * 8 / widths.dst as usize
}

/// Elements of a row from which on it is packed or unpacked by itself. Shorter ones are if they are no part of a block.
const ROW: usize = 64;

/// Whether a copy goes by rows, not by blocks.
pub const fn goes_by_rows(plan: &Plan, widths: Widths) -> bool {
    let run = run_of(plan);
    widths.src != widths.dst && (run >= ROW || run > 0 && !run.is_power_of_two())
}

/// Elements of an array up to which they are moved one by one: to plan blocks takes longer.
const FEW: Size = 1024;

/// Elements of an array, or more: the last values of a loop may have none.
const fn elements(plan: &Plan) -> Size {
    let mut elements: Size = 1;
    each!(for number in 0..plan.len as usize {
        elements = elements.saturating_mul(plan.loops[number].extent);
    });
    elements
}

/// Whether elements are moved one by one where no blocks are planned before the call.
pub const fn goes_one_by_one(plan: &Plan) -> bool {
    elements(plan) <= FEW
}

/// Bytes up to which a copy has its passes as constants, which take some kilobytes: larger ones take longer than to plan them.
const CONSTANT_BYTES: Size = 16 << 10;

/// Whether a copy goes by blocks.
pub const fn goes_by_blocks(plan: &Plan, widths: Widths) -> bool {
    let has_digits = !plan.is_empty() && !plan.is_general() && plan.has_layout_strides();
    has_digits && !has_long_runs(plan, widths) && !goes_by_rows(plan, widths)
}

/// Whether blocks of a copy that the compiler knows are planned before it is made.
pub const fn has_constant_blocks(plan: &Plan, widths: Widths) -> bool {
    elements(plan) <= CONSTANT_BYTES * 8 / widths.dst as Size && goes_by_blocks(plan, widths)
}
