//! Copies of elements narrower than a byte.

use layout_core::__private::Region;
use layout_core::analysis::{DigitsView, Term};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::kernel::bits::narrow::Narrow;
pub use crate::kernel::bits::planned::{Blocks, FixedPair, constant_blocks, is_fixed, run_fixed};
pub use crate::kernel::bits::ways::Way;
use crate::kernel::bits::ways::{FEW, elements};
pub use crate::kernel::bits::widths::Widths;
use crate::kernel::bits::{blocks, place};
use crate::kernel::copying::{Memory, PreparedPlan, part_of};
use crate::kernel::nest::Nest;
#[cfg(feature = "rayon")]
use crate::kernel::policy;
use crate::kernel::raw::{Destination, LINE};
use crate::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::kernel::threads;
use crate::kernel::{fill, general};
use crate::loops::{Loop, Plan};
pub use crate::one_byte::Extend;
use crate::plan::PaddingPlan;

/// Writes a value to the padding, or to all slots where no plan says where it is. The elements are written after it.
pub fn pad(
    dst: &mut [u8],
    widths: Widths,
    value: Option<u8>,
    plan: Option<&PaddingPlan>,
    slots: usize,
) {
    let Some(value) = value else { return };
    let (bits, mirror) = (widths.dst, widths.mirror(1));
    match plan {
        // Rows of less than a line are filled with what lies between them.
        Some(plan) if plan.rows() >= LINE * 8 / bits as usize => {
            fill::paddings(plan, &mut |slots| place::fill(dst, slots, bits, mirror, value));
        }
        _ => place::fill(dst, 0..slots, bits, mirror, value),
    }
}

fn is_forward(term: &Term) -> bool {
    term.stride.factor.cast_signed() >= 0
}

/// The blocks of a plan that exchanges bits, to keep: of elements of whole bytes, or of packed ones. `None` of a plan that does not.
pub fn blocks_to_keep(plan: &Plan, widths: Widths) -> Option<Blocks> {
    let set = InstructionSet::best();
    if widths.src < 8 || widths.dst < 8 {
        return (Way::of(plan, widths) == Way::Blocks).then(|| Blocks::of(plan, widths, set));
    }
    let whole = || plan.at_edges(1 << widths.fixed, &mut |_, _| ());
    plan.exchanges_bits.then(|| Blocks::of(&whole(), widths, set))
}

/// Moves the elements by a plan whose memory begins at some slots, within bytes too: then one by one. A plan of no loops begins
/// with a byte.
pub fn run_at(
    plan: &Plan,
    kept: Option<&Blocks>,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    (src, dst): (&[u8], &mut [u8]),
    at: [usize; 2],
    settings: &Settings,
) {
    let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as usize);
    // Strides below 0 go to memory before the first element.
    let is_forward = plan.has_layout_strides()
        && digits.into_iter().flatten().flat_map(|digits| digits.terms).all(is_forward);
    let bytes = [0, 1].map(|side| if is_forward { at[side] / per_byte[side] } else { 0 });
    let within = [0, 1].map(|side| at[side] - bytes[side] * per_byte[side]);
    let (src, dst) = (&src[bytes[0]..], &mut dst[bytes[1]..]);
    let mut plan = *plan;
    plan.begin_at(within.map(|slot| slot as Size));
    run(&plan, kept, digits, widths, src, dst, settings);
}

/// Moves elements that follow one another from these slots on, on both sides.
pub fn stretch(widths: Widths, src: &[u8], dst: &mut [u8], at: [usize; 2], count: usize) {
    let set = InstructionSet::best();
    Narrow { widths, src, dst, set }.stretch(at, count);
}

/// Plans a copy of arrays that begin at some slots, and makes it.
pub fn copy_from(digits: [&Digits; 2], widths: Widths, src: &[u8], dst: &mut [u8], at: [usize; 2]) {
    let plan = &Plan::new(digits[0], digits[1], 0);
    let views = plan.is_general().then(|| digits.map(Digits::view));
    run_at(plan, None, views.as_ref(), widths, (src, dst), at, &Settings::default());
}

/// Copies a part of an array to a part of another one, of the same sizes, none of which is 0. The memory is that of the whole
/// arrays, whose index 0 lies at the slots `first`.
pub fn copy_part(
    digits: [&Digits; 2],
    first: [Size; 2],
    regions: &[Region; 2],
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) {
    let (plan, origin) = part_of(digits, first, regions);
    let set = InstructionSet::best();
    let mover = &mut Narrow { widths, src, dst, set };
    general::copy(&plan, digits.map(Digits::view), &origin, mover);
}

/// Moves the elements by a plan, with both layouts where it is a general one. The slices are as long as the layouts ask.
pub fn run(
    plan: &Plan,
    kept: Option<&Blocks>,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    settings: &Settings,
) {
    if plan.is_empty() {
        return;
    }
    let set = settings.set.unwrap_or_else(InstructionSet::best);
    if let Some(digits) = digits {
        return general::copy(plan, *digits, &[0; MAX_DIMS], &mut Narrow { widths, src, dst, set });
    }
    let way = Way::of(plan, widths);
    if way == Way::Runs
        && widths.mirrors[0] == widths.mirrors[1]
        && let Some(plan) = in_bytes(plan, widths.dst)
    {
        let memory = Memory::of_bytes(src, dst);
        return PreparedPlan::of_runs(plan, 1).copying().run_loops(memory, 1, settings);
    }
    #[cfg(feature = "rayon")]
    if matches!(way, Way::Rows | Way::Blocks)
        && settings.threads.unwrap_or(dst.len() >= policy::SHARED)
    {
        let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as Size);
        let copy = |plan: Plan, mut memory: Memory<'_>| {
            if let Some((src, mut dst)) = memory.plain() {
                run_alone(&plan, None, way, widths, src, dst.all(), set);
            }
        };
        let memory = Memory::of_bytes(src, dst);
        if threads::copy(plan, memory, per_byte, 1 << widths.fixed, &copy) {
            return;
        }
    }
    run_alone(plan, kept, way, widths, src, dst, set);
}

/// Moves the elements on one thread by a plan with loops: block by block, or as the loops go.
fn run_alone(
    plan: &Plan,
    kept: Option<&Blocks>,
    way: Way,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    set: InstructionSet,
) {
    if way == Way::Blocks && (kept.is_some() || elements(plan) > FEW) {
        return blocks::copy(plan, kept, widths, src, Destination::of(dst), set);
    }
    let mover = &mut Narrow { widths, src, dst, set };
    Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
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
