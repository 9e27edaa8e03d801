//! The tile formats for TPUs that XLA's document "Tiled layout" describes, by name.
//!
//! [`TileFormat`](crate::tpu::TileFormat) has them as values.
//!
//! ```
//! use layout::types::format;
//! use layout::layout;
//!
//! type A = layout!(BF16[512,1024]{1,0:T=format::Bits16});
//! type B = layout!(BF16[512,1024]{1,0:T(8,128)(2,1)});
//! assert_eq!(A::TEXT, B::TEXT);
//! ```

use crate::spec::{list::C, tiles::Tiles};

/// A tile of `ROWS` rows of 128 elements.
type By128<const ROWS: usize> = (C<ROWS>, C<128>);
/// A second tile that puts the elements of `ROWS` rows side by side.
type SideBySide<const ROWS: usize> = (C<ROWS>, C<1>);

/// `T(8,128)`.
pub type Standard = Tiles<(By128<8>,)>;
/// `T(2,128)`, for a second most minor dimension of at most 2 elements.
pub type CompactTwo = Tiles<(By128<2>,)>;
/// `T(4,128)`, for a second most minor dimension of 3 or 4 elements.
pub type CompactFour = Tiles<(By128<4>,)>;
/// `T(8,128)(2,1)`, for elements of 16 bits.
pub type Bits16 = Tiles<(By128<8>, SideBySide<2>)>;
/// `T(8,128)(4,1)`, for elements of 8 bits.
pub type Bits8 = Tiles<(By128<8>, SideBySide<4>)>;
/// `T(32,128)(32,1)`, for elements of 1 bit.
pub type Bits1 = Tiles<(By128<32>, SideBySide<32>)>;
