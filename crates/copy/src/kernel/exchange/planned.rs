//! Blocks and passes that are planned before a copy is made.

use core::marker::PhantomData;

use crate::kernel::exchange::block::BitBlock;
use crate::kernel::exchange::passes::Passes;
use crate::kernel::exchange::ways::has_constant_blocks;
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::{
    self, Destination, FixedPasses, Pass, VectorSize, largest_vectors, vectors_of,
};
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::Grid;
use crate::plan::{Loop, MAX_LOOPS, Plan};
use layout_core::base::width::native;
use layout_core::each;

/// Bytes of blocks that are copied in any order: of more, memory is asked for ahead, and those that share lines are taken together.
const NEAR: usize = 16 << 10;

/// A block of a plan, and the passes over it.
pub(super) struct Planned {
    pub block: BitBlock,
    pub passes: Passes,
    /// All blocks, if they are one grid, which one pass copies from memory to memory.
    pub grid: Option<Grid>,
}

impl Planned {
    const fn new(plan: &Plan, widths: Widths, vectors: VectorSize) -> Planned {
        let block = BitBlock::new(plan, widths, vectors);
        let passes = Passes::new(&block, widths);
        let grid = Grid::near(plan, &block, &passes, widths);
        Planned { block, passes, grid }
    }
}

impl Grid {
    /// The grid of all blocks, if they are one, of few bytes, which one pass copies from memory to memory.
    pub(super) const fn near(
        plan: &Plan,
        block: &BitBlock,
        passes: &Passes,
        widths: Widths,
    ) -> Option<Grid> {
        match Grid::of_all(plan, &block.bits, widths.fixed) {
            Some(grid)
                if passes.are_one() && grid.count[0] * grid.count[1] * block.bytes <= NEAR =>
            {
                Some(grid)
            }
            _ => None,
        }
    }

    /// The grid of all blocks, which have some bits of each loop's counter, if two loops at most count them and all are whole. An
    /// element has `1 << fixed` slots.
    const fn of_all(plan: &Plan, bits: &[u8; MAX_LOOPS], fixed: u8) -> Option<Grid> {
        let mut grid = Grid { at: [0; 2], count: [1; 2], step: [[0; 2]; 2] };
        each!(for number in 0..plan.len as usize {
            let Loop { unit, extent, src, dst } = plan.loops[number];
            let dim = plan.dims[number];
            let of_dim = unit * extent;
            let ends_within = plan.is_most_major(number) && of_dim != plan.sizes[dim as usize];
            if ends_within || !extent.is_multiple_of(1 << bits[number]) {
                return None;
            }
            if extent > 1 << bits[number] {
                if grid.count[1] > 1 {
                    return None;
                }
                let shift = bits[number] + fixed;
                let step = [native(src << shift), native(dst << shift)];
                let level = if grid.count[0] > 1 { 1 } else { 0 };
                grid.count[level] = native(extent >> bits[number]);
                grid.step[level] = step;
            }
        });
        if plan.first[0] | plan.first[1] > 0 { None } else { Some(grid) }
    }
}

/// A copy between packed layouts that the compiler knows.
pub trait FixedPair {
    /// Its plan.
    const PLAN: &'static Plan;
    /// Its widths.
    const WIDTHS: Widths;
}

/// Its blocks and passes for vectors of a size.
struct FixedPlan<P, const SIZE: usize>(PhantomData<P>);

impl<P: FixedPair, const SIZE: usize> FixedPlan<P, SIZE> {
    const PLANNED: &'static Planned = &Planned::new(P::PLAN, P::WIDTHS, VectorSize::ALL[SIZE]);

    const PASS: Option<Pass<'static>> = if is_usual(SIZE)
        && has_constant_blocks(P::PLAN, P::WIDTHS)
        && let Some(grid) = &Self::PLANNED.grid
        && let Some(pass) = Self::PLANNED.passes.pass(0, [true; 2], grid)
        && pass.is_short()
    {
        Some(pass)
    } else {
        None
    };
}

/// Whether most processors have vectors of a size, or the next one.
const fn is_usual(size: usize) -> bool {
    let [a, b] = largest_vectors();
    size == a as usize || size == b as usize
}

impl<P: FixedPair> FixedPasses for P {
    const PASSES: [Option<Pass<'static>>; 4] =
        [None, FixedPlan::<P, 1>::PASS, FixedPlan::<P, 2>::PASS, FixedPlan::<P, 3>::PASS];
}

/// Whether the copy of a pair is one pass in code of its own, for the vectors that most processors have.
pub const fn is_fixed<P: FixedPair>() -> bool {
    let [a, b] = largest_vectors();
    P::PASSES[a as usize].is_some() && P::PASSES[b as usize].is_some()
}

/// Makes it. False, and nothing is done, where the processor has other vectors.
#[inline(always)]
pub fn run_fixed<P: FixedPair>(src: &[u8], dst: &mut [u8]) -> bool {
    raw::run_fixed::<P>(src, dst)
}

/// What vectors do for a plan that is a constant, for the sizes that most processors have: to plan takes longer than to copy some
/// kilobytes. Stores do not go around the cache.
pub struct PlannedBlocks([(VectorSize, Planned); 2]);

impl PlannedBlocks {
    /// Plans for a plan with loops.
    pub const fn new(plan: &Plan, widths: Widths) -> PlannedBlocks {
        let [a, b] = largest_vectors();
        PlannedBlocks([(a, Planned::new(plan, widths, a)), (b, Planned::new(plan, widths, b))])
    }

    /// Copies all blocks by one pass, without a look at the plan. False, and nothing is done, where they are not one grid of one
    /// pass, or the processor has no vectors.
    pub fn run(&self, src: &[u8], dst: &mut [u8]) -> bool {
        let planned = self.find(vectors_of(InstructionSet::best()));
        if let Some(Planned { passes, grid: Some(grid), .. }) = planned
            && let Some(pass) = passes.pass(0, [true; 2], grid)
        {
            return pass.run(src, &mut Destination::of(dst));
        }
        false
    }

    /// For vectors of a size, if these are some of the two.
    pub(super) fn find(&self, vectors: VectorSize) -> Option<&Planned> {
        self.0.iter().find(|(size, _)| *size == vectors).map(|(_, planned)| planned)
    }
}

impl core::fmt::Debug for PlannedBlocks {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PlannedBlocks")
    }
}
