//! Why a layout is not expressed otherwise, and why something is not a layout of an array.

// CuTe and Mosaic describe offsets, so slots past the last element (`L`, `PAD` of the most major dimension) are
// not part of them and nothing is lost. numpy and `linalg.pack` make every slot. `S`, `SC` and `M` are stated
// elsewhere in each of these systems.

use crate::digit_order::MAX_DIGITS;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, MAX_TILES, Size};
use layout_core::{ArrayShape, Fault, UnknownSize};

errors! {
    /// Why a layout cannot be expressed: in another notation, or as an order of digits. Each function names its own reasons.
    pub enum NotExpressible {
        /// A size is needed that is known at run time only (`?`).
        UnknownSize(error: UnknownSize) => &error.line();
        /// The array has no elements.
        Empty => "the array has no elements";
        /// Tiles extend past the array: the size of a dimension is not a multiple of the tile along it. Both count elements.
        Ragged { dim: usize, size: Size, tile: Size } => "tiles extend past the array: the size ", size, " of dimension ", dim,
            " is not a multiple of ", tile;
        /// A tile does not divide the tile that it covers, or the array. The tile has a number where it is known; the first is 0.
        Indivisible { tile: Option<usize> } => &match tile {
            None => phrase!("a tile does not divide the tile that it covers"),
            Some(tile) => phrase!("tile ", tile, " does not divide what it covers"),
        };
        /// A tile crosses the border between dimensions that `*` combines.
        CrossesDimensions => "a tile crosses the border between dimensions that `*` combines";
        /// Of the strides alone only a layout with more tiles than there may be would be read.
        TooManyTiles => "no layout with at most ", MAX_TILES, " tiles is found for the strides alone";
        /// The layout is swizzled.
        Swizzle => "the layout is swizzled, which is not an order of digits: print it `without_swizzle`";
        /// `*` combines dimensions.
        Combined => "`*` combines dimensions";
        /// The layout has no tiles.
        Untiled => "the layout has no tiles";
        /// A tile has more entries than what it covers has dimensions.
        TileTooLong => "a tile has more entries than there are dimensions to cover";
        /// The first tile covers other dimensions than the last ones in their order.
        Order => "the first tile covers other dimensions than the last ones in their order";
        /// `PAD` widens a dimension.
        Widened => "`PAD` widens a dimension";
        /// `L` adds slots after the last element.
        Tail => "`L` adds slots after the last element";
        /// `E` packs or widens elements.
        ElementSize => "`E` packs or widens elements";
        /// A block of a dimension is more minor in memory than one that it counts in, which a tag reads the other
        /// way round.
        Ascending { dim: usize } => "a block of dimension ", dim, " is more minor in memory than one that it consists of";
        /// The names of the dimensions are not as many as there are, or not different letters in lower case.
        Names { names: usize, rank: usize } => names, " names for ", rank,
            " dimensions: name each by another letter in lower case";
    }
}

errors! {
    /// Why digits, strides or a text of another notation are not a layout of an array: what XLA's notation cannot say, or
    /// what does not go with the array. Sizes, strides and spans count elements.
    pub enum NotThisLayout {
        /// The array has another number of dimensions than the text or the digits give.
        Rank { given: usize, array: usize } => "the layout has ", given, " dimensions, but the array has ", array;
        /// The text or the digits give another size of a dimension, or too small a one where a layout may be padded.
        Size { dim: usize, given: Size, array: Size } => "the layout gives ", given, " elements of dimension ", dim,
            ", but its size is ", array;
        /// The elements of which the text is have another width than those of the array in memory.
        ElementBits { given: Size, array: Size } => "the text says elements of ", given, " bits, and those of the array have ", array;
        /// The size of a dimension is not a multiple of the blocks that are given, or is 0.
        Blocks { dim: usize, size: Size, block: Size } => &match size {
            0 => phrase!("the size of dimension ", dim, " is 0: write a multiple of ", block),
            _ => phrase!("the size ", size, " of dimension ", dim, " is not a multiple of ", block),
        };
        /// A size is needed that is known at run time only (`?`).
        UnknownSize(error: UnknownSize) => &error.line();
        /// Elements share a slot: a stride along the dimension is 0.
        Broadcast { dim: usize } => "a stride of dimension ", dim, " is 0: elements of a layout do not share a slot";
        /// A stride is below the span of what the smaller strides cover, so that elements share slots or interleave.
        Overlap { dim: usize, stride: Size, span: Size } => "the stride ", stride, " of dimension ", dim, " is less than the ",
            span, " slots that smaller strides cover: elements overlap or interleave";
        /// The first element is not at offset 0, but at this one before the swizzle.
        Start { start: Size } => "the layout starts at offset ", start,
            ", and that of an array at 0: lay out the array that this is a slice of";
        /// An axis of any size stands after another one of its dimension, so that where it counts depends on the
        /// size of the array.
        InnerAxis { dim: usize } => "an axis without a size is not the first one of dimension ", dim, ": write its size";
        /// A dimension of any size is more minor in memory than a block of a given size, which only a tile would cut off:
        /// tiles put what they cut off after all that has any size.
        OpenAfterBlock { dim: usize } => "dimension ", dim,
            ", of any size, is more minor in memory than a block, where no tile puts it: write its size out";
        /// The layout takes more tiles, or more entries of tiles, than there can be.
        TooManyTiles => "this takes more tiles than a layout has: at most ", MAX_TILES, " with ", MAX_TILE_DIMS,
            " sizes in all";
        /// A tile does not divide the tile that it covers. The first tile is 0.
        Indivisible { tile: usize } => "tile ", tile, " does not divide the tile that it covers";
        /// A digit or a tile names a dimension that the array does not have.
        NoSuchDimension { dim: usize, rank: usize } => "dimension ", dim, " is out of range for an array of rank ", rank;
        /// A digit has no values, or its dimension more than [`MAX_SIZE`] elements.
        DigitSize { dim: usize } => "the digits of dimension ", dim, " make no size from 1 to ", MAX_SIZE;
        /// No digit of a dimension has the weight that follows from the others.
        DigitGap { dim: usize, weight: Size } => "no digit of dimension ", dim, " counts every ", weight, " elements";
        /// Two digits of a dimension count the same elements: both have this weight.
        DigitOverlap { dim: usize, weight: Size } => "two digits of dimension ", dim, " count every ", weight, " elements";
        /// There are more digits than [`MAX_DIGITS`].
        TooManyDigits => "more than ", MAX_DIGITS, " digits";
        /// There are more dimensions than an array has, [`MAX_DIMS`].
        TooManyDimensions { rank: usize } => rank, " dimensions, but an array has at most ", MAX_DIMS;
        /// The array is not valid in this layout: padding takes it past a limit, or numbers are not those of a layout.
        Shape(fault: Fault) => &fault.line();
    }
}

impl NotThisLayout {
    /// Whether a layout of `given` dimensions is one of the array's.
    pub(crate) fn same_rank(given: usize, array: &ArrayShape) -> Result<(), NotThisLayout> {
        match array.rank() {
            rank if rank == given => Ok(()),
            array => Err(NotThisLayout::Rank { given, array }),
        }
    }

    /// The size of a dimension is needed, but unknown.
    pub(crate) const fn unknown(dim: usize) -> NotThisLayout {
        NotThisLayout::UnknownSize(UnknownSize { dim })
    }
}

impl From<Fault> for NotThisLayout {
    fn from(fault: Fault) -> NotThisLayout {
        NotThisLayout::Shape(fault)
    }
}
