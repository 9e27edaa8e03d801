//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(in crate::relayout) mod bits;
mod block;
pub(in crate::relayout) mod blocks;
mod choice;
mod lanes;
pub(in crate::relayout) mod narrow;
mod passes;
pub(in crate::relayout) mod widths;

use layout_core::__private::Plan;

use crate::relayout::kernel::exchange::widths::{Extend, Widths};
use crate::relayout::kernel::raw::VectorSize;
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::policy;

/// Moves elements of whole bytes by exchanging bits of their numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Exchange {
    /// With an instruction set and around the cache or not, elements of so many bytes.
    pub run: fn(&Plan, usize, &[u8], &mut [u8], InstructionSet, bool),
    /// The vectors that are needed.
    pub least: VectorSize,
}

impl Exchange {
    /// For a plan of elements of so many bytes, if that is the fastest.
    pub(in crate::relayout) const fn of(plan: &Plan, element: usize) -> Option<Exchange> {
        match policy::exchanges(plan, element) {
            Some(least) => Some(Exchange { run, least }),
            None => None,
        }
    }
}

/// Moves elements of whole bytes, so many of them. The slices are as long as the layouts ask.
fn run(
    plan: &Plan,
    element: usize,
    src: &[u8],
    dst: &mut [u8],
    set: InstructionSet,
    streams: bool,
) {
    let fixed = element.trailing_zeros() as u8;
    let widths = Widths { src: 8, dst: 8, fixed, extend: Extend::Zeros };
    blocks::copy(plan, widths, src, dst, set, streams);
}
