//! Whether a copy of whole bytes exchanges bits of the elements' numbers instead of running its kernel. Blocks of such an
//! exchange are whole: what the array has beyond whole blocks, its edges, are copies of their own.

use crate::base::limits::{MAX_DIMS, Size};
use crate::base::width::least;
use crate::plan::index_boxes::Then;
use crate::plan::kernel::LINE;
use crate::plan::loops::{Exchange, Kernel, Loop, Plan};

/// Bytes from which on bits are exchanged, in vectors of 32 bytes and more, and in smaller ones: in stretches of up to 8 bytes,
/// then in longer ones. An exchange is planned for each copy, in 0.5 to 0.8 microseconds.
const EXCHANGED: [[Size; 2]; 2] = [[16 << 10, 32 << 10], [128 << 10, 1 << 20]];

/// Bytes from which on the kernels of rows wait for memory.
const LARGE: Size = 8 << 20;

const NARROW: Size = 64;
const ROWS: Size = 8;
/// The vectors, in bytes.
const ANY: u8 = 8;
const WIDE: u8 = 32;

impl Plan {
    /// Chooses an exchange of bits over the kernel where stretches are shorter than a line. Where they are very short, as from
    /// tiles to tiles of the transpose, that is 4 to 16 times as fast. Longer ones, as the operands of AMX, are 1.3 times as
    /// fast in large arrays, and slower in those that are in the cache.
    pub(super) const fn choose_exchange(&mut self, element: Size) {
        let Some(blocks) = self.exchanged_blocks(element) else { return };
        let bytes = element * self.wide;
        let (mut q, mut p, mut total) = (1, 1, bytes);
        each!(for number in 0..self.fine as usize {
            let extent = self.loops[number].extent;
            total = Size::saturating_mul(total, extent);
            if number >= self.p as usize {
                p *= extent;
            } else if number >= self.inner as usize {
                q *= extent;
            }
        });
        let stretch = match self.kernel {
            Kernel::Transpose if p < q => p,
            Kernel::Transpose => q,
            Kernel::Interleave => p,
            // The more minor digit of `q`.
            Kernel::Deinterleave => self.loops[self.p as usize - 1].extent,
            _ => return,
        };
        // Squares of 16 bytes are transposed in registers, as rows are that have as many together.
        let short = match (self.kernel, bytes) {
            (Kernel::Transpose, 1) => 7,
            (Kernel::Transpose, _) => 15,
            (Kernel::Interleave, 4..) => LINE - 1,
            (Kernel::Deinterleave, _) if p * bytes > 16 => LINE - 1,
            _ => 8,
        };
        let stretch = stretch * bytes;
        let is_large = total >= LARGE && !matches!(self.kernel, Kernel::Deinterleave);
        let is_long = stretch > 8 && bytes < 16;
        let [from, from_smaller] = EXCHANGED[is_long as usize];
        let least = if stretch <= short && total >= from_smaller {
            ANY
        } else if stretch <= short && total >= from || stretch < LINE && is_large {
            WIDE
        } else {
            return;
        };
        self.exchange = Some(Exchange { least, has_edges: self.edge(&blocks).is_some() });
    }

    /// How much of each dimension has whole lines of both sides, so that blocks do; `None` if no block has, or if the array is
    /// smaller. Loops that count lines do not matter: there can be any number of those.
    const fn exchanged_blocks(&self, element: Size) -> Option<[Size; MAX_DIMS]> {
        let mut blocks = [1; MAX_DIMS];
        each!(for number in 0..self.len as usize {
            let (digit, dim) = (&self.loops[number], self.dims[number] as usize);
            let values = lines(digit.src * element, lines(digit.dst * element, 1));
            if values > 1 {
                // The most major digit of a dimension has any number of values.
                let block = if self.is_most_major(number) && digit.extent >= values {
                    digit.unit * values
                } else if digit.extent.is_power_of_two() || digit.extent.is_multiple_of(values) {
                    digit.unit * digit.extent
                } else {
                    return None;
                };
                if block > blocks[dim] {
                    blocks[dim] = block;
                }
                if block > self.sizes[dim] {
                    return None;
                }
            }
        });
        each!(for number in 0..self.len as usize {
            let (Loop { unit, extent, .. }, dim) = (self.loops[number], self.dims[number] as usize);
            // Larger blocks are up to twice as fast: their edges are worth that where they are narrow beside the array.
            while unit <= blocks[dim]
                && 2 * blocks[dim] <= least(unit * extent, self.sizes[dim] / NARROW)
                && 2 * blocks[dim] <= ROWS
            {
                blocks[dim] *= 2;
            }
        });
        Some(blocks)
    }

    /// A dimension that does not end with a block.
    const fn edge(&self, blocks: &[Size; MAX_DIMS]) -> Option<usize> {
        each!(for dim in 0..MAX_DIMS {
            if blocks[dim] > 1 && !self.sizes[dim].is_multiple_of(blocks[dim]) {
                return Some(dim);
            }
        });
        None
    }

    /// Calls `then` with plans that together are this one, which exchanges bits and has edges: one of whole blocks, and one for
    /// the edge of each dimension. With each come the slots of both layouts at which its memory begins.
    pub fn at_edges(&self, element: Size, then: Then<'_>) {
        let mut whole = self.as_digits();
        let blocks = self.exchanged_blocks(element).unwrap_or([1; MAX_DIMS]);
        while let Some(dim) = whole.edge(&blocks) {
            let (mut edge, mut at) = whole.cut_edge(dim, blocks[dim]);
            // In halves of a block, of halves of a half, so that wide elements are whole.
            let mut half = blocks[dim];
            while half.is_multiple_of(2) {
                half /= 2;
                if half < edge.sizes[dim] && !edge.sizes[dim].is_multiple_of(half) {
                    let (rest, before) = edge.cut_edge(dim, half);
                    edge.tidy();
                    then(&edge.with_kernel(element), at);
                    (edge, at) = (rest, [0, 1].map(|side| at[side] + before[side]));
                }
            }
            then(&edge.with_kernel(element), at);
        }
        whole.tidy();
        then(&whole.with_kernel(element), [0; 2]);
    }

    /// Takes the edge of a dimension off: less than a block. There, digits begin at the values that they have at the border,
    /// which is 0 for those that are more minor than a block.
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
