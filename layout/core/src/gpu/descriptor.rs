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
//! use layout::ArrayShape;
//! use layout::gpu::descriptor::{Descriptor, DescriptorError, Operand};
//!
//! // A tile [M,K] of 128 rows; `wgmma` reads 64 of them, and 16 elements of K in a step.
//! const TILE: ArrayShape = match ArrayShape::parse_const("f16[128,64]") {
//!     Ok(rows) => match rows.with_swizzle(layout::Swizzle::MODE_128B) {
//!         Ok(tile) => tile,
//!         Err(_) => panic!("not whole blocks"),
//!     },
//!     Err(_) => panic!("not a shape"),
//! };
//! const A: Descriptor = DescriptorError::or_panic(Descriptor::wgmma(&TILE, Operand::A(64), 1));
//! assert_eq!(A.stride_byte_offset(), Some(1024));
//! assert_eq!((A.blocks(), A.steps()), (2, 4));
//!
//! // In the kernel: the address of the tile, for the second 64 rows and the third step.
//! assert_eq!(A.at(2048), Ok(0x4000_0040_0000_0080));
//! assert_eq!(A.start(1, 2), Some(8192 + 64));
//! assert_eq!(A.at_start(2048, 1, 2), Ok(0x4000_0040_0000_0080 + (8192 + 64) / 16));
//! assert_eq!(
//!     A.at(100).unwrap_err().to_string(),
//!     "the tile is at shared address 100, but its swizzle begins at multiples of 1024: align the tile to 1024 bytes",
//! );
//!
//! // Without a swizzle, rows of 128 bytes are not what tensor cores read.
//! let rows: ArrayShape = "f16[128,64]".parse()?;
//! assert!(Descriptor::wgmma(&rows, Operand::A(64), 1).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::shared::{LINES, Major};
use crate::analysis::digits::Digits;
use crate::base::limits::Size;
use crate::base::text::Text;
use crate::shape::{ArrayShape, ElementType, Swizzle};

/// Most starts along a dimension: blocks of rows, or steps of K.
const MAX_STARTS: usize = 64;

/// Bytes of K that an instruction reads.
const STEP: Size = 32;

/// Addresses and distances have 18 bits, of which the lowest 4 are 0.
const MOST: Size = 0x3FFF0;

/// What an instruction reads from the tile, and how many rows: elements along M or N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A, with the rows along M that one instruction reads: 64 for `wgmma`; 32, 64 or 128 for `tcgen05`, whose 256 are
    /// 128 in each of two blocks of threads.
    A(Size),
    /// B, with the rows along N that one instruction reads.
    B(Size),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Instruction {
    Wgmma,
    Tcgen05,
}

/// A swizzle of shared memory as tensor cores have it.
#[derive(Clone, Copy)]
struct Mode {
    swizzle: Swizzle,
    /// Bytes of a line.
    span: Size,
    /// Lines after which the pattern repeats.
    lines: Size,
    wgmma: Option<u64>,
    tcgen05: u64,
}

const MODES: [Mode; 5] = [
    Mode { swizzle: Swizzle::NONE, span: 16, lines: LINES, wgmma: Some(0), tcgen05: 0 },
    Mode { swizzle: Swizzle::MODE_32B, span: 32, lines: LINES, wgmma: Some(3), tcgen05: 6 },
    Mode { swizzle: Swizzle::MODE_64B, span: 64, lines: LINES, wgmma: Some(2), tcgen05: 4 },
    Mode { swizzle: Swizzle::MODE_128B, span: 128, lines: LINES, wgmma: Some(1), tcgen05: 2 },
    Mode { swizzle: Swizzle::MODE_128B_ATOM_32B, span: 128, lines: 4, wgmma: None, tcgen05: 1 },
];

/// The descriptor of an operand in shared memory, without its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    bits: u64,
    major: Major,
    alignment: Size,
    leading: Option<Size>,
    stride: Option<Size>,
    blocks: Starts,
    steps: Starts,
}

/// Byte offsets from the start of the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Starts {
    offsets: [u32; MAX_STARTS],
    count: usize,
}

impl Descriptor {
    /// The descriptor for `wgmma` (sm_90a) of a tile whose dimension `k_dim` is K and whose other dimension is M or N.
    ///
    /// # Errors
    /// If the instruction does not take the elements or the sizes, or would read other elements than the tile has there.
    pub const fn wgmma(
        tile: &ArrayShape,
        operand: Operand,
        k_dim: usize,
    ) -> Result<Descriptor, DescriptorError> {
        Descriptor::read(tile, operand, k_dim, Instruction::Wgmma)
    }

    /// The descriptor for `tcgen05.mma` (sm_100a) of a tile whose dimension `k_dim` is K and whose other dimension is M or
    /// N.
    ///
    /// # Errors
    /// If the instruction does not take the elements or the sizes, or would read other elements than the tile has there.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::gpu::descriptor::{Descriptor, Operand};
    /// use layout::gpu::shared::{Major, triton_nvmma_shared};
    ///
    /// // B is stored [K,N], in panels of 64 elements of N.
    /// let tile = triton_nvmma_shared(&"bf16[64,256]".parse()?, 128, false)?;
    /// let b = Descriptor::tcgen05(&tile, Operand::B(256), 0)?;
    /// assert_eq!(b.major(), Major::Mn);
    /// assert_eq!((b.leading_byte_offset(), b.stride_byte_offset()), (Some(64 * 128), Some(8 * 128)));
    /// assert_eq!(b.start(0, 1), Some(16 * 128));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn tcgen05(
        tile: &ArrayShape,
        operand: Operand,
        k_dim: usize,
    ) -> Result<Descriptor, DescriptorError> {
        Descriptor::read(tile, operand, k_dim, Instruction::Tcgen05)
    }

    const fn read(
        tile: &ArrayShape,
        operand: Operand,
        k_dim: usize,
        instruction: Instruction,
    ) -> Result<Descriptor, DescriptorError> {
        let is_wgmma = matches!(instruction, Instruction::Wgmma);
        let element = tile.element_type();
        let bits = tile.element_bits();
        if !is_read(element) || bits != element.bits() {
            return Err(DescriptorError::Element { element, is_wgmma });
        }
        if tile.rank() != 2 || k_dim > 1 {
            return Err(DescriptorError::Rank { rank: tile.rank(), k_dim });
        }
        let rows = ok!(rows_of(operand, element, is_wgmma));
        let mode = ok!(mode_of(tile, is_wgmma));
        let bytes = bits / 8;
        let tile = match tile.with_swizzle(Swizzle::NONE) {
            Ok(tile) => tile,
            Err(_) => return Err(DescriptorError::Swizzle { is_wgmma }),
        };
        let digits = match tile.digits() {
            Ok(digits) => digits,
            Err(error) => return Err(DescriptorError::UnknownSize { dim: error.dim }),
        };
        // Only then is an offset a sum of what a row and what a column add.
        if !digits.sums().is_empty() {
            return Err(DescriptorError::Combined);
        }
        let mn = Axis { digits: &digits, dim: 1 - k_dim, bytes, part: rows };
        let k = Axis { digits: &digits, dim: k_dim, bytes, part: STEP / bytes };
        ok!(mn.check_size());
        ok!(k.check_size());

        let major = if k.offset(1) == bytes {
            Major::K
        } else if mn.offset(1) == bytes {
            Major::Mn
        } else {
            return Err(DescriptorError::NotContiguous);
        };
        let is_k = matches!(major, Major::K);
        if !is_k && is_wgmma && bits != 16 {
            return Err(DescriptorError::MnMajor { element });
        }
        if is_k && mode.lines != LINES {
            return Err(DescriptorError::AtomOfK);
        }
        // In a line lie the elements of one dimension, and the lines count the other one.
        let (line, lines) = ((mode.span / bytes, bytes), (mode.lines, mode.span));
        let (of_mn, of_k) = if is_k { (lines, line) } else { (line, lines) };
        if !is_k && !rows.is_multiple_of(line.0) {
            return Err(DescriptorError::Line { rows, line: line.0 });
        }
        let period = mode.lines * mode.span;
        let (mn_distance, blocks) = ok!(mn.read(of_mn, &mode));
        let (k_distance, steps) = ok!(k.read(of_k, &mode));
        let (leading, stride) = match (is_k, mode.swizzle.is_none()) {
            (true, false) => (None, mn_distance),
            (false, false) => (mn_distance, k_distance),
            (_, true) => (k_distance, mn_distance),
        };
        let (version, code, at) = match (instruction, mode.wgmma) {
            (Instruction::Wgmma, Some(code)) => (0, code, 62),
            _ => (1, mode.tcgen05, 61),
        };
        Ok(Descriptor {
            bits: field(leading) << 16 | field(stride) << 32 | version << 46 | code << at,
            major,
            alignment: if mode.swizzle.is_none() { 16 } else { period },
            leading,
            stride,
            blocks,
            steps,
        })
    }

    /// The descriptor of the tile's first block and step, for the tile's address in shared memory.
    ///
    /// # Errors
    /// If the address is not a multiple of [`alignment`](Self::alignment) or has more than 18 bits.
    pub const fn at(&self, address: u32) -> Result<u64, DescriptorError> {
        if !(address as Size).is_multiple_of(self.alignment) {
            return Err(DescriptorError::Alignment { address, alignment: self.alignment });
        }
        if address as Size > MOST {
            return Err(DescriptorError::Address { address });
        }
        Ok(self.at_unchecked(address))
    }

    /// As [`at`](Self::at), in a few instructions: wrong if the address is not one that `at` takes.
    #[inline(always)]
    pub const fn at_unchecked(&self, address: u32) -> u64 {
        self.bits | ((address & MOST as u32) >> 4) as u64
    }

    /// The descriptor of a block of rows and a step of K, for the tile's address in shared memory.
    ///
    /// # Errors
    /// If there is no such block or step, and those of [`at`](Self::at).
    pub const fn at_start(
        &self,
        address: u32,
        block: usize,
        step: usize,
    ) -> Result<u64, DescriptorError> {
        ok!(self.at(address));
        match self.start(block, step) {
            None => Err(DescriptorError::NoStart { blocks: self.blocks(), steps: self.steps() }),
            Some(start) => match address.checked_add(start) {
                Some(sum) if sum as Size <= MOST => Ok(self.at_unchecked(sum)),
                _ => Err(DescriptorError::Address { address: address.saturating_add(start) }),
            },
        }
    }

    /// The descriptor with start address 0.
    pub const fn bits(&self) -> u64 {
        self.bits
    }

    /// Which dimension is contiguous.
    pub const fn major(&self) -> Major {
        self.major
    }

    /// What the address of the tile has to be a multiple of, in bytes: the period of the swizzle.
    pub const fn alignment(&self) -> Size {
        self.alignment
    }

    /// The leading dimension's byte offset; `None` where the instruction ignores it, and the field is 0.
    pub const fn leading_byte_offset(&self) -> Option<Size> {
        self.leading
    }

    /// The stride dimension's byte offset; `None` where the instruction ignores it, and the field is 0.
    pub const fn stride_byte_offset(&self) -> Option<Size> {
        self.stride
    }

    /// How many instructions the tile takes along M or N.
    pub const fn blocks(&self) -> usize {
        self.blocks.count
    }

    /// How many instructions the tile takes along K.
    pub const fn steps(&self) -> usize {
        self.steps.count
    }

    /// Bytes from the start of the tile to what an instruction reads; `None` if there is no such block or step.
    pub const fn start(&self, block: usize, step: usize) -> Option<u32> {
        if block >= self.blocks() || step >= self.steps() {
            return None;
        }
        Some(self.blocks.offsets[block] + self.steps.offsets[step])
    }
}

/// A distance in its field.
const fn field(distance: Option<Size>) -> u64 {
    match distance {
        Some(distance) => ((distance & MOST) >> 4) as u64,
        None => 0,
    }
}

/// Whether instructions read operands of a type from shared memory; `f32` are those that they read as `tf32`.
const fn is_read(element: ElementType) -> bool {
    use ElementType::*;
    matches!(element, F16 | BF16 | F32 | F8E4M3FN | F8E5M2 | S8 | U8)
}

/// Rows that an instruction reads, if it can read so many.
const fn rows_of(
    operand: Operand,
    element: ElementType,
    is_wgmma: bool,
) -> Result<Size, DescriptorError> {
    let (rows, is_read) = match operand {
        Operand::A(rows) => (rows, rows == 64 || (!is_wgmma && (rows == 32 || rows == 128))),
        Operand::B(rows) => {
            let is_integer = matches!(element, ElementType::S8 | ElementType::U8);
            let is_even = rows.is_multiple_of(16) || rows == 8 || rows == 24;
            (rows, rows > 0 && rows <= 256 && rows.is_multiple_of(8) && (is_even || !is_integer))
        }
    };
    if is_read { Ok(rows) } else { Err(DescriptorError::Rows { operand, is_wgmma }) }
}

/// The mode of a tile's swizzle.
const fn mode_of(tile: &ArrayShape, is_wgmma: bool) -> Result<Mode, DescriptorError> {
    if let Ok(swizzle) = tile.swizzle().on_bytes(tile.element_bits()) {
        each!(for mode in &MODES {
            let is_same = swizzle.xor_bits().is_same(mode.swizzle.xor_bits());
            if is_same && (mode.wgmma.is_some() || !is_wgmma) {
                return Ok(*mode);
            }
        });
    }
    Err(DescriptorError::Swizzle { is_wgmma })
}

/// A dimension of the tile.
struct Axis<'a> {
    digits: &'a Digits,
    dim: usize,
    /// Of an element.
    bytes: Size,
    /// Elements that one instruction reads.
    part: Size,
}

impl Axis<'_> {
    const fn size(&self) -> Size {
        self.digits.dim(self.dim)
    }

    /// The size is a multiple of what an instruction reads.
    const fn check_size(&self) -> Result<(), DescriptorError> {
        let (size, part) = (self.size(), self.part);
        if size == 0 || !size.is_multiple_of(part) || size / part > MAX_STARTS as Size {
            return Err(DescriptorError::Size { dim: self.dim, size, part });
        }
        Ok(())
    }

    /// Bytes before the element at a coordinate, where the other one is 0.
    const fn offset(&self, coordinate: Size) -> Size {
        let index = if self.dim == 0 { [coordinate, 0] } else { [0, coordinate] };
        self.bytes * self.digits.offset_unchecked(&index)
    }

    /// The distance of groups, if an instruction reads more than one, and where each instruction starts. Elements of a
    /// group are `count` with some bytes between them.
    const fn read(
        &self,
        (count, bytes): (Size, Size),
        mode: &Mode,
    ) -> Result<(Option<Size>, Starts), DescriptorError> {
        let is_swizzled = !mode.swizzle.is_none();
        let period = if is_swizzled { mode.span * mode.lines } else { 16 };
        let distance = if self.part > count { Some(self.offset(count)) } else { None };
        if let Some(distance) = distance
            && (!distance.is_multiple_of(period) || distance > MOST)
        {
            return Err(DescriptorError::Distance { dim: self.dim, count, distance, period });
        }
        let mut starts =
            Starts { offsets: [0; MAX_STARTS], count: (self.size() / self.part) as usize };
        each!(for i in 0..starts.count {
            let first = i as Size * self.part;
            let start = self.offset(first);
            // Inside a line of the pattern the hardware's XOR, which is of addresses, goes on.
            if start % 16 != 0 || start % period >= mode.span || start > MOST {
                return Err(DescriptorError::Start { dim: self.dim, first, start, period });
            }
            starts.offsets[i] = start as u32;
            each!(for j in 0..self.part {
                let groups = match distance {
                    Some(distance) => j / count * distance,
                    None => 0,
                };
                let read = start + j % count * bytes + groups;
                let found = self.offset(first + j);
                if read != found {
                    let coordinate = first + j;
                    return Err(DescriptorError::Moved { dim: self.dim, coordinate, found, read });
                }
            });
        });
        Ok((distance, starts))
    }
}

/// The instruction descriptor of `tcgen05.mma` for the kinds `f16`, `tf32`, `f8f6f4` and `i8`: 32 bits that say the
/// sizes, the types and the orders of the operands.
///
/// `f32` operands are read as `tf32`.
///
/// # Examples
/// ```
/// use layout::ElementType;
/// use layout::gpu::descriptor::InstructionDescriptor;
/// use layout::gpu::shared::Major;
///
/// let product = InstructionDescriptor::new(128, 256, ElementType::F16, ElementType::F16, ElementType::F32);
/// let product = InstructionDescriptor { a_major: Major::Mn, ..product };
/// assert_eq!(product.bits(), Ok(138444816));
/// assert_eq!(
///     InstructionDescriptor { n: 100, ..product }.bits().unwrap_err().to_string(),
///     "`tcgen05` has no product of M = 128 and N = 100: write M of 64, 128 or 256 and N of a multiple of 8, 16 or 32, at most 256",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstructionDescriptor {
    /// Rows of the product: 64, 128, or 256 in two blocks of threads.
    pub m: Size,
    /// Columns of the product.
    pub n: Size,
    /// Type of A's elements.
    pub a: ElementType,
    /// Type of B's elements.
    pub b: ElementType,
    /// Type of the sums.
    pub d: ElementType,
    /// Which dimension of A is contiguous.
    pub a_major: Major,
    /// Which dimension of B is contiguous.
    pub b_major: Major,
    /// Takes −A.
    pub negate_a: bool,
    /// Takes −B.
    pub negate_b: bool,
    /// Integer sums stop at the ends of their range.
    pub saturate: bool,
    /// A is sparse, with this sparsity selector (0 to 3).
    pub sparse: Option<u8>,
}

impl InstructionDescriptor {
    /// A dense product of operands that are K-major.
    pub const fn new(m: Size, n: Size, a: ElementType, b: ElementType, d: ElementType) -> Self {
        InstructionDescriptor {
            m,
            n,
            a,
            b,
            d,
            a_major: Major::K,
            b_major: Major::K,
            negate_a: false,
            negate_b: false,
            saturate: false,
            sparse: None,
        }
    }

    /// The 32 bits.
    ///
    /// # Errors
    /// If the instruction has no such sizes, or no kind takes these types together.
    pub const fn bits(&self) -> Result<u32, DescriptorError> {
        let InstructionDescriptor { m, n, a, b, d, .. } = *self;
        let (kind, a_code) = ok!(operand_code(a));
        let (b_kind, b_code) = ok!(operand_code(b));
        let is_integer = matches!(kind, Kind::I8);
        let takes = kind as u8 == b_kind as u8
            && match d {
                ElementType::F16 => {
                    matches!(kind, Kind::F8F6F4)
                        || (matches!(a, ElementType::F16) && a_code == b_code)
                }
                ElementType::F32 => !is_integer && (!matches!(kind, Kind::F16) || a_code == b_code),
                ElementType::S32 => is_integer,
                _ => false,
            };
        if !takes {
            return Err(DescriptorError::Types { a, b, d });
        }
        if (is_integer && (self.negate_a || self.negate_b)) || (!is_integer && self.saturate) {
            return Err(DescriptorError::Signs { is_integer });
        }
        let step = match m {
            64 if is_integer && n > 32 => 16,
            64 => 8,
            128 => 16,
            256 => 32,
            _ => 0,
        };
        if step == 0 || n == 0 || n > 256 || !n.is_multiple_of(step) {
            return Err(DescriptorError::Product { m, n });
        }
        let selector = match self.sparse {
            Some(selector) if selector > 3 => return Err(DescriptorError::Selector { selector }),
            Some(selector) => 1 << 2 | selector as u32,
            None => 0,
        };
        let sums: u32 = match d {
            ElementType::F16 => 0,
            ElementType::F32 => 1,
            _ => 2,
        };
        Ok(selector
            | (self.saturate as u32) << 3
            | sums << 4
            | a_code << 7
            | b_code << 10
            | (self.negate_a as u32) << 13
            | (self.negate_b as u32) << 14
            | (self.a_major as u32) << 15
            | (self.b_major as u32) << 16
            | (n as u32 >> 3) << 17
            | (m as u32 >> 4) << 24)
    }
}

/// What follows `.kind::`.
#[derive(Clone, Copy)]
enum Kind {
    F16,
    Tf32,
    F8F6F4,
    I8,
}

/// The kind of instruction that takes a type, and the type's code in it.
const fn operand_code(element: ElementType) -> Result<(Kind, u32), DescriptorError> {
    Ok(match element {
        ElementType::F16 => (Kind::F16, 0),
        ElementType::BF16 => (Kind::F16, 1),
        ElementType::F32 => (Kind::Tf32, 2),
        ElementType::F8E4M3FN => (Kind::F8F6F4, 0),
        ElementType::F8E5M2 => (Kind::F8F6F4, 1),
        ElementType::F6E2M3FN => (Kind::F8F6F4, 3),
        ElementType::F6E3M2FN => (Kind::F8F6F4, 4),
        ElementType::F4E2M1FN => (Kind::F8F6F4, 5),
        ElementType::U8 => (Kind::I8, 0),
        ElementType::S8 => (Kind::I8, 1),
        _ => return Err(DescriptorError::Element { element, is_wgmma: false }),
    })
}

/// Why an instruction cannot read an operand, or has no such product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescriptorError {
    /// The instruction does not take elements of this type, or not in as many bits.
    Element {
        /// The type.
        element: ElementType,
        /// Whether it is `wgmma`.
        is_wgmma: bool,
    },
    /// The tile is not a matrix with this dimension of K.
    Rank {
        /// Dimensions of the tile.
        rank: usize,
        /// The dimension of K.
        k_dim: usize,
    },
    /// A size is known at run time only.
    UnknownSize {
        /// The dimension.
        dim: usize,
    },
    /// The instruction does not read so many rows.
    Rows {
        /// The operand.
        operand: Operand,
        /// Whether it is `wgmma`.
        is_wgmma: bool,
    },
    /// A size is not a multiple of what an instruction reads, or has more than 64 of these parts.
    Size {
        /// The dimension.
        dim: usize,
        /// Its size.
        size: Size,
        /// What an instruction reads.
        part: Size,
    },
    /// The instruction does not have the tile's swizzle.
    Swizzle {
        /// Whether it is `wgmma`.
        is_wgmma: bool,
    },
    /// Digits of the layout are of several dimensions together.
    Combined,
    /// No dimension is contiguous.
    NotContiguous,
    /// Elements of this type have to be K-major.
    MnMajor {
        /// The type.
        element: ElementType,
    },
    /// Atoms of 32 bytes in an operand that is K-major.
    AtomOfK,
    /// An instruction reads less than a line of the swizzle along M or N.
    Line {
        /// Elements that it reads.
        rows: Size,
        /// Elements of a line.
        line: Size,
    },
    /// Groups of lines or panels are at a distance that a descriptor does not hold.
    Distance {
        /// The dimension.
        dim: usize,
        /// Elements of a group.
        count: Size,
        /// The distance in bytes.
        distance: Size,
        /// What it has to be a multiple of.
        period: Size,
    },
    /// An instruction starts inside the pattern of the swizzle.
    Start {
        /// The dimension.
        dim: usize,
        /// Its first coordinate.
        first: Size,
        /// The byte.
        start: Size,
        /// Bytes after which the pattern repeats.
        period: Size,
    },
    /// The instruction would read another element.
    Moved {
        /// The dimension.
        dim: usize,
        /// The coordinate.
        coordinate: Size,
        /// The byte where it is.
        found: Size,
        /// The byte that the instruction reads.
        read: Size,
    },
    /// The address of the tile is not aligned.
    Alignment {
        /// The address.
        address: u32,
        /// What it should be a multiple of.
        alignment: Size,
    },
    /// The address has more than 18 bits.
    Address {
        /// The address.
        address: u32,
    },
    /// There is no such block or step.
    NoStart {
        /// Blocks.
        blocks: usize,
        /// Steps.
        steps: usize,
    },
    /// No kind of instruction takes these types together.
    Types {
        /// Type of A.
        a: ElementType,
        /// Type of B.
        b: ElementType,
        /// Type of the sums.
        d: ElementType,
    },
    /// Integers are negated, or floats saturated.
    Signs {
        /// Whether the operands are integers.
        is_integer: bool,
    },
    /// No instruction has this product.
    Product {
        /// Rows.
        m: Size,
        /// Columns.
        n: Size,
    },
    /// The sparsity selector is above 3.
    Selector {
        /// The selector.
        selector: u8,
    },
}

const fn name(is_wgmma: bool) -> &'static str {
    if is_wgmma { "`wgmma`" } else { "`tcgen05`" }
}

impl DescriptorError {
    pub(crate) const fn line(&self) -> Text<320> {
        use DescriptorError::*;
        match *self {
            Element { element, is_wgmma } => text!(
                name(is_wgmma),
                " does not read `",
                element.name(),
                "` in this width from shared memory: write f16, bf16, f32 (as tf32), f8e4m3fn, f8e5m2, s8 or u8"
            ),
            Rank { rank, k_dim } => text!(
                "dimension ",
                k_dim,
                " of rank ",
                rank,
                " is not K of an operand: write a matrix, and 0 or 1 for the dimension of K"
            ),
            UnknownSize { dim } => {
                text!("the size of dimension ", dim, " is not known: write a number")
            }
            Rows { operand: Operand::A(rows), is_wgmma } => text!(
                name(is_wgmma),
                " does not read ",
                rows,
                " rows of A: write ",
                if is_wgmma { "64" } else { "32, 64 or 128" }
            ),
            Rows { operand: Operand::B(rows), is_wgmma } => text!(
                name(is_wgmma),
                " does not read ",
                rows,
                " rows of B: write a multiple of 8 from 8 to 256 (of 16 above 24 for integers)"
            ),
            Size { dim, size, part } => text!(
                "dimension ",
                dim,
                " has size ",
                size,
                ", but an instruction reads ",
                part,
                ": write a multiple of ",
                part,
                ", at most 64 of them"
            ),
            Swizzle { is_wgmma } => text!(
                name(is_wgmma),
                " does not have this swizzle: write 32B, 64B, 128B",
                if is_wgmma { "" } else { ", 128B_ATOM_32B" },
                " or none"
            ),
            Combined => text!(
                "tiles combine dimensions: write tiles that divide one another, without `*` over K and M or N"
            ),
            NotContiguous => text!(
                "neither K nor the other dimension is contiguous: write a layout in which one is, without PAD inside"
            ),
            MnMajor { element } => text!(
                "`wgmma` takes `",
                element.name(),
                "` only with K contiguous: write the order in which K is the most minor"
            ),
            AtomOfK => text!(
                "atoms of 32 bytes are for operands with M or N contiguous: write the swizzle 128B"
            ),
            Line { rows, line } => text!(
                "an instruction reads ",
                rows,
                " elements along M or N, not whole lines of ",
                line,
                ": write a swizzle of a shorter span, or more rows"
            ),
            Distance { dim, count, distance, period } => text!(
                "every ",
                count,
                " elements of dimension ",
                dim,
                " are ",
                distance,
                " bytes apart: write a layout with a multiple of ",
                period,
                ", at most 262128"
            ),
            Start { dim, first, start, period } => text!(
                "index ",
                first,
                " of dimension ",
                dim,
                " is at byte ",
                start,
                ", where no instruction can start: write a layout with a multiple of ",
                period,
                ", at most 262128"
            ),
            Moved { dim, coordinate, found, read } => text!(
                "index ",
                coordinate,
                " of dimension ",
                dim,
                " is at byte ",
                found,
                ", but the instruction reads byte ",
                read,
                ": write panels as wide as the swizzle, or 16 bytes (`cubecl_wgmma_tile` lays them out)"
            ),
            Alignment { address, alignment } => text!(
                "the tile is at shared address ",
                address as crate::Size,
                ", but its swizzle begins at multiples of ",
                alignment,
                ": align the tile to ",
                alignment,
                " bytes"
            ),
            Address { address } => text!(
                "the shared address ",
                address as crate::Size,
                " is above 262128, the last one that a descriptor holds: place the tile lower"
            ),
            NoStart { blocks, steps } => text!(
                "the tile has ",
                blocks,
                " blocks of rows and ",
                steps,
                " steps of K: write numbers below these"
            ),
            Types { a, b, d } => text!(
                "no kind of `tcgen05` multiplies `",
                a.name(),
                "` by `",
                b.name(),
                "` into `",
                d.name(),
                "`: write f32 sums for floats of one width, s32 for integers"
            ),
            Signs { is_integer: true } => text!("integers are not negated: write false"),
            Signs { .. } => text!("only sums of integers saturate: write false"),
            Product { m, n } => text!(
                "`tcgen05` has no product of M = ",
                m,
                " and N = ",
                n,
                ": write M of 64, 128 or 256 and N of a multiple of 8, 16 or 32, at most 256"
            ),
            Selector { selector } => {
                text!("the sparsity selector is ", selector as crate::Size, ": write 0 to 3")
            }
        }
    }
}

const_error!(DescriptorError);
