//! Sizes: elements, elements in memory, bits and bytes.

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Tiling;
use crate::base::{Bounds, List, SHORT_BOUNDS, SHORT_TILE_DIMS, Size, least};
use crate::shape::{ArrayFields, ArrayShape};

/// Sizes in elements, bits and bytes, all at most [`MAX_SIZE`](crate::limits::MAX_SIZE). A size that depends on an unbounded dimension
/// (`?`) is `None`; a bounded dimension (`<=N`) counts with its bound.
impl ArrayShape {
    /// Number of elements (XLA's `ElementsIn`).
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.elements(), Some(15));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "ElementsIn")]
    pub const fn elements(&self) -> Option<Size> {
        let (mut elements, mut is_empty) = (1, false);
        each!(for i in 0..self.rank() {
            match self.dim(i).size() {
                Some(0) => is_empty = true,
                Some(size) => elements *= size,
                None => return None,
            }
        });
        Some(if is_empty { 0 } else { elements })
    }

    /// Number of dimensions of more than one element. A bounded dimension (`<=N`) counts with its bound; `?` counts.
    ///
    /// XLA documents `TrueNumDimensions` this way; its code also counts dimensions of size 0.
    #[doc(alias("TrueNumDimensions", "TrueRank"))]
    pub const fn true_rank(&self) -> usize {
        let mut count = 0;
        each!(for dim in 0..self.rank() {
            count += !matches!(self.dim(dim).size(), Some(0 | 1)) as usize;
        });
        count
    }

    /// Size in memory in elements: with the padding of `PAD`, of every tile and of `L`.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.padded_elements(), Some(24));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn padded_elements(&self) -> Option<Size> {
        Some(self.with_tail(some!(self.physical_elements())))
    }

    /// [`padded_elements`](Self::padded_elements), computed from the layout's digits without applying the tiles again. All
    /// sizes must be known.
    #[doc(hidden)]
    pub const fn padded_elements_by<const TERMS: usize, const PARTS: usize>(
        &self,
        digits: &Digits<TERMS, PARTS>,
    ) -> Size {
        if digits.elements == 0 { 0 } else { self.with_tail(digits.size.factor) }
    }

    const fn with_tail(&self, elements: Size) -> Size {
        elements.next_multiple_of(self.tail_padding_alignment())
    }

    /// Size in memory in elements before `L`: the product of the physical dimensions.
    pub const fn physical_elements(&self) -> Option<Size> {
        let is_empty = some!(self.elements()) == 0;
        Some(if is_empty { 0 } else { Tiling::of(self).size() })
    }

    /// Dimensions of the array in memory after all tiles are applied, most major first, without `L`: the last
    /// shape of pad–reshape–transpose.
    pub const fn physical_dims(&self) -> Option<Bounds> {
        if self.is_unbounded() { None } else { Some(Tiling::of(self).bounds()) }
    }

    /// Bits of an element in memory: those of `E(n)`, or else the width of its type rounded up to bytes.
    #[doc(alias = "ElementSizeInBits")]
    pub const fn element_bits(&self) -> Size {
        self.fields().element_bits()
    }

    /// Bits of an element in memory, without those that `E(n)` adds to its type.
    #[doc(hidden)]
    pub const fn unpadded_element_bits(&self) -> Size {
        least(self.element_bits(), 8 * self.element_type().bytes())
    }

    /// Size of the elements alone in bytes, without padding. Where `E(n)` makes elements wider than their
    /// type, the excess counts as padding.
    #[doc(alias("ByteSizeOfElements", "ByteSizeOf"))]
    pub const fn unpadded_bytes(&self) -> Option<Size> {
        Some(bytes_of(some!(self.elements()), self.unpadded_element_bits()))
    }

    /// Size in memory in bytes, padding included, as XLA documents it: `L` counts, and `E` packs.
    pub const fn bytes(&self) -> Option<Size> {
        Some(bytes_of(some!(self.padded_elements()), self.element_bits()))
    }
}

impl ArrayFields {
    /// Whether a tiling needs only the room of a short one: the room of any layout takes 40 ns to fill.
    #[doc(hidden)]
    pub const fn is_short(&self) -> bool {
        self.has_few_bounds() && self.tiles.entries() <= SHORT_TILE_DIMS
    }

    /// Whether the bounds of a tiling fit in the room of a short one.
    pub(crate) const fn has_few_bounds(&self) -> bool {
        let mut bounds = self.rank();
        each!(for tile in 0..self.tiles.len() {
            let len = self.tiles.len_of(tile);
            bounds = len + if bounds < len { len } else { bounds };
        });
        bounds <= SHORT_BOUNDS
    }
}

/// Bytes of a number of elements of some bits each; the number of bits may overflow, the bytes may not.
#[inline(always)]
pub const fn bytes_of(elements: Size, bits: Size) -> Size {
    elements / 8 * bits + (elements % 8 * bits).div_ceil(8)
}

/// The most elements of this many bits each whose number and bytes are at most `most`.
pub(crate) const fn most_elements(bits: Size, most: Size) -> Size {
    if bits <= 8 {
        return most;
    }
    most / bits * 8 + most % bits * 8 / bits
}

// The lengths of lists are plain numbers where users see them: rustdoc of the crate `layout` prints a named constant as
// the compiler's path to it.
/// The coordinates of an element, dimension 0 first; also other lists with one size per dimension.
pub type Index = List<16>;

/// Numbers of dimensions: an order, a permutation, or those that something applies to.
pub type DimNumbers = List<16, usize>;
