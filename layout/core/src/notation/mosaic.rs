//! Mosaic's layout attribute.

mod read;

use core::fmt;

use crate::base::list::List;
use crate::limits::{MAX_DIMS, Size};
use crate::notation::error::NotationError;
use crate::notation::separated;
use crate::shape::array::ArrayShape;
use crate::shape::tiles::{TileDim, Tiles};
use crate::shape::unknown_size::UnknownSize;

/// The layout of a memory reference in Mosaic, the compiler of Pallas kernels for TPUs:
/// `#tpu.tiled<(8,128)(2,1),[16,1]>`.
///
/// # Examples
/// ```
/// use layout::notation::Mosaic;
///
/// let mosaic: Mosaic = "#tpu.tiled<(8,128)(2,1),[16,1]>".parse()?;
/// let shape = mosaic.layout(&"bf16[1024,2048]".parse()?)?;
/// assert_eq!(shape.to_string(), "bf16[1024,2048]{1,0:T(8,128)(2,1)}");
/// assert_eq!(Mosaic::try_from(&shape)?, mosaic);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mosaic {
    tiles: Tiles,
    strides: List<MAX_DIMS>,
}

impl Mosaic {
    /// The tiles, in the order in which they are applied.
    pub const fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// For each dimension, dimension 0 first, the distance in memory from one tile to the next, or from one
    /// element to the next if the first tile does not cover the dimension. The unit is a tile of the first
    /// tiling; without tiles, an element.
    pub const fn tile_strides(&self) -> &[Size] {
        self.strides.as_slice()
    }
}

impl ArrayShape {
    /// The layout as Mosaic's attribute, for types such as `memref<1024x2048xbf16,
    /// #tpu.tiled<(8,128)(2,1),[16,1]>>`.
    ///
    /// Dimensions that the first tile does not cover may be in any order.
    ///
    /// Defined by `TiledLayoutAttr` of the TPU dialect in JAX (`tpu_ops.td`, `tpu_dialect.cc`).
    ///
    /// # Errors
    /// - [`Order`](NotationError::Order) if the first tile covers other dimensions than the last ones in their
    ///   order, and [`TileTooLong`](NotationError::TileTooLong) if it has more entries than there are dimensions.
    /// - [`Indivisible`](NotationError::Indivisible) if a later tile reaches across the first one's tiles or does
    ///   not divide them.
    /// - [`Combined`](NotationError::Combined) for a `*`.
    /// - [`UnknownSize`](NotationError::UnknownSize) for `?`, except in the most major dimension.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "bf16[1024,2048]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(shape.mosaic().unwrap().to_string(), "#tpu.tiled<(8,128)(2,1),[16,1]>");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn mosaic(&self) -> Result<Mosaic, NotationError> {
        let rank = self.rank();
        let covered = if self.tiles().is_empty() { 0 } else { self.tiles().len_of(0) };
        if !self.tiles().have_sizes() {
            return Err(NotationError::Combined);
        }
        if covered > rank {
            return Err(NotationError::TileTooLong);
        }
        let mut tile_size = 1;
        each!(for i in 0..covered {
            if self.ordered_dim(i) != rank - 1 - i {
                return Err(NotationError::Order);
            }
            tile_size *= self.tiles().dim(0, i).size();
        });
        // What later tiles make of a tile is a block of memory, and no longer than the tile.
        if covered > 0 {
            match self.block(0) {
                Ok(block) if block.factor == tile_size => {}
                _ => return Err(NotationError::Indivisible),
            }
        }
        let mut strides = [0; MAX_DIMS];
        let mut stride = Ok(1);
        each!(for i in 0..rank {
            let dim = self.ordered_dim(i);
            let known = match stride {
                Ok(known) => known,
                Err(error) => return Err(NotationError::UnknownSize(error)),
            };
            strides[dim] = known;
            stride = match self.dim(dim).size() {
                None => Err(UnknownSize { dim }),
                Some(_) if i < covered => {
                    let tile = self.tiles().dim(0, covered - 1 - i).size();
                    Ok(known * self.width(dim).div_ceil(tile))
                }
                Some(_) => Ok(known * self.width(dim)),
            };
        });
        let mut mosaic = Mosaic { tiles: *self.tiles(), strides: List::new() };
        each!(for dim in 0..rank {
            mosaic.strides.push(strides[dim]);
        });
        Ok(mosaic)
    }
}

impl TileDim {
    /// The size; 1 of a `*`.
    const fn size(self) -> Size {
        match self {
            TileDim::Size(size) => size,
            TileDim::Combined => 1,
        }
    }
}

impl fmt::Display for Mosaic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#tpu.tiled<{},[", self.tiles)?;
        separated(f, self.tile_strides(), ",")?;
        f.write_str("]>")
    }
}

impl fmt::Debug for Mosaic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
