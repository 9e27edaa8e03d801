//! Running the copy that a plan describes: by which kernels, and on how many threads.
//!
//! Elements are bytes here, so that this code is compiled once, in the library. The linker keeps what a program names: a copy
//! whose plan is a constant names its kernel and one of the two walks, and nothing else.

use crate::loops::Plan;
use crate::plan::Past;
use layout_core::__private::{DigitsView, Region};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::kernel::bits::blocks;
use crate::kernel::bits::planned::Blocks;
use crate::kernel::bits::widths::Widths;
use crate::kernel::general;
use crate::kernel::nest::Nest;
use crate::kernel::policy;
pub use crate::kernel::raw::Memory;
use crate::kernel::raw::{self, BytesMover, VectorKernels, Walker};
use crate::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::kernel::threads;

/// A plan for elements of one size, and what follows from it alone: computed once, before any memory is known.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPlan {
    /// The loops.
    pub plan: Plan,
    /// What the walk over them has to know.
    nest: Nest,
    kernels: Kernels,
}

/// What moves the elements of a plan, and in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    pub(super) vectors: VectorKernels,
    /// What moves elements otherwise than by one walk.
    instead: Option<Instead>,
    /// Whether blocks come in the order of the source.
    pub(super) by_source: bool,
    /// Whether whole lines of large arrays go around the cache.
    pub(super) may_stream: bool,
}

impl Kernels {
    /// Those of a plan that exchanges no bits.
    const fn of_vectors(vectors: VectorKernels, plan: &Plan, nest: &Nest, size: usize) -> Kernels {
        Kernels {
            vectors,
            instead: None,
            by_source: policy::goes_by_source(plan, &nest.block, size),
            may_stream: policy::streams(&nest.block, size),
        }
    }

    /// For elements of `size` bytes. It names all kernels, so that a program that calls it at run time links them all. Where the plan is a
    /// constant, the program has only those that are chosen; none for edges where the array has none.
    const fn of(plan: &Plan, nest: &Nest, size: usize) -> Kernels {
        let mut kernels =
            Kernels::of_vectors(VectorKernels::of(&nest.block, size), plan, nest, size);
        if plan.exchanges_bits {
            let has_edges = plan.has_edges(Past::Lines { element: size as Size });
            kernels.instead = Some(if has_edges { exchange_with_edges } else { exchange });
        }
        kernels
    }

    /// Whether the edges of the array are copied by plans of their own.
    const fn leave_edges(&self, plan: &Plan, nest: &Nest) -> bool {
        self.instead.is_none()
            && !plan.is_general()
            && plan.has_edges(Past::Digits)
            && nest.leaves_edges(plan, self.by_source)
    }

    /// Those that plan the edges when the copy is made.
    fn at_call(mut self, plan: &Plan, nest: &Nest) -> Kernels {
        if self.leave_edges(plan, nest) {
            self.instead = Some(whole_and_edges);
        }
        self
    }
}

impl PreparedPlan {
    /// For elements of `element` bytes, by one walk.
    const fn of(plan: Plan, element: usize) -> PreparedPlan {
        let nest = Nest::new(&plan);
        PreparedPlan { kernels: Kernels::of(&plan, &nest, element), plan, nest }
    }

    /// The plans that make a constant copy, and how many they are: one, or that of what is whole and then those of edges. They name no kernels
    /// but their own.
    pub const fn parts(plan: Plan, element: usize) -> ([PreparedPlan; MOST_PARTS], usize) {
        let mut parts = [PreparedPlan::of(plan, element); MOST_PARTS];
        let mut count = 1;
        if parts[0].kernels.leave_edges(&plan, &parts[0].nest) {
            let mut whole = plan.as_digits();
            while count < MOST_PARTS
                && let Some((edge, at, others)) = whole.edge(Past::Digits)
            {
                let mut edge = edge.with_kernel(element as Size);
                edge.begin_at(at);
                parts[count] = PreparedPlan::of(edge, element);
                (whole, count) = (others, count + 1);
            }
            parts[0] = PreparedPlan::of(whole.with_kernel(element as Size), element);
        }
        (parts, count)
    }

    /// For elements of `element` bytes. A program that calls it has all kernels.
    // Inline, since it is large.
    #[inline(always)]
    pub fn at_call(plan: Plan, element: usize) -> PreparedPlan {
        let PreparedPlan { plan, nest, kernels } = PreparedPlan::of(plan, element);
        PreparedPlan { kernels: kernels.at_call(&plan, &nest), plan, nest }
    }

    /// Without exchanging bits.
    fn in_vectors(plan: Plan, element: usize) -> PreparedPlan {
        let nest = Nest::new(&plan);
        let vectors = VectorKernels::of(&nest.block, element);
        let kernels = Kernels::of_vectors(vectors, &plan, &nest, element).at_call(&plan, &nest);
        PreparedPlan { plan, nest, kernels }
    }

    /// For a plan of runs, without naming other kernels.
    pub(super) const fn of_runs(plan: Plan, element: usize) -> PreparedPlan {
        let nest = Nest::new(&plan);
        let vectors = VectorKernels::of_runs(&nest.block, element);
        PreparedPlan { kernels: Kernels::of_vectors(vectors, &plan, &nest, element), plan, nest }
    }

    /// A copy by the plan, if it has loops.
    pub fn copying(&self) -> Copying<'_> {
        let PreparedPlan { plan, nest, kernels } = self;
        Copying { plan, nest, kernels, blocks: None, digits: None, origin: &[0; MAX_DIMS] }
    }
}

/// Parts of a constant copy at most. Further edges stay in the first one.
pub const MOST_PARTS: usize = 4;

/// A prepared plan with what it does not say itself.
#[derive(Clone, Copy, Debug)]
pub struct Copying<'a> {
    pub(super) plan: &'a Plan,
    pub(super) nest: &'a Nest,
    pub(super) kernels: &'a Kernels,
    /// Its blocks, if it exchanges bits and they are kept.
    pub blocks: Option<&'a Blocks>,
    /// Both layouts of a general plan.
    pub digits: Option<&'a [DigitsView<'a>; 2]>,
    /// For a part of an array that no plan describes: index in the source − index in the destination, along each dimension, modulo 2⁶⁴.
    origin: &'a [Size; MAX_DIMS],
}

impl Copying<'_> {
    /// Moves the elements by a plan with loops. The memory is as long as the layouts ask.
    #[inline(never)]
    pub fn run_loops(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        self.by(walk_loops, memory, size, settings);
    }

    /// Moves the elements by a general plan, whose layouts share no digits.
    #[inline(never)]
    pub fn run_general(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        self.by(walk_general, memory, size, settings);
    }

    /// Moves the elements, of `size` bytes. The memory is as long as the layouts ask.
    pub fn run(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        let is_general = self.plan.is_general();
        let walk: Walker = if is_general { walk_general } else { walk_loops };
        self.by(walk, memory, size, settings);
    }

    /// By one of the two walks, so that a program has no other one.
    fn by(&self, walk: Walker, mut memory: Memory<'_>, size: usize, settings: &Settings) {
        let set = settings.set;
        #[cfg(feature = "rayon")]
        if settings.threads.unwrap_or(memory.dst.len() >= policy::SHARED)
            && threads::copy(self.plan, memory.again(), [1; 2], size, &|plan, memory| {
                let (plan, nest) = (&plan, &Nest::new(&plan));
                Copying { plan, nest, blocks: None, ..*self }.alone(walk, memory, size, set);
            })
        {
            return;
        }
        self.alone(walk, memory.again(), size, set);
    }

    /// On one thread.
    fn alone(
        &self,
        walk: Walker,
        mut memory: Memory<'_>,
        size: usize,
        set: Option<InstructionSet>,
    ) {
        if let Some(copy) = self.kernels.instead
            && copy(self, &mut memory, size, set)
        {
            return;
        }
        raw::copy(self, memory, size, set, walk);
    }
}

/// Moves every element by the loops of the plan.
fn walk_loops(copying: &Copying<'_>, by_source: bool, mover: &mut BytesMover<'_>) {
    let Copying { plan, nest, .. } = *copying;
    if !plan.is_empty() {
        nest.walk(plan, by_source, mover);
    }
}

/// Moves every element by a plan without loops.
fn walk_general(copying: &Copying<'_>, _by_source: bool, mover: &mut BytesMover<'_>) {
    if let Some(digits) = copying.digits {
        general::copy(copying.plan, *digits, copying.origin, mover);
    }
}

/// Plans a copy of elements of `size` bytes between arrays whose first elements lie at these slots, and makes it. The memory is as long
/// as the layouts ask.
pub fn copy(
    digits: [&Digits; 2],
    first: [Size; 2],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let mut plan = Plan::new(digits[0], digits[1], size as Size);
    plan.begin_at(first);
    copy_part_by(plan, digits, &[0; MAX_DIMS], memory, size, settings);
}

/// Makes a copy by a plan with loops. The memory is as long as the layouts ask.
pub fn copy_loops(plan: &Plan, memory: Memory<'_>, size: usize, settings: &Settings) {
    let nest = &Nest::new(plan);
    let kernels = Kernels::of(plan, nest, size).at_call(plan, nest);
    loops_by(&kernels, nest, plan, memory, size, settings);
}

/// As [`copy_loops`], but exchanges no bits: a program that makes no other copy at run time is 170 KB smaller.
pub fn copy_runs(plan: &Plan, memory: Memory<'_>, size: usize, settings: &Settings) {
    let nest = &Nest::new(plan);
    let kernels = Kernels::of_vectors(VectorKernels::of(&nest.block, size), plan, nest, size);
    let kernels = kernels.at_call(plan, nest);
    loops_by(&kernels, nest, plan, memory, size, settings);
}

fn loops_by(
    kernels: &Kernels,
    nest: &Nest,
    plan: &Plan,
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let origin = &[0; MAX_DIMS];
    let copying = Copying { plan, nest, kernels, blocks: None, digits: None, origin };
    copying.run_loops(memory, size, settings);
}

/// Plans a copy of a part of an array to a part of another one, of the same sizes, none of which is 0, and makes it. The memory is
/// that of the whole arrays, whose index 0 lies at the slots `first`.
pub fn copy_part(
    digits: [&Digits; 2],
    first: [Size; 2],
    regions: &[Region; 2],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let (plan, origin) = part_of(digits, first, regions);
    copy_part_by(plan, digits, &origin, memory, size, settings);
}

/// The plan of a part, and what its indices are larger in the source than in the destination: modulo 2⁶⁴.
pub(super) fn part_of(
    digits: [&Digits; 2],
    first: [Size; 2],
    regions: &[Region; 2],
) -> (Plan, [Size; MAX_DIMS]) {
    let mut plan = Plan::of_part(&digits[0].view(), &digits[1].view()).within(&regions[1]);
    plan.begin_at(first);
    let starts = regions.each_ref().map(|region| &region.start);
    (plan, core::array::from_fn(|dim| starts[0][dim].wrapping_sub(starts[1][dim])))
}

fn copy_part_by(
    plan: Plan,
    digits: [&Digits; 2],
    origin: &[Size; MAX_DIMS],
    memory: Memory<'_>,
    size: usize,
    settings: &Settings,
) {
    let digits = &digits.map(Digits::view);
    let prepared = &PreparedPlan::at_call(plan, size);
    let digits = plan.is_general().then_some(digits);
    Copying { digits, origin, ..prepared.copying() }.run(memory, size, settings);
}

/// Moves the elements, of a size in bytes, by the vectors of an instruction set or of the best one. False, and nothing is done, if this way is
/// not for such memory.
type Instead = fn(&Copying<'_>, &mut Memory<'_>, usize, Option<InstructionSet>) -> bool;

/// Exchanges bits of the elements' numbers.
fn exchange(
    copying: &Copying<'_>,
    memory: &mut Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) -> bool {
    let Some((src, dst)) = memory.plain() else { return false };
    let set = set.unwrap_or_else(InstructionSet::best);
    blocks::copy(copying.plan, copying.blocks, Widths::of_bytes(size), src, dst, set);
    true
}

/// Exchanges bits, but copies the edges by plans of their own.
fn exchange_with_edges(
    copying: &Copying<'_>,
    memory: &mut Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) -> bool {
    if memory.plain().is_none() {
        return false;
    }
    let past = Past::Lines { element: size as Size };
    let whole = &edges(copying.plan, past, memory, size, set);
    exchange(&Copying { plan: whole, ..*copying }, memory, size, set)
}

/// By one walk over what is whole, and one over each edge.
fn whole_and_edges(
    copying: &Copying<'_>,
    memory: &mut Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) -> bool {
    let whole = edges(copying.plan, Past::Digits, memory, size, set);
    PreparedPlan::in_vectors(whole, size).copying().alone(walk_loops, memory.again(), size, set);
    true
}

/// Copies the edges, and returns the plan of what is whole.
fn edges(
    plan: &Plan,
    past: Past,
    memory: &mut Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
) -> Plan {
    plan.at_edges(past, size as Size, &mut |edge, at| {
        let mut edge = *edge;
        edge.begin_at(at);
        PreparedPlan::in_vectors(edge, size).copying().alone(walk_loops, memory.again(), size, set);
    })
}
