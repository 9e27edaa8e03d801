//! Whether a copy of whole bytes exchanges bits of the elements' numbers instead of running its kernel. Such an exchange takes
//! whole blocks of the array. What is left at the ends of dimensions are its edges, each a copy of its own.

// Tried: the exchange of bits for all copies. It was level with the kernels where one pass is enough, had 0.4
// to 0.65 of their speed in transposes of 8 and 16 bits, which take it two passes, and 0.1 to 0.6 in safe code,
// whose loops the compiler turns into vectors.

use crate::plan::index_boxes::Then;
use crate::plan::kernel::{LINE, WIDEST};
use crate::plan::loops::{Exchange, Kernel, Loop, Plan};
use layout_core::Size;
use layout_core::base::width::least;
use layout_core::limits::MAX_DIMS;

/// Smallest arrays, in bytes, whose bits are exchanged. First those with stretches of up to 8 bytes or with elements of 16 bytes,
/// then those with longer stretches; of each, with vectors of 32 bytes and more, and with smaller ones. Planning an exchange
/// takes 0.5 to 0.8 microseconds at each copy.
const EXCHANGED: [[Size; 2]; 2] = [[4 << 10, 32 << 10], [128 << 10, 1 << 20]];

/// Smallest arrays, in bytes, for which the kernels of rows wait for memory.
const LARGE: Size = 8 << 20;

/// Bytes of a block below which an exchange is slower than a kernel that moves a line at a time.
const SMALL: Size = 512;

/// Blocks are made larger along a dimension up to this many bytes: that is up to twice as fast.
const ROWS: Size = 8;
/// But only while the dimension has at least this many blocks, so that its edge is narrow.
const BLOCKS: Size = 64;

/// The smallest vectors, in bytes, with which an exchange is faster: any, and those of AVX2.
const ANY: u8 = 8;
const WIDE: u8 = 32;

/// Blocks of an array that are whole lines on both sides.
struct LineBlocks {
    /// Coordinates that a block has of each dimension; 1 where the dimension may be cut anywhere.
    dims: [Size; MAX_DIMS],
    /// Bytes of one, or of as many as the exchange takes together.
    bytes: Size,
}

impl Plan {
    /// Chooses an exchange of bits over the kernel where stretches are shorter than a line. Where they are very short, as from
    /// tiles to tiles of the transpose, that is 4 to 16 times as fast. Longer ones, as the operands of AMX, are 1.3 times as
    /// fast in large arrays, and slower in those that are in the cache.
    pub(super) const fn choose_exchange(&mut self, element: Size) {
        let bytes = bytes(self.elements_as_one, element);
        let (mut q, mut p, mut total) = (1, 1, bytes);
        each!(for number in 0..self.element_loops as usize {
            let extent = self.loops[number].extent;
            total = Size::saturating_mul(total, extent);
            if number >= self.source_minor as usize {
                p = Size::saturating_mul(p, extent);
            } else if number >= self.kernel_loops as usize {
                q = Size::saturating_mul(q, extent);
            }
        });
        let stretch = match self.kernel {
            Kernel::Transpose if p < q => p,
            Kernel::Transpose => q,
            Kernel::Interleave => p,
            // The more minor digit of `q`.
            Kernel::Deinterleave => self.loops[self.source_minor as usize - 1].extent,
            _ => return,
        };
        let block = Size::saturating_mul(p, q).saturating_mul(bytes);
        // Squares of 16 bytes are transposed in registers, as rows are that have as many together. Small blocks that have whole lines
        // on neither side are not: the walk from one to the next takes longer.
        let short = match (self.kernel, bytes) {
            (Kernel::Transpose, 1) => 7,
            (Kernel::Transpose, _) if block <= 2 * LINE && self.is_strewn(p, q) => LINE / 2,
            (Kernel::Transpose, _) => 15,
            (Kernel::Interleave, 4..) => LINE - 1,
            (Kernel::Deinterleave, _) => match Size::saturating_mul(p, bytes) {
                ..16 => 8,
                16 => 16,
                _ => LINE - 1,
            },
            _ => 8,
        };
        let fills_line = bytes < WIDEST && Size::saturating_mul(p, q) >= LINE / bytes;
        let stretch = Size::saturating_mul(stretch, bytes);
        let is_large = total >= LARGE && !matches!(self.kernel, Kernel::Deinterleave);
        let [from, from_smaller] = EXCHANGED[(stretch > 8 && bytes < WIDEST) as usize];
        // Rows of eight bytes are put together half a vector at a time, which takes no plan.
        let is_woven = stretch == 8 && matches!(self.kernel, Kernel::Interleave);
        let from = if is_woven { from_smaller } else { from };
        let least = if stretch <= short && total >= from_smaller {
            ANY
        } else if stretch <= short && total >= from || stretch < LINE && is_large {
            WIDE
        } else {
            return;
        };
        // What is found last takes longest.
        let Some(blocks) = self.line_blocks(element) else { return };
        if fills_line && blocks.bytes < SMALL {
            return;
        }
        self.exchange = Some(Exchange { least, has_edges: self.edge(&blocks).is_some() });
    }

    /// Whether the rows of a block of `p · q` elements lie apart on both sides.
    const fn is_strewn(&self, p: Size, q: Size) -> bool {
        let [of_q, of_p] = [self.kernel_loops, self.source_minor];
        self.loops[of_q as usize].src != p * self.elements_as_one
            && self.loops[of_p as usize].dst != q * self.elements_as_one
    }

    /// `None` if the array has no whole block, or if its lines have padding between elements.
    const fn line_blocks(&self, element: Size) -> Option<LineBlocks> {
        let mut blocks = LineBlocks { dims: [1; MAX_DIMS], bytes: element };
        if bytes(self.contiguous(0), element) < LINE || bytes(self.contiguous(1), element) < LINE {
            return None;
        }
        each!(for number in 0..self.len as usize {
            let (Loop { unit, extent, src, dst }, dim) =
                (self.loops[number], self.dims[number] as usize);
            let values = lines(bytes(src, element), lines(bytes(dst, element), 1));
            let mut block = 1;
            if values > 1 {
                // The most major digit of a dimension has any number of values.
                block = if self.is_most_major(number) && extent >= values {
                    Size::saturating_mul(unit, values)
                } else if extent.is_power_of_two() || extent.is_multiple_of(values) {
                    unit * extent
                } else {
                    return None;
                };
            }
            if block > self.sizes[dim] {
                return None;
            }
            if block > blocks.dims[dim] {
                blocks.dims[dim] = block;
            }
            let is_whole = self.sizes[dim].is_multiple_of(unit * extent);
            let power = 1 << extent.trailing_zeros();
            let together = if is_whole { power } else { least(values, extent) };
            blocks.bytes = Size::saturating_mul(blocks.bytes, together);
        });
        each!(for number in 0..self.len as usize {
            let (Loop { unit, extent, .. }, dim) = (self.loops[number], self.dims[number] as usize);
            let most = least(least(ROWS / element, unit * extent), self.sizes[dim] / BLOCKS);
            while unit <= blocks.dims[dim]
                && 2 * blocks.dims[dim] <= most
                && self.is_block(dim, 2 * blocks.dims[dim])
            {
                blocks.dims[dim] *= 2;
            }
        });
        Some(blocks)
    }

    /// Elements of the source (0) or of the destination (1) that follow one another in memory without padding between them.
    const fn contiguous(&self, side: usize) -> Size {
        let (mut length, mut number) = (1, 0);
        while number < self.len as usize {
            let Loop { extent, src, dst, .. } = self.loops[number];
            if extent > 1 && length == if side == 0 { src } else { dst } {
                length *= extent;
                number = 0;
            } else {
                number += 1;
            }
        }
        length
    }

    /// Whether blocks of so much of a dimension begin and end where its digits do.
    const fn is_block(&self, dim: usize, block: Size) -> bool {
        each!(for number in 0..self.len as usize {
            let unit = self.loops[number].unit;
            let is_other = self.dims[number] as usize != dim;
            if !(is_other || unit.is_multiple_of(block) || block.is_multiple_of(unit)) {
                return false;
            }
        });
        true
    }

    /// A dimension that does not end with a block.
    const fn edge(&self, blocks: &LineBlocks) -> Option<usize> {
        each!(for dim in 0..MAX_DIMS {
            if !self.sizes[dim].is_multiple_of(blocks.dims[dim]) {
                return Some(dim);
            }
        });
        None
    }

    /// With one more loop where the destination's most minor elements, of `bits` bits, are followed by padding within a word: values
    /// above 0 of it are that padding, which is no memory of the source. `None` if there is no such padding.
    #[cfg(feature = "kernels")]
    pub(crate) const fn with_gaps(&self, bits: u32) -> Option<Plan> {
        let (mut length, mut number) = (1, 0);
        while number < self.len as usize {
            let (Loop { unit, extent, dst, .. }, dim) = (self.loops[number], self.dims[number]);
            number += 1;
            if extent > 1 && dst == length {
                // Where the dimension ends within a more minor digit, no block has both, nor the padding after them.
                let is_box = self.sizes[dim as usize].is_multiple_of(unit);
                if !extent.is_power_of_two() || extent >= 64 || !is_box {
                    return None;
                }
                (length, number) = (length * extent, 0);
            }
        }
        let (mut used, mut next) = (0_u32, Size::MAX);
        each!(for number in 0..self.len as usize {
            let Loop { extent, dst, .. } = self.loops[number];
            let step = 1 << dst.trailing_zeros();
            if extent > 1 && dst >= length && step < next {
                next = step;
            }
            used |= 1 << self.dims[number];
        });
        let (at, dim) = (self.len as usize, used.trailing_ones() as usize);
        let word = 64 / bits as Size;
        if next == Size::MAX
            || next <= length
            || length >= word
            || at == self.loops.len()
            || dim >= MAX_DIMS
        {
            return None;
        }
        let (mut plan, extent) = (*self, least(next, word) / length);
        plan.loops[at] = Loop { unit: 1, extent, src: 0, dst: length };
        (plan.dims[at], plan.sizes[dim]) = (dim as u8, extent);
        plan.len += 1;
        Some(plan)
    }

    /// Calls `then` with plans that together are this one, which exchanges bits and has edges: one of whole blocks, and one for
    /// the edge of each dimension. With each come the slots of both layouts at which its memory begins.
    pub fn at_edges(&self, element: Size, then: Then<'_>) {
        let mut whole = self.as_digits();
        // A thread's share of a plan may have no whole block.
        let blocks =
            self.line_blocks(element).unwrap_or(LineBlocks { dims: [1; MAX_DIMS], bytes: 0 });
        while let Some(dim) = whole.edge(&blocks) {
            let (mut edge, mut at) = whole.cut_edge(dim, blocks.dims[dim]);
            // In halves of a block, of halves of a half, so that wide elements are whole.
            let mut half = blocks.dims[dim];
            while half.is_multiple_of(2) {
                half /= 2;
                let divides = half < edge.sizes[dim] && !edge.sizes[dim].is_multiple_of(half);
                if divides && self.is_block(dim, half) {
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

/// Bytes of some elements. Arrays that no machine holds are planned too.
const fn bytes(elements: Size, element: Size) -> Size {
    Size::saturating_mul(elements, element)
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
