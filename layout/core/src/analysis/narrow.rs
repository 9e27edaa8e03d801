//! Layouts for targets whose sizes are narrower than those of the machine that reads them.

use crate::analysis::size::most_elements;
use crate::analysis::tiling::Tiling;
use crate::shape::array::ArrayShape;
use crate::shape::tiles::{TileDim, Tiles};

const MOST: usize = i32::MAX as usize;

/// Whether the layout fits in the limits of 32-bit targets too, as far as its sizes are known.
pub fn fits_in_32_bits(shape: &ArrayShape) -> bool {
    let limit = most_elements(shape.element_bits(), MOST);
    let size = Tiling::tiled(shape).size_within(limit);
    let size = size.and_then(|size| size.checked_next_multiple_of(shape.tail_alignment));
    let splits = &shape.splits;
    size.is_some_and(|size| size <= limit)
        && shape.metadata_prefix <= MOST
        && (0..splits.len()).all(|split| splits.indices(split).iter().all(|&index| index <= MOST))
}

/// Whether the sizes of all tiles are numbers on 32-bit targets too.
pub fn tiles_fit_in_32_bits(tiles: &Tiles) -> bool {
    tiles.iter().flatten().all(|dim| !matches!(dim, TileDim::Size(size) if *size > MOST))
}
