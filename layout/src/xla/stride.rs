//! Strides in bytes, and other facts about tiled arrays that XLA asks for.

use crate::array::table::row_pieces::largest_offset;
use crate::xla::index::get_dimension_stride;
use layout_copy::__private::Stretch;
use layout_core::Index;
use layout_core::analysis::{Resolved, bytes_of};
use layout_core::base::limits::{MAX_DIMS, Size};
use layout_core::{ArrayShape, Digits, TileDim};

/// Stride of each dimension in bytes, dimension 0 first, if every element's byte offset is the sum of its
/// coordinates times strides.
///
/// Elements have the bits of `E`. `None` if no strides say where every element is, if an element is not a whole number
/// of bytes, and if a dimension has no bound. The stride of a dimension of size 1 is that of the next
/// more minor dimension times its width.
///
/// # Examples
/// ```
/// use layout::xla;
///
/// let strides = |text: &str| xla::byte_strides(&text.parse().unwrap());
/// assert_eq!(strides("f32[3,5,7]").unwrap(), [140, 28, 4]);
/// // One column of tiles: rows are 128 elements apart.
/// assert_eq!(strides("f32[30,100]{1,0:T(8,128)}").unwrap(), [512, 4]);
/// assert_eq!(strides("f32[30,300]{1,0:T(8,128)}"), None);
/// // A tile that goes across both dimensions, but takes no row apart.
/// assert_eq!(strides("f32[2,2]{1,0:T(*,2)(1,3)}").unwrap(), [12, 4]);
/// assert_eq!(strides("s4[10,20]{1,0:E(4)}"), None);
/// ```
#[doc(alias = "ByteStrides")]
pub const fn byte_strides(shape: &ArrayShape) -> Option<Index> {
    if !shape.element_bits().is_multiple_of(8) {
        return None;
    }
    let Ok(digits) = shape.digits() else { return None };
    let found = some!(digits.strides());
    let mut strides = [0; MAX_DIMS];
    let mut running = 1;
    each!(for i in 0..shape.rank() {
        let dim = shape.ordered_dim(i);
        strides[dim] =
            if digits.elements() > 0 && digits.dim(dim) > 1 { found[dim].factor } else { running };
        // A last dimension of one element may be as wide as memory.
        running = strides[dim].saturating_mul(shape.width(dim));
    });
    each!(for i in 0..shape.rank() {
        strides[i] = some!(strides[i].checked_mul(shape.element_bits() / 8));
    });
    Some(Index::of(&strides, shape.rank()))
}

/// Stride of each dimension in bytes, as if the array had no tiles, padding or `E`: what XLA computes for
/// any layout. `None` if a dimension other than the most major has no bound.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "s4[2,4]{1,0:E(4)}".parse()?;
/// assert_eq!(xla::unpacked_byte_strides(&shape).unwrap(), [4, 1]);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "UnpackedByteStrides")]
pub const fn unpacked_byte_strides(shape: &ArrayShape) -> Option<Index> {
    let mut strides = Index::of(&[0; MAX_DIMS], shape.rank());
    each!(for dim in 0..shape.rank() {
        let stride = some!(get_dimension_stride(shape, dim));
        strides.set(dim, some!(stride.checked_mul(shape.element_type().bytes())));
    });
    Some(strides)
}

/// Number of interleaved rows in a one-dimensional array such as `bf16[1024]{0:T(1024)(128)(2,1)}`: the
/// first entry of the third tile. `None` for other ranks, and unless there are three tiles, the last with
/// two sizes.
///
/// ```
/// use layout::xla;
///
/// let shape: layout::ArrayShape = "bf16[1024]{0:T(1024)(128)(2,1)}".parse()?;
/// assert_eq!(xla::packed_factor_for_1d_interleaved_array(&shape), Some(2));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "PackedFactorFor1DInterleavedArray")]
pub const fn packed_factor_for_1d_interleaved_array(shape: &ArrayShape) -> Option<Size> {
    if shape.rank() != 1 || shape.tiles().len() != 3 || shape.tiles().len_of(2) != 2 {
        return None;
    }
    match shape.tiles().dim(2, 0) {
        TileDim::Size(factor) => Some(factor),
        TileDim::Combined => None,
    }
}

/// Bytes up to the end of the last element in memory: the size without the padding after it. `None` if a
/// dimension has no bound.
///
/// XLA uses the element with the last index, which is not always the last in memory: not in
/// `bf16[130]{0:T(1024)(128)(2,1)}`.
///
/// It takes time linear in the sizes of the dimensions; linear in the number of elements if a `*`
/// combines dimensions over padding or tiles do not divide one another.
///
/// ```
/// use layout::xla;
///
/// let bytes = |text: &str| xla::array_data_size(&text.parse().unwrap());
/// assert_eq!(bytes("f32[3,5]{1,0:T(2,2)}"), Some(84));
/// assert_eq!(bytes("bf16[129]{0:T(1024)(128)(2,1)}"), Some(2 * 255));
/// assert_eq!(bytes("f32[0,5]{1,0:T(2,2)}"), Some(0));
/// ```
#[doc(alias = "ArrayDataSize")]
pub const fn array_data_size(shape: &ArrayShape) -> Option<Size> {
    match shape.digits() {
        Ok(digits) if digits.elements() == 0 => Some(0),
        Ok(digits) => Some(bytes_of(last_offset(&digits) + 1, shape.element_bits())),
        Err(_) => None,
    }
}

/// The largest offset of an element, of which there is one. Looks along each dimension, unless sums tie them: then at all
/// elements, in time linear in their number.
const fn last_offset(digits: &Digits) -> Size {
    let mut parts = Resolved::<32>::NONE;
    if parts.resolve(&digits.view()).is_err() {
        return largest_offset(digits);
    }
    let view = digits.view();
    let mut last = 0;
    each!(for dim in 0..digits.rank() {
        let mut index = [0; MAX_DIMS];
        let mut largest = 0;
        while index[dim] < digits.dim(dim) {
            let stretch = Stretch::of(&view, &index, dim);
            let end = stretch.offset + (stretch.length - 1) * stretch.stride;
            if end > largest {
                largest = end;
            }
            index[dim] += stretch.length;
        }
        last += largest;
    });
    last
}
