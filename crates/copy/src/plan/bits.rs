//! Whether a copy of whole bytes exchanges bits of the elements' numbers instead of running its kernel.

// Tried: the exchange of bits for all copies. It was level with the kernels where one pass is enough, had 0.4
// to 0.65 of their speed in transposes of 8 and 16 bits, which take it two passes, and 0.1 to 0.6 in safe code,
// whose loops the compiler turns into vectors.

use crate::loops::{Kernel, Loop, Plan};
use crate::plan::boxes::Then;
use crate::plan::kernel::{LANE, LINE};
use layout_core::base::{MAX_DIMS, Size, greatest};

/// Bytes of the smallest arrays whose bits are exchanged: with stretches of a lane at most on both sides, as `u16` in `{0,1:T(4,2)}` has
/// them, and of less than a line, as `s8` in `{0,1:T(32,4)}`, which smaller arrays move as fast by their kernel.
const SMALLEST: [Size; 2] = [8 << 10, 128 << 10];

impl Plan {
    /// Chooses an exchange of bits where stretches are short on both sides, as from tiles to tiles of the transpose: no kernel has
    /// vectors for them.
    pub(super) const fn choose_exchange(&mut self, element: Size) {
        let bytes = Size::saturating_mul(self.elements_as_one, element);
        let (mut q, mut p, mut total) = (bytes, bytes, bytes);
        each!(for number in 0..self.element_loops as usize {
            let extent = self.loops[number].extent;
            total = Size::saturating_mul(total, extent);
            if number >= self.source_minor as usize {
                p = Size::saturating_mul(p, extent);
            } else if number >= self.kernel_loops as usize {
                q = Size::saturating_mul(q, extent);
            }
        });
        let longest = if p < q { q } else { p };
        let smallest = SMALLEST[(longest > LANE) as usize];
        let are_digits =
            matches!(self.kernel, Kernel::Transpose | Kernel::Interleave | Kernel::Deinterleave);
        self.exchanges_bits =
            are_digits && longest < LINE && total >= smallest && self.has_blocks(element);
    }

    /// Whether the array has a whole block.
    const fn has_blocks(&self, element: Size) -> bool {
        each!(for dim in 0..MAX_DIMS {
            let block = self.whole_lines(dim, element);
            if block > 1 && block > self.sizes[dim] {
                return false;
            }
        });
        true
    }

    /// Whether it does not end with a block.
    pub(crate) const fn has_edges(&self, element: Size) -> bool {
        each!(for dim in 0..MAX_DIMS {
            if !self.sizes[dim].is_multiple_of(self.whole_lines(dim, element)) {
                return true;
            }
        });
        false
    }

    /// How much of a dimension is whole lines on both sides: values of its most major loop.
    const fn whole_lines(&self, dim: usize, element: Size) -> Size {
        let (mut block, mut major) = (1, 1);
        each!(for number in 0..self.len as usize {
            let Loop { unit, extent, src, dst } = self.loops[number];
            let steps = [Size::saturating_mul(src, element), Size::saturating_mul(dst, element)];
            let values = lines(steps[0], lines(steps[1], 1));
            if self.dims[number] as usize == dim {
                major = greatest(major, unit);
                if values > 1 {
                    // The most major digit of a dimension has any number of values.
                    let values = if self.is_most_major(number) { values } else { extent };
                    block = greatest(block, Size::saturating_mul(unit, values));
                }
            }
        });
        if block > 1 { greatest(block, major) } else { block }
    }

    /// Calls `then` with plans of the edges that the array has past its whole blocks, and with the slots of both layouts at which
    /// their memory begins. Returns the plan of the whole blocks.
    pub(crate) fn at_edges(&self, element: Size, then: Then<'_>) -> Plan {
        let mut whole = self.as_digits();
        for dim in 0..MAX_DIMS {
            let rest = whole.sizes[dim] % self.whole_lines(dim, element);
            let loops = (0..whole.len.into()).filter(|&at| usize::from(whole.dims[at]) == dim);
            if let Some(number) = loops.max_by_key(|&at| whole.loops[at].unit)
                && rest > 0
            {
                let Loop { unit, extent, .. } = whole.loops[number];
                let border = (whole.sizes[dim] - rest) / unit;
                if let Some((edge, at)) = whole.part(number, border..extent) {
                    then(&edge.with_kernel(element), at);
                }
                if let Some((blocks, _)) = whole.part(number, 0..border) {
                    whole = blocks;
                }
            }
        }
        whole.with_kernel(element)
    }
}

/// How many values, `step` bytes apart, are whole lines together, and a multiple of `others`; `others` if they lie in lines of
/// their own.
const fn lines(step: Size, others: Size) -> Size {
    let mut values = others;
    while step < LINE && !(values * step).is_multiple_of(LINE) {
        values += others;
    }
    values
}
