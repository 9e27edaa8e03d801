//! Copies of elements narrower than a byte.

use layout_core::Size;
use layout_core::analysis::DigitsView;
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

use crate::kernel::copying::{Copying, Kernels, Memory, PreparedPlan};
use crate::kernel::exchange::narrow::Narrow;
pub use crate::kernel::exchange::widths::{Extend, Widths};
use crate::kernel::exchange::{bits, blocks};
use crate::kernel::nest::Nest;
use crate::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::kernel::threads;
use crate::kernel::{fill, general};
use crate::plan::{Kernel, Loop, PaddingPlan, Plan};
use crate::policy::{self, LONG};

/// Writes a value to the padding, or to all slots where no plan says where it is.
pub fn pad(dst: &mut [u8], bits: u32, value: Option<u8>, plan: Option<&PaddingPlan>, slots: usize) {
    let Some(value) = value else { return };
    match plan {
        Some(plan) => fill::paddings(plan, |gaps| {
            gaps.ranges().for_each(|slots| bits::fill(dst, slots, bits, value));
        }),
        None => bits::fill(dst, 0..slots, bits, value),
    }
}

/// Moves the elements by a plan whose memory begins at some slots, within bytes too: then one by one. A plan of no loops begins
/// with a byte.
pub fn run_at(
    plan: &Plan,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    (src, dst): (&[u8], &mut [u8]),
    at: [usize; 2],
    settings: &Settings,
) {
    let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as usize);
    let bytes = [0, 1].map(|side| at[side] / per_byte[side]);
    let within = [0, 1].map(|side| at[side] % per_byte[side]);
    let (src, dst) = (&src[bytes[0]..], &mut dst[bytes[1]..]);
    if within == [0; 2] {
        return run(plan, digits, widths, src, dst, settings);
    }
    let mover = &mut Narrow { widths, src, dst, at: within };
    Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
}

/// Moves the elements by a plan, with both layouts where it is a general one. The slices are as long as the layouts ask.
pub fn run(
    plan: &Plan,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    settings: &Settings,
) {
    if plan.is_empty() {
        return;
    }
    if let Some(digits) = digits {
        return general::copy(
            plan,
            *digits,
            &[0; MAX_DIMS],
            &mut Narrow { widths, src, dst, at: [0; 2] },
        );
    }
    if !plan.has_layout_strides() {
        let mover = &mut Narrow { widths, src, dst, at: [0; 2] };
        return Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
    }
    let is_repacked = widths.src == widths.dst && widths.fixed == 0;
    let run = native(plan.elements_as_one)
        .saturating_mul(native(plan.loops[usize::from(plan.source_minor)].extent));
    if is_repacked && plan.kernel == Kernel::Run && run >= LONG * 8 / widths.dst as usize {
        if let Some(plan) = in_bytes(plan, widths.dst) {
            let (prepared, kernels) = (PreparedPlan::of(plan), Kernels::of_runs(&plan, 1));
            let memory = Memory::of_bytes(src, dst);
            return Copying::of(&prepared, &kernels, None).run_loops(memory, 1, settings);
        }
        let mover = &mut Narrow { widths, src, dst, at: [0; 2] };
        return Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
    }
    let set = settings.set.unwrap_or_else(InstructionSet::best);
    let streams = settings.streams.unwrap_or(dst.len() >= policy::STREAMED);
    #[cfg(feature = "rayon")]
    if settings.threads.unwrap_or(dst.len() >= policy::SHARED) {
        let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as Size);
        let copy = |plan: &Plan, mut memory: Memory<'_>| {
            if let Some((src, dst)) = memory.initialised() {
                blocks::copy(plan, widths, src, dst, set, streams);
            }
        };
        let memory = Memory::of_bytes(src, dst);
        if threads::copy(plan, memory, per_byte, 1 << widths.fixed, &copy) {
            return;
        }
    }
    blocks::copy(plan, widths, src, dst, set, streams);
}

/// Turns a plan for elements of `bits` bits into one for bytes, if each byte has the same elements in both layouts.
/// The plan's kernel is for runs.
fn in_bytes(plan: &Plan, bits: u32) -> Option<Plan> {
    let per_byte = (8 / bits) as Size;
    let mut plan = *plan;
    let (last, others) = plan.loops[..plan.len.into()].split_last_mut()?;
    let dim = usize::from(plan.dims[others.len()]);
    let is_whole = |number: Size| number.is_multiple_of(per_byte);
    // Where the dimension ends within a byte, the rest of that byte is padding.
    let ends_with_byte = plan.sizes[dim].is_multiple_of(last.unit * per_byte);
    if [last.src, last.dst] != [1, 1] || !is_whole(last.extent) || !ends_with_byte {
        return None;
    }
    last.unit *= per_byte;
    last.extent /= per_byte;
    for Loop { src, dst, .. } in others {
        if !is_whole(*src) || !is_whole(*dst) {
            return None;
        }
        *src /= per_byte;
        *dst /= per_byte;
    }
    if plan.element_loops < plan.len {
        plan.elements_as_one /= per_byte;
    }
    Some(plan)
}
