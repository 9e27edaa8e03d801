//! Sizes as XLA counts them, and numbers of dimensions.
#![cfg_attr(not(feature = "xla"), allow(unreachable_pub, reason = "that feature shows them"))]

use layout_core::{ArrayShape, Dim, Size, Splits, Swizzle, Tiles};

/// Number of dimensions of size greater than 1. A bounded dimension (`<=N`) counts with its bound; `?`
/// counts.
///
/// This is what XLA documents for `TrueNumDimensions`; its code also counts dimensions of size 0.
#[doc(alias("TrueNumDimensions", "TrueRank"))]
pub const fn true_num_dimensions(shape: &ArrayShape) -> usize {
    let mut count = 0;
    each!(for i in 0..shape.rank() {
        match shape.dim(i).size() {
            Some(0 | 1) => {}
            _ => count += 1,
        }
    });
    count
}

/// The number of a dimension: a negative one counts from the end, as in Python.
#[doc(alias("GetDimensionNumber", "GetDimension"))]
pub const fn get_dimension_number(shape: &ArrayShape, dim: isize) -> Option<usize> {
    let number = if dim < 0 { dim + shape.rank() as isize } else { dim };
    if 0 <= number && number < shape.rank() as isize { Some(number as usize) } else { None }
}

/// Size in memory in bytes as XLA's `ShapeUtil::ArraySize`, and so the TPU compiler, counts it.
///
/// It pads only for the first tile, takes the longest part of each dimension that `SC` splits, and
/// ignores `L` in a layout without tiles. For a `*` XLA computes 0; here it combines dimensions as
/// documented.
#[doc(alias = "ArraySize")]
pub const fn array_size(shape: &ArrayShape) -> Option<Size> {
    if some!(shape.elements()) == 0 {
        return Some(0);
    }
    let is_tiled = !shape.tiles().is_empty();
    // An array of the longest parts in the first tile.
    let mut part = *shape.fields();
    (part.has_padding, part.fill, part.tiles) = (false, None, Tiles::NONE);
    (part.splits, part.swizzle) = (Splits::NONE, Swizzle::NONE);
    each!(for dim in 0..shape.rank() {
        let width = if is_tiled { longest_part(shape, dim) } else { shape.width(dim) };
        part.dims[dim] = Dim::Static(width);
    });
    if is_tiled {
        part.tiles.begin();
        each!(for entry in 0..shape.tiles().len_of(0) {
            part.tiles.push(shape.tiles().dim(0, entry));
        });
    } else {
        part.tail_alignment = 1;
    }
    match part.checked() {
        Ok(part) => part.bytes(),
        // It is no larger than the array.
        Err(_) => None,
    }
}

/// Length of the longest part of a dimension that `SC` splits, in elements; the whole width, as padded by
/// `PAD`, if it is not split. `None` if `dim` is out of range or has no bound.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}".parse()?;
/// assert_eq!([0, 1, 2].map(|dim| xla::max_split_size(&shape, dim)), [Some(150), Some(90), Some(70)]);
/// assert_eq!(xla::max_elements_in_per_split(&shape), Some(150 * 90 * 70));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MaxSplitSize")]
#[cfg(feature = "xla")]
pub const fn max_split_size(shape: &ArrayShape, dim: usize) -> Option<Size> {
    if dim < shape.rank() && shape.dim(dim).size().is_some() {
        Some(longest_part(shape, dim))
    } else {
        None
    }
}

/// Elements in the largest part of an array that `SC` splits: the product of
/// [`max_split_size`] over the dimensions.
#[doc(alias = "MaxElementsInPerSplit")]
#[cfg(feature = "xla")]
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

/// The longest part of a dimension that has a bound.
const fn longest_part(shape: &ArrayShape, dim: usize) -> Size {
    let width = shape.width(dim);
    each!(for split in 0..shape.splits().len() {
        let physical = shape.splits().dim(split);
        if shape.ordered_dim(shape.rank() - 1 - physical) == dim {
            let indices = shape.splits().indices(split);
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
