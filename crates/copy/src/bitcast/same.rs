//! Whether two layouts put every element in the same place.

use crate::bitcast::groups::Groups;
use crate::bitcast::not_bitcast::NotBitcast;
use crate::bitcast::other_array::OtherArray;
use crate::loops::Plan;
use crate::stretch::Stretch;
use layout_core::base::{MAX_DIMS, Size, Text, least};
use layout_core::{ArrayShape, Digits, Equal, Index};

/// Compares what decides the offsets of elements, for arrays with the same dimensions.
pub(crate) const PLACES: Equal =
    Equal::new().ignore_element_size().ignore_memory_space().ignore_splits().ignore_metadata();

/// Compares sizes, in which `<=3` is 3 and `?` is `?`.
pub(crate) const SIZES: Equal = Equal::new().ignore_element_type().ignore_layout().ignore_bounds();

/// The first element in row-major order that two layouts put in different places, or that a reshape would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its coordinates in the array, dimension 0 first.
    pub from: [Size; MAX_DIMS],
    /// Its coordinates in the result.
    pub to: [Size; MAX_DIMS],
    /// Its offset in each.
    pub offsets: [Size; 2],
}

/// How many steps a comparison of layouts may take; a step evaluates one digit.
pub type StepLimit = Size;

/// For comparisons at run time, and for a `const` whose author knows what it compares.
pub(crate) const NO_LIMIT: StepLimit = Size::MAX;

/// For the comparisons of types, which the compiler evaluates: one or two seconds of its time, and
/// less than makes its lint `long_running_const_eval` stop the build.
pub const COMPILE_TIME_LIMIT: StepLimit = 1 << 17;

/// Stops a comparison that takes more steps than its limit.
#[track_caller]
const fn stop(limit: StepLimit) -> ! {
    let text: Text<512> = text!(
        "these layouts can only be compared element by element, which takes more than ",
        limit,
        " steps, the limit at compile time: at run time `layout::bitcast::{same_bytes, reshape_is_bitcast, transpose_is_bitcast}` compare `A::SHAPE` and `B::SHAPE` without a limit; `copy` copies between any two layouts"
    );
    panic!("{}", text.as_str())
}

/// Steps to evaluate an offset once.
const fn steps(digits: &Digits) -> Size {
    (1 + digits.terms().len() + 2 * digits.sums().len()) as Size
}

/// The first element in row-major order whose offset differs in another layout of the same dimensions.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
// Proofs come before looking. Equal digits are equal layouts; common digits give the first element that moves;
// only layouts that share no split are compared stretch by stretch. Types ask within 2¹⁷ evaluated digits:
// beyond that rustc's lint would stop the build without a reason.
pub const fn difference(own: &Digits, other: &Digits, limit: StepLimit) -> Option<Difference> {
    if own.elements() == 0 || own.same_digits(other) {
        return None;
    }
    if !own.swizzle().is_none() && own.swizzle().is_same(other.swizzle()) {
        // It takes no two offsets to one.
        let [a, b] = [own.linear(), other.linear()];
        let mut found = some!(difference(&a, &b, limit));
        let [from, to] = found.offsets;
        found.offsets = [own.swizzle().apply(from), own.swizzle().apply(to)];
        return Some(found);
    }
    let mut index = [0; MAX_DIMS];
    if let Some(plan) = Plan::common_digits(own, other) {
        // The digits are independent, so that the first element that differs has one digit 1 and
        // the others 0: the smallest of the last dimension that has any.
        let mut found = usize::MAX;
        each!(for i in 0..plan.len as usize {
            let digit = &plan.loops[i];
            if digit.extent > 1 && digit.src != digit.dst {
                let is_before = found == usize::MAX
                    || plan.dims[i] > plan.dims[found]
                    || plan.dims[i] == plan.dims[found] && digit.unit < plan.loops[found].unit;
                if is_before {
                    found = i;
                }
            }
        });
        if found == usize::MAX {
            return None;
        }
        index[plan.dims[found] as usize] = plan.loops[found].unit;
        let offsets = [plan.loops[found].src, plan.loops[found].dst];
        return Some(Difference { from: index, to: index, offsets });
    }
    difference_of_stretches(own, other, limit)
}

/// Compares elements with the same row-major number, stretch by stretch of the last dimensions. The arrays have as many elements.
#[track_caller]
const fn difference_of_stretches(
    own: &Digits,
    other: &Digits,
    limit: StepLimit,
) -> Option<Difference> {
    let (at_once, mut taken) = (steps(own) + steps(other), 0);
    let (a, b) = (own.view(), other.view());
    let [last_a, last_b] = [own.rank().saturating_sub(1), other.rank().saturating_sub(1)];
    let mut number = 0;
    while number < own.elements() {
        taken += at_once;
        if taken > limit {
            stop(limit)
        }
        let (mut from, mut to) = (own.numbered(number), other.numbered(number));
        let (a, b) = (Stretch::of(&a, &from, last_a), Stretch::of(&b, &to, last_b));
        let length = least(a.length, b.length);
        let mut offsets = [a.offset, b.offset];
        if offsets[0] == offsets[1] && length > 1 && a.stride != b.stride {
            (from[last_a], to[last_b]) = (from[last_a] + 1, to[last_b] + 1);
            offsets = [a.offset + a.stride, b.offset + b.stride];
        }
        if offsets[0] != offsets[1] {
            return Some(Difference { from, to, offsets });
        }
        number += length;
    }
    None
}

/// Checks that two layouts of one array give every element the same offset and the same bits.
/// Padding and other properties are not compared.
///
/// Bounded dimensions count with their bounds; if a dimension has no bound, only an equal layout has the
/// same bytes.
///
/// Layouts whose tiles do not divide one another are compared element by element: this takes time linear
/// in the number of elements, up to the first that differs.
///
/// # Errors
/// If they differ. For two layouts of one array it names the first element in row-major order that does.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::{NotBitcast, same_bytes};
///
/// let shape: ArrayShape = "f32[16,128]".parse()?;
/// assert_eq!(same_bytes(&shape, &"f32[16,128]{1,0:T(8,128)}".parse()?), Ok(()));
/// let moved = same_bytes(&shape, &"f32[16,128]{1,0:T(8,64)}".parse()?).unwrap_err();
/// let NotBitcast::Moved { from, offsets, .. } = moved else { panic!("{moved}") };
/// assert_eq!((&*from, offsets), (&[0, 64][..], [64, 512]));
/// # Ok::<(), layout::Error>(())
/// ```
pub const fn same_bytes(a: &ArrayShape, b: &ArrayShape) -> Result<(), NotBitcast> {
    same_bytes_within(a, b, NO_LIMIT)
}

/// [`same_bytes`] within a limit.
///
/// # Errors
/// If an element has another offset or other bits.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
pub const fn same_bytes_within(
    a: &ArrayShape,
    b: &ArrayShape,
    limit: StepLimit,
) -> Result<(), NotBitcast> {
    if !SIZES.arrays(a, b) {
        return Err(NotBitcast::Dims(OtherArray::new(a, b)));
    }
    same_offsets(a, b, limit)
}

/// Checks that elements with the same row-major number have the same bits and the same offset.
///
/// # Panics
/// As [`same_bytes_within`].
#[track_caller]
pub(super) const fn same_offsets(
    from: &ArrayShape,
    to: &ArrayShape,
    limit: StepLimit,
) -> Result<(), NotBitcast> {
    let bits = [from.element_bits(), to.element_bits()];
    if bits[0] != bits[1] {
        return Err(NotBitcast::Element { types: [from.element_type(), to.element_type()], bits });
    }
    let (Ok(a), Ok(b)) = (from.digits(), to.digits()) else {
        let is_same = SIZES.arrays(from, to) && PLACES.layouts(from, to);
        return if is_same { Ok(()) } else { Err(NotBitcast::Unbounded) };
    };
    if a.elements() != b.elements() {
        return Err(NotBitcast::Elements { elements: [a.elements(), b.elements()] });
    }
    match difference_reshaped(&a, &b, limit) {
        Some(Difference { from, to, offsets }) => Err(NotBitcast::Moved {
            from: Index::of(&from, a.rank()),
            to: Index::of(&to, b.rank()),
            offsets,
        }),
        None => Ok(()),
    }
}

/// The first element whose offset differs from that of the element with the same row-major number in
/// another array of as many elements.
///
/// # Panics
/// If only comparing elements can tell, and takes more steps than the limit.
#[track_caller]
pub const fn difference_reshaped(
    own: &Digits,
    other: &Digits,
    limit: StepLimit,
) -> Option<Difference> {
    if own.elements() == 0 || own.same_digits(other) {
        return None;
    }
    let groups = Groups::new(own, other);
    let [a, b] = [groups.of(own, 0), groups.of(other, 1)];
    let (Some(a), Some(b)) = (a, b) else {
        // More sums than there is room for.
        return difference_of_stretches(own, other, limit);
    };
    let Difference { from: index, offsets, .. } = some!(difference(&a, &b, limit));
    Some(Difference {
        from: groups.index(own, 0, &index),
        to: groups.index(other, 1, &index),
        offsets,
    })
}
