//! Indices as XLA's `IndexUtil` counts them: in the order of the dimensions, without tiles.
//!
//! [`Digits`] takes tiles into account.

use crate::xla::decompose::order_alone;
use layout_core::ArrayShape;
use layout_core::Digits;
use layout_core::Index;
use layout_core::Size;

/// Offset of an element in the layout without tiles and padding: its number in the order of the
/// dimensions. `None` if the index is out of bounds or has another rank, or if a dimension has no bound.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[10,20,30]{1,2,0:T(8,128)}".parse()?;
/// assert_eq!(xla::multidimensional_index_to_linear_index(&shape, &[3, 5, 7]), Some(1945));
/// assert_eq!(xla::linear_index_to_multidimensional_index(&shape, 1945).unwrap(), [3, 5, 7]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "MultidimensionalIndexToLinearIndex")]
pub const fn multidimensional_index_to_linear_index(
    shape: &ArrayShape,
    index: &[Size],
) -> Option<Size> {
    match order_alone(shape).digits() {
        Ok(digits) => digits.offset(index),
        Err(_) => None,
    }
}

/// Index of the element with this number in the order of the dimensions: the inverse of
/// [`multidimensional_index_to_linear_index`]. `None` past the last element, and if a dimension has no bound.
#[doc(alias = "LinearIndexToMultidimensionalIndex")]
pub const fn linear_index_to_multidimensional_index(
    shape: &ArrayShape,
    linear: Size,
) -> Option<Index> {
    match order_alone(shape).digits() {
        Ok(digits) => digits.index(linear),
        Err(_) => None,
    }
}

/// Stride of a dimension in elements, in the layout without tiles and padding: the product of the more
/// minor dimensions. `None` if `dim` is out of range, or if a more minor dimension has no bound.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[10,20,30]{1,2,0}".parse()?;
/// assert_eq!([0, 1, 2].map(|dim| xla::get_dimension_stride(&shape, dim)), [Some(600), Some(1), Some(20)]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "GetDimensionStride")]
pub const fn get_dimension_stride(shape: &ArrayShape, dim: usize) -> Option<Size> {
    if dim >= shape.rank() {
        return None;
    }
    // Without those of size 0, the product fits in any order.
    let (mut stride, mut is_empty) = (1, false);
    let mut i = 0;
    while shape.ordered_dim(i) != dim {
        match shape.dim(shape.ordered_dim(i)).size() {
            Some(0) => is_empty = true,
            Some(size) => stride *= size,
            None => return None,
        }
        i += 1;
    }
    Some(if is_empty { 0 } else { stride })
}

/// Iterates over all indices in the order of the dimensions, the most minor one fastest, without regard
/// to tiles. Empty if a dimension has no bound.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "f32[2,2]{0,1}".parse()?;
/// let indices = xla::indices_in_order(&shape).map(|index| [index[0], index[1]]).collect::<Vec<_>>();
/// assert_eq!(indices, [[0, 0], [1, 0], [0, 1], [1, 1]]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "ForEachIndex")]
pub fn indices_in_order(shape: &ArrayShape) -> impl Iterator<Item = Index> + Clone + use<> {
    let digits = order_alone(shape).digits().ok();
    let elements = digits.as_ref().map_or(0, Digits::elements);
    (0..elements).map(move |number| {
        digits.as_ref().and_then(|digits| digits.index(number)).unwrap_or_default()
    })
}

/// Advances an index in row-major order: the last coordinate varies fastest. Returns false after the last
/// index, with all coordinates reset to 0, and if the array has no elements or the lengths differ.
///
/// # Examples
/// ```
/// let mut index = [0, 1];
/// assert!(layout::xla::bump_indices(&[2, 2], &mut index));
/// assert_eq!(index, [1, 0]);
/// ```
#[doc(alias = "BumpIndices")]
pub const fn bump_indices(dims: &[Size], index: &mut [Size]) -> bool {
    if dims.len() != index.len() {
        return false;
    }
    each!(for &size in dims {
        if size == 0 {
            return false;
        }
    });
    each!(for dim in (0..dims.len()).rev() {
        // Not `index + 1`: a coordinate may be any number.
        if index[dim] < dims[dim] - 1 {
            index[dim] += 1;
            return true;
        }
        index[dim] = 0;
    });
    false
}
