//! Sizes as XLA's compiler for TPUs counts them.

use crate::base::Size;
use crate::shape::{ArrayShape, Dim, Splits, Swizzle, Tiles};

impl ArrayShape {
    /// Size in memory in bytes as XLA's `ShapeUtil::ArraySize`, and so the TPU compiler, counts it.
    ///
    /// It pads only for the first tile, takes the longest part of each dimension that `SC` splits, and
    /// ignores `L` in a layout without tiles. For a `*` XLA computes 0; here it combines dimensions as
    /// documented.
    #[doc(alias = "ArraySize")]
    #[inline]
    pub const fn xla_bytes(&self) -> Option<Size> {
        if some!(self.elements()) == 0 {
            return Some(0);
        }
        let is_tiled = !self.tiles().is_empty();
        // An array of the longest parts in the first tile.
        let mut part = *self.fields();
        (part.has_padding, part.fill, part.tiles) = (false, None, Tiles::NONE);
        (part.splits, part.swizzle) = (Splits::NONE, Swizzle::NONE);
        each!(for dim in 0..self.rank() {
            let width = if is_tiled { some!(self.longest_part(dim)) } else { self.width(dim) };
            part.dims[dim] = Dim::Static(width);
        });
        if is_tiled {
            part.tiles.begin();
            each!(for entry in 0..self.tiles().len_of(0) {
                part.tiles.push(self.tiles().dim(0, entry));
            });
        } else {
            part.tail_alignment = 1;
        }
        match part.checked() {
            Ok(part) => part.bytes(),
            // It is at most as large as the array.
            Err(_) => None,
        }
    }

    /// Length of the longest part of a dimension that `SC` splits, in elements; the whole width, as padded by
    /// `PAD`, if it is not split. `None` if `dim` is out of range or has no bound.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}".parse()?;
    /// assert_eq!([0, 1, 2].map(|dim| shape.longest_part(dim)), [Some(150), Some(90), Some(70)]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("MaxSplitSize", "MaxElementsInPerSplit"))]
    #[inline]
    pub const fn longest_part(&self, dim: usize) -> Option<Size> {
        if dim >= self.rank() || self.dim(dim).size().is_none() {
            return None;
        }
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
                return Some(longest);
            }
        });
        Some(width)
    }
}
