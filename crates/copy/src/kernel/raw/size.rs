//! Sizes of vectors and of what they are moved in.

/// Bytes of a line of memory, which a store around the cache has to fill at once.
pub(crate) const LINE: usize = 64;
/// Bytes of a lane of a vector, within which elements are zipped and squares are transposed.
pub(super) const LANE: usize = 16;

/// Bits of the number of a register that takes part in an exchange of bits, at most.
pub(crate) const REGISTER_BITS: usize = 4;
/// Bits of a register's number that vectors of every size have room for.
pub(super) const FEW: usize = 3;

/// The size of the vectors in which bits are exchanged, the smallest first. The first one is a word of any processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VectorSize {
    Eight,
    Sixteen,
    ThirtyTwo,
    SixtyFour,
}

impl VectorSize {
    /// The size of vectors of `bytes` bytes.
    pub(super) const fn of_bytes(bytes: usize) -> VectorSize {
        VectorSize::SixtyFour.at_most(bytes.trailing_zeros() as usize)
    }

    /// Bits of the number of a byte in a vector.
    pub(crate) const fn byte_bits(self) -> usize {
        self as usize + 3
    }

    pub(crate) const fn bytes(self) -> usize {
        1 << self.byte_bits()
    }

    /// The largest vectors of at most `1 << byte_bits` bytes, and no larger than this size.
    pub(crate) const fn at_most(self, byte_bits: usize) -> VectorSize {
        match byte_bits {
            6.. => self,
            5 if matches!(self, VectorSize::SixtyFour) => VectorSize::ThirtyTwo,
            5 => self,
            4 if !matches!(self, VectorSize::Eight) => VectorSize::Sixteen,
            _ => VectorSize::Eight,
        }
    }

    /// Bits of a register's number at most.
    pub(super) const fn most_register_bits(self) -> usize {
        if matches!(self, VectorSize::SixtyFour) { REGISTER_BITS } else { FEW }
    }

    /// Bits of the number of a register in a pass that brings `coming` bits into vectors. Fewer registers are loaded
    /// and stored in shorter bursts.
    pub(crate) const fn register_bits(self, coming: usize) -> usize {
        if coming > FEW { self.most_register_bits() } else { FEW }
    }

    /// Whether bytes change places in a vector: by `Step::Permute`, or by `Step::Bytes` and `Step::Fours`.
    pub(crate) const fn shuffles(self) -> bool {
        matches!(self, VectorSize::ThirtyTwo | VectorSize::SixtyFour)
    }

    /// Whether there is `Step::Permute`.
    pub(crate) const fn permutes(self) -> bool {
        matches!(self, VectorSize::SixtyFour)
    }
}
