//! The offset and its inverse at run time: a layout's program and digits, unrolled, their numbers
//! constants.
//!
//! LLVM folds them from opt-level 1 on. The steps of a chunk are one constant, and a layout with fewer
//! steps does not instantiate the next chunk: both keep the compiler fast.
//!
//! `inline(always)` is obeyed at opt-level 0 too, where the registers would then lie in the caller's
//! frame, once for each offset. So what holds registers or an index, and `execute`, which every step calls,
//! is `inline(always)` only without debug assertions. With them it is `inline`: a call at opt-level 0,
//! and LLVM inlines it from opt-level 1 on, because little is left of it once its constants are known.

use layout_core::__private::{
    Counts, FIRST_COORDINATE, FIRST_COUNT, Inverse, OFFSET, ONE, Registers, Step, cut, execute,
    native,
};
use layout_core::limits::MAX_DIMS;
use layout_core::{Size, in_width};

use crate::compiled::AnyLayout;
use crate::spec::index::each_coordinate;

/// Takes the steps of these numbers.
macro_rules! execute {
    ($r:ident $steps:ident $($k:literal)*) => {$(
        execute::<BITS>($r, $steps[$k].div, $steps[$k].modulus, $steps[$k].mul, $steps[$k].at);
    )*};
}

/// A function that takes the steps of these numbers, from the given one on, and those after them.
macro_rules! steps {
    ($name:ident from $from:literal: $($k:literal)* then $next:ident from $next_from:literal) => {
        #[inline(always)]
        const fn $name<P: AnyLayout, const BITS: u32>(r: &mut Registers) {
            // Each further constant would be evaluated for layouts without such steps too.
            let steps = P::LATER_STEPS.split_at($from - 8).1;
            execute! { r steps $($k)* }
            if const { P::STEPS.len > $next_from } {
                $next::<P, BITS>(r);
            }
        }
    };
}

/// A function that takes the digits of these numbers out of what the more minor digits left of the offset, and gives
/// what it leaves. `None` if a count is 0.
macro_rules! inverses {
    ($name:ident $($k:literal)*) => {
        #[inline(always)]
        const fn $name<P: AnyLayout, const R: usize, const BITS: u32>(
            counts: &Counts,
            mut rest: usize,
            index: &mut [usize; R],
        ) -> Option<usize> {
            $(
                if const { P::COUNTERS > $k } {
                    let digit: Inverse = const { P::DIGITS.inverse($k) };
                    in_width!(BITS, Word => {
                        let step = digit.step.value(counts) as Word;
                        let Some(quotient) = (rest as Word).checked_div(step) else { return None };
                        rest = quotient as usize;
                        let mut value = quotient;
                        if digit.bound.factor != 0 {
                            let bound = digit.bound.value(counts) as Word;
                            let Some(remainder) = value.checked_rem(bound) else { return None };
                            value = remainder;
                        }
                        let part = value.wrapping_mul(digit.div as Word);
                        index[digit.dim] = (index[digit.dim] as Word).wrapping_add(part) as usize;
                    });
                }
            )*
            Some(rest)
        }
    };
}

inverses! { inverse_8 15 14 13 12 11 10 9 8 }
inverses! { inverse_4 7 6 5 4 }
inverses! { inverse_0 3 2 1 0 }
steps! { steps_8 from 8: 0 1 2 3 4 5 6 7 then steps_16 from 16 }
steps! { steps_16 from 16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 then steps_32 from 32 }
steps! { steps_32 from 32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
28 29 30 31 then steps_64 from 64 }

/// The steps of programs longer than any layout that means something.
const fn steps_64<P: AnyLayout, const BITS: u32>(r: &mut Registers) {
    each!(for k in 64..P::STEPS.len {
        let Step { div, modulus, mul, at } = P::LATER_STEPS[k - 8];
        execute::<BITS>(r, div, modulus, mul, at);
    });
}

/// The first steps, which are all for most layouts.
// Steps are unrolled by hand, so that their numbers are constants from the start: LLVM unrolls a loop too late for what is
// simplified before, as for `is_outside_of` below. They come in groups behind `if const`: one list of 64 would be 64
// branches to compile for each layout, most of which have at most four steps.
#[inline(always)]
const fn steps_0<P: AnyLayout, const BITS: u32>(r: &mut Registers) {
    let steps = &P::STEPS.steps;
    execute! { r steps 0 1 2 3 }
    if const { P::STEPS.len > 4 } {
        execute! { r steps 4 5 6 7 }
    }
    if const { P::STEPS.len > 8 } {
        steps_8::<P, BITS>(r);
    }
}

/// Counts of layouts of which none is unknown.
pub(crate) const NO_COUNTS: &Counts = &[0; _];

/// A function that adds the quotients of these numbers to the counts.
macro_rules! quotients {
    ($name:ident $($k:literal)*) => {
        #[inline(always)]
        fn $name<P: AnyLayout>(counts: &mut Counts, divided: &[usize]) {
            $(if const { P::QUOTIENTS > $k } {
                counts[MAX_DIMS + $k] = match const { P::DIGITS.quotient($k).dim() } {
                    Some(dim) => divided[dim] as Size,
                    None => const { *P::DIGITS.quotient($k) }.value(counts),
                };
            })*
        }
    };
}

quotients! { quotients_0 0 1 }
quotients! { quotients_2 2 3 4 5 }

/// Quotients past the sixth, in a loop: only contrived layouts have them.
#[inline(never)]
fn quotients_6<P: AnyLayout>(counts: &mut Counts) {
    for k in 6..P::QUOTIENTS {
        counts[MAX_DIMS + k] = P::DIGITS.quotient(k).value(counts);
    }
}

/// Copies all counts. It is not generic over the layout, so that no layout evaluates its constants.
#[inline(always)]
const fn load_counts<const R: usize, const BITS: u32>(
    r: &mut Registers,
    counts: &Counts,
    quotients: usize,
) {
    const FIRST: usize = FIRST_COUNT as usize;
    each_coordinate! { R, k => r[FIRST + k] = cut::<BITS>(counts[k]) }
    macro_rules! quotients {
        ($($k:literal)*) => {$(if $k < quotients {
            r[FIRST + MAX_DIMS + $k] = cut::<BITS>(counts[MAX_DIMS + $k]);
        })*};
    }
    quotients! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
    // Of layouts that mean little.
    each!(for k in 16..quotients {
        r[FIRST + MAX_DIMS + k] = cut::<BITS>(counts[MAX_DIMS + k]);
    });
}

/// The unknown counts of a layout, from the sizes of its dimensions and what is left of these where
/// tiles divide them.
#[inline(always)]
pub(crate) fn counts<P: AnyLayout>(dims: &[usize], divided: &[usize]) -> Counts {
    let mut counts = *NO_COUNTS;
    // A call to copy them would be left at opt-level 1.
    macro_rules! sizes {
        ($($k:literal)*) => {$(if $k < dims.len() {
            counts[$k] = dims[$k] as Size;
        })*};
    }
    sizes! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
    quotients_0::<P>(&mut counts, divided);
    if const { P::QUOTIENTS > 2 } {
        quotients_2::<P>(&mut counts, divided);
    }
    if const { P::QUOTIENTS > 6 } {
        quotients_6::<P>(&mut counts);
    }
    counts
}

/// Loads the coordinates.
#[inline(always)]
const fn load<const R: usize>(r: &mut Registers, index: &[usize; R]) {
    each_coordinate! { R, k => r[FIRST_COORDINATE as usize + k] = index[k] as Size }
}

/// The offset without the swizzle. No function, which the compiler would instantiate for each layout.
macro_rules! linear {
    ($counts:expr, $index:expr) => {{
        let mut r = [0; _];
        load(&mut r, $index);
        r[ONE as usize] = 1;
        if const { !P::IS_FIXED } {
            load_counts::<R, BITS>(&mut r, $counts, const { P::QUOTIENTS });
        }
        steps_0::<P, BITS>(&mut r);
        cut::<BITS>(r[OFFSET as usize]) as usize
    }};
}

/// The offset of an element, unspecified outside the bounds, computed in `BITS` bits, which its slots and
/// the coordinates fit in.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) const fn offset<P: AnyLayout, const R: usize, const BITS: u32>(
    counts: &Counts,
    index: &[usize; R],
) -> usize {
    let linear = linear!(counts, index);
    if const { P::SWIZZLE.is_none() } {
        return linear;
    }
    swizzled::<P, BITS>(linear, source::<P, R, BITS>(counts, index, linear))
}

/// A number with the bits that the swizzle reads of an offset.
///
/// It is the offset without the coordinates that do not reach these bits. LLVM does not know that coordinates are in
/// bounds, so it would keep them: a square of 32×32 under `elements<5,0,5>` takes two instructions less on GPUs.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
const fn source<P: AnyLayout, const R: usize, const BITS: u32>(
    counts: &Counts,
    index: &[usize; R],
    offset: usize,
) -> usize {
    let unread = const { unread_dims::<P>() };
    if const { unread_dims::<P>() == 0 } {
        return offset;
    }
    linear!(counts, &without(index, unread))
}

/// The index with 0 along the dimensions that have a bit.
#[inline(always)]
const fn without<const R: usize>(index: &[usize; R], dims: u64) -> [usize; R] {
    let mut rest = *index;
    each_coordinate! { R, k => if dims >> k & 1 == 1 {
        rest[k] = 0;
    } }
    rest
}

/// A bit for each dimension that the bits that the swizzle reads do not depend on: all its digits are below them.
// `i*64 + j` as an offset has the bits of the row above those of the column, but LLVM does not know that `j` is
// below 64. So the bits that the XOR reads are computed without the coordinates that cannot reach them: 12
// instructions instead of 14 for a square of 32 on a GPU, as by hand.
const fn unread_dims<P: AnyLayout>() -> u64 {
    if P::SWIZZLE.is_none() || !P::IS_FIXED { 0 } else { unread_dims_of_digits::<P>() }
}

const fn unread_dims_of_digits<P: AnyLayout>() -> u64 {
    let (mask, _) = P::SWIZZLE.mask_and_shift();
    if mask == 0 || !is_straight::<P>() {
        return 0;
    }
    let lowest = 1 << mask.trailing_zeros();
    let (mut unread, mut stride, mut is_digit) = (0, 1, false);
    each!(for k in (0..P::COUNTERS).rev() {
        let digit = P::DIGITS.inverse(k);
        stride *= digit.step.factor;
        // Only where a digit begins at the lowest bit, those before it do not reach it.
        is_digit |= stride == lowest;
        if stride < lowest {
            unread |= 1 << digit.dim;
        } else {
            unread &= !(1 << digit.dim);
        }
    });
    if is_digit { unread } else { 0 }
}

/// An offset XORed with bits of itself, which `source` has too.
#[inline(always)]
const fn swizzled<P: AnyLayout, const BITS: u32>(offset: usize, source: usize) -> usize {
    in_width!(BITS, Word => {
        let (mask, shift) = const { P::SWIZZLE.mask_and_shift() };
        // Where sizes are unknown, what it reads and writes can be beyond this width, and then it is 0 in every offset.
        if mask as Word == 0 || shift.unsigned_abs() as u32 >= Word::BITS {
            return offset;
        }
        let (offset, bits) = (offset as Word, source as Word & mask as Word);
        let moved: Word = if shift < 0 { bits << -shift } else { bits >> shift };
        let swizzled: Word = offset ^ moved;
        swizzled as usize
    })
}

/// The sizes of the dimensions. A coordinate past the rank is always in range.
const fn bounds<P: AnyLayout, const R: usize>() -> [usize; R] {
    let mut bounds = [usize::MAX; R];
    each!(for dim in 0..if R < P::SIZES.len() { R } else { P::SIZES.len() } {
        bounds[dim] = P::SIZES[dim];
    });
    bounds
}

/// Whether the inverse takes digits out of the offset, and no more of them than are unrolled here.
pub(crate) const fn is_straight<P: AnyLayout>() -> bool {
    P::DIGITS.straight().is_some() && P::COUNTERS <= 16
}

/// The element at a position; `None` for padding and beyond the end. `R` is the rank or more, and
/// coordinates past the rank are 0. Where counts are unknown, the inverse has to be straight. It is
/// computed in `BITS` bits, which the slots fit in.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) const fn index<P: AnyLayout, const R: usize, const BITS: u32>(
    counts: &Counts,
    offset: usize,
) -> Option<[usize; R]> {
    if const { P::SHORT_DIGITS.elements() == 0 } {
        return None;
    }
    let mut index = [0; R];
    if const { !is_straight::<P>() } {
        let round_trips = const { P::DIGITS.round_trips() };
        let Some(found) = P::DIGITS.index_in::<BITS>(offset as Size, round_trips) else {
            return None;
        };
        each!(for dim in 0..found.as_slice().len() {
            index[dim] = native(found.as_slice()[dim]);
        });
        return Some(index);
    }
    let mut linear = offset;
    if const { !P::SWIZZLE.is_none() } {
        linear = swizzled::<P, BITS>(offset, offset);
    }
    let mut rest = linear;
    if const { P::COUNTERS > 8 } {
        rest = some!(inverse_8::<P, R, BITS>(counts, rest, &mut index));
    }
    if const { P::COUNTERS > 4 } {
        rest = some!(inverse_4::<P, R, BITS>(counts, rest, &mut index));
    }
    some!(inverse_0::<P, R, BITS>(counts, rest, &mut index));
    // Last: what LLVM knows to be small it divides in 16 bits, at which GPUs are slow.
    if const { !P::DIGITS.ends_out_of_bounds() }
        && linear as Size >= cut::<BITS>(const { P::SHORT_DIGITS.size_amount() }.value(counts))
    {
        return None;
    }
    if is_outside::<P, R>(&index) {
        return None;
    }
    if const { !P::DIGITS.is_bijective() } && self::offset::<P, R, BITS>(counts, &index) != offset {
        return None;
    }
    Some(index)
}

/// Whether a coordinate is not below its dimension.
#[inline(always)]
pub(crate) const fn is_outside<P: AnyLayout, const R: usize>(index: &[usize; R]) -> bool {
    exceeds(index, const { &bounds::<P, R>() })
}

/// Whether a coordinate is not below its dimension, given the sizes at run time. If there are elements, their
/// sizes and the coordinates fit in `BITS` bits.
#[inline(always)]
pub(crate) fn is_outside_of<P: AnyLayout, const R: usize, const BITS: u32>(
    dims: &[usize],
    index: &[usize; R],
) -> bool {
    if const { size_of::<P::Sizes>() == 0 } {
        return is_outside::<P, R>(index);
    }
    // Unrolled here: a loop is unrolled too late for the compiler to see that a caller's loops stay within the sizes.
    each_coordinate! { R, dim => if index[dim] as Size >= cut::<BITS>(dims[dim] as Size) {
        return true;
    } }
    false
}

/// Stops where a coordinate is not below its dimension.
#[inline(always)]
#[track_caller]
pub(crate) const fn assert_in_range<P: AnyLayout, const R: usize>(index: &[usize; R]) {
    assert_below(index, const { &bounds::<P, R>() });
}

// These two are not generic over the layout, so that it does not evaluate their constants again.

#[inline(always)]
const fn exceeds<const R: usize>(index: &[usize; R], bounds: &[usize; R]) -> bool {
    each_coordinate! { R, k => if index[k] >= bounds[k] {
        return true;
    } }
    false
}

#[inline(always)]
#[track_caller]
const fn assert_below<const R: usize>(index: &[usize; R], bounds: &[usize; R]) {
    // Each failure names its own coordinate, so that the index does not have to be in memory.
    each_coordinate! { R, k => if index[k] >= bounds[k] {
        fail(k, index[k], bounds[k]);
    } }
}

/// Stops with the coordinate that is out of range.
#[cold]
#[inline(never)]
#[track_caller]
const fn fail(dim: usize, coordinate: usize, bound: usize) -> ! {
    stop!(
        "index out of range: coordinate ",
        coordinate,
        " of dimension ",
        dim,
        ", which has size ",
        bound
    )
}
