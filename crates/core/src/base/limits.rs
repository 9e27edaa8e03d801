//! Limits of the library. A shape that exceeds one is an error; nothing is cut off silently.

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
/// A size, an offset or a count of elements, bits or bytes, in a layout as a value.
///
/// On 64-bit targets it is `usize`. Elsewhere it is `u64`: a value describes arrays that need not be in this
/// machine's memory, such as the parameters of a program that runs on a TPU, so that a browser (`wasm32`) reads what
/// a server does. Layouts as types describe memory of the target itself and count in `usize` everywhere.
///
/// Numbers of dimensions, lengths of lists and positions in a text are `usize` on all targets.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::shape::Size;
///
/// let shape: ArrayShape = "f32[100000,100000]".parse()?;
/// let bytes: Option<Size> = shape.bytes();
/// assert_eq!(bytes, Some(40_000_000_000));
/// # Ok::<(), layout::Error>(())
/// ```
#[cfg(target_pointer_width = "64")]
pub type Size = usize;
/// A size, an offset or a count of elements, bits or bytes, in a layout as a value: `u64` where `usize` is narrower.
#[cfg(not(target_pointer_width = "64"))]
pub type Size = u64;

/// Most elements of an array, and most bytes in memory, padding included: 2⁶³−1. It is also the largest size of
/// a dimension or tile. What a type describes has to fit in the target's `isize` as well.
pub const MAX_SIZE: Size = i64::MAX as Size;
/// A number for each dimension that an array can have, dimension 0 first.
#[doc(hidden)]
pub type PerDim = [Size; MAX_DIMS];
/// Bits of [`MAX_SIZE`], all of which are 1.
pub(crate) const MAX_SIZE_BITS: usize = MAX_SIZE.count_ones() as usize;
/// Bounds of an array after any number of tiles: a tile at most doubles what it covers.
pub const MAX_BOUNDS: usize = 2 * MAX_TILE_DIMS;
/// Bounds and sizes in all tiles together of layouts that are computed in less room.
#[doc(hidden)]
pub const SHORT_BOUNDS: usize = 16;
#[doc(hidden)]
pub const SHORT_TILE_DIMS: usize = 8;
