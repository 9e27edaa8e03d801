//! Arrays that stand in each block of a buffer.

use layout_core::__private::{Tiling, native};
use layout_core::analysis::{CoordDigit, Resolved};
use layout_core::limits::MAX_TILE_DIMS;
use layout_core::{ArrayShape, Digits, Size};

use crate::memory::place::digits::digits_of;

/// An array of two dimensions in every block of a buffer, as the codes or the scales of a quantized format are. The blocks stand
/// row by row.
///
/// # Examples
/// ```
/// use layout::copies::PartOfBlocks;
/// use layout::{ArrayShape, Padding, Plan};
///
/// // Two rows of two blocks of 18 bytes: a scale, and 32 codes of 4 bits. The crate `tiled-layout-formats` has these parts by
/// // their names, `q4_0` and `codes`.
/// let blocks: Vec<u8> = (0..4).flat_map(|block| [&[block, 0][..], &[0x21; 16]].concat()).collect();
///
/// let layout = "u4[1,32]{1,0:T(16)(2,1)E(4)}".parse()?;
/// let codes = PartOfBlocks { layout, base_bits: 16, pitch_bits: 18 * 8 };
/// let numbers: ArrayShape = "u4[2,64]".parse()?;
/// let mut bytes = [0; 2 * 64];
/// Plan::between(&codes, &numbers)?.run_bytes(&blocks, &mut bytes, Padding::Leave)?;
/// assert_eq!((bytes[0], bytes[16], bytes[127]), (1, 2, 2));
///
/// // The way back leaves the scales as they are.
/// let mut again = blocks.clone();
/// Plan::between(&numbers, &codes)?.run_bytes(&bytes, &mut again, Padding::Leave)?;
/// assert_eq!(again, blocks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "its fields are all that there is to say")]
pub struct PartOfBlocks {
    /// The part of one block: its rows, what each has, and how they lie.
    pub layout: ArrayShape,
    /// Bits of a block before the part, a multiple of 8.
    pub base_bits: Size,
    /// Bits from one block to the next, a multiple of an element's.
    pub pitch_bits: Size,
}

impl PartOfBlocks {
    /// Elements from one block to the next.
    fn pitch(&self) -> Option<Size> {
        let bits = self.layout.element_bits();
        self.pitch_bits.is_multiple_of(bits).then_some(self.pitch_bits / bits)
    }

    /// Slots from the first element of the part to its last one, in a buffer with the part of an array. `None` if the array is not
    /// whole blocks, or if no plan can say where the part lies.
    pub(super) fn slots(&self, shape: &ArrayShape) -> Option<usize> {
        let mut blocks: Size = 1;
        let is_matrix = shape.rank() == 2 && self.layout.rank() == 2;
        if !is_matrix || !self.base_bits.is_multiple_of(8) {
            return None;
        }
        for (dim, of_block) in shape.dims().iter().zip(self.layout.dims()) {
            let (size, of_block) = (dim.size()?, of_block.size().filter(|size| *size > 0)?);
            blocks = blocks.checked_mul(size / of_block).filter(|_| size % of_block == 0)?;
        }
        let pitch = self.pitch()?;
        self.within()?;
        let last = blocks.saturating_sub(1).checked_mul(pitch)?;
        let slots = last.checked_add(self.layout.padded_elements()?)?;
        Some(if blocks == 0 { 0 } else { native(slots) })
    }

    /// The digits of coordinates within a block.
    fn within(&self) -> Option<Resolved<{ 2 * MAX_TILE_DIMS }>> {
        let mut within = Resolved::NONE;
        let mut tiling: Tiling = Tiling::NONE;
        within.resolve(&tiling.digits(&self.layout).view()).ok()?;
        Some(within)
    }

    /// The digits within a block, and those that count blocks.
    pub(super) fn digits(&self, dims: &[Size]) -> Digits {
        let size = |dim: usize| self.layout.dims()[dim].size().unwrap_or(1);
        let within = self.within().unwrap_or(Resolved::NONE);
        let within = within.as_slice().iter().map(|digit| {
            let left = size(digit.source).div_ceil(digit.div);
            let modulus = if digit.modulus == 0 { left } else { digit.modulus };
            CoordDigit { modulus, ..*digit }
        });
        let pitch = self.pitch().unwrap_or(0);
        let [rows, columns] = [size(0), size(1)];
        // The other size of an array without elements may be any.
        let of_blocks = [(0, rows, pitch.wrapping_mul(dims[1] / columns)), (1, columns, pitch)];
        let of_blocks =
            of_blocks.map(|(source, div, stride)| CoordDigit { source, div, modulus: 0, stride });
        digits_of(dims, within.chain(of_blocks))
    }
}
