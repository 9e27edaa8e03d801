//! Values of a plan's digits that are copied apart: by several threads, or as parts.

use crate::loops::{Kernel, Loop, Plan};
use layout_core::Size;
use layout_core::analysis::{DigitSource, DigitsView, Term};

/// Values of a kernel's loop that are best copied together: they make up blocks.
const BLOCK: Size = 64;

impl Plan {
    /// The loop that divides the destination into consecutive blocks of memory, if the plan can be divided
    /// there: the most major digit of the destination, and of its dimension.
    pub fn shared(&self) -> Option<usize> {
        let number = self.major()?;
        // Kernels of rows take all of them.
        let has_blocks = matches!(self.kernel, Kernel::Run | Kernel::Transpose | Kernel::Strided)
            && self.loops[number].extent >= BLOCK;
        let is_divided = number < self.kernel_loops.into() || has_blocks;
        (is_divided && self.has_layout_strides() && self.is_most_major(number)).then_some(number)
    }

    /// Values of a loop that are copied together at least, so that those after them begin at whole elements of slices on
    /// both sides. An element of the slices holds `per` of the plan's, in the source and in the destination: 1, 2, 4 or 8.
    pub fn together(&self, number: usize, per: [Size; 2]) -> Size {
        let Loop { extent, src, dst, .. } = self.loops[number];
        let has_blocks = number >= self.kernel_loops.into() && extent >= BLOCK;
        let mut values = if has_blocks { BLOCK } else { 1 };
        while [(src, per[0]), (dst, per[1])].iter().any(|(step, per)| step % per * values % per > 0)
        {
            values *= 2;
        }
        values
    }

    /// Slots of the largest blocks that a window of the destination can have a whole number of: at most `most`, or `larger`
    /// times as many where they make up blocks of the kernel. `None` if no loop has blocks of so few.
    pub fn largest_block(&self, per: [Size; 2], most: Size, larger: Size) -> Option<Size> {
        let slots = |number: usize| {
            let Loop { extent, dst, .. } = self.loops[number];
            let values = self.together(number, per);
            let most = if values >= BLOCK { most.saturating_mul(larger) } else { most };
            let slots = dst.saturating_mul(values);
            (extent > 1 && slots <= most).then_some(slots)
        };
        (0..self.len.into()).filter_map(slots).max()
    }

    /// Whether no other loop counts larger steps of the dimension.
    pub const fn is_most_major(&self, number: usize) -> bool {
        each!(for other in 0..self.len as usize {
            let Loop { unit, extent, .. } = self.loops[other];
            if self.dims[other] == self.dims[number] && extent > 1 && unit > self.loops[number].unit
            {
                return false;
            }
        });
        true
    }

    /// Gives a general plan its one loop: the most major digit of the destination, if that is the most major one of
    /// a dimension; else a loop of one value.
    pub(super) const fn share_general(&mut self, dst: &DigitsView<'_>) {
        self.loops[0] = Loop { unit: 1, extent: 1, src: 0, dst: 0 };
        if let Some(Term { digit, stride, .. }) = dst.terms.first()
            && let DigitSource::Dim(dim) = digit.source()
            && digit.modulus == 0
            && stride.factor.is_multiple_of(dst.swizzle.block())
        {
            let extent = dst.dim(dim).div_ceil(digit.div);
            self.dims[0] = dim as u8;
            self.loops[0] = Loop { unit: digit.div, extent, src: 0, dst: stride.factor };
        }
        (self.len, self.kernel_loops, self.source_minor, self.element_loops) = (1, 1, 1, 1);
    }
}
