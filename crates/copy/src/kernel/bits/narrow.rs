//! Elements one by one, for layouts that share no split, and stretches that both layouts have.

use crate::kernel::bits::place::{Place, copy};
use crate::kernel::bits::rows::{OneByOne, PackedRows};
use crate::kernel::bits::widths::{ByWidth, Widths};
use crate::kernel::block::{Batch, KernelBlock, Mover, add};
use crate::kernel::raw::{Vectorized, compiled_for};
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::Grid;
use crate::loops::Kernel;

/// Elements of a row of its own up to which code for the best vectors takes longer.
const SHORT: usize = 64;

/// Moves elements of less than a byte.
pub(crate) struct Narrow<'a> {
    pub widths: Widths,
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
    pub set: InstructionSet,
}

impl Narrow<'_> {
    /// Moves rows of elements that are side by side on both sides.
    fn rows(&mut self, grid: &Grid, length: usize) {
        let Narrow { widths, src, set, .. } = *self;
        let rows = PackedRows { widths, src, dst: self.dst, grid, length };
        let is_short = length <= SHORT && grid.count == [1; 2];
        let set = if is_short { InstructionSet::COMPILED_FOR } else { set };
        compiled_for(set, ByWidth(widths, rows));
    }

    /// Moves elements that are side by side on both sides.
    pub(crate) fn stretch(&mut self, first: [usize; 2], length: usize) {
        let Narrow { widths, src, ref mut dst, .. } = *self;
        if widths.src == widths.dst {
            let mirrors = [0, 1].map(|side| widths.mirror(side));
            let [from, to, length] =
                [first[0], first[1], length].map(|slot| Place::of(slot, widths.src));
            copy(src, from, dst, to, length, mirrors);
        } else {
            self.rows(&Grid { at: first, count: [1; 2], step: [[0; 2]; 2] }, length);
        }
    }
}

impl Mover for Narrow<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        if step == [1, 1] {
            return self.stretch(at, count);
        }
        let Narrow { widths, src, ref mut dst, .. } = *self;
        ByWidth(widths, OneByOne { widths, src, dst, at, count, step }).run();
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
