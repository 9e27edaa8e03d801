//! Which elements of an array the lanes of a warp access, and their addresses.

use crate::analysis::digits::Digits;
use crate::base::limits::{MAX_DIMS, Size};
use crate::gpu::banks::error::BankError;
use crate::gpu::banks::lanes::Reader;
use crate::gpu::banks::warp::{LANES, WarpAccess, check_bytes};
use crate::shape::array::ArrayShape;
use crate::shape::swizzle::SwizzleUnit;

/// Which element of an array each lane of a warp accesses, and how many bytes from there on.
///
/// It does not say in what layout: [`addresses`](Self::addresses) takes that. A lane that accesses more bytes than an
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
/// assert_eq!(Access::new(16, &lanes), Ok(ROWS));
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
    X1,
    /// `.x2`: lanes 0–15.
    X2,
    /// `.x4`: all lanes.
    X4,
}

impl Access {
    /// The access of an expression for each coordinate, dimension 0 first, in `lane`: `"lane / 8, lane % 8 * 8"`.
    ///
    /// Operators are `+ - * / % & ^` and parentheses, with the precedence of C. Numbers are not negative.
    ///
    /// # Errors
    /// If the text is not such expressions, if one has no value for a lane, or if there is no access of so many bytes.
    pub const fn parse(text: &str, bytes: usize) -> Result<Access, BankError> {
        let mut access = ok!(Access::none(bytes));
        access.active = u32::MAX;
        each!(for lane in 0..LANES {
            (access.index[lane], access.rank) = ok!(Reader::new(text, lane).index());
        });
        Ok(access)
    }

    /// As [`parse`](Self::parse), for a `const`.
    ///
    /// # Panics
    /// If that is an error; in a `const`, this stops the build with its message.
    pub const fn of(text: &str, bytes: usize) -> Access {
        match Access::parse(text, bytes) {
            Ok(access) => access,
            Err(error) => panic!("{}", error.text().as_str()),
        }
    }

    /// The access of a list: the index of each lane, or `None` of one that is not active.
    ///
    /// # Errors
    /// If there is no access of so many bytes, or if an index has more coordinates than an array can have dimensions.
    pub const fn new<const R: usize>(
        bytes: usize,
        lanes: &[Option<[Size; R]>; LANES],
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
        ok!(check_bytes(bytes));
        let index = [[0; MAX_DIMS]; LANES];
        Ok(Access { bytes, rank: 0, index, active: 0, along: None, base: 0 })
    }

    /// The access of fewer lanes: of those whose bits are set, too. Bit 0 is for lane 0.
    pub const fn only(self, lanes: u32) -> Access {
        Access { active: self.active & lanes, ..self }
    }

    /// The access of `ldmatrix` or `stmatrix`: a lane gives the address of a row of 16 bytes, and lanes 8·i to 8·i+7 the rows
    /// of matrix i. Other lanes give none.
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
        let lanes = match matrices {
            Matrices::X1 => 0xff,
            Matrices::X2 => 0xffff,
            Matrices::X4 => u32::MAX,
        };
        Access { bytes: 16, ..self.only(lanes) }
    }

    /// The access in which the elements of a lane follow one another along this dimension.
    pub const fn along(self, dim: usize) -> Access {
        Access { along: Some(dim), ..self }
    }

    /// The access of an array that begins at this address, in bytes. It is 0 by default.
    ///
    /// If the swizzle of the array is one of bytes, the address has to be a multiple of its [period](crate::Swizzle::period):
    /// hardware swizzles addresses, and else has the elements elsewhere.
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
        if self.base % memory.period != 0 {
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
                    return Err(BankError::PastEnd { lane });
                };
                if part % 8 != 0 {
                    return Err(BankError::PartOfByte { lane });
                }
                addresses[lane] = Some(address);
            }
        });
        WarpAccess::new(self.bytes, &addresses)
    }

    /// The offset of a lane's first element, if all that it accesses are contiguous.
    const fn offset(
        &self,
        memory: &Memory,
        lane: usize,
        dim: usize,
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
            return Err(BankError::PastEnd { lane });
        }
        each!(for element in 1..elements {
            index[dim] += 1;
            let follows = if index[dim] < digits.dim(dim) {
                digits.offset_unchecked(&index) == offset + element
            } else {
                digits.index(offset + element).is_none()
            };
            if !follows {
                return Err(BankError::NotContiguous { lane, dim, element });
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
        let slots = memory_of(shape);
        let period = match shape.swizzle().unit() {
            SwizzleUnit::Bytes => shape.swizzle().period(),
            SwizzleUnit::Elements => 1,
        };
        let minor = if shape.rank() > 0 { shape.ordered_dim(0) } else { 0 };
        Ok(Memory { digits, element_bits: shape.element_bits(), slots, minor, period })
    }
}

/// Elements of an array in memory, padding included; its sizes are known.
pub(super) const fn memory_of(shape: &ArrayShape) -> Size {
    match shape.padded_elements() {
        Some(slots) => slots,
        None => 0,
    }
}
