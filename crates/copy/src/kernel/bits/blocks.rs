//! Copies between packed layouts, block by block.

use crate::loops::{Loop, MAX_LOOPS, Plan};
use layout_core::base::width::native;

use crate::kernel::bits::block::{BYTES, BitBlock};
use crate::kernel::bits::gathered::{gather, scatter};
use crate::kernel::bits::passes::Passes;
use crate::kernel::bits::planned::Blocks;
use crate::kernel::bits::widths::Widths;
use crate::kernel::block::add;
use crate::kernel::policy::AHEAD;
use crate::kernel::raw::{Ahead, Destination, vectors_of};
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::{Grid, Left, Needed, Visit, Walk};

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
    let Some(blocks) = kept.filter(|kept| kept.vectors == vectors) else {
        // Large, so that they stay where they are made.
        return copy(plan, Some(&Blocks::new(plan, widths, vectors)), widths, src, dst, set);
    };
    let Blocks { grid, block, passes, .. } = blocks;
    if let Some(grid) = grid
        && passes.pass(0, [true; 2], grid).run(src, &mut dst)
    {
        return;
    }
    let buffers = [&mut [][..], &mut []];
    let task = Task { plan, block, passes, widths, src, dst, buffers, counts: None };
    match block.bytes {
        bytes if bytes <= SMALL => task.with_buffers::<SMALL>(),
        bytes if bytes <= MIDDLE => task.with_buffers::<MIDDLE>(),
        _ => task.with_buffers::<BYTES>(),
    }
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
    src: &'a [u8],
    dst: Destination<'a>,
    buffers: [&'a mut [u8]; 2],
    /// Values of each loop that are in the array, in a block in which it ends.
    counts: Option<[usize; MAX_LOOPS]>,
}

impl Visit for Task<'_> {
    const HAVE_BITS: bool = true;

    fn grid(&mut self, grid: &Grid) {
        self.counts = None;
        let in_memory = self.passes.are_in_memory;
        if self.passes.are_one() && self.pass(0, in_memory, grid, self.ahead(grid, 0)) {
            return;
        }
        for row in 0..grid.count[1] {
            let first = add(grid.at, grid.step[1], row);
            for number in 0..grid.count[0] {
                let block = Grid { at: add(first, grid.step[0], number), ..Grid::ONE };
                let ahead = self.ahead(grid, number);
                if !self.block(in_memory, &block, ahead) {
                    self.block([false; 2], &block, ahead);
                }
            }
        }
    }

    fn cut(&mut self, block: &Grid, left: &mut Left) {
        self.counts = Some(left.counts(self.plan, &self.block.bits));
        self.block([false; 2], block, Ahead::NONE);
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
        Walk::in_parts(plan, &needed, &block.bits, widths.fixed, self).run();
    }

    /// Copies a block, from and to memory, or from gathered words and to words that are scattered. False where vectors of memory
    /// lie outside of it.
    fn block(&mut self, in_memory: [bool; 2], block: &Grid, ahead: Ahead) -> bool {
        if !in_memory[0] {
            self.gather(block);
        }
        let last = self.passes.len - 1;
        for number in 0..=last {
            let ends = [in_memory[0] && number == 0, in_memory[1] && number == last];
            if !self.pass(number, ends, block, ahead) {
                return false;
            }
        }
        if !in_memory[1] {
            self.scatter(block);
        }
        true
    }

    /// Makes a pass, from and to memory or a buffer. False, and nothing is done, if vectors lie outside of it.
    fn pass(&mut self, number: usize, in_memory: [bool; 2], grid: &Grid, ahead: Ahead) -> bool {
        let mut pass = self.passes.pass(number, in_memory, grid);
        if in_memory[0] {
            pass.ahead = ahead;
        }
        let [a, b] = &mut self.buffers;
        let (before, after) = if number.is_multiple_of(2) { (a, b) } else { (b, a) };
        let src = if in_memory[0] { self.src } else { before };
        if in_memory[1] {
            pass.run(src, &mut self.dst)
        } else {
            pass.run(src, &mut Destination::of(after))
        }
    }

    /// What is asked for from a block of a row on: the blocks that come some later.
    fn ahead(&self, grid: &Grid, number: usize) -> Ahead {
        let ([count, _], [[step, _], [row, _]]) = (grid.count, grid.step);
        let near = (AHEAD / count * row).wrapping_add(AHEAD % count * step);
        Ahead {
            near,
            turn: (count - AHEAD % count).saturating_sub(number),
            far: near.wrapping_add(row).wrapping_sub(count * step),
        }
    }

    fn gather(&mut self, block: &Grid) {
        let side = &self.block.sides[0];
        let words = &mut self.buffers[0][..8 << (side.order.len() - self.block.in_word)];
        // What the destination alone has.
        words[side.slots.count() * side.row_bytes(self.widths.narrow())..].fill(0);
        let Task { widths, src, .. } = *self;
        gather(side, widths, src, block.at[0], words);
    }

    fn scatter(&mut self, block: &Grid) {
        let words = &mut *self.buffers[self.passes.len % 2];
        let Task { block: of_plan, widths, ref counts, ref mut dst, .. } = *self;
        scatter(of_plan, widths, words, dst, block.at[1], counts.as_ref());
    }
}
