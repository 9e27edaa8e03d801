//! The cost of padding, and layouts that cost less.

use crate::base::{Piece, Size, Text};
use crate::shape::{ArrayFields, ArrayShape, Dim, TileDim, Tiles};
use crate::tpu::minor_dims::{Cheapest, Orders};

/// A layout whose padding exceeds a limit.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Excess {
    /// What is wrong.
    pub message: Text<320>,
    /// What to write instead.
    pub help: Text<640>,
    /// The dimension that is padded most, if one is.
    pub dim: Option<usize>,
}

impl ArrayShape {
    /// Padded bytes divided by unpadded bytes; 1 for an array without elements. `None` if a size is known
    /// only at run time.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.expansion(), Some(1.6));
    /// # Ok::<(), layout::Error>(())
    /// ```
    // `E` counts as users see it: `E(32)` on `pred` is padding by 4, `E(4)` on `s4` is none.
    #[inline]
    pub const fn expansion(&self) -> Option<f64> {
        match (self.bytes(), self.unpadded_bytes()) {
            (Some(_), Some(0)) => Some(1.0),
            (Some(bytes), Some(unpadded)) => Some(bytes as f64 / unpadded as f64),
            _ => None,
        }
    }

    /// The dimension whose padding costs most, with its size and its padded width: the largest size with
    /// which the array takes no more bytes.
    #[inline]
    const fn most_padded(&self) -> Option<(usize, Size, Size)> {
        let bytes = some!(self.bytes());
        let mut found: Option<(usize, Size, Size)> = None;
        each!(for dim in 0..self.rank() {
            let size = some!(self.dim(dim).size());
            // The largest size that takes no more memory: it doubles, then it is halved.
            let mut width = size;
            let mut step = 1;
            while step > 0 {
                let fits = match width.checked_add(step) {
                    Some(wider) => self.takes_at_most(dim, wider, bytes),
                    None => false,
                };
                if fits {
                    width += step;
                    step *= 2;
                } else {
                    step /= 2;
                }
            }
            let is_more = match found {
                // width / size > its width / its size
                Some((_, of, to)) => width as u128 * of as u128 > to as u128 * size as u128,
                None => width > size,
            };
            if is_more {
                found = Some((dim, size, width));
            }
        });
        found
    }

    /// Whether the array takes at most `most` bytes with another size of a dimension.
    #[inline]
    const fn takes_at_most(&self, dim: usize, size: Size, most: Size) -> bool {
        let mut other = *self.fields();
        other.dims[dim] = Dim::Static(size);
        if other.has_padding && other.padded_dims[dim] < size {
            return false;
        }
        match other.checked() {
            Ok(other) => matches!(other.bytes(), Some(bytes) if bytes <= most),
            Err(_) => false,
        }
    }

    /// The error for an array that takes more than `limit` times the bytes of its elements.
    #[doc(hidden)]
    #[inline]
    pub const fn excess(&self, limit: f64) -> Option<Excess> {
        let (bytes, unpadded) = (some!(self.bytes()), some!(self.unpadded_bytes()));
        let is_above = matches!(self.expansion(), Some(expansion) if expansion > limit);
        if unpadded == 0 || !is_above {
            return None;
        }
        let (mut message, mut help) = (Text::new(), Text::new());
        let (bits, own_bits) = (self.element_bits(), 8 * self.element_type().bytes());
        let mut most_padded = None;
        if let Some((dim, size, width)) = self.most_padded() {
            say!(message, "dimension ", dim, " of size ", size, " is padded to ", width, ": ");
            most_padded = Some(dim);
        } else if bits > own_bits {
            say!(message, "`E(", bits, ")` widens elements of ", own_bits, " bits: ");
        }
        say!(message, "the array takes ", bytes, " bytes in memory, ");
        ratio(&mut message, bytes, unpadded);
        say!(message, " times the ", unpadded, " bytes of its elements");
        let [order, rows, both] = cheaper_layouts(self);
        match (order, if order.is_some() { both } else { rows }) {
            (None, None) if bits > own_bits => {
                help.str("leave out `E`, unless the elements need that many bits");
            }
            // For tiles with more dimensions, not all orders are compared.
            (None, None) => help.str("no other pair of most minor dimensions takes less memory, nor does a first tile with fewer rows"),
            (Some(other), None) | (None, Some(other)) => other.offer(&mut help),
            (Some(order), Some(tile)) => {
                order.offer(&mut help);
                help.str(", ");
                tile.offer(&mut help);
            }
        }
        Some(Excess { message, help, dim: most_padded })
    }

    /// Layout and bytes.
    #[inline]
    const fn offer(&self, out: &mut Text<640>) {
        if let Some(bytes) = self.bytes() {
            say!(out, Piece::Quoted(self.layout_text().as_str()), " takes ", bytes, " bytes");
        }
    }
}

/// The array with the order of dimensions that takes the fewest bytes with the same tiles, if one takes
/// fewer than this order.
///
/// It compares every choice of the two most minor dimensions, the others in descending order. For tiles
/// of at most two dimensions, no other order takes less.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::tpu::cheaper_order;
///
/// let shape: ArrayShape = "s32[8388608,8,4]{2,1,0:T(8,128)}".parse()?;
/// assert_eq!(shape.bytes(), Some(32 << 30));
/// let cheaper = cheaper_order(&shape).unwrap();
/// assert_eq!(cheaper.to_string(), "s32[8388608,8,4]{0,1,2:T(8,128)}");
/// assert_eq!(cheaper.bytes(), Some(1 << 30));
/// # Ok::<(), layout::Error>(())
/// ```
#[inline]
pub const fn cheaper_order(shape: &ArrayShape) -> Option<ArrayShape> {
    let mut best = Cheapest::below(some!(shape.bytes()));
    let mut orders = Orders::new(shape.rank());
    while let Some(order) = orders.next() {
        best.compare(&ArrayFields { minor_to_major: order, ..*shape.fields() }.checked());
    }
    best.shape
}

/// The array with fewer rows in its first tile, if that takes fewer bytes: the number of rows that takes
/// the fewest.
///
/// The last size of the first tile and the other tiles stay, and later tiles have to divide the first
/// one. `T(8,128)` is compared with `T(4,128)`, `T(2,128)` and `T(1,128)`; the one-dimensional `T(1024)`
/// with `T(512)` down to `T(128)`.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::tpu::cheaper_tile;
///
/// let shape: ArrayShape = "f32[3,1000]{1,0:T(8,128)}".parse()?;
/// assert_eq!(cheaper_tile(&shape).unwrap().to_string(), "f32[3,1000]{1,0:T(1,128)}");
/// let shape: ArrayShape = "bf16[3,1024]{1,0:T(8,128)(2,1)}".parse()?;
/// assert_eq!(cheaper_tile(&shape).unwrap().to_string(), "bf16[3,1024]{1,0:T(4,128)(2,1)}");
/// # Ok::<(), layout::Error>(())
/// ```
#[inline]
pub const fn cheaper_tile(shape: &ArrayShape) -> Option<ArrayShape> {
    let mut best = Cheapest::below(some!(shape.bytes()));
    if shape.tiles().is_empty() {
        return None;
    }
    let len = shape.tiles().len_of(0);
    let (entry, fewest) = if len == 1 { (0, 128) } else { (len - 2, 1) };
    let TileDim::Size(mut rows) = shape.tiles().dim(0, entry) else { return None };
    while rows.is_multiple_of(2) && rows / 2 >= fewest {
        rows /= 2;
        let tiles = shape.tiles().with_dim(0, entry, TileDim::Size(rows));
        if divide_one_another(&tiles) {
            best.compare(&shape.with_tiles(&tiles));
        }
    }
    best.shape
}

/// Layouts that take fewer bytes: another order of dimensions, fewer rows in the first tile, and both.
#[doc(hidden)]
#[inline]
pub const fn cheaper_layouts(shape: &ArrayShape) -> [Option<ArrayShape>; 3] {
    let order = cheaper_order(shape);
    let both = match &order {
        Some(order) => cheaper_tile(order),
        None => None,
    };
    [order, cheaper_tile(shape), both]
}

/// A ratio, rounded to at most two decimals.
const fn ratio<const N: usize>(out: &mut Text<N>, a: Size, b: Size) {
    let hundredths = (a as u128 * 100 + b as u128 / 2) / b as u128;
    let (whole, rest) = ((hundredths / 100) as Size, (hundredths % 100) as Size);
    match rest {
        0 => say!(out, whole),
        1..10 => say!(out, whole, ".0", rest),
        _ => say!(out, whole, ".", if rest.is_multiple_of(10) { rest / 10 } else { rest }),
    }
}

/// Whether each tile is a multiple of the next one, in the dimensions that both have.
#[inline]
const fn divide_one_another(tiles: &Tiles) -> bool {
    each!(for tile in 1..tiles.len() {
        let (len, before) = (tiles.len_of(tile), tiles.len_of(tile - 1));
        let mut back = 1;
        while back <= len && back <= before {
            let of = (tiles.dim(tile - 1, before - back), tiles.dim(tile, len - back));
            if let (TileDim::Size(outer), TileDim::Size(inner)) = of
                && !outer.is_multiple_of(inner)
            {
                return false;
            }
            back += 1;
        }
    });
    true
}
