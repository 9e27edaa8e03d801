//! The box of slots that have coordinates: the array with what pads its own dimensions.

use alloc::vec;
use alloc::vec::Vec;

use crate::analysis::digits::Digits;
use crate::analysis::pad_reshape_transpose::PadReshapeTranspose;
use crate::base::limits::{MAX_DIMS, Size};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::{TileDim, Tiles};

/// The array, padded by `PAD` and by the first tile along each dimension that the tile does not
/// combine with others. What pads combined dimensions and what later tiles add has no coordinates.
///
/// If the first tile has more entries than the array has dimensions, the dimensions of size 1 that tiling
/// prepends belong to the box; they are numbered first.
pub(super) struct Frame {
    /// How many dimensions precede the array's own.
    pub front: usize,
    /// Sizes of the array.
    pub sizes: Vec<Size>,
    /// Sizes of the box.
    pub extents: Vec<Size>,
    /// Sizes of the first tile along the dimensions, where it covers them alone.
    tile_sizes: Vec<Option<Size>>,
    /// Dimensions, the most minor first.
    pub minor_to_major: Vec<usize>,
    /// The layout of an array that fills the box.
    digits: Digits,
    /// For each tile in turn how to number its copies.
    levels: Vec<Level>,
}

/// How the copies of a tile are numbered.
struct Level {
    /// Slots of the tile.
    block: Size,
    /// The layout with the tiles up to this one, if later ones take the tile apart.
    own: Option<Digits>,
}

impl Frame {
    /// `None` where a dimension has no bound.
    pub(crate) fn new(shape: &ArrayShape) -> Option<Frame> {
        if shape.is_unbounded() {
            return None;
        }
        let rank = shape.rank();
        let first = shape.tiles().first();
        let front = match first.len().saturating_sub(rank) {
            front if rank + front <= MAX_DIMS => front,
            _ => 0,
        };
        let mut sizes = vec![1; front];
        sizes.extend(shape.dims().iter().filter_map(|dim| dim.size()));
        let mut extents = vec![1; front];
        extents.extend((0..rank).map(|dim| shape.width(dim)));
        let own = shape.minor_to_major().iter().map(|dim| dim + front);
        let minor_to_major = own.chain((0..front).rev()).collect::<Vec<_>>();

        let mut tile_sizes = vec![None; front + rank];
        if let Some(step) = PadReshapeTranspose::of(shape).next() {
            let mut padded = step.padded.iter().rev();
            let mut entries = first.iter().rev().peekable();
            for dim in &minor_to_major {
                let Some(entry) = entries.next() else { break };
                let is_combined = matches!(entries.peek(), Some(TileDim::Combined));
                match entry {
                    TileDim::Combined => {}
                    // Padding of combined dimensions is not a box.
                    TileDim::Size(_) if is_combined => {
                        padded.next();
                    }
                    TileDim::Size(size) => {
                        extents[*dim] = *padded.next()?;
                        tile_sizes[*dim] = Some(*size);
                    }
                }
            }
        }

        let mut full = *shape.fields();
        // An array without elements has no slots, and its box may be too large for memory.
        if shape.elements() != Some(0) {
            full.has_padding = false;
            full.rank = (front + rank) as u8;
            for dim in 0..front + rank {
                full.dims[dim] = Dim::Static(extents[dim]);
                full.minor_to_major[dim] = minor_to_major[dim];
            }
        }
        // Its box is padded no more than the array.
        let mut full = full.trusted();
        let digits = full.digits().ok()?;
        // Tiles are boxes of the array before the swizzle.
        full = full.without_swizzle();
        let mut levels = Vec::new();
        let mut tiles = Tiles::NONE;
        for (level, tile) in shape.tiles().iter().enumerate() {
            tiles.begin();
            for dim in &*tile {
                tiles.push(*dim);
            }
            levels.push(match full.block(level) {
                Ok(block) if shape.swizzle().is_none() => Level { block: block.factor, own: None },
                Ok(block) => Level { block: block.factor, own: Some(digits.linear()) },
                Err(_) => {
                    let part = full.with_tiles(&tiles).ok()?;
                    let block = part.block(level).map_or(1, |block| block.factor);
                    Level { block, own: Some(part.digits().ok()?) }
                }
            });
        }
        Some(Frame { front, sizes, extents, tile_sizes, minor_to_major, digits, levels })
    }

    /// Number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.extents.len()
    }

    /// How many levels of tiles there are.
    pub(crate) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Position in memory of a slot of the box.
    pub(crate) fn offset(&self, index: &[Size]) -> Size {
        self.digits.offset_unchecked(index)
    }

    /// The slot of the box at a position; `None` if it has no coordinates.
    pub(crate) fn index(&self, offset: Size) -> Option<Vec<Size>> {
        self.digits.index(offset).map(|index| index.to_vec())
    }

    /// Whether a slot of the box holds no element.
    pub(crate) fn is_padding(&self, index: &[Size]) -> bool {
        index.iter().zip(&self.sizes).any(|(at, size)| at >= size)
    }

    /// Whether no element is at a position.
    pub(crate) fn is_padding_at(&self, offset: Size) -> bool {
        self.digits.index(offset).is_none_or(|index| self.is_padding(&index))
    }

    /// Number of the copy of a level's tile that contains a slot, in the order of memory that the tiles up to
    /// this one make; 0 without tiles. `offset` is the slot's.
    pub(crate) fn tile(&self, level: usize, index: &[Size], offset: Size) -> Size {
        match self.levels.get(level) {
            None => 0,
            Some(Level { block, own: None }) => offset / block,
            Some(Level { block, own: Some(digits) }) => digits.offset_unchecked(index) / block,
        }
    }

    /// Where along a dimension something changes: the first tile's end, and what its digits count by.
    pub(crate) fn breaks(&self, dim: usize) -> Vec<Size> {
        let own = self.digits.terms().iter().filter(|term| term.dim() == dim);
        let own = own.map(|term| term.digit.div);
        let mut breaks = self.tile_sizes[dim].into_iter().chain(own).collect::<Vec<_>>();
        breaks.sort_unstable();
        breaks.dedup();
        breaks
    }

    /// Distances in memory from one value of a digit to the next, the smallest first.
    pub(crate) fn strides(&self) -> Vec<Size> {
        self.digits.terms().iter().rev().map(|term| term.stride.factor).collect()
    }
}
