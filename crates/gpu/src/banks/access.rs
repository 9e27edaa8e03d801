//! Which elements of an array the lanes of a warp access, and their addresses.

use crate::banks::error::BankError;
use crate::banks::lanes;
use crate::banks::warp::{LANES, WarpAccess};
use layout_core::limits::{MAX_DIMS, Size};
use layout_core::{ArrayShape, Digits, SwizzleUnit, UnknownSize};

/// Which element of an array each lane of a warp accesses, and how many bytes from there on.
///
/// It names elements, not addresses, so the same access fits arrays in different layouts; [`addresses`](Self::addresses)
/// takes one of them. If a lane accesses more bytes than an element has, it accesses the next elements along the most minor
/// dimension too, or [`along`](Self::along) another one. They have to be contiguous in memory. Past the end of the
/// dimension there may be padding, but no other element.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::banks::Access;
///
/// // Each lane reads 16 bytes, 8 elements of f16: 8 lanes read a row.
/// const ROWS: Access = Access::of("lane / 8, lane % 8 * 8", 16);
/// let tile: ArrayShape = "f16[64,64], swizzle = 128B".parse()?;
/// let access = ROWS.addresses(&tile)?;
/// assert_eq!(access.addresses()[8..10], [Some(128 + 16), Some(128)]);
/// assert_eq!((access.wavefronts(), access.ideal()), (4, 4));
///
/// // Equal to the access from a list of indices; `None` is a lane that accesses nothing.
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
    /// The text has an expression for each coordinate, dimension 0 first, separated by commas. An expression has `lane`,
    /// decimal numbers, `+ - * / % & ^` with the precedence of C, and parentheses. `/` drops the remainder, and no value may
    /// be negative.
    ///
    /// # Errors
    /// If the text is something else, if an expression has no value for a lane, or if no access has this many bytes.
    pub const fn parse(text: &str, bytes: usize) -> Result<Access, BankError> {
        let mut access = ok!(Access::none(bytes));
        access.active = u32::MAX;
        each!(for lane in 0..LANES {
            (access.index[lane], access.rank) = ok!(lanes::index(text, lane));
        });
        Ok(access)
    }

    /// Reads an access for a `const`: a mistake stops the build.
    ///
    /// # Panics
    /// If [`parse`](Self::parse) is an error, with its message.
    #[track_caller]
    pub const fn of(text: &str, bytes: usize) -> Access {
        BankError::or_panic(Access::parse(text, bytes))
    }

    /// An access by the index of each lane's element. A lane without an index accesses nothing.
    ///
    /// # Errors
    /// If no access has this many bytes.
    ///
    /// An index with more coordinates than an array can have dimensions is a compile error:
    /// ```compile_fail,E0080
    /// let _ = layout_gpu::banks::Access::new(&[Some([0; 17]); 32], 4);
    /// ```
    pub const fn new<const R: usize>(
        lanes: &[Option<[Size; R]>; LANES],
        bytes: usize,
    ) -> Result<Access, BankError> {
        const { assert!(R <= MAX_DIMS, "too many coordinates for an array") };
        let mut access = ok!(Access::none(bytes));
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

    /// An access without an active lane.
    const fn none(bytes: usize) -> Result<Access, BankError> {
        ok!(WarpAccess::new(&[None; LANES], bytes));
        let index = [[0; MAX_DIMS]; LANES];
        Ok(Access { bytes, rank: 0, index, active: 0, along: None, base: 0 })
    }

    /// Deactivates the lanes whose bit is 0; bit 0 is lane 0.
    pub const fn only(self, lanes: u32) -> Access {
        Access { active: self.active & lanes, ..self }
    }

    /// Makes it an access of `ldmatrix` or `stmatrix`: lanes 8·i to 8·i+7 give the addresses of the rows of matrix i, of 16
    /// bytes each. The other lanes give none.
    ///
    /// ```
    /// use layout::ArrayShape;
    /// use layout_gpu::banks::{Access, Matrices};
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

    /// Takes the next elements of a lane along this dimension, not along the most minor one.
    pub const fn along(self, dim: usize) -> Access {
        Access { along: Some(dim), ..self }
    }

    /// Puts the array at this address, in bytes. It is 0 by default.
    ///
    /// If the array has a swizzle on bytes, the address has to be a multiple of its period (`Swizzle::period`): hardware
    /// swizzles addresses, not offsets, so elsewhere it would put the elements in other places.
    pub const fn at(self, base: Size) -> Access {
        Access { base, ..self }
    }

    /// Bytes that a lane accesses.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The addresses of the lanes in a layout.
    ///
    /// # Errors
    /// If an element is out of bounds or begins inside a byte, if the elements of a lane are not contiguous or extend past the
    /// end of memory, or if an address is not a multiple of the bytes.
    pub const fn addresses(&self, shape: &ArrayShape) -> Result<WarpAccess, BankError> {
        let (digits, slots) = ok!(memory(shape));
        let (rank, bits) = (shape.rank(), shape.element_bits());
        if self.rank != rank {
            return Err(BankError::Rank { given: self.rank, array: rank });
        }
        let (unit, period) = (shape.swizzle().unit(), shape.swizzle().period());
        if matches!(unit, SwizzleUnit::Bytes) && !self.base.is_multiple_of(period) {
            return Err(BankError::Base { period });
        }
        let elements = 8 * self.bytes as Size / bits;
        if elements * bits != 8 * self.bytes as Size {
            return Err(BankError::Element { bits });
        }
        let dim = match self.along {
            None if rank > 0 => shape.minor_to_major()[0],
            None => 0,
            Some(dim) => dim,
        };
        if dim >= rank && elements > 1 {
            return Err(BankError::NoSuchDimension { dim });
        }
        let mut addresses = [None; LANES];
        each!(for lane in 0..LANES {
            if self.active >> lane & 1 == 1 {
                let offset = ok!(self.offset(lane, &digits, dim, elements));
                if elements > slots - offset {
                    return Err(BankError::PastEnd { lane });
                }
                // Bytes do not overflow, where bits might.
                let (whole, part) = (offset / 8 * bits, offset % 8 * bits);
                if part % 8 != 0 {
                    return Err(BankError::PartOfByte { lane });
                }
                let Some(address) = self.base.checked_add(whole + part / 8) else {
                    return Err(BankError::PastEnd { lane });
                };
                addresses[lane] = Some(address);
            }
        });
        WarpAccess::new(&addresses, self.bytes)
    }

    /// The offset of a lane's first element, if its elements follow one another in memory from there on. Past the end of the
    /// dimension there may be padding.
    const fn offset(
        &self,
        lane: usize,
        digits: &Digits,
        along: usize,
        elements: Size,
    ) -> Result<Size, BankError> {
        let mut index = self.index[lane];
        each!(for dim in 0..self.rank {
            let (coordinate, size) = (index[dim], digits.dim(dim));
            if coordinate >= size {
                return Err(BankError::OutOfBounds { lane, dim, coordinate, size });
            }
        });
        let offset = digits.offset_unchecked(&index);
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

/// Where the elements of an array are in memory, and how many elements of memory it has, padding included.
pub(super) const fn memory(shape: &ArrayShape) -> Result<(Digits, Size), BankError> {
    match shape.digits() {
        Ok(digits) => Ok((digits, shape.padded_elements_by(&digits))),
        Err(UnknownSize { dim }) => Err(BankError::UnknownSize { dim }),
    }
}
