//! Descriptors of matrices in shared memory and of instructions, for `wgmma` and `tcgen05`.
//!
//! Tensor cores read an operand from shared memory by a descriptor of 64 bits: its start address, two distances, and the
//! swizzle. [`Descriptor`] reads the distances off a tile's own layout and refuses a tile that the instruction would read
//! wrong. All but the address is a constant.
//!
//! Defined by the PTX ISA, "Shared memory descriptor" and "Canonical layouts".
//!
//! # Examples
//! ```
//! use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor};
//!
//! // A tile [M,K] of 128 rows; `wgmma` reads 64 of them, and 16 elements of K in a step.
//! type Tile = layout::layout!(F16[128,64], swizzle = 128B);
//! const A: Descriptor =
//!     DescriptorError::or_panic(Descriptor::wgmma(Tile::SHAPE, Factor::A(64), 1));
//! assert_eq!(A.stride_byte_offset, 1024);
//! assert_eq!((A.blocks, A.steps), (2, 4));
//!
//! // In the kernel: the address of the tile, for the second 64 rows and the third step.
//! assert_eq!(A.at(2048), Ok(0x4000_0040_0000_0080));
//! assert_eq!(A.start(1, 2), Ok(8192 + 64));
//! assert_eq!(A.at_start(2048, 1, 2), Ok(0x4000_0040_0000_0080 + (8192 + 64) / 16));
//! assert_eq!(
//!     A.at(100).unwrap_err().to_string(),
//!     "the tile is at shared address 100, but its swizzle begins at multiples of 1024: align the tile to 1024 bytes",
//! );
//!
//! // Without a swizzle, rows of 128 bytes are not what tensor cores read.
//! assert!(Descriptor::wgmma(&"f16[128,64]".parse()?, Factor::A(64), 1).is_err());
//! # Ok::<(), layout::Error>(())
//! ```

mod instruction;

pub use instruction::InstructionDescriptor;

use core::fmt;

use super::swizzle_codes::SwizzleCodes;
use layout_core::base::text::Piece;
use layout_core::base::width::native;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Digits, ElementType};

/// Most starts along a dimension: blocks of rows, or steps of K.
const MAX_STARTS: usize = 64;

/// Bytes of K that an instruction reads.
const STEP: Size = 32;

/// Addresses and distances have 18 bits, of which the lowest 4 are 0.
const MOST: Size = 0x3FFF0;

named! {
    /// Which dimension of an operand is contiguous in shared memory.
    pub enum Major {
        /// K, which the product sums over.
        K = "K",
        /// M or N.
        Mn = "MN",
    }
}

/// Which factor of `A · B` the tile is, and how many of its rows an instruction reads: elements along M or N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// A, with the rows along M that one instruction reads: 64 for `wgmma`; 32, 64 or 128 for `tcgen05`, whose 256 are
    /// 128 in each of two blocks of threads.
    A(Size),
    /// B, with the rows along N that one instruction reads.
    B(Size),
}

/// The descriptor of an operand in shared memory, without its address.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
// The name of a tile is not trusted: distances are read off the offsets, and every coordinate is compared with
// what the instruction would read. So a tile by any name, or by hand, is right or a compile error.
pub struct Descriptor {
    /// The descriptor with start address 0.
    pub bits: u64,
    /// Which dimension is contiguous.
    pub major: Major,
    /// Alignment of the tile's address in bytes: the period of the swizzle.
    pub alignment: Size,
    /// The leading dimension's byte offset (LBO); 0 where the instruction ignores it.
    pub leading_byte_offset: Size,
    /// The stride dimension's byte offset (SBO); 0 where the instruction ignores it.
    pub stride_byte_offset: Size,
    /// How many instructions the tile takes along M or N.
    pub blocks: usize,
    /// How many instructions the tile takes along K.
    pub steps: usize,
    /// Where they start, in bytes from the start of the tile.
    starts: [[u32; MAX_STARTS]; 2],
}

impl Descriptor {
    /// The descriptor for `wgmma` (sm_90a) of a tile whose dimension `k_dim` is K and whose other dimension is M or N.
    ///
    /// # Errors
    /// If the instruction does not take the elements or the sizes, or would read other elements than the tile has there.
    pub const fn wgmma(
        tile: &ArrayShape,
        factor: Factor,
        k_dim: usize,
    ) -> Result<Descriptor, DescriptorError> {
        Descriptor::read(tile, factor, k_dim, true)
    }

    /// The descriptor for `tcgen05.mma` (sm_100a) of a tile whose dimension `k_dim` is K and whose other dimension is M or
    /// N.
    ///
    /// # Errors
    /// If the instruction does not take the elements or the sizes, or would read other elements than the tile has there.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::Swizzle;
    /// use layout_gpu::descriptor::{Descriptor, Major, Factor};
    /// use layout_gpu::shared::mma_tile;
    ///
    /// // B is stored [K,N], in panels of 64 elements of N.
    /// let tile = mma_tile(&"bf16[64,256]".parse()?, 1, Swizzle::MODE_128B)?;
    /// let b = Descriptor::tcgen05(&tile, Factor::B(256), 0)?;
    /// assert_eq!(b.major, Major::Mn);
    /// assert_eq!((b.leading_byte_offset, b.stride_byte_offset), (64 * 128, 8 * 128));
    /// assert_eq!(b.start(0, 1), Ok(16 * 128));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn tcgen05(
        tile: &ArrayShape,
        factor: Factor,
        k_dim: usize,
    ) -> Result<Descriptor, DescriptorError> {
        Descriptor::read(tile, factor, k_dim, false)
    }

    const fn read(
        tile: &ArrayShape,
        factor: Factor,
        k_dim: usize,
        is_wgmma: bool,
    ) -> Result<Descriptor, DescriptorError> {
        let element = tile.element_type();
        let bytes = element.bytes();
        let is_read = element.bits() >= 8 && instruction::code(element).is_some();
        if !is_read || tile.element_bits() != 8 * bytes {
            return Err(DescriptorError::Element { element });
        }
        if tile.rank() != 2 || k_dim > 1 {
            return Err(DescriptorError::Rank { rank: tile.rank(), k_dim });
        }
        let rows = ok!(rows_of(factor, element, is_wgmma));
        let Some(mode) = SwizzleCodes::of(tile.swizzle(), tile.element_bits()) else {
            return Err(DescriptorError::Swizzle);
        };
        let digits = match tile.without_swizzle().digits() {
            Ok(digits) => digits,
            Err(error) => return Err(DescriptorError::UnknownSize { dim: error.dim }),
        };
        // Only then is an offset a sum of what a row and what a column add.
        if !digits.sums().is_empty() {
            return Err(DescriptorError::Combined);
        }
        let mn = ok!(OperandDim::new(&digits, 1 - k_dim, bytes, rows));
        let k = ok!(OperandDim::new(&digits, k_dim, bytes, STEP / bytes));
        let is_k = k.offset(1) == bytes;
        if !is_k && mn.offset(1) != bytes {
            return Err(DescriptorError::NotContiguous);
        }
        if !is_k && is_wgmma && bytes != 2 {
            return Err(DescriptorError::MnMajor { element });
        }
        // Atoms of 32 bytes.
        if mode.lines < 8 && (is_k || is_wgmma) {
            return Err(DescriptorError::Swizzle);
        }
        // A line has elements along one dimension, and lines follow one another along the other one: how many, and how
        // many bytes apart.
        let (line, lines) = ([mode.span() / bytes, bytes], [mode.lines, mode.span()]);
        if !is_k && !rows.is_multiple_of(line[0]) {
            return Err(DescriptorError::Line { rows, line: line[0] });
        }
        let (of_mn, of_k) = if is_k { (lines, line) } else { (line, lines) };
        let (mn_distance, mn_starts) = ok!(mn.read(of_mn, &mode));
        let (k_distance, k_starts) = ok!(k.read(of_k, &mode));
        let (leading, stride) = match (is_k, mode.swizzle.is_none()) {
            (true, false) => (0, mn_distance),
            (false, false) => (mn_distance, k_distance),
            (_, true) => (k_distance, mn_distance),
        };
        let code = if is_wgmma { mode.wgmma << 62 } else { mode.tcgen05 << 61 | 1 << 46 };
        Ok(Descriptor {
            bits: code | (leading as u64 >> 4) << 16 | (stride as u64 >> 4) << 32,
            major: if is_k { Major::K } else { Major::Mn },
            alignment: mode.period(),
            leading_byte_offset: leading,
            stride_byte_offset: stride,
            blocks: mn.parts,
            steps: k.parts,
            starts: [mn_starts, k_starts],
        })
    }

    /// The descriptor of the tile's first block and step, for the tile's address in shared memory.
    ///
    /// # Errors
    /// If the address is not a multiple of [`alignment`](Self::alignment) or has more than 18 bits.
    pub const fn at(&self, address: u32) -> Result<u64, DescriptorError> {
        self.at_start(address, 0, 0)
    }

    /// [`at`](Self::at) without its checks, in a few instructions. An address that `at` refuses gives a wrong descriptor.
    #[inline(always)]
    pub const fn at_unchecked(&self, address: u32) -> u64 {
        self.bits | ((address & MOST as u32) >> 4) as u64
    }

    /// The descriptor of a block of rows and a step of K, for the tile's address in shared memory.
    ///
    /// # Errors
    /// If the block or step does not exist, and those of [`at`](Self::at).
    pub const fn at_start(
        &self,
        address: u32,
        block: usize,
        step: usize,
    ) -> Result<u64, DescriptorError> {
        let start = ok!(self.start(block, step));
        let (alignment, sum) = (self.alignment, address.saturating_add(start));
        if !(address as Size).is_multiple_of(alignment) {
            return Err(DescriptorError::Alignment { address, alignment });
        }
        if sum as Size > MOST {
            return Err(DescriptorError::Address { address: sum });
        }
        Ok(self.at_unchecked(sum))
    }

    /// Bytes from the start of the tile to what an instruction reads: a block of rows and a step of K.
    ///
    /// # Errors
    /// If the block or step does not exist.
    pub const fn start(&self, block: usize, step: usize) -> Result<u32, DescriptorError> {
        if block >= self.blocks || step >= self.steps {
            return Err(DescriptorError::NoStart { blocks: self.blocks, steps: self.steps });
        }
        Ok(self.starts[0][block] + self.starts[1][step])
    }
}

/// The fields, and of the starts those that there are.
impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Descriptor")
            .field("bits", &format_args!("{:#x}", self.bits))
            .field("major", &self.major)
            .field("alignment", &self.alignment)
            .field("leading_byte_offset", &self.leading_byte_offset)
            .field("stride_byte_offset", &self.stride_byte_offset)
            .field("block_starts", &&self.starts[0][..self.blocks])
            .field("step_starts", &&self.starts[1][..self.steps])
            .finish_non_exhaustive()
    }
}

/// The rows of an operand, if an instruction reads that number of them.
const fn rows_of(
    factor: Factor,
    element: ElementType,
    is_wgmma: bool,
) -> Result<Size, DescriptorError> {
    let (rows, is_read) = match factor {
        Factor::A(rows) => (rows, rows == 64 || (!is_wgmma && matches!(rows, 32 | 128))),
        Factor::B(rows) => {
            let unit = if !element.is_float() && rows > 24 { 16 } else { 8 };
            (rows, rows > 0 && rows <= 256 && rows.is_multiple_of(unit))
        }
    };
    if is_read { Ok(rows) } else { Err(DescriptorError::Rows { rows }) }
}

/// A dimension of the tile, of which each instruction reads a part.
struct OperandDim<'a> {
    digits: &'a Digits,
    dim: usize,
    /// Bytes of an element.
    bytes: Size,
    /// Elements that an instruction reads.
    part: Size,
    /// How many instructions read the dimension.
    parts: usize,
}

impl<'a> OperandDim<'a> {
    const fn new(
        digits: &'a Digits,
        dim: usize,
        bytes: Size,
        part: Size,
    ) -> Result<OperandDim<'a>, DescriptorError> {
        let size = digits.dim(dim);
        if size == 0 || !size.is_multiple_of(part) || size / part > MAX_STARTS as Size {
            return Err(DescriptorError::Size { dim, size, part });
        }
        Ok(OperandDim { digits, dim, bytes, part, parts: native(size / part) })
    }

    /// Bytes before the element at a coordinate, where the other one is 0.
    const fn offset(&self, coordinate: Size) -> Size {
        let index = if self.dim == 0 { [coordinate, 0] } else { [0, coordinate] };
        self.bytes * self.digits.offset_unchecked(&index)
    }

    /// The distance of groups, 0 if an instruction reads one, and where each instruction starts. A group has `count`
    /// elements or lines, `step` bytes apart.
    const fn read(
        &self,
        [count, step]: [Size; 2],
        mode: &SwizzleCodes,
    ) -> Result<(Size, [u32; MAX_STARTS]), DescriptorError> {
        let (dim, period) = (self.dim, mode.period());
        let distance = if self.part > count { self.offset(count) } else { 0 };
        let mut starts = [0; MAX_STARTS];
        each!(for i in 0..self.parts {
            let first = i as Size * self.part;
            let start = self.offset(first);
            // In a line of the pattern the hardware's XOR, which is of addresses, goes on.
            let is_start = start.is_multiple_of(16) && start % period < mode.span();
            if !is_start || !distance.is_multiple_of(period) || start > MOST || distance > MOST {
                return Err(DescriptorError::Start { dim, first, start, distance, period });
            }
            starts[i] = start as u32;
            each!(for coordinate in first..first + self.part {
                let place = coordinate - first;
                let read = start + place % count * step + place / count * distance;
                let found = self.offset(coordinate);
                if read != found {
                    return Err(DescriptorError::Moved { dim, coordinate, found, read });
                }
            });
        });
        Ok((distance, starts))
    }
}

errors! {
    /// Why an instruction cannot read an operand, or has no such product.
    pub enum DescriptorError {
        /// No instruction reads elements of this type, or not in as many bits.
        Element { element: ElementType } => "tensor cores do not read `", element.name(),
            "` in this width from shared memory: write f16, bf16, f32 (as tf32), f8e4m3fn, f8e5m2, s8 or u8";
        /// The tile is not a matrix with this dimension of K.
        Rank { rank: usize, k_dim: usize } => "dimension ", k_dim, " of rank ", rank,
            " is not K of an operand: write a matrix, and 0 or 1 for the dimension of K";
        /// A size is known at run time only.
        UnknownSize { dim: usize } => "the size of dimension ", dim, " is not known: write a number";
        /// The instruction does not read this number of rows.
        Rows { rows: Size } => "no instruction reads ", rows,
            " rows of this operand: write 64 of A (32, 64 or 128 for `tcgen05`), or a multiple of 8 from 8 to 256 of B (of 16 above 24 for integers)";
        /// A size is not a multiple of what an instruction reads, or has more than 64 of these parts.
        Size { dim: usize, size: Size, part: Size } => "dimension ", dim, " has size ", size,
            ", but an instruction reads ", part, ": write a multiple of ", part, ", at most 64 of them";
        /// The instruction does not have the tile's swizzle.
        Swizzle => "the instruction does not have this swizzle: write 32B, 64B, 128B or none, or 128B_ATOM_32B for `tcgen05` with M or N contiguous";
        /// Digits of the layout are of several dimensions together.
        Combined => "tiles combine dimensions: write tiles that divide one another, without `*` over K and M or N";
        /// No dimension is contiguous.
        NotContiguous => "neither K nor the other dimension is contiguous: write a layout in which one is";
        /// Elements of this type have to be K-major.
        MnMajor { element: ElementType } => "`wgmma` takes `", element.name(),
            "` only with K contiguous: write the order in which K is the most minor";
        /// An instruction reads less than a line of the swizzle along M or N.
        Line { rows: Size, line: Size } => "an instruction reads ", rows,
            " elements along M or N, not whole lines of ", line,
            ": write a swizzle of a shorter span, or more rows";
        /// An instruction starts inside the pattern of the swizzle, or groups of lines or panels do.
        Start { dim: usize, first: Size, start: Size, distance: Size, period: Size } => "index ", first,
            " of dimension ", dim, " is at byte ", start, ", and groups are ", distance,
            " bytes apart, where no instruction finds them: write a layout with multiples of ", period,
            ", at most 262128";
        /// The instruction would read another element.
        Moved { dim: usize, coordinate: Size, found: Size, read: Size } => "index ", coordinate, " of dimension ", dim,
            " is at byte ", found, ", but the instruction reads byte ", read,
            ": write panels as wide as the swizzle, or 16 bytes (`mma_tile` lays them out)";
        /// The address of the tile is not aligned.
        Alignment { address: u32, alignment: Size } => "the tile is at shared address ", address as Size,
            ", but its swizzle begins at multiples of ", alignment, ": align the tile to ", alignment, " bytes";
        /// The address has more than 18 bits.
        Address { address: u32 } => "the shared address ", address as Size,
            " is above 262128, the last one that a descriptor holds: place the tile lower";
        /// The block or step does not exist.
        NoStart { blocks: usize, steps: usize } => "the tile has ", Piece::Counted(blocks, "block"), " of rows and ",
            Piece::Counted(steps, "step"), " of K: write numbers below these";
        /// No kind of instruction takes these types together.
        Types { a: ElementType, b: ElementType, d: ElementType } => "no kind of `tcgen05` multiplies `", a.name(),
            "` by `", b.name(), "` into `", d.name(),
            "`: write f32 sums for floats of one width, s32 for integers";
        /// Integers are negated, or sums of floats saturate.
        Signs => "floats are negated and sums of integers saturate, not the reverse: write false";
        /// No instruction has this product.
        Product { m: Size, n: Size } => "`tcgen05` has no product of M = ", m, " and N = ", n,
            ": write M of 64, 128 or 256 and N of a multiple of 8, 16 or 32, at most 256";
        /// The sparsity selector is above 3.
        Selector { selector: u8 } => "the sparsity selector is ", selector as Size, ": write 0 to 3";
    }
}
