//! Blocks along one dimension.

use super::index::BlockIndex;
use layout_core::Size;

/// What a block takes of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockSize {
    /// This number of elements; the index counts blocks.
    Blocked(Size),
    /// One element, whose dimension the kernel does not see.
    Squeezed,
    /// This number of elements; the index counts elements.
    Element(Size),
    /// `Element` with padding before the array, `pl.Element(size, padding=(low, high))`, which the compiler refuses. Padding
    /// after the array alone is [`Element`](Self::Element).
    PaddedElement(Size),
    /// At most this number of elements, as many as the index map says: `pl.BoundedSlice`, which the compiler refuses.
    BoundedSlice(Size),
}

impl BlockSize {
    /// Elements, 1 of a squeezed dimension.
    pub const fn size(self) -> Size {
        match self {
            BlockSize::Squeezed => 1,
            BlockSize::Blocked(size)
            | BlockSize::Element(size)
            | BlockSize::PaddedElement(size)
            | BlockSize::BoundedSlice(size) => size,
        }
    }

    pub(super) const fn counts_elements(self) -> bool {
        matches!(self, BlockSize::Element(_) | BlockSize::PaddedElement(_))
    }
}

/// A block along one dimension: its size, and where it lies in each step. Made by [`BlockIndex::block`],
/// [`squeezed`](BlockIndex::squeezed) and [`element`](BlockIndex::element).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockDim {
    /// What it takes of the dimension.
    pub size: BlockSize,
    /// Where it lies.
    pub index: BlockIndex,
}

impl BlockIndex {
    /// A block of a size at this index.
    pub const fn block(self, size: Size) -> BlockDim {
        BlockDim { size: BlockSize::Blocked(size), index: self }
    }

    /// A block of one element, whose dimension the kernel does not see: `None` in a block shape.
    pub const fn squeezed(self) -> BlockDim {
        BlockDim { size: BlockSize::Squeezed, index: self }
    }

    /// A block whose index counts elements: `pl.Element` in a block shape.
    pub const fn element(self, size: Size) -> BlockDim {
        BlockDim { size: BlockSize::Element(size), index: self }
    }
}
