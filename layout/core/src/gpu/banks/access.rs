//! Which elements of an array the lanes of a warp access, and their addresses.

use crate::analysis::digits::Digits;
use crate::base::limits::{MAX_DIMS, Size};
use crate::gpu::banks::error::BankError;
use crate::gpu::banks::lanes::Reader;
use crate::gpu::banks::warp::{LANES, WarpAccess};
use crate::shape::array::ArrayShape;
use crate::shape::swizzle::SwizzleUnit;

/// Which element of an array each lane of a warp accesses, and how many bytes from there on.
///
/// It holds for any layout; [`addresses`](Self::addresses) takes one. A lane that accesses more bytes than an
/// element has accesses the elements that follow along the most minor dimension, or [`along`](Self::along) another
/// one. They have to be contiguous in memory. Past the end of the dimension they may be padding, but no other element.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::gpu::banks::Access;
///
/// // Each lane reads 16 bytes, 8 elements of f16: 8 lanes read a row.
/// const ROWS: Access = Access::of("lane / 8, lane % 8 * 8", 16);
/// let tile: ArrayShape = "f16[64,64], swizzle = 128B".parse()?;
/// let access = ROWS.addresses(&tile)?;
/// assert_eq!(access.addresses()[8..10], [Some(128 + 16), Some(128)]);
/// assert_eq!((access.wavefronts(), access.ideal()), (4, 4));
///
/// // The same by a list, in which lanes may be left out.
/// let lanes: [_; 32] = std::array::from_fn(|lane| Some([lane / 8, lane % 8 * 8]));
/// assert_eq!(Access::new(&lanes, 16), Ok(ROWS));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    bytes: usize,
    rank: usize,
    index: [[Size; MAX_DIMS]; LANES],
    /// A bit for each lane, the lowest for lane 0.
    active: u32,
    along: Option<usize>,
    base: Size,
}

/// How many 8×8 matrices of 16-bit elements an `ldmatrix` or `stmatrix` moves: one, two or four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrices {
    /// `.x1`: lanes 0–7 give the addresses of rows.
    X1 = 8,
    /// `.x2`: lanes 0–15.
    X2 = 16,
    /// `.x4`: all lanes.
    X4 = 32,
}

impl Access {
    /// Reads which element each lane accesses: `"lane / 8, lane % 8 * 8"`. All lanes are active.
    ///
    /// The text has an expression in `lane` for each coordinate, dimension 0 first. Operators are `+ - * / % & ^` and parentheses, with the precedence of C. Numbers are not negative.
    ///
    /// # Errors
    /// If the text is something else, if an expression has no value for a lane, or if no access has so many bytes.
    pub const fn parse(text: &str, bytes: usize) -> Result<Access, BankError> {
        let mut access = ok!(Access::none(bytes));
        access.active = u32::MAX;
        each!(for lane in 0..LANES {
            (access.index[lane], access.rank) = ok!(Reader::new(text, lane).index());
        });
        Ok(access)
    }

    /// Reads an access for a `const`: a mistake stops the build.
    ///
    /// # Panics
    /// If [`parse`](Self::parse) is an error, with its message.
    pub const fn of(text: &str, bytes: usize) -> Access {
        match Access::parse(text, bytes) {
            Ok(access) => access,
            Err(error) => panic!("{}", error.text().as_str()),
        }
    }

    /// Takes the index of each lane from a list, in which a lane without one is not active.
    ///
    /// # Errors
    /// If no access has so many bytes, or if an index has more coordinates than an array can have dimensions.
    pub const fn new<const R: usize>(
        lanes: &[Option<[Size; R]>; LANES],
        bytes: usize,
    ) -> Result<Access, BankError> {
        let mut access = ok!(Access::none(bytes));
        if R > MAX_DIMS {
            return Err(BankError::Rank { given: R, array: MAX_DIMS });
        }
        access.rank = R;
        each!(for lane in 0..LANES {
            if let Some(index) = lanes[lane] {
                access.active |= 1 << lane;
                each!(for dim in 0..R {
                    access.index[lane][dim] = index[dim];
                });
            }
        });
        Ok(access)
    }

    /// No lane is active.
    const fn none(bytes: usize) -> Result<Access, BankError> {
        ok!(WarpAccess::new(&[None; LANES], bytes));
        let index = [[0; MAX_DIMS]; LANES];
        Ok(Access { bytes, rank: 0, index, active: 0, along: None, base: 0 })
    }

    /// Keeps only lanes whose bits are set active; bit 0 is lane 0.
    pub const fn only(self, lanes: u32) -> Access {
        Access { active: self.active & lanes, ..self }
    }

    /// Makes it an access of `ldmatrix` or `stmatrix`: lanes 8·i to 8·i+7 give the addresses of the rows of matrix i, which are
    /// 16 bytes each. Other lanes give none.
    ///
    /// ```
    /// use layout::ArrayShape;
    /// use layout::gpu::banks::{Access, Matrices};
    ///
    /// // The 16×16 operand of a product, in rows of 128 bytes.
    /// const OPERAND: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// assert_eq!(OPERAND.addresses(&rows)?.wavefronts(), 32);
    /// let swizzled: ArrayShape = "f16[64,64], swizzle = 128B".parse()?;
    /// assert_eq!(OPERAND.addresses(&swizzled)?.wavefronts(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn matrices(self, matrices: Matrices) -> Access {
        let lanes = u32::MAX >> (LANES - matrices as usize);
        Access { bytes: 16, ..self.only(lanes) }
    }

    /// Takes the further elements of a lane along this dimension. It is the most minor one by default.
    pub const fn along(self, dim: usize) -> Access {
        Access { along: Some(dim), ..self }
    }

    /// Puts the array at this address, in bytes. It is 0 by default.
    ///
    /// If the swizzle of the array is one of bytes, the address has to be a multiple of its [period](crate::Swizzle::period):
    /// hardware swizzles addresses, not offsets, and would have the elements elsewhere.
    pub const fn at(self, base: Size) -> Access {
        Access { base, ..self }
    }

    /// Bytes that a lane accesses.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The address at which the array begins.
    pub const fn base(&self) -> Size {
        self.base
    }

    /// The addresses of the lanes in a layout.
    ///
    /// # Errors
    /// If an element is out of bounds or begins inside a byte, if the elements of a lane are not contiguous or extend past the
    /// end of memory, or if an address is not a multiple of the bytes.
    pub const fn addresses(&self, shape: &ArrayShape) -> Result<WarpAccess, BankError> {
        self.addresses_in(&ok!(Memory::of(shape)))
    }

    pub(super) const fn addresses_in(&self, memory: &Memory) -> Result<WarpAccess, BankError> {
        let (bits, rank) = (memory.element_bits, memory.digits.rank());
        if self.rank != rank {
            return Err(BankError::Rank { given: self.rank, array: rank });
        }
        if !self.base.is_multiple_of(memory.period) {
            return Err(BankError::Base(memory.period));
        }
        let elements = 8 * self.bytes as Size / bits;
        if elements * bits != 8 * self.bytes as Size {
            return Err(BankError::Element(bits));
        }
        let along = match self.along {
            Some(dim) => dim,
            None => memory.minor,
        };
        if along >= rank && elements > 1 {
            return Err(BankError::NoSuchDimension(along));
        }
        let mut addresses = [None; LANES];
        each!(for lane in 0..LANES {
            if self.active >> lane & 1 == 1 {
                let offset = ok!(self.offset(memory, lane, along, elements));
                // Bytes do not overflow, where bits might.
                let (whole, part) = (offset / 8 * bits, offset % 8 * bits);
                let Some(address) = self.base.checked_add(whole + part / 8) else {
                    return Err(BankError::PastEnd(lane));
                };
                if part % 8 != 0 {
                    return Err(BankError::PartOfByte(lane));
                }
                addresses[lane] = Some(address);
            }
        });
        WarpAccess::new(&addresses, self.bytes)
    }

    /// The offset of a lane's first element, if all that it accesses are contiguous.
    const fn offset(
        &self,
        memory: &Memory,
        lane: usize,
        along: usize,
        elements: Size,
    ) -> Result<Size, BankError> {
        let digits = &memory.digits;
        let mut index = self.index[lane];
        each!(for dim in 0..self.rank {
            let (coordinate, size) = (index[dim], digits.dim(dim));
            if coordinate >= size {
                return Err(BankError::OutOfBounds { lane, dim, coordinate, size });
            }
        });
        let offset = digits.offset_unchecked(&index);
        if elements > memory.slots - offset {
            return Err(BankError::PastEnd(lane));
        }
        each!(for element in 1..elements {
            index[along] += 1;
            let follows = if index[along] < digits.dim(along) {
                digits.offset_unchecked(&index) == offset + element
            } else {
                digits.index(offset + element).is_none()
            };
            if !follows {
                return Err(BankError::NotContiguous { lane, dim: along, element });
            }
        });
        Ok(offset)
    }
}

/// What addresses need of a layout, prepared once.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    pub(super) digits: Digits,
    pub(super) element_bits: Size,
    /// Elements in memory, padding included.
    pub(super) slots: Size,
    /// The most minor dimension.
    minor: usize,
    /// What the base has to be a multiple of, in bytes.
    period: Size,
}

impl Memory {
    pub(super) const fn of(shape: &ArrayShape) -> Result<Memory, BankError> {
        let digits = match shape.digits() {
            Ok(digits) => digits,
            Err(error) => return Err(BankError::UnknownSize(error)),
        };
        let slots = digits.size().next_multiple_of(shape.tail_padding_alignment());
        let period = match shape.swizzle().unit() {
            SwizzleUnit::Bytes => shape.swizzle().period(),
            SwizzleUnit::Elements => 1,
        };
        let minor = if shape.rank() > 0 { shape.ordered_dim(0) } else { 0 };
        Ok(Memory { digits, element_bits: shape.element_bits(), slots, minor, period })
    }
}
