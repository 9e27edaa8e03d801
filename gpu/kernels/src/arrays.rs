//! The arrays that the kernels work on.

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
}
