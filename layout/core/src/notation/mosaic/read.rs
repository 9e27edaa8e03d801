//! Reading Mosaic's attribute, and its layout in XLA's notation.

use core::str::FromStr;

use crate::base::list::List;
use crate::digit_order::DigitOrderError;
use crate::fault::error::Error;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, Size};
use crate::notation::error::LayoutError;
use crate::notation::mosaic::Mosaic;
use crate::notation::reader::Reader;
use crate::notation::strided::StridedDigits;
use crate::shape::array::ArrayShape;
use crate::shape::tiles::{TileDim, Tiles};
use crate::shape::unknown_size::UnknownSize;

impl FromStr for Mosaic {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mosaic, Error> {
        const WHOLE: &str = "write `#tpu.tiled<(8,128)(2,1),[16,1]>`";
        let mut reader = Reader::new(text);
        reader.expect("#tpu.tiled", "this is not Mosaic's attribute", WHOLE)?;
        reader.expect("<", "expected `<`", WHOLE)?;
        let mut tiles = Tiles::NONE;
        let first = reader.at();
        while reader.take("(") {
            reader.tile(&mut tiles, None)?;
        }
        let first = first..reader.at();
        reader.expect(",", "expected `,` after the tiles", WHOLE)?;
        reader.expect("[", "expected the strides in brackets", WHOLE)?;
        let mut strides = List::new();
        reader.list("]", |reader| {
            let (start, stride) = (reader.at(), reader.number()?);
            if strides.len() == MAX_DIMS {
                return Err(reader.error(start, "too many dimensions", "an array has at most 16"));
            }
            strides.push(stride);
            Ok(())
        })?;
        reader.expect(">", "expected `>`", WHOLE)?;
        reader.end("this follows the attribute", "leave it out")?;
        if !tiles.is_empty() && tiles.len_of(0) > strides.len() {
            return Err(reader.error_at(
                first.start,
                first.end,
                "the first tile has more sizes than there are dimensions",
                "write a stride for each dimension",
            ));
        }
        Ok(Mosaic { tiles, strides })
    }
}

impl Mosaic {
    /// The array in this layout, in XLA's notation. Its element type and properties stay, except for `PAD`.
    ///
    /// Strides may leave slots after the end of a dimension, which `PAD` adds.
    ///
    /// # Errors
    /// - [`Rank`](LayoutError::Rank) if the array has another number of dimensions than there are strides, and
    ///   [`UnknownSize`](LayoutError::UnknownSize) for `?`, except in the most major dimension.
    /// - [`Broadcast`](LayoutError::Broadcast), [`Overlap`](LayoutError::Overlap) and [`Hole`](LayoutError::Hole) if
    ///   the strides are not those of this array.
    /// - [`DigitOrder`](LayoutError::DigitOrder) if a later tile does not divide the first one.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let rank = self.strides.len();
        if array.rank() != rank {
            return Err(LayoutError::Rank { text: rank, array: array.rank() });
        }
        // The notations have the same tiles if XLA's order is that of the strides.
        let shape =
            array.laid_out(&self.order(array)[..rank], &self.tiles).map_err(LayoutError::Shape)?;
        match Mosaic::of(&shape) {
            Ok(mosaic) if mosaic == *self => Ok(shape),
            // Without elements there is no memory to agree on.
            _ if array.elements() == Some(0) => Ok(shape),
            _ => self.digits(array)?.layout(array),
        }
    }

    /// Dimensions by their strides, the smallest first; those of the first tile stand at the end of the array and
    /// come first.
    fn order(&self, array: &ArrayShape) -> [usize; MAX_DIMS] {
        let rank = self.strides.len();
        let mut order = [0; MAX_DIMS];
        for (at, dim) in order[..rank].iter_mut().zip((0..rank).rev()) {
            *at = dim;
        }
        // Of equal strides, that of a dimension of size 1 is below the other.
        order[self.covered()..rank].sort_unstable_by_key(|&dim| {
            (self.strides[dim], array.dim(dim).size() != Some(1), rank - dim)
        });
        order
    }

    /// Dimensions that the first tile covers.
    fn covered(&self) -> usize {
        if self.tiles.is_empty() { 0 } else { self.tiles.len_of(0) }
    }

    /// The digits of the array, each with its stride.
    fn digits(&self, array: &ArrayShape) -> Result<StridedDigits, LayoutError> {
        let rank = self.strides.len();
        // The bounds of a tile in memory: dimension, elements below it along the dimension, size.
        let mut bounds = [(0usize, 1 as Size, 1 as Size); MAX_BOUNDS];
        let mut len = self.covered();
        for (entry, bound) in bounds[..len].iter_mut().enumerate() {
            *bound = (rank - self.covered() + entry, 1, self.size(0, entry));
        }
        for tile in 1..self.tiles.len() {
            let entries = self.tiles.len_of(tile);
            let error = DigitOrderError::Indivisible { tile };
            let first = len.checked_sub(entries).ok_or(error)?;
            for entry in 0..entries {
                let (dim, low, size) = bounds[first + entry];
                let inner = self.size(tile, entry);
                if size % inner != 0 {
                    return Err(error.into());
                }
                bounds[first + entry] = (dim, low * inner, size / inner);
                bounds[len] = (dim, low, inner);
                len += 1;
            }
        }
        let tile_size = bounds[..len]
            .iter()
            .try_fold(1 as Size, |product, &(_, _, size)| product.checked_mul(size));
        let mut digits = StridedDigits::new(rank);
        for dim in 0..rank {
            let too_large = DigitOrderError::Size { dim };
            let mut low = 1;
            // A bound of size 1 has the same weight as another.
            while let Some(at) =
                (0..len).find(|&at| bounds[at].0 == dim && bounds[at].1 == low && bounds[at].2 > 1)
            {
                let below = bounds[at + 1..len].iter();
                let stride = below.fold(1, |stride: Size, bound: &(usize, Size, Size)| {
                    stride.saturating_mul(bound.2)
                });
                digits.push(dim, bounds[at].2, stride)?;
                low *= bounds[at].2;
            }
            let size =
                array.dim(dim).size().ok_or(LayoutError::UnknownSize(UnknownSize { dim }))?;
            let stride = tile_size.and_then(|tile| tile.checked_mul(self.strides[dim]));
            digits.push(dim, size.div_ceil(low).max(1), stride.ok_or(too_large)?)?;
        }
        Ok(digits)
    }

    /// An entry of a tile; a tile of Mosaic has no `*`.
    fn size(&self, tile: usize, entry: usize) -> Size {
        match self.tiles.dim(tile, entry) {
            TileDim::Size(size) => size,
            TileDim::Combined => 1,
        }
    }
}
