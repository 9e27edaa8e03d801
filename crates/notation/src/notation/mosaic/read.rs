//! Reading Mosaic's attribute, and its layout in XLA's notation.

use core::str::FromStr;

use crate::digit_order::NotThisLayout;
use crate::notation::mosaic::Mosaic;
use crate::notation::reader::TextReader;
use crate::notation::strided::StridedDigits;
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Error, List, Tiles};

impl FromStr for Mosaic {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mosaic, Error> {
        const WHOLE: &str = "write `#tpu.tiled<(8,128)(2,1),[16,1]>`";
        let mut reader = TextReader::new(text);
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
    /// Strides may leave slots after the end of a dimension, which `PAD` adds, or others, which tiles do.
    ///
    /// # Errors
    /// - [`Rank`](NotThisLayout::Rank) if the array has another number of dimensions than there are strides, and
    ///   [`UnknownSize`](NotThisLayout::UnknownSize) for `?`, except in the most major dimension.
    /// - [`Broadcast`](NotThisLayout::Broadcast) and [`Overlap`](NotThisLayout::Overlap) if the strides are not those of this
    ///   array.
    /// - [`Indivisible`](NotThisLayout::Indivisible) if a later tile does not divide the first one.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let rank = self.strides.len();
        NotThisLayout::same_rank(rank, array)?;
        // The notations have the same tiles if XLA's order is that of the strides.
        let shape = array.laid_out(&self.order(array)[..rank], &self.tiles)?;
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
            (self.strides[dim], array.dims()[dim].size() != Some(1), rank - dim)
        });
        order
    }

    /// Dimensions that the first tile covers.
    fn covered(&self) -> usize {
        if self.tiles.is_empty() { 0 } else { self.tiles.len_of(0) }
    }

    /// The digits of the array, each with its stride.
    fn digits(&self, array: &ArrayShape) -> Result<StridedDigits, NotThisLayout> {
        let rank = self.strides.len();
        // What stands in a tile; a tile of Mosaic has no `*`.
        let mut tile = DigitSequence::EMPTY;
        for (number, sizes) in self.tiles.iter().enumerate() {
            if number == 0 {
                for (dim, size) in (rank - self.covered()..).zip(&*sizes) {
                    tile.push(DimDigit { dim, weight: 1, size: Some(size.size()) });
                }
            } else if !tile.tile(&sizes) {
                return Err(NotThisLayout::Indivisible { tile: number });
            }
        }
        let mut digits = StridedDigits::new(rank);
        for (digit, stride) in tile.strided() {
            digits.add(digit, stride)?;
        }
        for (dim, stride) in self.strides.iter().enumerate() {
            let size = array.dims()[dim].size().ok_or(NotThisLayout::unknown(dim))?;
            let tiles = Tiles::covering(size, digits.size(dim)).max(1);
            let stride = tile.slots().and_then(|slots| slots.checked_mul(*stride));
            digits.push(dim, tiles, stride.ok_or(NotThisLayout::DigitSize { dim })?)?;
        }
        Ok(digits)
    }
}
