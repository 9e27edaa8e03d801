//! The one place that chooses how a copy is made: by a nest of loops in the caller's code, by a small matrix kernel without a plan,
//! by kernels and a plan from a template or a constant, or by general digits.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

pub(crate) mod copied_slots;
pub(crate) mod layouts;

use core::mem::MaybeUninit;

use layout_copy::__private::{
    self as copying, InlineMemory, InlineNest, LEVELS, Memory, Nested, Plain, Plan, Strides, Whole,
};
use layout_copy::Settings;
use layout_core::__private::native;
use layout_core::{Digits, Size};

use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::padding::fill_slots;

/// A copy that kernels can make, with elements of the type `T`.
pub(super) trait ByKernels<T> {
    /// Elements of the array.
    fn elements(&self) -> usize;

    /// Writes a value to the slots of the destination that hold no element, of which there are some.
    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>);

    /// Moves all elements, of which there are some.
    fn move_elements(&self, memory: Memory<'_>, settings: &Settings);
}

/// A copy that a nest of loops in the caller's code can make too.
pub(super) trait ByLoops<T>: ByKernels<T> + Nested + Copy {
    /// Whether there is such a nest.
    const HAS_NEST: bool;

    /// Whether it is best, where the compiler knows all sizes.
    const IS_BEST: Option<bool> = None;

    /// The size of each loop's dimension, and each loop's strides.
    fn sized(&self) -> ([usize; LEVELS], Strides);

    /// Where the first element lies in both sides.
    #[inline(always)]
    fn first(&self) -> [usize; 2] {
        [0; 2]
    }

    /// Whether loops are best for arrays that are not small, too.
    #[inline(always)]
    fn is_spread(&self, _: &[usize; LEVELS], _: &Strides) -> bool {
        false
    }
}

/// Moves up to which a copy is best made in the caller's code: of 8 bytes and more; of runs of less; of single elements; and of these
/// if the sizes are constants, so that the plan is one.
const FEW: [usize; 4] = [4096, 1024, 1024, 256];
/// Bytes up to which it is.
pub(super) const FEW_BYTES: usize = 32 << 10;
/// Bytes of groups up to which it is.
const FEW_BYTES_OF_GROUPS: usize = 64;

/// Whether an array, of elements of so many bytes, is so small that a copy of it is best made in the caller's code. Without
/// optimisation none is.
#[inline(always)]
pub(super) const fn is_small(
    nest: &InlineNest,
    (sizes, strides): (&[usize; LEVELS], &Strides),
    elements: usize,
    element: usize,
    is_planned: bool,
) -> bool {
    if cfg!(debug_assertions) || element == 0 || elements > FEW_BYTES / element {
        return false;
    }
    let (row, last) = (nest.row(), nest.len - 1);
    let [size, extent] = [sizes[last], native(row.extent)];
    let run = if nest.has_runs() && !row.is_top {
        extent
    } else if nest.has_runs() || are_next(nest, strides) {
        if size < extent { size } else { extent }
    } else {
        1
    };
    let [of_long, of_short, of_elements, if_planned] = FEW;
    let moves = match run {
        _ if run >= 8_usize.div_ceil(element) => of_long,
        1 if is_planned => if_planned,
        1 => of_elements,
        _ => of_short,
    };
    elements <= moves.saturating_mul(run)
}

/// Whether a side has strides of the caller's.
#[inline(always)]
const fn has_any(nest: &InlineNest) -> bool {
    matches!(nest.are_any, [true, _] | [_, true])
}

/// Whether strides of the caller's make the elements of the innermost loop contiguous on both sides.
#[inline(always)]
const fn are_next(nest: &InlineNest, strides: &Strides) -> bool {
    has_any(nest) && matches!(strides[nest.len - 1], [1, 1])
}

/// Copies, in the way that is best. The slices are as long as the sides ask. Returns the destination, all of which holds values.
#[inline(always)]
pub(super) fn copy<'d, S: ByLoops<T>, T: Copy + 'static>(
    sides: S,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    if const { S::HAS_NEST && size_of::<T>() > 0 && !matches!(S::IS_BEST, Some(false)) }
        && by_loops::<S, T, false>(sides, &mut slots)
    {
        // SAFETY: the loops of a nest have written every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    if const { matches!(S::IS_BEST, Some(false)) } {
        return run_kernels(&sides, slots, &Settings::default());
    }
    // The cold function gets copies of both: a value whose address is passed on is kept in memory, in the loops above too.
    let (sides, slots) = (sides, slots.apart());
    copy_by_kernels(&sides, slots, &Settings::default())
}

/// Copies by loops in the caller's code, or matrix by matrix without a plan, if that is best, or `ALWAYS` by loops.
///
/// False if it is not done.
#[inline(always)]
pub(super) fn by_loops<S: ByLoops<T>, T: Copy, const ALWAYS: bool>(
    sides: S,
    slots: &mut CopiedSlots<'_, '_, T>,
) -> bool {
    let elements = sides.elements();
    if const { !S::HAS_NEST } || elements == 0 {
        return false;
    }
    let (sizes, mut strides) = sides.sized();
    let (memory, padding, plain) = slots.for_loops(elements);
    let mut memory = memory.beginning_at(sides.first());
    if const { !ALWAYS && S::IS_BEST.is_none() } && padding.is_none() {
        if const { has_any(S::NEST) } {
            if InlineMemory::<'_, T>::is_matrix::<S>(&strides)
                && turned(sides, memory.again(), plain, elements)
                || elements >= FEW_BYTES_OF_GROUPS / size_of::<T>()
                    && InlineMemory::<'_, T>::are_groups::<S>(&sizes, &strides)
                    && shuffled(sides, memory.again(), plain)
            {
                return true;
            }
        } else if memory.transpose::<S>(&plain, &sizes, &strides, elements) {
            return true;
        } else if const { InlineMemory::<'_, T>::transposes::<S>() } {
            // Those that are left are large. Without the nest the compiler keeps sizes in registers.
            return false;
        }
    }
    let is_best = ALWAYS
        || const { matches!(S::IS_BEST, Some(true)) }
        || is_small(S::NEST, (&sizes, &strides), elements, size_of::<T>(), false)
        || sides.is_spread(&sizes, &strides);
    if !is_best {
        return false;
    }
    // All slots are filled first: that is faster than to look for those without an element.
    if let Some(value) = padding {
        memory.fill(value);
    }
    if const { S::IS_BEST.is_none() } {
        if has_any(S::NEST) && !are_next(S::NEST, &strides)
            || const { !S::NEST.is_untiled() } && S::NEST.whole(&sizes, elements).is_none()
        {
            return apart(sides, memory);
        }
        // The compiler sees that elements are contiguous, and that tiles are whole.
        if has_any(S::NEST) {
            strides[S::NEST.len - 1] = [1, 1];
        }
        return memory.copy::<Whole<S>>(&sizes, &strides);
    }
    memory.copy::<S>(&sizes, &strides)
}

/// Transposes matrices of strides of the caller's, if they are small. In a function of its own, to which what it needs is copied: loops
/// in the caller's code keep theirs in registers.
#[inline(never)]
fn turned<S: ByLoops<T>, T: Copy>(
    sides: S,
    mut memory: InlineMemory<'_, T>,
    plain: Plain<T>,
    elements: usize,
) -> bool {
    let (sizes, strides) = sides.sized();
    memory.transpose::<S>(&plain, &sizes, &strides, elements)
}

/// Copies groups of a few bytes by shuffles. In a function of its own for the same reason.
#[inline(never)]
fn shuffled<S: ByLoops<T>, T: Copy>(
    sides: S,
    mut memory: InlineMemory<'_, T>,
    plain: Plain<T>,
) -> bool {
    let (sizes, strides) = sides.sized();
    memory.shuffle::<S>(&plain, &sizes, &strides)
}

/// Copies by loops of any strides and sizes. In a function of its own, so that the loops in the caller's code are those of whole tiles
/// and contiguous elements alone, and few.
#[inline(never)]
fn apart<S: ByLoops<T>, T: Copy>(sides: S, memory: InlineMemory<'_, T>) -> bool {
    let (sizes, strides) = sides.sized();
    memory.copy::<S>(&sizes, &strides)
}

/// Copies by kernels. The slices are as long as the sides ask. Returns the destination, all of which holds values.
#[cold]
#[inline(never)]
pub(super) fn copy_by_kernels<'d, S: ByKernels<T>, T: Copy + 'static>(
    sides: &S,
    slots: CopiedSlots<'_, 'd, T>,
    settings: &Settings,
) -> &'d mut [T] {
    run_kernels(sides, slots, settings)
}

#[inline(always)]
fn run_kernels<'d, S: ByKernels<T>, T: Copy + 'static>(
    sides: &S,
    mut slots: CopiedSlots<'_, 'd, T>,
    settings: &Settings,
) -> &'d mut [T] {
    let elements = sides.elements();
    let memory = slots.again().for_kernels(elements, |dst, value| sides.fill(dst, value));
    if elements > 0 {
        sides.move_elements(memory, settings);
    }
    // SAFETY: a slot is that of an element, or padding. Kernels moved every element, all of which the source has, and `fill` wrote the
    // others of a destination that had nothing.
    unsafe { slots.copied() }
}

/// Moves elements, of `size` bytes, by a plan that is made of both sides' digits. The first elements lie at `first`.
pub(super) fn by_digits(
    [src, dst]: [&Digits; 2],
    first: [Size; 2],
    size: usize,
    memory: Memory<'_>,
    settings: &Settings,
) {
    let plan = Plan::new(src, dst, size as Size).beginning_at(first);
    copying::copy_by(plan, [src, dst], memory, size, settings);
}

/// Sides that are compared at the call.
pub(super) trait OfCall {
    /// Their plan for elements of `element` bytes, by a template. `None` if there is none: then it is made of their digits.
    fn plan(&self, element: Size) -> Option<Plan>;

    fn digits(&self) -> [Digits; 2];
}

/// Moves elements between such sides.
#[inline(always)]
pub(super) fn by_plan<S: OfCall + ByLoops<T>, T>(
    sides: &S,
    memory: Memory<'_>,
    settings: &Settings,
) {
    let size = size_of::<T>();
    if let Some(plan) = sides.plan(size as Size) {
        return copying::copy_loops(plan, memory, size, settings);
    }
    let first = sides.first().map(|first| first as Size);
    by_digits(sides.digits().each_ref(), first, size, memory, settings);
}

/// A source and a destination of which values say where elements lie, with as many slots as they ask.
impl<T: Copy + 'static> ByKernels<T> for [&Digits; 2] {
    fn elements(&self) -> usize {
        native(self[1].elements())
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        fill_slots(self[1], dst, value);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        by_digits(*self, [0; 2], size_of::<T>(), memory, settings);
    }
}
