//! Copies as loops in the caller's code, of arrays so small that a call of the kernels would take longer.

use core::marker::PhantomData;

use layout_copy::__private::{InlineMemory, InlineNest, Nested, Plain, PlanTemplate};
use layout_core::__private::native;
use layout_core::{Dim, Size};

use crate::array::same_array::{SameArray, SameDims};
use crate::array::with_dims::WithDims;
use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{AnyLayout, StaticLayout, both_known};
use crate::memory::stored::StoredIn;
use crate::relayout::padding::{Padding, declared};

/// The loops of a pair of layouts, whatever the sizes are that a value says.
pub(super) trait Templated<B: AnyLayout>: SameDims<B> {
    /// `None` of layouts that share no split.
    const TEMPLATE: &'static Option<PlanTemplate> =
        &PlanTemplate::new(Self::DIGITS, B::DIGITS, varying::<Self>());

    /// `None` where copies are not made in the caller's code.
    const NEST: &'static Option<InlineNest> = &match Self::TEMPLATE {
        Some(template) => InlineNest::new(template),
        None => None,
    };
}

impl<A: SameDims<B>, B: AnyLayout> Templated<B> for A {}

/// The dimensions whose sizes a value says, as bits.
pub(super) const fn varying<L: AnyLayout + ?Sized>() -> u16 {
    let mut set = 0;
    each!(for dim in 0..L::SIZES.len() {
        if !matches!(L::VALUE.dim(dim), Dim::Static(_)) {
            set |= 1 << dim;
        }
    });
    set
}

/// The nest of a pair.
struct NestOf<A, B>(PhantomData<(A, B)>);

impl<A: SameArray<B>, B: AnyLayout> Nested for NestOf<A, B> {
    const NEST: &'static InlineNest = match <A as Templated<B>>::NEST {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

/// Moves up to which a copy is best made in the caller's code: of 8 bytes and more; of runs of less; of single elements, of which
/// more are worth a plan if their sizes are known at the call.
pub(super) const FEW: [usize; 4] = [4096, 1024, 256, 1024];
/// Bytes up to which it is.
pub(super) const FEW_BYTES: usize = 32 << 10;

/// Whether a copy of so many elements, of `element` bytes, is best made in the caller's code. Without optimisation none is.
#[inline(always)]
pub(super) const fn is_inlined<A: SameArray<B>, B: AnyLayout>(
    elements: usize,
    element: usize,
) -> bool {
    if cfg!(debug_assertions) || <A as Templated<B>>::NEST.is_none() || element == 0 {
        return false;
    }
    let nest = NestOf::<A, B>::NEST;
    let (row, [of_long, of_short, of_elements, without_plan]) = (nest.row(), FEW);
    let run = match nest.has_runs() {
        // As long as the dimension.
        true if row.is_top && row.size.is_none() => return elements <= FEW_BYTES / element,
        true => native(row.extent),
        false => 1,
    };
    let moves = match run {
        _ if run * element >= 8 => of_long,
        1 if const { varying::<A>() } == 0 => of_elements,
        1 => without_plan,
        _ => of_short,
    };
    elements <= FEW_BYTES / element && elements / run <= moves
}

/// Copies an array whose size is not 0. The slots that hold no element get the padding, if there is one.
///
/// False if it is not done: the pair has no nest, or the slices are too short.
#[inline(always)]
fn copy_inline<A: SameArray<B>, B: AnyLayout, T: Copy>(
    of_a: &A::Sizes,
    of_b: &B::Sizes,
    memory: InlineMemory<'_, T>,
    padding: Option<T>,
) -> bool {
    let (dims, counts) = (A::dims(of_a), [&A::counts(of_a), &B::counts(of_b)]);
    let (sizes, strides) = NestOf::<A, B>::NEST.sized(dims.as_ref(), counts);
    memory.copy::<NestOf<A, B>>(&sizes, &strides, padding)
}

/// Copies as [`copy_inline`] does, or matrix by matrix, if the array is so small that this is best.
///
/// False if it is not done.
#[inline(always)]
pub(super) fn copy_small<A: SameArray<B>, B: AnyLayout, T: Copy>(
    of_a: &WithDims<A>,
    of_b: &WithDims<B>,
    plain: &Plain<T>,
    mut memory: InlineMemory<'_, T>,
    padding: Option<T>,
) -> bool {
    let (elements, element) = (of_a.elements(), size_of::<T>());
    let (of_a, of_b) = (&of_a.sizes(), &of_b.sizes());
    if elements == 0 {
        return false;
    }
    if const { <A as Templated<B>>::NEST.is_some() && size_of::<T>() > 0 } && padding.is_none() {
        let (dims, counts) = (A::dims(of_a), [&A::counts(of_a), &B::counts(of_b)]);
        let (sizes, strides) = NestOf::<A, B>::NEST.sized(dims.as_ref(), counts);
        if memory.transpose::<NestOf<A, B>>(plain, &sizes, &strides, elements) {
            return true;
        }
        // Those that are left are large. Without the nest the compiler keeps sizes in registers.
        if const { InlineMemory::<'_, T>::transposes::<NestOf<A, B>>() } {
            return false;
        }
    }
    is_inlined::<A, B>(elements, element) && copy_inline::<A, B, T>(of_a, of_b, memory, padding)
}

/// Like [`copy_inline`], of layouts without unknown sizes.
#[inline(always)]
pub(super) const fn copy_known<A: SameArray<B>, B: AnyLayout, T: Copy>(
    memory: InlineMemory<'_, T>,
    padding: Option<T>,
) -> bool {
    let (sizes, strides) = const { &NestOf::<A, B>::NEST.sized(A::SIZES, [NO_COUNTS; 2]) };
    memory.copy::<NestOf<A, B>>(sizes, strides, padding)
}

/// Copies an array from the layout `A` to the layout `B`, also in a `const`: by loops that the compiler sees through, without a
/// call.
///
/// It is as fast as a nest of loops by hand. For arrays of more than some kilobytes, [`relayout`](crate::relayout()) has kernels
/// that are faster, and for smaller ones it does as this function does, where code is optimised. Slots of the destination that
/// hold no element, and what lies past them, stay as they are.
///
/// # Panics
/// If a slice is shorter than [`A::PADDED_ELEMENTS`](crate::Array::PADDED_ELEMENTS), or `B`'s; in a `const`, that stops the build.
///
/// # Examples
/// ```
/// use layout::{layout, relayout_const};
///
/// type Rows = layout!(U8[4,6]);
/// type Tiles = layout!(U8[4,6]{1,0:T(2,2)});
/// const TABLE: [u8; 24] = {
///     let (mut rows, mut tiles) = ([0; 24], [0; Tiles::PADDED_ELEMENTS]);
///     let mut at = 0;
///     while at < rows.len() {
///         rows[at] = at as u8;
///         at += 1;
///     }
///     relayout_const::<Rows, Tiles, u8>(&rows, &mut tiles);
///     tiles
/// };
/// assert_eq!(TABLE[..8], [0, 1, 6, 7, 2, 3, 8, 9]);
/// ```
#[track_caller]
#[inline]
pub const fn relayout_const<A, B, T>(src: &[T], dst: &mut [T])
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    const { both_known::<A, B>() }
    assert!(src.len() >= A::SLOTS, "the source is shorter than its layout");
    assert!(dst.len() >= B::SLOTS, "the destination is shorter than its layout");
    let (src, dst) = (src.split_at(A::SLOTS).0, dst.split_at_mut(B::SLOTS).0);
    if const { <A as Templated<B>>::NEST.is_some() } {
        assert!(copy_known::<A, B, T>(InlineMemory::of(src, dst), None));
    } else {
        each!(for number in 0..native(A::DIGITS.elements()) {
            let index = A::DIGITS.numbered(number as Size);
            let [from, to] =
                [A::DIGITS.offset_unchecked(&index), B::DIGITS.offset_unchecked(&index)];
            dst[native(to)] = src[native(from)];
        });
    }
}

/// For tests: copies in the caller's code, whatever a program would do. The slices can be longer than the layouts ask.
///
/// False if the pair has no nest of loops, or the array no elements.
pub fn copied_inline<A, B, T>(dims: &[usize], src: &[T], dst: &mut [T], padding: Padding<T>) -> bool
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredIn<B>,
{
    let (Ok(of_a), Ok(of_b)) =
        (WithDims::<A>::checked_list(dims), WithDims::<B>::checked_list(dims))
    else {
        return false;
    };
    let memory =
        InlineMemory::of(&src[..of_a.padded_elements()], &mut dst[..of_b.padded_elements()]);
    let padding = padding.value::<B>(declared::<B>);
    <A as Templated<B>>::NEST.is_some()
        && !dims.contains(&0)
        && copy_inline::<A, B, T>(&of_a.sizes(), &of_b.sizes(), memory, padding)
}
