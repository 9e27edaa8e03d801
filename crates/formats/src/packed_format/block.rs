//! Blocks that hold codes and scales together.

use core::fmt;

use layout::copies::PartOfBlocks;

use super::PackedFormatError;
use super::blocks::{BLOCKS, BlockRow, PartRow};
use super::find::same;
use super::row::parsed;
use layout_core::ArrayShape;
use layout_core::limits::{MAX_SIZE, Size};

/// A quantized block of ggml: codes, scales and minimums, as several arrays that share one buffer.
///
/// A buffer is blocks, one after another: those of the first rows, along the rows, then those of the next rows. In
/// each block a [`BlockPart`] is an array with a layout of its own, at a place of its own. So the codes of a whole
/// buffer are one array with a base and a pitch, and the scales another one: of `Q4_0`, whose block is a scale in
/// `f16` and 16 bytes with 32 codes, the codes begin at 4 nibbles with a pitch of 36, and the scales at 0 with a pitch
/// of 9 halves.
///
/// # Examples
/// ```
/// use layout_formats::packed_format::BlockFormat;
///
/// let q4_0 = BlockFormat::find("q4_0")?;
/// assert_eq!((q4_0.rows(), q4_0.elements(), q4_0.bytes()), (1, 32, 18));
/// let codes = q4_0.part("codes").unwrap();
/// assert_eq!(codes.layout().to_string(), "u4[1,32]{1,0:T(16)(2,1)E(4)}");
/// assert_eq!((codes.base(), codes.pitch()), (Some(4), Some(36)));
/// let scales = q4_0.part("scale").unwrap();
/// assert_eq!((scales.base(), scales.pitch()), (Some(0), Some(9)));
///
/// // Element 70 of row 1 of rows of 96 elements: in block 3 + 2, the 6th of 32.
/// assert_eq!(codes.bit_of(96, [1, 70]), Some(5 * 18 * 8 + 16 + 6 * 8));
/// # Ok::<(), layout_formats::packed_format::PackedFormatError>(())
/// ```
#[derive(Clone, Copy)]
// A layout cannot put a scale before codes, but each part of a block is an array with a base and a pitch. Bit
// planes are parts too, so `Q6_K` is here though it has no layout.
pub struct BlockFormat {
    row: &'static BlockRow,
}

/// An array in each block of a [`BlockFormat`].
#[derive(Clone, Copy)]
pub struct BlockPart {
    block: &'static BlockRow,
    part: &'static PartRow,
}

impl BlockFormat {
    /// All block formats.
    pub fn all() -> impl Iterator<Item = BlockFormat> {
        BLOCKS.iter().map(|row| BlockFormat { row })
    }

    /// The block format of a name; case and punctuation do not matter, as for
    /// [`PackedFormat::find`](super::PackedFormat::find).
    ///
    /// # Errors
    /// If there is none.
    pub fn find(name: &str) -> Result<BlockFormat, PackedFormatError> {
        let found = Self::all().find(|format| same(format.name(), name));
        found.ok_or(PackedFormatError::UnknownBlock)
    }

    /// The name, as for [`PackedFormat`](super::PackedFormat).
    pub const fn name(&self) -> &'static str {
        self.row.name
    }

    /// Rows of a block.
    pub const fn rows(&self) -> Size {
        self.row.rows
    }

    /// Elements of each row in a block.
    pub const fn elements(&self) -> Size {
        self.row.elements
    }

    /// Bytes of a block.
    pub const fn bytes(&self) -> Size {
        self.row.bytes
    }

    /// Bytes of an array of `rows` rows with `elements` elements each; `None` if it is not whole blocks, or larger than
    /// any array.
    ///
    /// # Examples
    /// ```
    /// use layout_formats::packed_format::BlockFormat;
    ///
    /// let q4_0 = BlockFormat::find("q4_0").unwrap();
    /// assert_eq!(q4_0.bytes_of(4096, 4096), Some(4096 * 4096 / 32 * 18));
    /// assert_eq!(q4_0.bytes_of(1, 40), None);
    /// ```
    pub fn bytes_of(&self, rows: Size, elements: Size) -> Option<Size> {
        let blocks = exact(rows, self.rows())?.checked_mul(exact(elements, self.elements())?)?;
        blocks.checked_mul(self.bytes()).filter(|bytes| *bytes <= MAX_SIZE)
    }

    /// The parts of a block.
    pub fn parts(&self) -> impl Iterator<Item = BlockPart> + Clone + use<> {
        let block = self.row;
        block.parts.iter().map(move |part| BlockPart { block, part })
    }

    /// The part of a name: `codes`, or `low` and `high` where bits of the codes are apart; `scale`, `scales`,
    /// `minimum`.
    pub fn part(&self, name: &str) -> Option<BlockPart> {
        self.parts().find(|part| part.name() == name)
    }

    /// The bits of the code of an element, low to high: their numbers in the buffer, of which bit 0 is the lowest of
    /// byte 0. The rows have `row` elements. `None` past the last element of a row.
    ///
    /// # Examples
    /// ```
    /// use layout_formats::packed_format::BlockFormat;
    ///
    /// // 4 bits and, elsewhere, the fifth.
    /// let q5_0 = BlockFormat::find("q5_0").unwrap();
    /// let bits = q5_0.bits_of(32, [0, 16]).unwrap();
    /// assert!(bits.eq([52, 53, 54, 55, 32]));
    /// ```
    pub fn bits_of(
        &self,
        row: Size,
        index: [Size; 2],
    ) -> Option<impl Iterator<Item = Size> + use<>> {
        // A part that has no place for one element has it for none.
        let of_codes = self.parts().filter(|part| part.part.is_of_codes());
        if of_codes.clone().any(|part| part.bit_of(row, index).is_none()) {
            return None;
        }
        Some(of_codes.flat_map(move |part| {
            let width = part.layout().element_bits();
            part.bit_of(row, index).into_iter().flat_map(move |bit| bit..bit + width)
        }))
    }
}

impl BlockPart {
    /// What it holds: `codes`, `low` (bits of codes), `high`, `scale`, `minimum`, `scales`.
    pub const fn name(&self) -> &'static str {
        self.part.name
    }

    /// The part of one block as an array: the rows of the block, and what a row has of it.
    pub fn layout(&self) -> ArrayShape {
        parsed(self.part.text)
    }

    /// Bits of a block before the part.
    pub const fn base_bits(&self) -> Size {
        self.part.byte * 8
    }

    /// Bits from one block to the next.
    pub const fn pitch_bits(&self) -> Size {
        self.block.bytes * 8
    }

    /// Elements before the part, if its place is a multiple of its elements.
    pub fn base(&self) -> Option<Size> {
        exact(self.base_bits(), self.layout().element_bits())
    }

    /// Elements from one block to the next, if blocks are a multiple of its elements.
    pub fn pitch(&self) -> Option<Size> {
        exact(self.pitch_bits(), self.layout().element_bits())
    }

    /// The first bit of an element of the part in a buffer of rows with `row` elements of the format; the index counts
    /// the elements of the part, so that scales have fewer columns than codes. `None` past the end of a row, and if
    /// `row` is not whole blocks.
    pub fn bit_of(&self, row: Size, index: [Size; 2]) -> Option<Size> {
        let layout = self.layout();
        let columns = layout.dims()[1].size()?;
        let blocks = exact(row, self.block.elements)?;
        if index[1] / columns >= blocks {
            return None;
        }
        let block =
            (index[0] / self.block.rows).checked_mul(blocks)?.checked_add(index[1] / columns)?;
        let offset =
            layout.digits().ok()?.offset(&[index[0] % self.block.rows, index[1] % columns])?;
        let start = block.checked_mul(self.pitch_bits())?;
        start.checked_add(self.base_bits() + offset * layout.element_bits())
    }
}

fn exact(number: Size, divisor: Size) -> Option<Size> {
    number.is_multiple_of(divisor).then_some(number / divisor)
}

/// For `layout::Plan::between`, which copies a part of all blocks.
impl From<BlockPart> for PartOfBlocks {
    fn from(part: BlockPart) -> PartOfBlocks {
        PartOfBlocks {
            layout: part.layout(),
            base_bits: part.base_bits(),
            pitch_bits: part.pitch_bits(),
        }
    }
}

impl fmt::Debug for BlockFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockFormat").field(&self.name()).finish()
    }
}

impl fmt::Debug for BlockPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The name, its bytes and its parts: `q4_0 18 bytes: scale f16[1,1]{1,0} at byte 0, ..`.
impl fmt::Display for BlockFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} bytes:", self.name(), self.bytes())?;
        for (i, part) in self.parts().enumerate() {
            write!(f, "{} {part}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// The name, the layout and the place: `codes u4[1,32]{1,0:T(16)(2,1)E(4)} at byte 2`.
impl fmt::Display for BlockPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at byte {}", self.name(), self.layout(), self.part.byte)
    }
}
