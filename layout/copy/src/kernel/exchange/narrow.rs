//! Elements one by one, for layouts that share no split, and stretches that both layouts have.

use crate::kernel::block::{Batch, KernelBlock, Mover, add};
use crate::kernel::exchange::bits::copy;
use crate::kernel::exchange::rows::{PackedRows, one};
use crate::kernel::exchange::widths::Widths;
use crate::kernel::raw::compiled_for;
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::Grid;
use crate::plan::Kernel;

/// Moves elements of less than a byte.
pub(crate) struct Narrow<'a> {
    pub widths: Widths,
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
    /// The slots at which the elements begin.
    pub at: [usize; 2],
    pub set: InstructionSet,
}

impl Narrow<'_> {
    /// Moves rows of elements that are side by side on both sides.
    fn rows(&mut self, grid: &Grid, length: usize) {
        let Narrow { widths, src, at, set, .. } = *self;
        let grid = &Grid { at: add(at, grid.at, 1), ..*grid };
        compiled_for(set, PackedRows { widths, src, dst: self.dst, grid, length });
    }
}

impl Mover for Narrow<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        let Widths { src, dst, .. } = self.widths;
        if step == [1, 1] && src != dst {
            return self.rows(&Grid { at, count: [1; 2], step: [[0; 2]; 2] }, count);
        }
        let at = add(self.at, at, 1);
        let mirrors = [0, 1].map(|side| self.widths.mirror(side));
        if step == [1, 1] {
            return copy(self.src, self.dst, at, count, src, mirrors);
        }
        for number in 0..count {
            one(self.widths, self.src, self.dst, add(at, step, number));
        }
    }

    fn batches(&mut self, block: &KernelBlock, first: &Batch, count: usize, step: [usize; 2]) {
        if block.kernel == Kernel::Run && self.widths.src != self.widths.dst {
            let grid = Grid { at: first.at, count: [first.count, count], step: [first.step, step] };
            return self.rows(&grid, block.wide * first.p);
        }
        for i in 0..count {
            self.blocks(block, &Batch { at: add(first.at, step, i), ..*first });
        }
    }
}
