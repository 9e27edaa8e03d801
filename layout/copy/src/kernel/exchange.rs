//! Copies that exchange bits of elements' numbers: of packed elements, and of short stretches of whole bytes.

pub(crate) mod bits;
mod block;
pub(crate) mod blocks;
mod choice;
mod lanes;
pub(crate) mod narrow;
mod passes;
pub(crate) mod widths;

use crate::plan::{Exchange, Plan};
use layout_core::Size;
use layout_core::base::width::native;

use crate::kernel::copying::Kernels;
use crate::kernel::exchange::widths::{Extend, Widths};
use crate::kernel::planned::{Copying, PreparedPlan};
use crate::kernel::raw::Memory;
use crate::kernel::settings::{InstructionSet, Settings};

/// Moves elements by a plan that exchanges bits. Arguments: size of an element in bytes, source, destination, instruction set,
/// whether to store around the cache. The slices are as long as the layouts ask.
pub(crate) type Exchanging = fn(&Plan, usize, &[u8], &mut [u8], InstructionSet, bool);

/// The function for a plan, if it exchanges bits. Where the plan is a constant without edges, no kernel for these is named.
pub(crate) const fn exchanging(plan: &Plan) -> Option<Exchanging> {
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
