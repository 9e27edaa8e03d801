//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(in crate::relayout) mod bits;
mod block;
pub(in crate::relayout) mod blocks;
mod choice;
mod lanes;
pub(in crate::relayout) mod narrow;
mod passes;
pub(in crate::relayout) mod widths;

use layout_core::__private::{Exchange, Plan, native};
use layout_core::Size;

use crate::relayout::kernel::copying::Kernels;
use crate::relayout::kernel::exchange::widths::{Extend, Widths};
use crate::relayout::kernel::planned::{Copying, PreparedPlan};
use crate::relayout::kernel::raw::Memory;
use crate::relayout::kernel::settings::{InstructionSet, Settings};

/// Moves elements of so many bytes by a plan that exchanges bits, with an instruction set and around the cache or not. The slices
/// are as long as the layouts ask.
pub(in crate::relayout) type Exchanging = fn(&Plan, usize, &[u8], &mut [u8], InstructionSet, bool);

/// The function for a plan, if it exchanges bits. Where the plan is a constant without edges, no kernel for these is named.
pub(in crate::relayout) const fn exchanging(plan: &Plan) -> Option<Exchanging> {
    match plan.exchange {
        Some(Exchange { has_edges: false, .. }) => Some(whole),
        Some(Exchange { has_edges: true, .. }) => Some(with_edges),
        None => None,
    }
}

fn whole(
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

fn with_edges(
    plan: &Plan,
    element: usize,
    src: &[u8],
    dst: &mut [u8],
    set: InstructionSet,
    streams: bool,
) {
    let settings = Settings { set: Some(set), streams: Some(streams), threads: Some(false) };
    plan.at_edges(element as Size, &mut |part, at| {
        let [from, to] = at.map(|slot| native(slot) * element);
        let memory = Memory::of_bytes(&src[from..], &mut dst[to..]);
        let kernels = &Kernels::of(part, element);
        Copying::of(&PreparedPlan::of(*part), kernels, None).run_loops(memory, element, &settings);
    });
}
