//! Dividing a plan among several threads.

use crate::plan::loops::{Kernel, Loop, Plan};
use layout_core::__private::DigitsView;
use layout_core::Size;
use layout_core::analysis::{DigitSource, Term};
use layout_core::base::width::least;

impl Plan {
    /// The loop that divides the destination into consecutive blocks of memory, if the plan can be divided
    /// there: the most major digit of the destination, and of its dimension.
    pub const fn shared(&self) -> Option<usize> {
        if !self.has_layout_strides() {
            return None;
        }
        if self.is_general() {
            return if self.loops[0].extent > 1 { Some(0) } else { None };
        }
        let mut major = 0;
        each!(for i in 1..self.element_loops as usize {
            if self.loops[i].dst > self.loops[major].dst {
                major = i;
            }
        });
        let keeps_rows = major < self.kernel_loops as usize
            || match self.kernel {
                Kernel::Run | Kernel::Transpose | Kernel::Strided => true,
                Kernel::Interleave | Kernel::Deinterleave | Kernel::General => false,
            };
        // An array of one element has no loops.
        if self.element_loops == 0 || !keeps_rows {
            return None;
        }
        if self.is_most_major(major) { Some(major) } else { None }
    }

    /// Values of a loop at which there are elements: fewer than its extent where its dimension ends before.
    pub const fn count(&self, number: usize) -> Size {
        let (Loop { unit, extent, .. }, dim) = (self.loops[number], self.dims[number] as usize);
        least(extent, (self.sizes[dim] - self.starts[dim]).div_ceil(unit))
    }

    /// Values of a loop that are copied together at least, so that those after them begin at whole elements of slices on
    /// both sides: `least`, or some power of two times as many. An element of the slices holds `per` of the plan's, in the
    /// source and in the destination: 1, 2, 4 or 8.
    pub const fn multiple(&self, number: usize, least: Size, per: [Size; 2]) -> Size {
        let Loop { src, dst, .. } = self.loops[number];
        let mut multiple = least;
        while !(src % per[0] * multiple).is_multiple_of(per[0])
            || !(dst % per[1] * multiple).is_multiple_of(per[1])
        {
            multiple *= 2;
        }
        multiple
    }

    /// Values of a loop that are best copied together: those of the kernel's loops make up its blocks.
    pub const fn block(&self, number: usize) -> Size {
        if number < self.kernel_loops as usize { 1 } else { 64 }
    }

    /// Slots of the largest blocks that a window of the destination can have a whole number of: at most `most`, or `larger`
    /// times as many where they make up blocks of the kernel. `None` if no loop has blocks of so few.
    pub fn largest_block(&self, per: [Size; 2], most: Size, larger: Size) -> Option<Size> {
        let slots = |number: usize| {
            let Loop { extent, dst, .. } = self.loops[number];
            let block = if extent < self.block(number) { 1 } else { self.block(number) };
            let most = if block > 1 { most.saturating_mul(larger) } else { most };
            let slots = dst.saturating_mul(self.multiple(number, block, per));
            (extent > 1 && slots <= most).then_some(slots)
        };
        (0..self.len.into()).filter_map(slots).max()
    }

    /// The plan for the values of a loop from `first` on, `count` of them at most, for which there are elements. Offsets count
    /// from the first of them on.
    pub const fn share(&self, number: usize, first: Size, count: Size) -> Plan {
        let values = least(count, self.count(number) - first);
        if !self.is_general() {
            return match self.at_values(number, first, first + values) {
                Some(part) => part,
                // There are elements at these values.
                None => unreachable!(),
            };
        }
        // It can be shared again, since it begins at its own first index.
        let mut part = *self;
        let (Loop { unit, dst, .. }, dim) = (self.loops[number], self.dims[number] as usize);
        part.loops[number].extent = values;
        part.starts[dim] += first * unit;
        part.skipped += first * dst;
        part.sizes[dim] = least(part.sizes[dim], part.starts[dim] + values * unit);
        part
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
