//! Whether a reshape or a transpose is a bitcast, and why not.

// A bitcast takes the same memory, so `padded_elements` are equal too; a view may take less than it had, so its
// methods allow that. `S`, `SC` and `M` say where an array is and are not compared.

use crate::bitcast::not_bitcast::NotBitcast;
use crate::bitcast::other_array::OtherArray;
use crate::bitcast::same::{NO_LIMIT, SIZES, StepLimit, same_offsets};
use layout_core::{ArrayShape, permutation};

/// Whether a reshape is a bitcast: whether it leaves every element where it is.
///
/// A reshape keeps the row-major order of the elements. It is a bitcast if element type and bits are the
/// same, each element has the same offset in both layouts, and both have the same size in memory. Bounded
/// dimensions count with their bounds; if a dimension has no bound, only an equal layout is a bitcast.
///
/// It compares layouts whose tiles do not divide one another element by element: this takes time linear in
/// the number of elements, up to the first that would move.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::reshape_is_bitcast;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let matrix = array("bf16[16,256]{1,0:T(8,128)(2,1)}")?;
/// assert!(reshape_is_bitcast(&matrix, &array("bf16[2,8,256]{2,1,0:T(8,128)(2,1)}")?));
/// // A row of 256 elements spans two tiles, so the array is not linear in memory.
/// assert!(!reshape_is_bitcast(&matrix, &array("bf16[4096]{0}")?));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("ReshapeIsBitcast", "IsReshapeOrTransposeBitcast", "AlignLayouts"))]
#[doc(alias("DimensionsUnmodifiedByReshape", "InsertedOrDeleted1SizedDimensions"))]
pub const fn reshape_is_bitcast(from: &ArrayShape, to: &ArrayShape) -> bool {
    check_reshape_within(from, to, NO_LIMIT).is_ok()
}

/// Whether a transpose is a bitcast: whether it leaves every element where it is.
///
/// Dimension `i` of the result is dimension `permutation[i]` of the array. The conditions and the time are
/// those of [`reshape_is_bitcast`]; false if `permutation` is not a permutation.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::transpose_is_bitcast;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let matrix = array("f32[3,5]{1,0:T(2,2)}")?;
/// assert!(transpose_is_bitcast(&matrix, &array("f32[5,3]{0,1:T(2,2)}")?, &[1, 0]));
/// assert!(!transpose_is_bitcast(&matrix, &array("f32[5,3]{1,0:T(2,2)}")?, &[1, 0]));
/// # Ok::<(), layout::Error>(())
/// ```
#[doc(alias("TransposeIsBitcast", "DeduceTransposeDimensionsForBitcast"))]
#[doc(alias = "GetNormalizedLogicalTransposeShape")]
pub const fn transpose_is_bitcast(
    from: &ArrayShape,
    to: &ArrayShape,
    permutation: &[usize],
) -> bool {
    check_transpose_within(from, to, permutation, NO_LIMIT).is_ok()
}

/// Checks like [`reshape_is_bitcast`], and says why not: of the elements that would move, it names the first
/// in row-major order. It takes the same time.
///
/// # Errors
/// If the reshape is not a bitcast.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::check_reshape_is_bitcast;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[8,256]{1,0:T(8,128)}")?, array("f32[2048]{0}")?);
/// let error = check_reshape_is_bitcast(&from, &to).unwrap_err();
/// assert_eq!(error.to_string(), "[0,128] is at offset 1024, but [128] of the result at offset 128");
/// # Ok::<(), layout::Error>(())
/// ```
pub const fn check_reshape_is_bitcast(
    from: &ArrayShape,
    to: &ArrayShape,
) -> Result<(), NotBitcast> {
    check_reshape_within(from, to, NO_LIMIT)
}

/// Checks like [`transpose_is_bitcast`], and says why not: of the elements that would move, it names the
/// first of the result in row-major order. It takes the same time.
///
/// # Errors
/// If the transpose is not a bitcast.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::check_transpose_is_bitcast;
///
/// let array = |text: &str| text.parse::<ArrayShape>();
/// let (from, to) = (array("f32[3,5]{1,0}")?, array("f32[5,3]{1,0}")?);
/// let error = check_transpose_is_bitcast(&from, &to, &[1, 0]).unwrap_err();
/// assert_eq!(error.to_string(), "[1,0] is at offset 5, but [0,1] of the result at offset 1");
/// # Ok::<(), layout::Error>(())
/// ```
pub const fn check_transpose_is_bitcast(
    from: &ArrayShape,
    to: &ArrayShape,
    permutation: &[usize],
) -> Result<(), NotBitcast> {
    check_transpose_within(from, to, permutation, NO_LIMIT)
}

/// [`check_transpose_is_bitcast`] within a limit.
///
/// # Errors
/// If the transpose is not a bitcast.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
pub const fn check_transpose_within(
    from: &ArrayShape,
    to: &ArrayShape,
    permutation: &[usize],
    limit: StepLimit,
) -> Result<(), NotBitcast> {
    let Some(transposed) = from.permute_dimensions(permutation) else {
        return Err(NotBitcast::Permutation);
    };
    if !SIZES.arrays(&transposed, to) {
        return Err(NotBitcast::Dims(OtherArray::new(&transposed, to)));
    }
    match check_reshape_within(&transposed, to, limit) {
        Err(NotBitcast::Moved { to, offsets, .. }) => {
            match permutation::apply_inverse(to.as_slice(), permutation) {
                Some(from) => Err(NotBitcast::Moved { from, to, offsets }),
                None => Err(NotBitcast::Permutation),
            }
        }
        result => result,
    }
}

/// [`check_reshape_is_bitcast`] within a limit.
///
/// # Errors
/// If the reshape is not a bitcast.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
pub const fn check_reshape_within(
    from: &ArrayShape,
    to: &ArrayShape,
    limit: StepLimit,
) -> Result<(), NotBitcast> {
    if from.element_type() as u32 != to.element_type() as u32 {
        let bits = [from.element_bits(), to.element_bits()];
        return Err(NotBitcast::Element { types: [from.element_type(), to.element_type()], bits });
    }
    if let Err(error) = same_offsets(from, to, limit) {
        return Err(error);
    }
    match (from.padded_elements(), to.padded_elements()) {
        (Some(a), Some(b)) if a != b => Err(NotBitcast::Size { padded_elements: [a, b] }),
        _ => Ok(()),
    }
}
