//! Limits of the library. A shape that exceeds one is an error; nothing is cut off silently.

use crate::base::text::Text;

/// Most dimensions of an array.
pub const MAX_DIMS: usize = 16;
/// Most tiles of a layout, repeated ones included.
pub const MAX_TILES: usize = 8;
/// Most sizes in all tiles of a layout together.
pub const MAX_TILE_DIMS: usize = 32;
/// Most split configurations of a layout.
pub const MAX_SPLITS: usize = MAX_DIMS;
/// Most indices in all split configurations of a layout together.
pub const MAX_SPLIT_INDICES: usize = 32;
/// Most levels of nested tuples.
pub const MAX_NESTING: usize = 128;
/// Most elements of an array, and most bytes in memory, padding included: `isize::MAX`, which is 2⁶³−1 on
/// 64-bit machines. It is also the largest size of a dimension or tile.
pub const MAX_SIZE: usize = isize::MAX as usize;
/// Bits of [`MAX_SIZE`], all of which are 1.
pub(crate) const MAX_SIZE_BITS: usize = MAX_SIZE.count_ones() as usize;
/// [`MAX_SIZE`] as messages write it: `2^63-1` on 64-bit machines.
pub(crate) const MAX_SIZE_TEXT: &str =
    const { &Text::<8>::numbered("2^", MAX_SIZE_BITS, "-1") }.as_str();
/// Bounds of an array after any number of tiles: a tile at most doubles what it covers.
pub(crate) const MAX_BOUNDS: usize = 2 * MAX_TILE_DIMS;
