//! The arrays that the kernels work on, and their tiles in shared memory.

use layout::layout;

layout! {
    /// Tiles of 32-bit elements.
    pub type Tiled = F32[8192,8192]{1,0:T(8,128)};
    /// The same where the last tiles are not full.
    pub type TiledRagged = F32[8189,8195]{1,0:T(8,128)};
    /// Tiles of 16-bit elements, two rows of which share words.
    pub type Packed = BF16[8192,16384]{1,0:T(8,128)(2,1)};
    /// The same where the last tiles are not full.
    pub type PackedRagged = BF16[8189,16387]{1,0:T(8,128)(2,1)};
    /// A matrix of any size.
    pub type Matrix = F32[?,?]{1,0:T(8,128)};
    /// A matrix of any size, row by row.
    pub type Rows = F32[?,?]{1,0};
    /// The same of 16-bit elements.
    pub type HalfRows = BF16[?,?]{1,0};

    /// A square of two operands.
    pub type Squares = F32[2,32,32]{2,1,0};
    /// What a block transposes: a column of words is in 32 banks, as a row is.
    pub type Square = F32[32,32]{1,0}, swizzle = elements<5,0,5>;
    /// The same of 16-bit elements, two in a word.
    pub type HalfSquare = BF16[64,64]{1,0}, swizzle = elements<5,1,6>;
    /// Tiles of an operand for tensor cores, of this step and the next one.
    pub type Operands = BF16[2,64,64]{2,1,0}, swizzle = 128B;
}
