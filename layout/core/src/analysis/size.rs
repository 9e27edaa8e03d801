//! Sizes: elements, elements in memory, bits and bytes.

use crate::analysis::pad_reshape_transpose::Bounds;
use crate::analysis::tiling::Tiling;
use crate::base::limits::Size;
use crate::base::list::List;
use crate::base::width::least;
use crate::shape::array::ArrayShape;

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

    /// Size in memory in elements: with the padding of `PAD`, of every tile and of `L`.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.padded_elements(), Some(24));
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn padded_elements(&self) -> Option<Size> {
        match self.physical_elements() {
            Some(size) => Some(size.next_multiple_of(self.tail_padding_alignment())),
            None => None,
        }
    }

    /// Size in memory in elements before `L`: the product of the physical dimensions.
    pub(crate) const fn physical_elements(&self) -> Option<Size> {
        match self.elements() {
            Some(0) => Some(0),
            Some(_) => Some(Tiling::tiled(self.fields()).size()),
            None => None,
        }
    }

    /// Dimensions of the array in memory after all tiles are applied, most major first, without `L`: the last
    /// shape of pad–reshape–transpose.
    pub const fn physical_dims(&self) -> Option<Bounds> {
        if self.is_unbounded() { None } else { Some(Tiling::tiled(self.fields()).bounds()) }
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
    #[doc(alias = "ByteSizeOfElements")]
    #[doc(alias = "ByteSizeOf")]
    pub const fn unpadded_bytes(&self) -> Option<Size> {
        match self.elements() {
            Some(elements) => Some(bytes_of(elements, self.unpadded_element_bits())),
            None => None,
        }
    }

    /// Size in memory in bytes, padding included, as XLA documents it: `L` counts, and `E` packs.
    pub const fn bytes(&self) -> Option<Size> {
        match self.padded_elements() {
            Some(elements) => Some(bytes_of(elements, self.element_bits())),
            None => None,
        }
    }

    /// Size in memory in bytes as XLA's `ShapeUtil::ArraySize`, and so the TPU compiler, counts it.
    ///
    /// It pads only for the first tile, takes the longest part of each dimension that `SC` splits, and
    /// ignores `L` if there are no tiles. For a `*` XLA computes 0; here it combines dimensions as
    /// documented.
    #[doc(alias = "ArraySize")]
    pub const fn xla_array_bytes(&self) -> Option<Size> {
        let elements = match self.elements() {
            Some(0) => return Some(0),
            Some(elements) => elements,
            None => return None,
        };
        if self.tiles().is_empty() {
            let count = if self.fields().has_padding {
                Tiling::new(self.fields()).size()
            } else {
                elements
            };
            return Some(bytes_of(count, self.element_bits()));
        }
        let mut part = *self.fields();
        each!(for i in 0..self.rank() {
            part.padded_dims[i] = self.longest_part(i);
        });
        part.has_padding = true;
        let mut tiling = Tiling::new(&part);
        tiling.apply(self.tiles(), 0);
        let count = tiling.size().next_multiple_of(self.tail_padding_alignment());
        Some(bytes_of(count, self.element_bits()))
    }

    /// The longest part of a dimension that has a bound.
    const fn longest_part(&self, dim: usize) -> Size {
        let width = self.width(dim);
        each!(for split in 0..self.splits().len() {
            let physical = self.splits().dim(split);
            if self.ordered_dim(self.rank() - 1 - physical) == dim {
                let indices = self.splits().indices(split);
                let (mut longest, mut last) = (0, 0);
                each!(for i in 0..=indices.len() {
                    let next = if i < indices.len() { indices[i] } else { width };
                    if next - last > longest {
                        longest = next - last;
                    }
                    last = next;
                });
                return longest;
            }
        });
        width
    }
}

/// Length of the longest part of a dimension that `SC` splits, in elements; the whole width, as padded by
/// `PAD`, if it is not split. `None` if `dim` is out of range or has no bound.
///
/// ```
/// use layout::xla::{max_elements_in_per_split, max_split_size};
///
/// let shape: layout::ArrayShape = "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}".parse()?;
/// assert_eq!([0, 1, 2].map(|dim| max_split_size(&shape, dim)), [Some(150), Some(90), Some(70)]);
/// assert_eq!(max_elements_in_per_split(&shape), Some(150 * 90 * 70));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MaxSplitSize")]
pub const fn max_split_size(shape: &ArrayShape, dim: usize) -> Option<Size> {
    if dim < shape.rank() && shape.dim(dim).size().is_some() {
        Some(shape.longest_part(dim))
    } else {
        None
    }
}

/// Elements in the largest part of an array that `SC` splits: the product of
/// [`max_split_size`] over the dimensions.
#[doc(alias = "MaxElementsInPerSplit")]
pub const fn max_elements_in_per_split(shape: &ArrayShape) -> Option<Size> {
    let (mut elements, mut is_empty) = (1, false);
    each!(for dim in 0..shape.rank() {
        match max_split_size(shape, dim) {
            Some(0) => is_empty = true,
            Some(size) => elements *= size,
            None => return None,
        }
    });
    Some(if is_empty { 0 } else { elements })
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
