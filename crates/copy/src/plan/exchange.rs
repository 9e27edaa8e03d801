//! Whether a copy of whole bytes exchanges bits of the elements' numbers instead of running its kernel.

// Tried: the exchange of bits for all copies. It was level with the kernels where one pass is enough, had 0.4
// to 0.65 of their speed in transposes of 8 and 16 bits, which take it two passes, and 0.1 to 0.6 in safe code,
// whose loops the compiler turns into vectors.

#[cfg(feature = "kernels")]
use crate::plan::boxes::Then;
use crate::plan::kernel::{LANE, LINE};
use crate::plan::loops::{Kernel, Loop, Plan};
use layout_core::Size;
use layout_core::limits::MAX_DIMS;

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
    #[cfg(feature = "kernels")]
    pub(crate) const fn has_edges(&self, element: Size) -> bool {
        each!(for dim in 0..MAX_DIMS {
            if !self.sizes[dim].is_multiple_of(self.whole_lines(dim, element)) {
                return true;
            }
        });
        false
    }

    /// How much of a dimension is whole lines on both sides.
    const fn whole_lines(&self, dim: usize, element: Size) -> Size {
        let mut block = 1;
        each!(for number in 0..self.len as usize {
            let Loop { unit, extent, src, dst } = self.loops[number];
            let steps = [Size::saturating_mul(src, element), Size::saturating_mul(dst, element)];
            let values = lines(steps[0], lines(steps[1], 1));
            if self.dims[number] as usize == dim && values > 1 {
                // The most major digit of a dimension has any number of values.
                let values = if self.is_most_major(number) { values } else { extent };
                let whole = Size::saturating_mul(unit, values);
                block = if block < whole { whole } else { block };
            }
        });
        block
    }

    /// Calls `then` with plans of the edges that the array has past its whole blocks, and with the slots of both layouts at which
    /// their memory begins. Returns the plan of the whole blocks.
    #[cfg(feature = "kernels")]
    pub(crate) fn at_edges(&self, element: Size, then: Then<'_>) -> Plan {
        let mut whole = self.as_digits();
        for dim in 0..MAX_DIMS {
            let block = self.whole_lines(dim, element);
            if !self.sizes[dim].is_multiple_of(block) {
                let (edge, at) = whole.cut_edge(dim, block);
                then(&edge.with_kernel(element), at);
            }
        }
        whole.tidy();
        whole.with_kernel(element)
    }

    /// Takes the edge of a dimension off: less than a block. There, digits begin at the values that they have at the border,
    /// which is 0 for those that are more minor than a block.
    #[cfg(feature = "kernels")]
    fn cut_edge(&mut self, dim: usize, block: Size) -> (Plan, [Size; 2]) {
        let size = self.sizes[dim];
        let border = size - size % block;
        self.sizes[dim] = border;
        let (mut edge, mut at) = (*self, [0; 2]);
        edge.sizes[dim] = size - border;
        for number in
            (0..usize::from(edge.len)).filter(|&number| usize::from(self.dims[number]) == dim)
        {
            let Loop { unit, extent, src, dst } = &mut edge.loops[number];
            let value = border / *unit % *extent;
            at = [at[0] + value * *src, at[1] + value * *dst];
            *extent -= value;
        }
        edge.tidy();
        (edge, at)
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
