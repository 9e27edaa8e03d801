//! Whether a copy of whole bytes exchanges bits of the elements' numbers instead of running its kernel.

// Tried: the exchange of bits for all copies. It was level with the kernels where one pass is enough, had 0.4
// to 0.65 of their speed in transposes of 8 and 16 bits, which take it two passes, and 0.1 to 0.6 in safe code,
// whose loops the compiler turns into vectors.

use crate::loops::{Kernel, Plan};
use crate::plan::edges::Past;
use crate::plan::kernel::{LANE, LINE};
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
            let block = self.whole(dim, Past::Lines { element });
            if block > 1 && block > self.sizes[dim] {
                return false;
            }
        });
        true
    }
}
