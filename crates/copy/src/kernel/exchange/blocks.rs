//! Copies between packed layouts, block by block.

use crate::plan::{Loop, MAX_LOOPS, Plan};
use layout_core::base::width::native;

use crate::kernel::block::add;
use crate::kernel::exchange::bits::Place;
use crate::kernel::exchange::block::{BYTES, BitBlock};
use crate::kernel::exchange::gathered::{Gather, Scatter, WORD, mirror_words};
use crate::kernel::exchange::passes::Passes;
use crate::kernel::exchange::planned::Blocks;
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::{Ahead, Destination, End, Pass, compiled_for, vectors_of};
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::{Grid, Left, Needed, Visit, Walk};
use crate::policy::{AHEAD, PARTS, ROWS_AHEAD, SHORT_ROW};

/// Copies by a plan whose layouts share a split. The slices are as long as the layouts ask.
pub(crate) fn copy(
    plan: &Plan,
    kept: Option<&Blocks>,
    widths: Widths,
    src: &[u8],
    mut dst: Destination<'_>,
    set: InstructionSet,
) {
    let vectors = vectors_of(set);
    match kept.filter(|kept| kept.vectors == vectors) {
        Some(blocks) if blocks.run(src, &mut dst) => {}
        Some(blocks) => copy_blocks(plan, blocks, widths, src, dst, set),
        // Large, so that they stay where they are made.
        None => copy(plan, Some(&Blocks::new(plan, widths, vectors)), widths, src, dst, set),
    }
}

/// Copies blocks that are no grid of one pass.
fn copy_blocks(
    plan: &Plan,
    Blocks { block, passes, .. }: &Blocks,
    widths: Widths,
    src: &[u8],
    dst: Destination<'_>,
    set: InstructionSet,
) {
    let task = Task {
        plan,
        block,
        passes,
        widths,
        set,
        src,
        dst,
        buffers: [&mut [], &mut []],
        counts: [0; MAX_LOOPS],
        is_whole: true,
        first: 0,
        stride: 0,
        count: 0,
        done: 0,
    };
    let with_buffers = match block.bytes {
        bytes if bytes <= SMALL => Task::with_buffers::<SMALL>,
        bytes if bytes <= MIDDLE => Task::with_buffers::<MIDDLE>,
        _ => Task::with_buffers::<BYTES>,
    };
    with_buffers(task);
}

/// A block on its way: passes go from one to the other in turns.
#[repr(align(64))]
struct Buffers<const N: usize>([[u8; N]; 2]);

/// Bytes of smaller buffers: those for the largest blocks take longer to fill with zeros than a small array to copy.
const SMALL: usize = 1 << 10;
const MIDDLE: usize = 1 << 12;

/// The copy of blocks.
struct Task<'a> {
    plan: &'a Plan,
    block: &'a BitBlock,
    passes: &'a Passes,
    widths: Widths,
    set: InstructionSet,
    src: &'a [u8],
    dst: Destination<'a>,
    buffers: [&'a mut [u8]; 2],
    /// Values of each loop in a block, and whether these are all of it.
    counts: [usize; MAX_LOOPS],
    is_whole: bool,
    /// Where the batch begins in the source, and how far from the one before.
    first: usize,
    stride: usize,
    /// Blocks of the batch, and how many of them are done.
    count: usize,
    done: usize,
}

impl Visit for Task<'_> {
    const HAVE_BITS: bool = true;

    fn grid(&mut self, grid: &Grid) {
        self.begin(grid, self.block.bits.map(|bits| 1 << bits));
        self.is_whole = true;
        if self.passes.len() == 1 && self.pass(0, [true; 2], grid) {
            return;
        }
        for row in 0..grid.count[1] {
            let first = add(grid.at, grid.step[1], row);
            for number in 0..grid.count[0] {
                self.done = number;
                let at = add(first, grid.step[0], number);
                self.block([true; 2], &Grid { at, count: [1; 2], ..*grid });
            }
        }
    }

    fn cut(&mut self, &Grid { at, .. }: &Grid, left: &mut Left) {
        let block = Grid { at, count: [1; 2], step: [[0; 2]; 2] };
        self.begin(&block, left.counts(self.plan, &self.block.bits));
        self.is_whole = false;
        self.block([false; 2], &block);
    }
}

impl Left {
    /// Values of each loop in a block that has some bits of its counter.
    fn counts(&self, plan: &Plan, bits: &[u8; MAX_LOOPS]) -> [usize; MAX_LOOPS] {
        let mut counts = [1; MAX_LOOPS];
        for number in (0..usize::from(plan.len)).filter(|&number| bits[number] > 0) {
            let Loop { unit, extent, .. } = plan.loops[number];
            let (size, left) = (1 << bits[number], self.dims[usize::from(plan.dims[number])]);
            let rest = native(extent) - self.number[number] * size;
            counts[number] = size.min(rest).min(left.div_ceil(native(unit)));
        }
        counts
    }
}

impl Task<'_> {
    #[inline(never)]
    fn with_buffers<const N: usize>(self) {
        let Buffers([before, after]) = &mut Buffers([[0; N]; 2]);
        Task { buffers: [before, after], ..self }.walk();
    }

    #[inline(never)]
    fn walk(self) {
        let Task { plan, block, widths, .. } = self;
        let needed = Needed::new(plan, &block.bits.map(|bits| 1 << bits));
        // Blocks of several passes are as long as memory takes to come: where they are side by side in the source, it can
        // be asked for.
        let is_several = self.passes.len() > 1;
        let parts = PARTS[usize::from(is_several)];
        Walk::in_parts(plan, &needed, &block.bits, widths.fixed, is_several, parts, self).run();
    }

    /// Begins the next blocks, which have `counts` values of each loop.
    fn begin(&mut self, grid: &Grid, counts: [usize; MAX_LOOPS]) {
        self.stride = grid.at[0].wrapping_sub(self.first);
        (self.first, self.count, self.done) = (grid.at[0], grid.count[0], 0);
        self.counts = counts;
    }

    /// Copies a block. Words are gathered, or scattered, where vectors do not lie in memory as they are.
    fn block(&mut self, in_memory: [bool; 2], block: &Grid) {
        let last = self.passes.len() - 1;
        for number in 0..=last {
            let may_be = [in_memory[0] && number == 0, in_memory[1] && number == last];
            let mut is_gathered = number > 0;
            for ends in [[true, true], [true, false], [false, true], [false, false]] {
                if ends[0] && !may_be[0] || ends[1] && !may_be[1] {
                    continue;
                }
                if !ends[0] && !is_gathered {
                    self.gather(block);
                    is_gathered = true;
                }
                if self.pass(number, ends, block) {
                    if number == last && !ends[1] {
                        self.scatter(block);
                    }
                    break;
                }
            }
        }
    }

    /// Makes a pass, from and to memory or a buffer. False, and nothing is done, where vectors are not contiguous.
    fn pass(&mut self, number: usize, in_memory: [bool; 2], batch: &Grid) -> bool {
        let Some(pass) = self.passes.pass(number, in_memory, batch) else { return false };
        let ahead = if in_memory[0] { self.ahead(pass.ends[0], batch) } else { None };
        let pass = Pass { ahead, ..pass };
        let [a, b] = &mut self.buffers;
        let (before, after) = if number.is_multiple_of(2) { (a, b) } else { (b, a) };
        let src = if in_memory[0] { self.src } else { before };
        if in_memory[1] {
            pass.run(src, &mut self.dst)
        } else {
            pass.run(src, &mut Destination::of(after))
        }
    }

    /// What is asked for ahead, by the distance of two batches: the processor does not foresee where rows go on.
    fn ahead(&self, from: &End, batch: &Grid) -> Option<Ahead> {
        let step = batch.step[0][0];
        if from.follows(self.passes.vectors, step) {
            return None;
        }
        let bytes = |slots: usize| Place::of(slots, self.widths.src).byte;
        if batch.count[1] > 1 && batch.count[0] <= SHORT_ROW {
            let row = batch.step[1][0];
            let rows = ROWS_AHEAD.div_ceil(bytes(row).max(1));
            // Past all that these blocks read, if they are few: some of what lies between their rows is their own.
            let few = if rows < batch.count[1] { 0 } else { row.saturating_mul(batch.count[1]) };
            let ahead = row.saturating_mul(rows).max(from.past(few));
            return Some(Ahead { bytes: bytes(ahead), turn: usize::MAX, skip: 0 });
        }
        let blocks = match self.passes.len() {
            1 => AHEAD[0] / bytes(step).max(1),
            _ => AHEAD[1] / self.block.bytes,
        };
        let blocks = blocks.max(1);
        let stride = if batch.count[1] > 1 { batch.step[1][0] } else { self.stride };
        let skip = stride.wrapping_sub(self.count.wrapping_mul(step)) as isize;
        Some(Ahead {
            bytes: bytes(step.saturating_mul(blocks)),
            turn: (self.count - self.done).saturating_sub(blocks),
            skip: (skip >> (8 / self.widths.src).trailing_zeros()) as usize,
        })
    }

    fn gather(&mut self, block: &Grid) {
        let side = &self.block.sides[0];
        let words = self.buffers[0].as_chunks_mut().0;
        let words = &mut words[..1 << (side.order.len() - self.block.in_word)];
        // What the destination alone has.
        words[side.slots.count() * side.word_count(self.widths.narrow())..].fill([0; WORD]);
        let Task { widths, src, ref counts, .. } = *self;
        compiled_for(self.set, Gather { side, widths, src, at: block.at[0], counts, words });
    }

    fn scatter(&mut self, block: &Grid) {
        let words = self.buffers[self.passes.len() % 2].as_chunks_mut().0;
        mirror_words(words, self.widths.mirror(1));
        let side = &self.block.sides[1];
        let Task { widths, is_whole, ref counts, .. } = *self;
        let at = block.at[1];
        let dst = &mut self.dst;
        let scatter = Scatter { side, widths, words, dst, at, counts, is_whole };
        compiled_for(self.set, scatter);
    }
}
