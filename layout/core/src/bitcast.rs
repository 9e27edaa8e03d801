//! Bitcasts: reshapes and transposes that leave every element where it is, so nothing is copied.
//!
//! XLA's `ReshapeIsBitcast` and `TransposeIsBitcast` compare only the order of the dimensions. Here tiles,
//! padding and the bits of an element count too: a bitcast is one for which every element has the same offset
//! in both layouts.
//!
//! Most layouts are compared without looking at elements. Where that does not decide (a `*` over padding, or
//! tiles that do not divide one another), offsets are compared element by element, which takes time linear in
//! the number of elements and no memory.
//!
//! Memory space, splits and metadata (`S`, `SC`, `M`) are not compared: they do not change the offsets of
//! elements.

mod decompose;
mod other_array;
pub(crate) mod reshape;
pub(crate) mod same;

pub use other_array::OtherArray;

pub use decompose::{
    Bitcast, align_layouts, decompose_bitcast, deduce_transpose_for_bitcast,
    is_reshape_or_transpose_bitcast, reshape_is_bitcast_by_order, transpose_is_bitcast_by_order,
};

use core::fmt;

use crate::analysis::size::Index;
use crate::base::limits::Size;
use crate::base::list::same_numbers;
use crate::base::text::Text;
use crate::bitcast::reshape::Displaced;
use crate::bitcast::same::{NO_LIMIT, PLACES, SIZES, StepLimit};
use crate::edit::permutation;
use crate::shape::{ArrayShape, ElementType};

/// Why a bitcast is impossible: why two layouts do not put every element in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "an error in a `const` can own no heap")]
pub enum NotBitcast {
    /// The elements differ in type, or in bits in memory.
    Element {
        /// Types of the elements.
        types: [ElementType; 2],
        /// Bits of an element in memory.
        bits: [Size; 2],
    },
    /// A dimension has no bound, so offsets are unknown, and the layouts differ.
    Unbounded,
    /// The numbers of elements differ.
    Elements {
        /// Elements of the array and of the result.
        elements: [Size; 2],
    },
    /// The list is not a permutation of the array's dimensions.
    Permutation,
    /// The array has other dimensions than the result, once they are permuted.
    Dims(OtherArray),
    /// An element would move.
    Moved {
        /// Its index in the array.
        from: Index,
        /// Its index in the result.
        to: Index,
        /// Its offset in each, in elements.
        offsets: [Size; 2],
    },
    /// No element would move, but the sizes in memory differ.
    Size {
        /// Sizes in memory in elements, padding included.
        padded_elements: [Size; 2],
    },
}

/// Whether a reshape is a bitcast: whether it leaves every element where it is.
///
/// A reshape keeps the row-major order of the elements. It is a bitcast if element type and bits are the
/// same, each element has the same offset in both layouts, and both have the same size in memory. Bounded
/// dimensions count with their bounds; if a dimension has no bound, only an equal layout is a bitcast.
///
/// Layouts whose tiles do not divide one another are compared element by element: this takes time linear in
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
#[doc(alias = "ReshapeIsBitcast")]
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
#[doc(alias = "TransposeIsBitcast")]
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
#[allow(clippy::result_large_err, reason = "an error in a `const` can own no heap")]
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
#[allow(clippy::result_large_err, reason = "an error in a `const` can own no heap")]
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
#[allow(clippy::result_large_err, reason = "an error in a `const` can own no heap")]
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
#[allow(clippy::result_large_err, reason = "an error in a `const` can own no heap")]
pub const fn check_reshape_within(
    from: &ArrayShape,
    to: &ArrayShape,
    limit: StepLimit,
) -> Result<(), NotBitcast> {
    let bits = [from.element_bits(), to.element_bits()];
    if from.element_type() as u32 != to.element_type() as u32 || bits[0] != bits[1] {
        return Err(NotBitcast::Element { types: [from.element_type(), to.element_type()], bits });
    }
    let (Ok(a), Ok(b)) = (from.digits(), to.digits()) else {
        let is_same = SIZES.arrays(from, to) && PLACES.layouts(from, to);
        return if is_same { Ok(()) } else { Err(NotBitcast::Unbounded) };
    };
    if a.elements() != b.elements() {
        return Err(NotBitcast::Elements { elements: [a.elements(), b.elements()] });
    }
    if let Some(Displaced { from: at, to: result, offsets }) = a.difference_reshaped(&b, limit) {
        let (from, to) = (Index::of(&at, a.rank()), Index::of(&result, b.rank()));
        return Err(NotBitcast::Moved { from, to, offsets });
    }
    match (from.padded_elements(), to.padded_elements()) {
        (Some(a), Some(b)) if a != b => Err(NotBitcast::Size { padded_elements: [a, b] }),
        _ => Ok(()),
    }
}

impl NotBitcast {
    #[doc(hidden)]
    pub const fn line(&self) -> Text<1024> {
        let mut text = Text::new();
        match self {
            NotBitcast::Element { types: [a, b], bits } if *a as u32 == *b as u32 => {
                say!(text, "elements take ", bits[0], " bits in one layout and ", bits[1]);
                text.str(" in the other");
            }
            NotBitcast::Element { types, bits } => {
                text.str("the array has ");
                element(&mut text, types[0], bits[0]);
                text.str(", the result ");
                element(&mut text, types[1], bits[1]);
            }
            NotBitcast::Unbounded => {
                text.str("a dimension has no bound (`?`), and the layouts differ");
            }
            NotBitcast::Elements { elements } => {
                counts(&mut text, "has ", elements, " elements");
            }
            NotBitcast::Permutation => {
                text.str("the list is not a permutation of the array's dimensions");
            }
            NotBitcast::Dims(other) => return other.line(),
            NotBitcast::Moved { from, to, offsets } => {
                index(&mut text, from);
                say!(text, " is at offset ", offsets[0]);
                if same_numbers(from.as_slice(), to.as_slice()) {
                    say!(text, " in one layout and at ", offsets[1], " in the other");
                    return text;
                }
                text.str(", but ");
                index(&mut text, to);
                say!(text, " of the result at offset ", offsets[1]);
            }
            NotBitcast::Size { padded_elements } => {
                let what = " elements in memory, padding included";
                counts(&mut text, "takes ", padded_elements, what);
            }
        }
        text
    }
}

const fn counts<const N: usize>(text: &mut Text<N>, verb: &str, counts: &[Size; 2], what: &str) {
    say!(text, "the array ", verb, counts[0], what, ", the result ", counts[1]);
}

const fn element<const N: usize>(text: &mut Text<N>, element: ElementType, bits: Size) {
    say!(text, "`", element.name(), "` elements of ", bits, " bits");
}

const fn index<const N: usize>(text: &mut Text<N>, index: &Index) {
    text.byte(b'[');
    let index = index.as_slice();
    each!(for i in 0..index.len() {
        if i > 0 {
            text.byte(b',');
        }
        text.number(index[i]);
    });
    text.byte(b']');
}

impl fmt::Display for NotBitcast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line().as_str())
    }
}

impl core::error::Error for NotBitcast {}
