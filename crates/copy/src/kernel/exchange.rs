//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(crate) mod bits;
mod block;
pub(crate) mod blocks;
mod gathered;
mod lanes;
pub(crate) mod narrow;
mod order;
mod passes;
pub(crate) mod planned;
mod rows;
pub(crate) mod ways;
pub(crate) mod widths;

use layout_core::Size;

use crate::kernel::exchange::planned::Blocks;
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::Destination;
use crate::kernel::settings::InstructionSet;
use crate::one_byte::Extend;
use crate::plan::Plan;

/// Moves elements of whole bytes by a plan that exchanges bits. Arguments: its blocks, if they are kept, size of an element in bytes,
/// source, destination, instruction set. The slices are as long as the layouts ask.
pub(crate) type Exchanging =
    fn(&Plan, Option<&Blocks>, usize, &[u8], Destination<'_>, InstructionSet);

/// Elements of whole bytes.
const fn widths(element: usize) -> Widths {
    let fixed = element.trailing_zeros() as u8;
    Widths { src: 8, dst: 8, fixed, extend: Extend::Zeros, mirrors: [false; 2] }
}

/// By a plan whose array has no edges.
pub(crate) fn whole(
    plan: &Plan,
    kept: Option<&Blocks>,
    element: usize,
    src: &[u8],
    dst: Destination<'_>,
    set: InstructionSet,
) {
    blocks::copy(plan, kept, widths(element), src, dst, set);
}

/// The blocks of a plan that exchanges bits.
pub(crate) fn blocks_of(plan: &Plan, element: usize) -> Blocks {
    let plan = plan.at_edges(element as Size, &mut |_, _| ());
    Blocks::of(&plan, widths(element), InstructionSet::best())
}
