//! Reading `linalg.pack`, and the layout that a sequence of them makes.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::{DigitOrder, DigitOrderError, DimDigit};
use crate::fault::error::Error;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS, MAX_TILES, Size};
use crate::notation::error::{LayoutError, NotationError};
use crate::notation::linalg_pack::{text, write_attributes};
use crate::notation::{laid_out, separated};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::{TileDim, Tiles};
use crate::shape::unknown_size::UnknownSize;

/// A sequence of `linalg.pack`, by their attributes: `outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles =
/// [8, 128]`.
///
/// It is read from the attributes of one pack after another, or from operations in MLIR's text, each on the result of
/// the one before: `linalg.pack` or its older name `tensor.pack`, among them `tensor.empty` and constants. Attributes
/// are for every size. If the operations have types, the sizes there are the only ones.
///
/// Defined by `Linalg_PackOp` in MLIR (`LinalgRelayoutOps.td`).
///
/// # Examples
/// ```
/// use layout::notation::Packs;
///
/// let packs: Packs = "inner_dims_pos = [1, 0] inner_tiles = [3, 4]".parse()?;
/// let shape = packs.layout(&"s32[16,16]".parse()?)?;
/// assert_eq!(shape.to_string(), "s32[16,16]{1,0:T(4,3)(4,1)}");
/// assert_eq!(
///     Packs::try_from(&shape)?.to_string(),
///     "inner_dims_pos = [0, 1] inner_tiles = [4, 3]\ninner_dims_pos = [2, 3] inner_tiles = [4, 1]",
/// );
///
/// let error = "inner_dims_pos = [0, 0] inner_tiles = [3, 4]".parse::<Packs>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// the dimension is listed twice
///   | inner_dims_pos = [0, 0] inner_tiles = [3, 4]
///   |                      ^
///   = help: write each dimension once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Packs {
    pub(super) list: [Attributes; MAX_TILES],
    pub(super) len: usize,
    /// Sizes of the tensor that is packed, if they are given; `None` where they are `?`.
    pub(super) source: Option<Sizes>,
}

/// Sizes of a tensor; `None` where it is `?`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) list: [Option<Size>; MAX_BOUNDS],
    pub(super) len: usize,
}

/// The attributes of a pack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Attributes {
    pub(super) outer_dims_perm: Option<Dims>,
    pub(super) inner_dims_pos: Dims,
    pub(super) inner_tiles: [Size; MAX_TILE_DIMS],
}

impl Attributes {
    pub(super) const NONE: Attributes = Attributes {
        outer_dims_perm: None,
        inner_dims_pos: Dims { list: [0; MAX_BOUNDS], len: 0 },
        inner_tiles: [0; MAX_TILE_DIMS],
    };

    /// The sizes of the tile.
    pub(super) fn tiles(&self) -> &[Size] {
        &self.inner_tiles[..self.inner_dims_pos.len]
    }

    /// The operand's dimension for an outer dimension of the result.
    pub(super) fn outer(&self, dim: usize) -> usize {
        match &self.outer_dims_perm {
            Some(permutation) => usize::from(permutation.list[dim]),
            None => dim,
        }
    }
}

/// Dimensions of a tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Dims {
    pub(super) list: [u8; MAX_BOUNDS],
    pub(super) len: usize,
}

impl Dims {
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.list[..self.len].iter().map(|&dim| usize::from(dim))
    }

    fn of(dims: &[usize]) -> Dims {
        let mut list = [0; MAX_BOUNDS];
        for (to, from) in list.iter_mut().zip(dims) {
            // A tensor has at most `MAX_BOUNDS` dimensions.
            *to = *from as u8;
        }
        Dims { list, len: dims.len() }
    }
}

impl FromStr for Packs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Packs, Error> {
        text::read(text)
    }
}

impl Packs {
    pub(super) fn attributes(&self) -> &[Attributes] {
        &self.list[..self.len]
    }

    /// The array in this layout: memory holds the last result in row-major order. Its element type and properties
    /// stay, except for `PAD`.
    ///
    /// Where a pack tiles the most minor dimensions in their order, it is a tile as it stands. Other packs are a
    /// [`DigitOrder`], and padding is then that of dimensions alone.
    ///
    /// # Errors
    /// - [`Rank`](LayoutError::Rank) or [`Size`](LayoutError::Size) if the array has other dimensions than the
    ///   tensor, and [`UnknownSize`](LayoutError::UnknownSize) if one has a size in the text and `?` in the array.
    /// - [`DigitOrder`](LayoutError::DigitOrder) if a pack names a dimension that there is not, or pads a tile.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let rank = array.rank();
        let first = &self.list[0];
        let said = match (&self.source, &first.outer_dims_perm) {
            (Some(sizes), _) => sizes.len,
            (None, Some(permutation)) => permutation.len,
            (None, None) => rank,
        };
        if said != rank {
            return Err(LayoutError::Rank { text: said, array: rank });
        }
        for dim in 0..rank {
            let Some(text) = self.source.and_then(|sizes| sizes.list[dim]) else { continue };
            match array.dims[dim] {
                Dim::Unbounded => return Err(LayoutError::UnknownSize(UnknownSize { dim })),
                Dim::Static(size) | Dim::Bounded(size) if size != text => {
                    return Err(LayoutError::Size { dim, text, array: size });
                }
                _ => {}
            }
        }
        if let Some(tiles) = self.as_tiles(rank) {
            let mut minor_to_major = [0; MAX_DIMS];
            for (physical, dim) in minor_to_major[..rank].iter_mut().rev().enumerate() {
                *dim = first.outer(physical);
            }
            return laid_out(array, &minor_to_major[..rank], &tiles);
        }
        Ok(self.digit_order(rank)?.layout(array)?)
    }

    /// The packs as tiles, if each covers the most minor dimensions in their order.
    fn as_tiles(&self, rank: usize) -> Option<Tiles> {
        let mut tiles = Tiles::NONE;
        let mut bounds = rank;
        for (number, pack) in self.attributes().iter().enumerate() {
            let count = pack.tiles().len();
            let first = bounds.checked_sub(count)?;
            // The order of dimensions is that of the first pack; its tile counts in that order.
            let order = |bound| if number == 0 { pack.outer(bound) } else { bound };
            let is_in_order =
                number == 0 || pack.outer_dims_perm.is_none_or(|order| order.iter().eq(0..bounds));
            if !is_in_order || !pack.inner_dims_pos.iter().eq((first..bounds).map(order)) {
                return None;
            }
            if count > 0 && !tiles.begin() {
                return None;
            }
            for &size in pack.tiles() {
                if !tiles.push(TileDim::Size(size)) {
                    return None;
                }
            }
            bounds += count;
        }
        Some(tiles)
    }

    /// The order of the digits that the packs make of an array with `rank` dimensions, for every size.
    fn digit_order(&self, rank: usize) -> Result<DigitOrder, DigitOrderError> {
        let none = DimDigit { dim: 0, weight: 1, size: None };
        let mut bounds = [none; MAX_BOUNDS];
        for (dim, bound) in bounds[..rank].iter_mut().enumerate() {
            bound.dim = dim;
        }
        let mut len = rank;
        for (number, pack) in self.attributes().iter().enumerate() {
            let before = len;
            if let Some(permutation) = pack.outer_dims_perm
                && permutation.len != before
            {
                let dim = permutation.len.max(before) - 1;
                return Err(DigitOrderError::NoSuchDimension { dim, rank: before });
            }
            for (pos, &size) in pack.inner_dims_pos.iter().zip(pack.tiles()) {
                let bound = bounds[..before]
                    .get_mut(pos)
                    .ok_or(DigitOrderError::NoSuchDimension { dim: pos, rank: before })?;
                let inner = DimDigit { size: Some(size), ..*bound };
                bound.size = match bound.size {
                    Some(count) if count.is_multiple_of(size) => Some(count / size),
                    Some(_) => return Err(DigitOrderError::Indivisible { tile: number }),
                    None => None,
                };
                let weight = bound.weight.checked_mul(size);
                bound.weight = weight.ok_or(DigitOrderError::Size { dim: bound.dim })?;
                // There is room: dimensions and sizes of tiles are together at most as many as bounds.
                bounds[len] = inner;
                len += 1;
            }
            let ordered = bounds;
            for (at, bound) in bounds[..before].iter_mut().enumerate() {
                *bound = ordered[pack.outer(at)];
            }
        }
        DigitOrder::new(rank, &bounds[..len])
    }
}

impl TryFrom<&ArrayShape> for Packs {
    type Error = NotationError;

    /// See [`ArrayShape::linalg_pack`]; the sizes of the array are left out.
    fn try_from(shape: &ArrayShape) -> Result<Packs, NotationError> {
        let mut packs = Packs { list: [Attributes::NONE; MAX_TILES], len: 0, source: None };
        for (attributes, pack) in packs.list.iter_mut().zip(shape.linalg_pack()?.packs()) {
            attributes.outer_dims_perm = pack.outer_dims_perm.map(|dims| Dims::of(&dims));
            attributes.inner_dims_pos = Dims::of(&pack.inner_dims_pos);
            attributes.inner_tiles[..pack.inner_tiles.len()].copy_from_slice(&pack.inner_tiles);
            packs.len += 1;
        }
        Ok(packs)
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let permutation = self.outer_dims_perm.as_ref().map(Dims::iter);
        write_attributes(f, permutation, self.inner_dims_pos.iter(), self.tiles().iter())
    }
}

impl fmt::Display for Packs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, self.attributes(), "\n")
    }
}

impl fmt::Debug for Packs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
