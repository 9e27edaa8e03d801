//! Mosaic's layout attribute.

mod read;

use core::fmt;

use crate::digit_order::NotExpressible;
use crate::notation::write::separated;
use layout_core::limits::{MAX_DIMS, Size};
use layout_core::{ArrayShape, List, Tiles, UnknownSize};

/// The layout of a memory reference in Mosaic, the compiler of Pallas kernels for TPUs:
/// `#tpu.tiled<(8,128)(2,1),[16,1]>`.
///
/// # Examples
/// ```
/// use layout_notation::notation::Mosaic;
///
/// let mosaic: Mosaic = "#tpu.tiled<(8,128)(2,1),[16,1]>".parse()?;
/// let shape = mosaic.layout(&"bf16[1024,2048]".parse()?)?;
/// assert_eq!(shape.to_string(), "bf16[1024,2048]{1,0:T(8,128)(2,1)}");
/// assert_eq!(Mosaic::of(&shape)?, mosaic);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mosaic {
    tiles: Tiles,
    strides: List<MAX_DIMS>,
}

impl Mosaic {
    /// The tiles, in the order in which they are applied.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// For each dimension, dimension 0 first, the distance in memory from one tile to the next, or from one
    /// element to the next if the first tile does not cover the dimension. The unit is a tile of the first
    /// tiling; without tiles, an element.
    pub fn tile_strides(&self) -> &[Size] {
        &self.strides
    }
}

impl Mosaic {
    /// The layout as Mosaic's attribute, for types such as `memref<1024x2048xbf16,
    /// #tpu.tiled<(8,128)(2,1),[16,1]>>`.
    ///
    /// Dimensions that the first tile does not cover may be in any order.
    ///
    /// Defined by `TiledLayoutAttr` of the TPU dialect in JAX (`tpu_ops.td`, `tpu_dialect.cc`).
    ///
    /// # Errors
    /// - [`Order`](NotExpressible::Order) if the first tile covers other dimensions than the last ones in their
    ///   order, and [`TileTooLong`](NotExpressible::TileTooLong) if it has more entries than there are dimensions.
    /// - [`Indivisible`](NotExpressible::Indivisible) if a later tile reaches across the first one's tiles or does
    ///   not divide them.
    /// - [`Combined`](NotExpressible::Combined) for a `*`.
    /// - [`UnknownSize`](NotExpressible::UnknownSize) for `?`, except in the most major dimension.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Mosaic;
    ///
    /// let shape: layout::ArrayShape = "bf16[1024,2048]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(Mosaic::of(&shape)?.to_string(), "#tpu.tiled<(8,128)(2,1),[16,1]>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(shape: &ArrayShape) -> Result<Mosaic, NotExpressible> {
        let (rank, tiles) = (shape.rank(), shape.tiles());
        if !shape.swizzle().is_none() {
            return Err(NotExpressible::Swizzle);
        }
        if !tiles.have_sizes() {
            return Err(NotExpressible::Combined);
        }
        // The first tile, from its most minor entry on.
        let first = tiles.first();
        if first.len() > rank {
            return Err(NotExpressible::TileTooLong);
        }
        if (0..first.len()).any(|i| shape.minor_to_major()[i] != rank - 1 - i) {
            return Err(NotExpressible::Order);
        }
        // What later tiles make of a tile is a block of memory, and no longer than the tile.
        if !tiles.is_empty() {
            let tile_size: Size = first.iter().map(|entry| entry.size()).product();
            shape
                .block(0)
                .ok()
                .filter(|block| block.factor == tile_size)
                .ok_or(NotExpressible::Indivisible { tile: None })?;
        }
        let mut strides = [0; MAX_DIMS];
        let mut stride = Ok(1);
        let mut entries = first.iter().rev();
        for i in 0..rank {
            let dim = shape.minor_to_major()[i];
            let known = stride.map_err(NotExpressible::UnknownSize)?;
            strides[dim] = known;
            let tile = entries.next().map_or(1, |entry| entry.size());
            stride = match shape.dims()[dim].size() {
                None => Err(UnknownSize { dim }),
                Some(_) => Ok(known * Tiles::covering(shape.width(dim), tile)),
            };
        }
        Ok(Mosaic { tiles: *tiles, strides: List::of(&strides, rank) })
    }
}

impl fmt::Display for Mosaic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#tpu.tiled<{},[", self.tiles)?;
        separated(f, self.tile_strides(), ",")?;
        f.write_str("]>")
    }
}
