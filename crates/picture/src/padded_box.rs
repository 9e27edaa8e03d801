//! The box of slots that have coordinates: the array with what pads its own dimensions.

// Cells of padding get their offsets from a larger array that fills the box of the first tile: it has the same
// layout, so no rule about padding is written twice. Padding of tiles that combine dimensions, and of later
// tiles, is no box: it shows in the order of memory only.

use alloc::vec;
use alloc::vec::Vec;

use layout_core::analysis::{DigitSource, PadReshapeTranspose};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Dim, Size, Splits, TileDim, Tiles};

/// The array, padded by `PAD` and by the first tile along each dimension that the tile does not
/// combine with others. What pads combined dimensions and what later tiles add has no coordinates.
///
/// If the first tile has more entries than the array has dimensions, the dimensions of size 1 that tiling
/// prepends belong to the box; they are numbered first.
pub(crate) struct PaddedBox {
    /// How many dimensions precede the array's own.
    pub leading: usize,
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
    /// The levels of tiles, the outermost first.
    levels: Vec<Level>,
}

/// A level of tiles: a slot is in the tile whose number is the slot's offset divided by the slots of a tile.
struct Level {
    /// Slots of a tile.
    block: Size,
    /// What gives that offset where it is not the one in memory: the layout with the tiles up to this level, without a
    /// swizzle.
    own: Option<Digits>,
}

impl PaddedBox {
    /// `None` where a dimension has no bound.
    pub(crate) fn new(shape: &ArrayShape) -> Option<PaddedBox> {
        let is_empty = shape.elements()? == 0;
        let rank = shape.rank();
        let first = shape.tiles().iter().next();
        let first = first.as_deref().unwrap_or(&[]);
        let leading = match first.len().saturating_sub(rank) {
            leading if rank + leading <= MAX_DIMS => leading,
            _ => 0,
        };
        let mut sizes = vec![1; leading];
        sizes.extend(shape.dims().iter().filter_map(|dim| dim.size()));
        let mut extents = sizes.clone();
        if let Some(widths) = shape.padded_dimensions() {
            extents[leading..].copy_from_slice(widths);
        }
        let own = shape.minor_to_major().iter().map(|dim| dim + leading);
        let minor_to_major = own.chain((0..leading).rev()).collect::<Vec<_>>();

        let mut tile_sizes = vec![None; leading + rank];
        let padded = PadReshapeTranspose::of(shape).next().map(|step| step.padded);
        let mut padded = padded.iter().flat_map(|padded| padded.iter().rev());
        for (entry, dim) in (0..first.len()).rev().zip(&minor_to_major) {
            // Padding of combined dimensions is not a box.
            let is_combined = entry > 0 && first[entry - 1] == TileDim::Combined;
            if let TileDim::Size(size) = first[entry]
                && let Some(width) = padded.next()
                && !is_combined
            {
                extents[*dim] = *width;
                tile_sizes[*dim] = Some(size);
            }
        }

        let mut full = *shape.fields();
        // An array without elements has no slots, and its box may be too large for memory.
        if !is_empty {
            (full.has_padding, full.padded_dims, full.fill) = (false, [0; MAX_DIMS], None);
            full.splits = Splits::NONE;
            full.rank = (leading + rank) as u8;
            for dim in 0..leading + rank {
                full.dims[dim] = Dim::Static(extents[dim]);
                full.minor_to_major[dim] = minor_to_major[dim];
            }
        }
        // Its box is padded no more than the array.
        let full = full.checked().ok()?;
        // Tiles are boxes of the array before the swizzle.
        let linear = full.without_swizzle();
        let mut levels = Vec::new();
        let mut tiles = Tiles::NONE;
        for (level, tile) in shape.tiles().iter().enumerate() {
            tiles.begin();
            for dim in &*tile {
                tiles.push(*dim);
            }
            levels.push(match linear.block(level) {
                Ok(block) if shape.swizzle().is_none() => Level { block: block.factor, own: None },
                Ok(block) => Level { block: block.factor, own: linear.digits().ok() },
                Err(_) => {
                    let part = linear.with_tiles(&tiles).ok()?;
                    let block = part.block(level).map_or(1, |block| block.factor);
                    Level { block, own: part.digits().ok() }
                }
            });
        }
        let digits = full.digits().ok()?;
        Some(PaddedBox { leading, sizes, extents, tile_sizes, minor_to_major, digits, levels })
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
    // The offset divided by the tile's slots. Where a later tile takes the tile apart, the offset is that of
    // the layout without the later tiles.
    pub(crate) fn tile(&self, level: usize, index: &[Size], offset: Size) -> Size {
        match self.levels.get(level) {
            None => 0,
            Some(Level { block, own: None }) => offset / block,
            Some(Level { block, own: Some(digits) }) => digits.offset_unchecked(index) / block,
        }
    }

    /// Where along a dimension something changes: the first tile's end, and what its digits count by.
    pub(crate) fn breaks(&self, dim: usize) -> Vec<Size> {
        let digits = self.digits.terms().iter().map(|term| term.digit);
        let own = digits.filter(|digit| digit.source() == DigitSource::Dim(dim));
        let own = own.map(|digit| digit.div());
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
