//! Finding transposes and reshapes that are bitcasts.

use layout_copy::bitcast::{reshape_is_bitcast, transpose_is_bitcast};
use layout_core::Digits;
use layout_core::DimNumbers;
use layout_core::Size;
use layout_core::base::list::same_dim_numbers;
use layout_core::base::text::subslice;
use layout_core::limits::MAX_DIMS;
use layout_core::permutation;
use layout_core::{ArrayFields, ArrayShape};

/// XLA's `ReshapeIsBitcast`, which compares only the orders of the dimensions, and ignores tiles, padding and `E`.
///
/// To ignore the element type too, as XLA does if asked, give both arrays the same type.
#[doc(alias = "ReshapeIsBitcast")]
pub const fn reshape_is_bitcast_by_order(from: &ArrayShape, to: &ArrayShape) -> bool {
    reshape_is_bitcast(&order_alone(from), &order_alone(to))
}

/// XLA's `TransposeIsBitcast`, which looks only at the order of the dimensions, those of size 1 included.
/// Sizes are not compared; false if `permutation` is not a permutation.
#[doc(alias = "TransposeIsBitcast")]
pub const fn transpose_is_bitcast_by_order(
    from: &ArrayShape,
    to: &ArrayShape,
    permutation: &[usize],
) -> bool {
    if from.element_type() as u32 != to.element_type() as u32 || from.rank() != to.rank() {
        return false;
    }
    match from.permute_dimensions(permutation) {
        Some(shape) => same_dim_numbers(shape.minor_to_major(), to.minor_to_major()),
        None => false,
    }
}

/// Finds a permutation for which a transpose is a bitcast, as [`transpose_is_bitcast`] takes it; `None` if no
/// permutation is. Element types may differ if their bits do not.
///
/// Only dimensions of size 1, and arrays without elements, allow several permutations; the first that fits is
/// taken.
///
/// It takes time linear in the number of elements where [`transpose_is_bitcast`] does.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::deduce_transpose_for_bitcast;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[5,3]{1,0:T(2,2)}")?, array("f32[3,5]{0,1:T(2,2)}")?);
/// assert!(deduce_transpose_for_bitcast(&from, &to).unwrap() == [1, 0]);
/// assert_eq!(deduce_transpose_for_bitcast(&from, &array("f32[3,5]{1,0:T(2,2)}")?), None);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "DeduceTransposeDimensionsForBitcast")]
pub const fn deduce_transpose_for_bitcast(
    from: &ArrayShape,
    to: &ArrayShape,
) -> Option<DimNumbers> {
    let to = &with_type_of(to, from);
    if from.rank() != to.rank() {
        return None;
    }
    // XLA's candidate: the dimension in the same place of the order.
    let mut permutation = [0; MAX_DIMS];
    each!(for i in 0..from.rank() {
        permutation[to.ordered_dim(i)] = from.ordered_dim(i);
    });
    let by_order = DimNumbers::of(&permutation, from.rank());
    if transpose_is_bitcast(from, to, by_order.as_slice()) {
        return Some(by_order);
    }
    // The offset of a dimension's second element identifies it.
    let (Ok(a), Ok(b)) = (from.digits(), to.digits()) else { return None };
    let mut taken = [false; MAX_DIMS];
    let mut found = DimNumbers::new();
    each!(for dim in 0..to.rank() {
        let mut source = 0;
        loop {
            if source == from.rank() {
                return None;
            }
            if !taken[source]
                && a.dim(source) == b.dim(dim)
                && second(&a, source) == second(&b, dim)
            {
                break;
            }
            source += 1;
        }
        taken[source] = true;
        found.push(source);
    });
    if transpose_is_bitcast(from, to, found.as_slice()) { Some(found) } else { None }
}

/// The offset of the element with coordinate 1 along a dimension and 0 along the others; 0 if it does not
/// exist.
const fn second(digits: &Digits, dim: usize) -> Size {
    if digits.elements() == 0 || digits.dim(dim) < 2 {
        return 0;
    }
    let mut index = [0; MAX_DIMS];
    index[dim] = 1;
    digits.offset_unchecked(subslice(&index, 0, digits.rank()))
}

/// The layout with the element type of another array. Whether the bits agree remains to be compared.
const fn with_type_of(shape: &ArrayShape, other: &ArrayShape) -> ArrayShape {
    let (mut fields, other) = (*shape.fields(), other.fields());
    if fields.element_bits() == other.element_bits() {
        fields.element = other.element;
        fields.element_size = other.element_size;
    }
    valid(&fields, shape)
}

/// The array without its layout's properties; the order stays.
pub(super) const fn order_alone(shape: &ArrayShape) -> ArrayShape {
    let mut fields = shape.fields().order_alone();
    if fields.checked().is_err() {
        // An array that fits only packed keeps its `E`: no index or offset in elements depends on it.
        fields.element_size = shape.fields().element_size;
    }
    valid(&fields, shape)
}

/// A shape of these fields. Only one without the `E` that packs its elements can be too large: then it stays as it was.
const fn valid(fields: &ArrayFields, shape: &ArrayShape) -> ArrayShape {
    match fields.checked() {
        Ok(valid) => valid,
        Err(_) => *shape,
    }
}

/// Whether a reshape or a transpose from one array to another is a bitcast. Element types may differ if their
/// bits do not.
///
/// Takes time linear in the number of elements where [`reshape_is_bitcast`] does.
#[doc(alias = "IsReshapeOrTransposeBitcast")]
pub const fn is_reshape_or_transpose_bitcast(from: &ArrayShape, to: &ArrayShape) -> bool {
    reshape_is_bitcast(from, &with_type_of(to, from))
        || deduce_transpose_for_bitcast(from, to).is_some()
}

/// The operations that a bitcast from one array to another consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "BitcastDecomposition")]
#[non_exhaustive]
pub enum Bitcast {
    /// A reshape.
    Reshape,
    /// A transpose.
    Transpose {
        /// Its permutation.
        permutation: DimNumbers,
    },
    /// A transpose, a reshape and another transpose, each of them a bitcast.
    #[doc(alias = "BitcastDecompositionTrt")]
    TransposeReshapeTranspose {
        /// Permutation of the first transpose.
        first: DimNumbers,
        /// Its result: an array whose order descends.
        transposed: ArrayShape,
        /// The result of the reshape: an array whose order descends.
        reshaped: ArrayShape,
        /// Permutation of the second transpose.
        second: DimNumbers,
    },
}

/// Decomposes a bitcast from one array to another into reshapes and transposes. Element types may differ if
/// their bits do not.
///
/// The intermediate arrays number their dimensions from major to minor, and keep the tiles and all other
/// properties. `None` if the reshape between them would move elements.
///
/// Takes time linear in the number of elements where [`reshape_is_bitcast`] does.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::{Bitcast, decompose_bitcast};
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[16,3,17]{1,2,0}")?, array("f32[16,51]{0,1}")?);
/// let Some(Bitcast::TransposeReshapeTranspose { first, transposed, reshaped, second }) =
///     decompose_bitcast(&from, &to)
/// else {
///     unreachable!()
/// };
/// assert!(first == [0, 2, 1] && second == [1, 0]);
/// assert_eq!(transposed.to_string(), "f32[16,17,3]{2,1,0}");
/// assert_eq!(reshaped.to_string(), "f32[51,16]{1,0}");
/// assert_eq!(decompose_bitcast(&from, &array("f32[16,51]{0,1:T(8,128)}")?), None);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("DecomposeBitcast", "DecomposeBitcastToTrt"))]
pub const fn decompose_bitcast(from: &ArrayShape, to: &ArrayShape) -> Option<Bitcast> {
    if reshape_is_bitcast(from, &with_type_of(to, from)) {
        return Some(Bitcast::Reshape);
    }
    if let Some(permutation) = deduce_transpose_for_bitcast(from, to) {
        return Some(Bitcast::Transpose { permutation });
    }
    let (first, order) = (from.major_to_minor(), to.major_to_minor());
    let transposed = from.descending();
    let reshaped = to.descending();
    if !reshape_is_bitcast(&transposed, &with_type_of(&reshaped, from)) {
        return None;
    }
    let second = some!(permutation::inverse(order.as_slice()));
    Some(Bitcast::TransposeReshapeTranspose { first, transposed, reshaped, second })
}

/// Finds the layout of `to` for which a reshape from `from` is a bitcast: an order of its dimensions, with
/// the tiles and all other properties of `from`. `None` if no order makes it a bitcast, or if `from` has
/// `PAD` or `SC`.
///
/// Dimensions of size 1 come after all others in the minor-to-major order, the last one first; with tiles
/// they go between others if only that is a bitcast.
///
/// Takes time linear in the number of elements where [`reshape_is_bitcast`] does.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::align_layouts;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let from = array("f32[3,8,5,7,11]{3,2,1,0,4}")?;
/// let aligned = align_layouts(&from, &array("f32[3,2,4,35,11]")?).unwrap();
/// assert_eq!(aligned.to_string(), "f32[3,2,4,35,11]{3,2,1,0,4}");
/// assert_eq!(align_layouts(&from, &array("f32[4,3,2,5,77]")?), None);
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias = "AlignLayouts")]
pub const fn align_layouts(from: &ArrayShape, to: &ArrayShape) -> Option<ArrayShape> {
    let untiled = order_alone(from);
    let (Ok(digits), Some(elements)) = (untiled.digits(), to.elements()) else {
        return None;
    };
    if digits.elements() != elements || from.fields().has_padding || !from.splits().is_empty() {
        return None;
    }
    let (order, longer) = some!(aligned_order(&digits, to));
    let (rank, dims) = (to.fields().rank, to.fields().dims);
    let mut aligned = ArrayFields { rank, dims, minor_to_major: [0; MAX_DIMS], ..*from.fields() };
    // Tiles cover dimensions of size 1 too, so that it may matter between which others these stand:
    // each bit is a place for one of them, the most major places first.
    let ones = to.rank() - longer;
    each!(for places in (0..1u32 << to.rank()).rev() {
        if places.count_ones() as usize == ones {
            let (mut one, mut other) = (longer, 0);
            each!(for at in 0..to.rank() {
                let next = if places >> at & 1 == 1 { &mut one } else { &mut other };
                aligned.minor_to_major[at] = order[*next];
                *next += 1;
            });
            // A layout with too much padding is an error.
            if let Ok(aligned) = aligned.checked()
                && reshape_is_bitcast(from, &aligned)
            {
                return Some(aligned);
            }
            if from.tiles().is_empty() {
                return None;
            }
        }
    });
    None
}

/// The order of a reshape's dimensions by the offsets of their second elements, those of size 1 last, and the
/// number of the others.
const fn aligned_order(digits: &Digits, to: &ArrayShape) -> Option<([usize; MAX_DIMS], usize)> {
    let mut order = [0; MAX_DIMS];
    let mut offsets = [0; MAX_DIMS];
    let (mut len, mut longer) = (0, 0);
    let mut below = 1;
    each!(for dim in (0..to.rank()).rev() {
        let size = some!(to.dim(dim).size());
        longer += (size != 1) as usize;
        // Without elements any order will do, as long as those of size 1 come last.
        let offset = if size == 1 {
            Size::MAX
        } else if digits.elements() == 0 {
            0
        } else {
            let offset =
                digits.offset_unchecked(subslice(&digits.numbered(below), 0, digits.rank()));
            below *= size;
            offset
        };
        let mut at = len;
        while at > 0 && offsets[at - 1] > offset {
            (offsets[at], order[at]) = (offsets[at - 1], order[at - 1]);
            at -= 1;
        }
        (offsets[at], order[at]) = (offset, dim);
        len += 1;
    });
    Some((order, longer))
}
