//! Elements that are side by side in packed memory along one dimension, and in bytes along another one.

use crate::kernel::block::{Batch, KernelBlock, Mover, add};
use crate::kernel::exchange::bits::low;
use crate::kernel::exchange::narrow::Narrow;
use crate::kernel::exchange::widths::{ByWidth, OfBits, Widths};
use crate::kernel::raw::compiled_for;
use crate::one_byte::Extend;
use crate::plan::{Kernel, Plan};
use layout_core::Size;

/// Elements up to which an exchange of bits takes longer, if the array ends within its blocks.
const FEW: Size = 64 << 10;
/// If they are transposed.
const FEW_TRANSPOSED: Size = 4 << 20;
/// Bytes of a row that are taken together.
const ROW: usize = 64;

/// Moves blocks of such elements. No byte of packed memory has elements of two blocks.
pub(crate) struct PackedColumns<'a>(pub Narrow<'a>);

impl PackedColumns<'_> {
    /// Whether a plan between packed memory and bytes is best made so.
    pub(crate) fn are_best(plan: &Plan, widths: Widths) -> bool {
        let (per_byte, is_packing) = ((8 / widths.narrow()) as Size, widths.dst < 8);
        let is_block = !matches!(plan.kernel, Kernel::General | Kernel::Strided | Kernel::Run);
        let [inner, p, fine, len] =
            [plan.kernel_loops, plan.source_minor, plan.element_loops, plan.len].map(usize::from);
        if widths.src == widths.dst || !is_block || [p - inner, fine - p, len - fine] != [1, 1, 0] {
            return false;
        }
        let packed = if is_packing { inner } else { p };
        let has_bytes = (0..len).all(|number| {
            let of = &plan.loops[number];
            number == packed || [of.src, of.dst][usize::from(is_packing)].is_multiple_of(per_byte)
        });
        let is_cut = [inner, p]
            .iter()
            .any(|&number| !plan.sizes[usize::from(plan.dims[number])].is_multiple_of(ROW as Size));
        // Bits of so small a block are exchanged, several blocks at a time, if its sides are powers of two.
        let block = plan.loops[inner].extent.saturating_mul(plan.loops[p].extent);
        let is_exchanged = block < ROW as Size && block.is_power_of_two();
        let begins = plan.first[usize::from(is_packing)].is_multiple_of(per_byte);
        let elements =
            plan.loops[..len].iter().fold(1, |product: Size, of| product.saturating_mul(of.extent));
        let few = if plan.kernel == Kernel::Transpose { FEW_TRANSPOSED } else { FEW };
        has_bytes && is_cut && !is_exchanged && begins && elements <= few
    }
}

impl Mover for PackedColumns<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        self.0.elements(at, count, step);
    }

    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        let Narrow { widths, src, set, .. } = self.0;
        let columns = ColumnBlocks { widths, src, dst: self.0.dst, block, batch };
        compiled_for(set, ByWidth(widths, columns));
    }
}

/// The blocks of a batch.
struct ColumnBlocks<'a> {
    widths: Widths,
    src: &'a [u8],
    dst: &'a mut [u8],
    block: &'a KernelBlock,
    batch: &'a Batch,
}

impl OfBits for ColumnBlocks<'_> {
    #[inline(always)]
    fn of_bits<const BITS: usize>(self) {
        let ColumnBlocks { widths, src, dst, block: KernelBlock { p, q, .. }, batch } = self;
        let (per_byte, is_packing) = (8 / BITS, widths.dst < 8);
        // Elements side by side in packed memory, and their distance in bytes; rows of bytes, and the distance of their elements.
        let (count, apart, length, step) = if is_packing {
            (batch.q, q.near[0], batch.p, p.near[1] / per_byte)
        } else {
            (batch.p, p.near[1], batch.q, q.near[0] / per_byte)
        };
        let mirror = widths.mirror(usize::from(is_packing)) > 0;
        let shift = |row: usize| if mirror { 8 - BITS * (row + 1) } else { BITS * row };
        let (sign, kept) = match widths.extend {
            Extend::Sign => (1 << (BITS - 1), low(BITS) as u8),
            Extend::One => (0, 1),
            Extend::Zeros | Extend::Padded => (0, low(BITS) as u8),
        };
        for number in 0..batch.count {
            let at = add(batch.at, batch.step, number);
            for first in (0..count).step_by(per_byte) {
                let rows = per_byte.min(count - first);
                let mask = low(rows * BITS) as u8;
                let mask = if mirror { mask << (8 - rows * BITS) } else { mask };
                for column in (0..length).step_by(ROW) {
                    let columns = ROW.min(length - column);
                    let row = at[usize::from(!is_packing)] + first * apart + column;
                    let packed = (at[usize::from(is_packing)] + first) / per_byte + column * step;
                    let mut bytes = [0; ROW];
                    if is_packing {
                        for number in 0..rows {
                            let (from, shift) = (&src[row + number * apart..], shift(number));
                            let put = |(byte, from): (&mut u8, &u8)| {
                                *byte |= (from & low(BITS) as u8) << shift
                            };
                            // What is past the row is not used.
                            match from.first_chunk::<ROW>() {
                                Some(from) => bytes.iter_mut().zip(from).for_each(put),
                                None => bytes.iter_mut().zip(from).for_each(put),
                            }
                        }
                        let to = dst[packed..].iter_mut().step_by(step);
                        for (to, byte) in to.zip(&bytes[..columns]) {
                            *to = *to & !mask | byte;
                        }
                    } else {
                        let from = src[packed..].iter().step_by(step);
                        for (byte, from) in bytes[..columns].iter_mut().zip(from) {
                            *byte = *from;
                        }
                        for number in 0..rows {
                            let shift = shift(number);
                            let row = &mut dst[row + number * apart..][..columns];
                            let widened = bytes
                                .map(|byte| ((byte >> shift & kept) ^ sign).wrapping_sub(sign));
                            row.copy_from_slice(&widened[..columns]);
                        }
                    }
                }
            }
        }
    }
}
