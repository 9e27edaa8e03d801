//! Which way a copy of packed elements goes.

use layout_core::base::width::native;
use layout_core::{Size, each};

use crate::kernel::bits::widths::Widths;
use crate::kernel::policy::LONG;
use crate::loops::{Kernel, Loop, Plan};

/// How the elements are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One by one: the layouts share no digits, or go backwards.
    Elements,
    /// As stretches that both layouts have, and that are so long that they are copied as such.
    Runs,
    /// As rows of the packed side, each of which is packed or unpacked by itself.
    Rows,
    /// By blocks, which may be planned before.
    Blocks,
}

/// Elements of a row from which on it is packed or unpacked by itself.
const ROW: usize = 64;
/// Elements of a row up to which a word of bytes has several rows. Longer ones are packed by themselves too if they leave places of a
/// block free: rows of 5 and of 21 nibbles take half of the time, those of 3 a third of it by blocks.
const SEVERAL: usize = 4;

/// Elements of an array up to which they are moved one by one where no blocks are planned before: to plan blocks takes longer.
pub(crate) const FEW: Size = 1024;

/// Bytes up to which a copy has its passes as constants, which take some kilobytes: larger ones take longer than to plan them.
const CONSTANT_BYTES: Size = 16 << 10;

impl Way {
    /// The way of a plan.
    pub const fn of(plan: &Plan, widths: Widths) -> Way {
        let run = run(plan);
        let are_packed = widths.src == widths.dst && widths.fixed == 0;
        if plan.is_empty() || plan.is_general() || !plan.has_layout_strides() {
            Way::Elements
        } else if are_packed && run >= LONG * 8 / widths.dst as usize {
            Way::Runs
        } else if widths.src != widths.dst
            && (run >= ROW || run > SEVERAL && !run.is_power_of_two())
        {
            Way::Rows
        } else {
            Way::Blocks
        }
    }
}

/// Elements of a row on both sides.
const fn run(plan: &Plan) -> usize {
    match plan.kernel {
        Kernel::Run => native(plan.elements_as_one)
            .saturating_mul(native(plan.loops[plan.source_minor as usize].extent)),
        _ => 0,
    }
}

/// What a copy of runs takes before the first of them, in nanoseconds.
const FIRST: usize = 250;

/// What a copy takes run by run, in nanoseconds as blocks take: 9 for a run that may begin within a byte, 2 for
/// one of fewer bytes than a word, else 1.
pub(super) const fn runs_time(plan: &Plan, widths: Widths) -> usize {
    let run = run(plan);
    if run == 0 || widths.src != widths.dst {
        return usize::MAX;
    }
    let of_run = match in_bytes(plan, widths) {
        None => 9,
        Some(_) if run * (widths.dst as usize) < 64 => 2,
        Some(_) => 1,
    };
    (native(elements(plan)) / run).saturating_mul(of_run).saturating_add(FIRST)
}

/// The plan for bytes, if each byte has the same elements in both layouts. The plan's kernel is for runs.
pub(crate) const fn in_bytes(plan: &Plan, widths: Widths) -> Option<Plan> {
    let per_byte = (8 / widths.dst) as Size;
    let last = some!((plan.len as usize).checked_sub(1));
    let Loop { unit, extent, src, dst } = plan.loops[last];
    // Where the dimension ends within a byte, the rest of that byte is padding.
    let ends_with_byte = plan.sizes[plan.dims[last] as usize].is_multiple_of(unit * per_byte);
    let are_bytes = extent.is_multiple_of(per_byte) && ends_with_byte;
    if src != 1 || dst != 1 || !are_bytes || widths.mirrors[0] != widths.mirrors[1] {
        return None;
    }
    let mut plan = *plan;
    (plan.loops[last].unit, plan.loops[last].extent) = (unit * per_byte, extent / per_byte);
    each!(for number in 0..last {
        let Loop { src, dst, .. } = &mut plan.loops[number];
        if !src.is_multiple_of(per_byte) || !dst.is_multiple_of(per_byte) {
            return None;
        }
        (*src, *dst) = (*src / per_byte, *dst / per_byte);
    });
    if plan.element_loops < plan.len {
        plan.elements_as_one /= per_byte;
    }
    Some(plan)
}

/// Elements of an array, or more: the last values of a loop may have none.
pub(crate) const fn elements(plan: &Plan) -> Size {
    let mut elements: Size = 1;
    each!(for number in 0..plan.len as usize {
        elements = elements.saturating_mul(plan.loops[number].extent);
    });
    elements
}

/// Whether blocks of a copy that the compiler knows are planned before it is made.
pub(super) const fn has_constant_blocks(plan: &Plan, widths: Widths) -> bool {
    elements(plan) <= CONSTANT_BYTES * 8 / widths.dst as Size
        && matches!(Way::of(plan, widths), Way::Blocks)
}
