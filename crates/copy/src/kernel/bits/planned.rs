//! Blocks and passes that are planned before a copy is made.

use core::marker::PhantomData;

use crate::kernel::bits::block::BitBlock;
use crate::kernel::bits::passes::Passes;
use crate::kernel::bits::ways::{elements, has_constant_blocks, runs_time};
use crate::kernel::bits::widths::Widths;
use crate::kernel::raw::{
    self, FixedPass, Pass, VectorSize, are_certain, largest_vectors, vectors_of,
};
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::Grid;
use crate::loops::{Loop, MAX_LOOPS, Plan};
use crate::plan::Past;
use layout_core::base::width::native;
use layout_core::each;

/// Bytes of blocks that are copied in any order: of more, memory is asked for ahead, and those that share lines are taken together.
const NEAR: usize = 16 << 10;

/// A block of a plan, and the passes over it, for vectors of one size.
#[derive(Clone)]
pub struct Blocks {
    /// The largest vectors, of which a block may have smaller ones.
    pub(in crate::kernel) vectors: VectorSize,
    pub(super) block: BitBlock,
    pub(super) passes: Passes,
    /// All blocks, if they are one grid, which one pass copies from memory to memory.
    pub(super) grid: Option<Grid>,
    /// How much of the array is copied by them.
    pub(in crate::kernel) covered: Covered,
}

/// How much of an array is copied by blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel) enum Covered {
    All,
    /// All but the edges past the last whole values of digits, which have plans of their own. Blocks that contain edges have few values.
    Whole,
    /// Nothing: runs are faster.
    Nothing,
}

// What the ways take, in nanoseconds of a Zen 5 on which 250 copies of 1, 2 and 4 bits were measured. Which way is taken depends on their order
// alone: 1000 columns in tiles of 16 take 550 µs by blocks and 26 with edges apart, 100 rows of 3 times 48 nibbles 9.2 µs by blocks and 0.27 by
// runs.

/// What it takes to plan edges.
const EDGES: usize = 1000;
/// What an element of an edge takes.
const EDGE_ELEMENT: usize = 3;

impl Blocks {
    pub(super) const fn new(plan: &Plan, widths: Widths, vectors: VectorSize) -> Blocks {
        let block = BitBlock::new(plan, widths, vectors);
        let passes = Passes::new(&block, widths);
        let grid = match Grid::of_all(plan, &block.bits, widths.fixed) {
            Some(grid)
                if passes.are_one() && grid.count[0] * grid.count[1] * block.bytes <= NEAR =>
            {
                Some(grid)
            }
            _ => None,
        };
        Blocks { vectors, block, passes, grid, covered: Covered::All }
    }

    /// Those of packed elements, for the way that takes least.
    pub(in crate::kernel) const fn of_packed(
        plan: &Plan,
        widths: Widths,
        vectors: VectorSize,
    ) -> Blocks {
        let mut best = Blocks::new(plan, widths, vectors);
        let mut time = best.time(plan);
        if time > EDGES && plan.has_edges(Past::Digits) {
            let whole = &plan.without_edges(Past::Digits, 0);
            let blocks = Blocks::new(whole, widths, vectors);
            let others = native(elements(plan).saturating_sub(elements(whole)));
            let of_edges = others.saturating_mul(EDGE_ELEMENT).saturating_add(EDGES);
            let with_edges = blocks.time(whole).saturating_add(of_edges);
            if with_edges < time {
                (best, time) = (Blocks { covered: Covered::Whole, ..blocks }, with_edges);
            }
        }
        if runs_time(plan, widths) < time {
            best.covered = Covered::Nothing;
        }
        best
    }

    /// What they take: from memory to memory where all are whole, else by words that are gathered and scattered.
    const fn time(&self, plan: &Plan) -> usize {
        let [reads, writes] = self.passes.are_in_memory;
        let mut are_direct = reads && writes;
        let mut count: usize = 1;
        each!(for number in 0..plan.len as usize {
            let (extent, values) = (plan.loops[number].extent, 1 << self.block.bits[number]);
            are_direct &= extent.is_multiple_of(values);
            count = count.saturating_mul(native(extent.div_ceil(values)));
        });
        let bytes = self.block.bytes;
        count.saturating_mul(if are_direct { 16 + bytes / 32 } else { 50 + bytes / 8 })
    }

    /// Plans for the vectors of an instruction set.
    pub fn of(plan: &Plan, widths: Widths, set: InstructionSet) -> Blocks {
        Blocks::new(plan, widths, vectors_of(set))
    }
}

/// How many elements a word has on each side: what tells a fast copy from a slow one.
impl core::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let of_word = self.block.sides.each_ref().map(|side| {
            let places = side.words.elements.count_ones() << self.block.in_word;
            (places / u64::BITS) >> side.none
        });
        write!(f, "words of {} to words of {}", of_word[0], of_word[1])
    }
}

impl Grid {
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

/// Its blocks and its pass for one of the two sizes of vectors that most processors have, the second the larger one.
struct Constant<P, const WHICH: usize>(PhantomData<P>);

impl<P: FixedPair, const WHICH: usize> Constant<P, WHICH> {
    const BLOCKS: &'static Blocks =
        &Blocks::of_packed(P::PLAN, P::WIDTHS, largest_vectors()[WHICH]);
    /// Whether the copy is one pass in code of its own.
    const IS_FIXED: bool = has_constant_blocks(P::PLAN, P::WIDTHS)
        && Self::BLOCKS.grid.is_some()
        && matches!(Self::BLOCKS.covered, Covered::All)
        && Self::PASS.is_short();
}

impl<P: FixedPair, const WHICH: usize> FixedPass for Constant<P, WHICH> {
    const PASS: &'static Pass<'static> = &match &Self::BLOCKS.grid {
        Some(grid) => Self::BLOCKS.passes.pass(0, [true; 2], grid),
        None => Self::BLOCKS.passes.pass(0, [true; 2], &Grid::ONE),
    };
}

/// Whether the copy of a pair is one pass in code of its own, for the vectors that most processors have.
pub const fn is_fixed<P: FixedPair>() -> bool {
    Constant::<P, 0>::IS_FIXED && Constant::<P, 1>::IS_FIXED
}

/// Makes it. False, and nothing is done, where the processor has other vectors.
#[inline(always)]
pub fn run_fixed<P: FixedPair>(src: &[u8], dst: &mut [u8]) -> bool {
    raw::run_fixed::<Constant<P, 1>>(src, dst)
        || const { !are_certain(Constant::<P, 1>::PASS.vectors) }
            && raw::run_fixed::<Constant<P, 0>>(src, dst)
}

/// The blocks of a pair as constants, for the vectors that most processors have, if this one has them: to plan takes longer than to
/// copy some kilobytes. `None` of a pair that does not go by blocks, or of larger arrays.
pub fn constant_blocks<P: FixedPair>() -> Option<&'static Blocks> {
    if const { !has_constant_blocks(P::PLAN, P::WIDTHS) } {
        return None;
    }
    let blocks = [Constant::<P, 0>::BLOCKS, Constant::<P, 1>::BLOCKS];
    let vectors = vectors_of(InstructionSet::best());
    blocks.into_iter().find(|blocks| blocks.vectors == vectors)
}
