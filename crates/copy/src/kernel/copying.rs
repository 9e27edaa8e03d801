//! Running the copy that a plan describes: by which kernels, and on how many threads.
//!
//! Elements are bytes here, so that this code is compiled once, in the library. The linker keeps what a program names: a copy
//! whose plan is a constant names its kernel and one of the two walks, and nothing else.

use core::ops::Range;

use crate::plan::{PaddingPlan, Plan};
use layout_core::__private::{DigitsView, Region};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::kernel::exchange::planned::Blocks;
use crate::kernel::exchange::{self, Exchanging};
use crate::kernel::fill;
use crate::kernel::nest::Nest;
pub(super) use crate::kernel::planned::Copying;
pub use crate::kernel::planned::{Kernels, PreparedPlan};
pub use crate::kernel::raw::Memory;
use crate::kernel::raw::{self, Destination, VectorKernels, Walker};
use crate::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::kernel::threads;
#[cfg(feature = "rayon")]
use crate::policy;

impl Kernels {
    /// It names all kernels. Where the plan is a constant, the program has only those that are chosen; none for edges where the
    /// array has none.
    pub const fn of(plan: &Plan, element: usize) -> Kernels {
        let exchange: Option<Exchanging> = match plan.exchanges_bits {
            true if plan.has_edges(element as Size) => Some(exchange_with_edges),
            true => Some(exchange::whole),
            false => None,
        };
        Kernels { in_vectors: VectorKernels::of(plan, element), exchange }
    }

    /// For a plan of runs, without naming others.
    pub const fn of_runs(plan: &Plan, element: usize) -> Kernels {
        Kernels { in_vectors: VectorKernels::of_runs(plan, element), exchange: None }
    }
}

/// Exchanges bits by a plan whose array has edges, which are copied by plans of their own.
fn exchange_with_edges(
    plan: &Plan,
    kept: Option<&Blocks>,
    element: usize,
    src: &[u8],
    mut dst: Destination<'_>,
    set: InstructionSet,
) {
    let settings = Settings { set: Some(set), threads: Some(false) };
    let plan = plan.at_edges(element as Size, &mut |edge, at| {
        let [from, to] = at.map(|slot| native(slot) * element);
        let memory = dst.memory(&src[from..], to);
        let (nest, kernels) = (&Nest::new(edge), &Kernels::of(edge, element));
        Copying::of(edge, nest, kernels).run_loops(memory, element, &settings);
    });
    exchange::whole(&plan, kept, element, src, dst, set);
}

/// A copy on one thread. Arguments: size of an element in bytes, instruction set.
type Alone = fn(&Copying<'_>, Memory<'_>, usize, Option<InstructionSet>);

impl PreparedPlan {
    /// Moves the elements, of `size` bytes. The memory is as long as the layouts ask. With a general plan come both layouts, with one that
    /// exchanges bits its blocks, if they are kept.
    pub fn run(
        &self,
        kernels: &Kernels,
        blocks: Option<&Blocks>,
        digits: Option<&[DigitsView<'_>; 2]>,
        memory: Memory<'_>,
        size: usize,
        settings: &Settings,
    ) {
        let copying = Copying::of(&self.plan, &self.nest, kernels);
        Copying { digits, blocks, ..copying }.run(memory, size, settings);
    }

    /// Moves the elements by a plan with loops.
    #[inline(never)]
    pub fn run_loops(
        &self,
        kernels: &Kernels,
        memory: Memory<'_>,
        size: usize,
        settings: &Settings,
    ) {
        Copying::of(&self.plan, &self.nest, kernels).run_loops(memory, size, settings);
    }

    /// Moves the elements by a general plan, whose layouts share no digits.
    #[inline(never)]
    pub fn run_general(
        &self,
        kernels: &Kernels,
        digits: &[DigitsView<'_>; 2],
        memory: Memory<'_>,
        size: usize,
        settings: &Settings,
    ) {
        let copying = Copying::of(&self.plan, &self.nest, kernels);
        Copying { digits: Some(digits), ..copying }.run_general(memory, size, settings);
    }
}

impl Copying<'_> {
    fn run(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        if self.plan.is_general() {
            self.run_general(memory, size, settings);
        } else {
            self.run_loops(memory, size, settings);
        }
    }

    pub(super) fn run_loops(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        self.on_threads(memory, size, settings, loops_alone);
    }

    fn run_general(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        self.on_threads(memory, size, settings, general_alone);
    }

    fn on_threads(&self, mut memory: Memory<'_>, size: usize, settings: &Settings, alone: Alone) {
        let set = settings.set;
        #[cfg(feature = "rayon")]
        if settings.threads.unwrap_or(memory.dst.len() >= policy::SHARED)
            && threads::copy(self.plan, memory.again(), [1; 2], size, &|plan, memory| {
                let nest = &Nest::new(plan);
                alone(&Copying { plan, nest, blocks: None, ..*self }, memory, size, set);
            })
        {
            return;
        }
        alone(self, memory.again(), size, set);
    }
}

fn loops_alone(
    copying: &Copying<'_>,
    mut memory: Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) {
    let plan = copying.plan;
    if plan.exchanges_bits
        && let Some(run) = copying.kernels.exchange
        && let Some((src, dst)) = memory.plain()
    {
        return run(plan, copying.blocks, size, src, dst, set.unwrap_or_else(InstructionSet::best));
    }
    let walk: Walker = |copying, by_source, mover| copying.walk_loops(by_source, mover);
    raw::copy(copying, memory, size, set, walk);
}

fn general_alone(
    copying: &Copying<'_>,
    memory: Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) {
    let walk: Walker = |copying, by_source, mover| copying.walk_general(by_source, mover);
    raw::copy(copying, memory, size, set, walk);
}

/// Plans a copy of elements of `size` bytes, and makes it. The memory is as long as the layouts ask.
pub fn copy(digits: [&Digits; 2], memory: Memory<'_>, size: usize, settings: &Settings) {
    copy_from(digits, [0; 2], memory, size, settings);
}

/// Like [`copy`], of arrays whose first elements lie at these slots.
pub fn copy_from(
    digits: [&Digits; 2],
    first: [Size; 2],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let mut plan = Plan::new(digits[0], digits[1], size as Size);
    plan.begin_at(first);
    copy_by(&plan, digits, memory, size, settings);
}

/// Makes a planned copy.
pub fn copy_by(
    plan: &Plan,
    digits: [&Digits; 2],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    copy_part_by(plan, digits, &[0; MAX_DIMS], memory, size, settings);
}

/// Makes a copy by a plan with loops. The memory is as long as the layouts ask.
pub fn copy_loops(plan: &Plan, memory: Memory<'_>, size: usize, settings: &Settings) {
    let (nest, kernels) = (&Nest::new(plan), &Kernels::of(plan, size));
    Copying::of(plan, nest, kernels).run_loops(memory, size, settings);
}

/// Plans a copy of a part of an array to a part of another one, of the same sizes, none of which is 0, and makes it. The memory is
/// that of the whole arrays.
pub fn copy_part(
    digits: [&Digits; 2],
    regions: &[Region; 2],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let (plan, origin) = part_of(digits, regions);
    copy_part_by(&plan, digits, &origin, memory, size, settings);
}

/// The plan of a part, and what its indices are larger in the source than in the destination: modulo 2⁶⁴.
pub(super) fn part_of(digits: [&Digits; 2], regions: &[Region; 2]) -> (Plan, [Size; MAX_DIMS]) {
    let plan = Plan::of_part(&digits[0].view(), &digits[1].view()).within(&regions[1]);
    let starts = regions.each_ref().map(|region| &region.start);
    (plan, core::array::from_fn(|dim| starts[0][dim].wrapping_sub(starts[1][dim])))
}

fn copy_part_by(
    plan: &Plan,
    digits: [&Digits; 2],
    origin: &[Size; MAX_DIMS],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let digits = &digits.map(Digits::view);
    let digits = plan.is_general().then_some(digits);
    let (nest, kernels) = (&Nest::new(plan), &Kernels::of(plan, size));
    Copying { plan, nest, kernels, blocks: None, digits, origin }.run(memory, size, settings);
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy + 'static>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    match plan {
        Some(plan) => fill::paddings(plan, |gaps| {
            let mut ranges = gaps.ranges();
            let Some(first) = ranges.next() else { return };
            dst[first.clone()].fill(value);
            // By `memcpy`, which has larger vectors than what the program is compiled for.
            ranges.for_each(|range| {
                let (before, gap) = dst.split_at_mut(range.start);
                gap[..first.len()].copy_from_slice(&before[first.clone()]);
            });
        }),
        None => dst[..slots].fill(value),
    }
}

/// Writes elements of `size` bytes to the padding of a layout, as `fill` does; `byte` gives each of their bytes.
pub fn fill_bytes<B>(
    plan: Option<&PaddingPlan>,
    size: usize,
    dst: &mut [B],
    byte: impl Fn(usize) -> B,
) {
    let slots = dst.len() / size;
    let mut write = |range: Range<usize>| {
        let bytes = dst[range.start * size..range.end * size].iter_mut().enumerate();
        bytes.for_each(|(at, to)| *to = byte(at % size));
    };
    match plan {
        Some(plan) => fill::paddings(plan, |gaps| gaps.ranges().for_each(&mut write)),
        None => write(0..slots),
    }
}
