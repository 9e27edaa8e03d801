//! Padding after intervals of memory.

use super::{TileError, push_tile, size};
use layout_core::analysis::DimDigit;
use layout_core::analysis::Tiling;
use layout_core::limits::Size;
use layout_core::{ArrayShape, TileDim};
use layout_notation::digit_order::{DigitOrder, MAX_DIGITS, NotThisLayout};

/// Triton's `PaddedSharedLayout` without the order: `padding` elements follow each `interval` of the memory that the array
/// has by its own layout, without its swizzle. Pairs are `(interval, padding)`.
///
/// [`triton_offset_bases`] gives an array the order of a `PaddedSharedLayout`.
///
/// # Errors
/// If an interval is not a multiple of the one before it, and if this takes more tiles than a layout has: one or two for
/// each pair. An order of many digits with several pairs can exceed that.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::shared::triton_padded_shared;
///
/// let array: ArrayShape = "f32[32,64]".parse()?;
/// let tile = triton_padded_shared(&array, &[(64, 4)])?;
/// assert_eq!(tile.to_string(), "f32[32,64]{1,0:T(68)}");
/// assert_eq!(tile.digits()?.offset(&[1, 0]), Some(68));
/// let tile = triton_padded_shared(&array, &[(16, 2), (256, 8)])?;
/// assert_eq!(tile.to_string(), "f32[32,64]{1,0:T(16)(18)(*,*,*,288)(296)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn triton_padded_shared(
    array: &ArrayShape,
    pairs: &[(Size, Size)],
) -> Result<ArrayShape, TileError> {
    each!(for dim in 0..array.rank() {
        ok!(size(array, dim));
    });
    let array = &array.without_swizzle();
    let mut tiles = *array.tiles();
    // What the last tile does not cut can as well be combined, which leaves fewer bounds for those that follow.
    if let Some(last) = tiles.len().checked_sub(1) {
        each!(for entry in 1..tiles.len_of(last) {
            let (before, own) = (tiles.dim(last, entry - 1), tiles.dim(last, entry));
            if let (TileDim::Size(1), TileDim::Size(1)) = (before, own) {
                tiles = tiles.with_dim(last, entry - 1, TileDim::Combined);
            }
        });
    }
    let mut shape = shape_ok!(TileError, array.with_tiles(&tiles));
    // The interval before, and what it takes with its padding.
    let (mut before, mut padded): (Size, Size) = (1, 1);
    each!(for &(interval, padding) in pairs {
        let slots = Tiling::of(array).size();
        if interval == 0 || !interval.is_multiple_of(before) || padding > slots {
            return Err(TileError::Interval { interval, padding, before });
        }
        // No element is after the only interval.
        if interval >= slots {
            break;
        }
        let block = padded.saturating_mul(interval / before);
        let bounds = Tiling::of(&shape).bounds();
        let bounds = bounds.as_slice();
        let (mut covered, mut dims): (Size, _) = (1, 0);
        while dims < bounds.len() && (covered < block || !covered.is_multiple_of(block)) {
            dims += 1;
            covered *= bounds[bounds.len() - dims];
        }
        (before, padded) = (interval, block.saturating_add(padding));
        // A tile of the interval, unless one is there; then a larger one pads it.
        let is_cut = covered == block;
        let has_room = (is_cut || push_tile(&mut tiles, dims, block))
            && push_tile(&mut tiles, if is_cut { dims } else { 1 }, padded);
        if !has_room {
            return Err(TileError::TooManyTiles);
        }
        shape = shape_ok!(TileError, array.with_tiles(&tiles));
    });
    Ok(shape)
}

/// The order of Triton's `offset_bases`: entry `b` is the index of the element at offset `2^b`.
///
/// # Errors
/// If the bases are not each the next power of two along one dimension, in any order, and if the order takes more tiles
/// than a layout has.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::shared::triton_offset_bases;
///
/// let array: ArrayShape = "f32[4,4]".parse()?;
/// let tile = triton_offset_bases(&array, &[[0, 1], [1, 0], [0, 2], [2, 0]])?;
/// assert_eq!(tile.to_string(), "f32[4,4]{1,0:T(2,2)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn triton_offset_bases(
    array: &ArrayShape,
    bases: &[impl AsRef<[Size]>],
) -> Result<ArrayShape, TileError> {
    let mut digits = [DimDigit::ONE; MAX_DIGITS];
    if bases.len() > digits.len() {
        return Err(TileError::TooManyTiles);
    }
    let first = digits.len() - bases.len();
    // The most major digit is the first one.
    for (number, (base, digit)) in bases.iter().zip(digits[first..].iter_mut().rev()).enumerate() {
        let mut steps = base.as_ref().iter().enumerate().filter(|(_, step)| **step > 0);
        let (Some((dim, &weight)), None) = (steps.next(), steps.next()) else {
            return Err(TileError::Base { number });
        };
        *digit = DimDigit { dim, weight, size: Some(2) };
    }
    let order = DigitOrder::new(array.rank(), &digits[first..]);
    let shape = order.and_then(|order| order.layout(array));
    shape.map_err(|error| match error {
        NotThisLayout::TooManyTiles | NotThisLayout::TooManyDigits => TileError::TooManyTiles,
        NotThisLayout::Shape(fault) => TileError::Shape { fault },
        _ => TileError::Bases,
    })
}
