//! Copies of elements narrower than a byte.

use layout_core::__private::Region;
use layout_core::analysis::{DigitsView, Term};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::kernel::bits::narrow::Narrow;
use crate::kernel::bits::planned::Covered;
pub use crate::kernel::bits::planned::{Blocks, FixedPair, constant_blocks, is_fixed, run_fixed};
pub use crate::kernel::bits::ways::Way;
use crate::kernel::bits::ways::{FEW, elements, in_bytes};
pub use crate::kernel::bits::widths::Widths;
use crate::kernel::bits::{blocks, place};
use crate::kernel::copying::{Memory, PreparedPlan, part_of};
use crate::kernel::nest::Nest;
#[cfg(feature = "rayon")]
use crate::kernel::policy;
use crate::kernel::raw::{Destination, LINE, vectors_of};
use crate::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::kernel::threads;
use crate::kernel::{fill, general};
use crate::loops::Plan;
pub use crate::one_byte::Extend;
use crate::plan::{PaddingPlan, Past};

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
        let blocks = || Blocks::of_packed(plan, widths, vectors_of(set));
        return (Way::of(plan, widths) == Way::Blocks).then(blocks);
    }
    let element = 1 << widths.fixed;
    let whole = || plan.without_edges(Past::Lines { element }, element);
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
    let vectors = vectors_of(set);
    let planned;
    let blocks = match kept.filter(|kept| kept.vectors == vectors) {
        None if way == Way::Blocks && elements(plan) > FEW => {
            planned = Blocks::of_packed(plan, widths, vectors);
            Some(&planned)
        }
        kept => kept,
    };
    let are_runs = blocks.map_or(way == Way::Runs, |blocks| blocks.covered == Covered::Nothing);
    if (are_runs || way == Way::Rows)
        && plan.has_edges(Past::Digits)
        && Nest::new(plan).leaves_edges(plan, plan.is_source_tiled)
    {
        let whole = copy_edges(plan, widths, src, dst, settings);
        return run(&whole, None, None, widths, src, dst, settings);
    }
    if are_runs && let Some(plan) = in_bytes(plan, widths) {
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
                let blocks =
                    (way == Way::Blocks).then(|| Blocks::of_packed(&plan, widths, vectors));
                run_alone(&plan, blocks.as_ref(), widths, src, dst.all(), set);
            }
        };
        let memory = Memory::of_bytes(src, dst);
        if threads::copy(plan, memory, per_byte, 1 << widths.fixed, &copy) {
            return;
        }
    }
    run_alone(plan, blocks, widths, src, dst, set);
}

/// Copies the edges of an array, and returns the plan of what is whole.
fn copy_edges(
    plan: &Plan,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    settings: &Settings,
) -> Plan {
    plan.at_edges(Past::Digits, 0, &mut |edge, at| {
        run_at(edge, None, None, widths, (src, dst), at.map(native), settings);
    })
}

/// Moves the elements on one thread by a plan with loops: block by block, or as the loops go.
fn run_alone(
    plan: &Plan,
    blocks: Option<&Blocks>,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    set: InstructionSet,
) {
    let whole = match blocks.map(|blocks| blocks.covered) {
        Some(Covered::All) => plan,
        Some(Covered::Whole) => {
            let settings = Settings { set: Some(set), threads: Some(false) };
            &copy_edges(plan, widths, src, dst, &settings)
        }
        _ => {
            let mover = &mut Narrow { widths, src, dst, set };
            return Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
        }
    };
    blocks::copy(whole, blocks, widths, src, Destination::of(dst), set);
}
