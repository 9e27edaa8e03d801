//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(crate) mod bits;
mod block;
pub(crate) mod blocks;
mod choice;
mod gathered;
mod lanes;
pub(crate) mod narrow;
mod passes;
pub(crate) mod planned;
mod rows;
mod steps;
pub(crate) mod ways;
pub(crate) mod widths;

use crate::plan::Plan;

use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::Destination;
use crate::kernel::settings::InstructionSet;
use crate::one_byte::Extend;

/// Moves elements by a plan that exchanges bits. Arguments: size of an element in bytes, source, destination, instruction set. The
/// slices are as long as the layouts ask.
pub(crate) type Exchanging = fn(&Plan, usize, &[u8], Destination<'_>, InstructionSet);

/// For a plan whose array has no edges.
pub(crate) fn whole(
    plan: &Plan,
    element: usize,
    src: &[u8],
    dst: Destination<'_>,
    set: InstructionSet,
) {
    let fixed = element.trailing_zeros() as u8;
    let widths = Widths { src: 8, dst: 8, fixed, extend: Extend::Zeros, mirrors: [false; 2] };
    blocks::copy(plan, None, widths, src, dst, set);
}
