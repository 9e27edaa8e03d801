//! The TPU compiler's default layouts: order, tiles and `E`.

use crate::base::{Size, least};
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::{ArrayFields, ArrayShape, Dim, ElementType, TileDim, Tiles};
use crate::tpu::minor_dims::{Cheapest, Orders};

/// Elements in a row of a tile.
const LANES: Size = 128;
/// Elements of the longest tile of an array with one dimension, before packing.
const LONGEST: Size = 1024;

named! {
    /// A TPU generation; `tpu7x` is another name of `v7x`.
    ///
    /// ```
    /// use layout::tpu::Tpu;
    ///
    /// assert_eq!(Tpu::from_name("V5e"), Some(Tpu::V5e));
    /// assert_eq!(Tpu::from_name("v5"), None);
    /// ```
    #[non_exhaustive]
    pub enum Tpu {
        /// TPU v2.
        V2 = "v2",
        /// TPU v3.
        V3 = "v3",
        /// TPU v4.
        V4 = "v4",
        /// TPU v5e.
        V5e = "v5e",
        /// TPU v5p.
        V5p = "v5p",
        /// TPU v6e.
        V6e = "v6e",
        /// TPU7x.
        V7x = "v7x" | "tpu7x",
    }
}

impl Tpu {
    /// The first two have fewer small tiles, and no elements of 4 bits.
    #[inline]
    const fn is_old(self) -> bool {
        matches!(self, Tpu::V2 | Tpu::V3)
    }
}

/// How the elements of an array are packed: their bits, and whether the layout needs `E`.
#[derive(Clone, Copy)]
struct Packing {
    bits: Size,
    is_said: bool,
}

impl Packing {
    #[inline]
    const fn of(element: ElementType, tpu: Tpu) -> Option<Packing> {
        let (bits, is_said) = match (element, element.bits()) {
            (ElementType::PRED, _) => (8, false),
            (_, 1) => return None,
            (_, 4) if tpu.is_old() => (8, false),
            (_, bits @ (2 | 4)) => (bits, true),
            // Wider elements are tiled like those of 32 bits.
            (_, bits) => (if bits < 32 { bits } else { 32 }, false),
        };
        Some(Packing { bits, is_said })
    }

    /// Elements that share 32 bits.
    #[inline]
    const fn count(self) -> Size {
        32 / self.bits
    }

    /// Rows of the tile for an array whose second most minor dimension has this size.
    #[inline]
    const fn rows(self, size: Size, tpu: Tpu) -> Size {
        let count = self.count();
        if count >= 4 && !tpu.is_old() && size.is_multiple_of(8 * count) {
            return 8 * count;
        }
        // Elements of 2 bits have no smaller tile.
        if self.bits == 2 {
            return 16;
        }
        clamp_power(size, if tpu.is_old() { 2 * count } else { count }, 8)
    }
}

/// The next power of two, of two bounds that are powers of two.
#[inline]
const fn clamp_power(size: Size, least: Size, most: Size) -> Size {
    if size <= least {
        least
    } else if size >= most {
        most
    } else {
        size.next_power_of_two()
    }
}

impl ArrayShape {
    /// The array with the tiles and `E` that the TPU compiler chooses for its order of dimensions. A swizzle
    /// goes, since TPUs have none; other properties stay.
    ///
    /// For parameters of the entry computation the compiler also chooses the order: see
    /// [`with_default_layout`](Self::with_default_layout).
    ///
    /// # Errors
    /// If the tiles depend on a size that is known only at run time, if the element type has no default
    /// layout, or if the array with its padding is too large.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::tpu::Tpu;
    ///
    /// let shape: ArrayShape = "bf16[300,1000]".parse()?;
    /// let tiled = shape.with_default_tiling(Tpu::V5e).unwrap();
    /// assert_eq!(tiled.to_string(), "bf16[300,1000]{1,0:T(8,128)(2,1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    ///
    /// The rules reproduce the choices of libtpu 0.0.51 for 8,873 arrays.
    #[inline]
    pub const fn with_default_tiling(&self, tpu: Tpu) -> Result<ArrayShape, Fault> {
        let Some(packing) = Packing::of(self.element_type(), tpu) else {
            return FaultKind::NoDefaultLayout { element: self.element_type() }.at(Place::Shape);
        };
        let length = match self.rank() {
            0 => 1,
            1 => ok!(self.needed(0)),
            _ => ok!(self.needed(self.ordered_dim(1))),
        };
        let mut fields = *self.without_swizzle().fields();
        fields.element_size = if packing.is_said { packing.bits } else { 0 };
        let count = packing.count();
        let packed: &[Size] = if count > 1 && self.rank() > 0 { &[count, 1] } else { &[] };
        fields.tiles = if matches!(self.elements(), Some(0)) {
            Tiles::NONE
        } else if self.rank() < 2 {
            let lanes = if tpu.is_old() { 2 * LANES } else { LANES };
            let length = clamp_power(length, least(lanes * count, LONGEST), LONGEST);
            tiles(&[&[length], if packed.is_empty() { &[] } else { &[LANES] }, packed])
        } else {
            tiles(&[&[packing.rows(length, tpu), LANES], packed])
        };
        // It may be too large, also without elements: what counts is the product of its other dimensions, and `E` can have made its
        // elements narrower.
        fields.checked()
    }

    /// The array with the layout that the TPU compiler gives it as a parameter of the entry computation:
    /// order of dimensions, tiles and `E`. A swizzle goes, since TPUs have none; other properties stay.
    ///
    /// The order is the one that takes the fewest bytes with its default tiles. Among equals, the one whose
    /// most minor dimension has the largest number wins, then the second most minor one; all other dimensions
    /// descend.
    ///
    /// # Errors
    /// Those of [`with_default_tiling`](Self::with_default_tiling); also if any size is unknown.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::tpu::Tpu;
    ///
    /// let shape: ArrayShape = "f32[9,5]".parse()?;
    /// let entry = shape.with_default_layout(Tpu::V5e).unwrap();
    /// // 4 KiB, where {1,0} takes 8.
    /// assert_eq!(entry.to_string(), "f32[9,5]{0,1:T(8,128)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    // In the 8,873 choices of the data the compiler takes the order with the fewest bytes, each order with its
    // own tiles. Among equals the last dimension is the most minor, then the second to last.
    #[inline]
    pub const fn with_default_layout(&self, tpu: Tpu) -> Result<ArrayShape, Fault> {
        let rank = self.rank();
        each!(for dim in 0..rank {
            ok!(self.needed(dim));
        });
        let (mut best, mut tiled) = (Cheapest::below(Size::MAX), Ok(*self));
        let mut orders = Orders::new(rank);
        while let Some(order) = orders.next() {
            // Without tiles a valid array is one in any order.
            let plain = ArrayFields { minor_to_major: order, tiles: Tiles::NONE, ..*self.fields() };
            tiled = plain.trusted().with_default_tiling(tpu);
            best.compare(&tiled);
        }
        match best.shape {
            Some(shape) => Ok(shape),
            None => tiled,
        }
    }

    /// A size that the default layout depends on.
    #[inline]
    const fn needed(&self, dim: usize) -> Result<Size, Fault> {
        match self.dim(dim) {
            Dim::Static(size) | Dim::Bounded(size) => Ok(size),
            Dim::Unbounded => FaultKind::DefaultOfUnknownSize { dim }.at(Place::Shape),
        }
    }
}

/// Tiles of these sizes; where there are none, there is no tile.
#[inline]
const fn tiles(lists: &[&[Size]]) -> Tiles {
    let mut tiles = Tiles::NONE;
    each!(for sizes in lists {
        if !sizes.is_empty() {
            tiles.begin();
        }
        each!(for &size in *sizes {
            tiles.push(TileDim::Size(size));
        });
    });
    tiles
}

/// The TPU tile formats of XLA's document "Tiled layout".
///
/// `layout::types::format` has them as types. The compiler's choice also depends on the generation: see
/// [`ArrayShape::with_default_tiling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TileFormat {
    /// `T(8,128)`.
    Standard,
    /// `T(2,128)`, for a second most minor dimension of at most 2 elements.
    CompactTwo,
    /// `T(4,128)`, for a second most minor dimension of 3 or 4 elements.
    CompactFour,
    /// `T(8,128)(2,1)`, for elements of 16 bits.
    Bits16,
    /// `T(8,128)(4,1)`, for elements of 8 bits.
    Bits8,
    /// `T(32,128)(32,1)`, for elements of 1 bit.
    Bits1,
}

impl TileFormat {
    /// All formats.
    pub const ALL: [TileFormat; 6] = [
        TileFormat::Standard,
        TileFormat::CompactTwo,
        TileFormat::CompactFour,
        TileFormat::Bits16,
        TileFormat::Bits8,
        TileFormat::Bits1,
    ];

    /// The tiles of the format.
    #[inline]
    pub const fn tiles(self) -> Tiles {
        match self {
            TileFormat::Standard => tiles(&[&[8, LANES]]),
            TileFormat::CompactTwo => tiles(&[&[2, LANES]]),
            TileFormat::CompactFour => tiles(&[&[4, LANES]]),
            TileFormat::Bits16 => tiles(&[&[8, LANES], &[2, 1]]),
            TileFormat::Bits8 => tiles(&[&[8, LANES], &[4, 1]]),
            TileFormat::Bits1 => tiles(&[&[32, LANES], &[32, 1]]),
        }
    }
}
