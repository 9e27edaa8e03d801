//! The one place that chooses how a copy is made: by a nest of loops in the caller's code, by a small matrix kernel without a plan,
//! by kernels and a plan from a template or a constant, or by general digits.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

pub(crate) mod copied_slots;
pub(crate) mod layouts;

use core::mem::MaybeUninit;

use layout_copy::__private::{
    self as copying, InlineMemory, InlineNest, LEVELS, Memory, Nested, Plain, Plan, PlanTemplate,
    Strides, Whole,
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

/// Moves up to which a copy is best made in the caller's code: of 8 bytes and more; of less; and of single elements if the sizes are
/// constants, so that the plan is one.
const FEW: [usize; 3] = [4096, 1024, 256];
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
    let (row, last) = (nest.row(), nest.last());
    let [size, extent] = [sizes[last], native(row.extent)];
    let run = if nest.has_runs() && !row.is_top {
        extent
    } else if nest.has_runs() || are_next(nest, strides) {
        if size < extent { size } else { extent }
    } else {
        1
    };
    let [of_long, of_others, if_planned] = FEW;
    let moves = match run {
        _ if run >= 8_usize.div_ceil(element) => of_long,
        1 if is_planned => if_planned,
        _ => of_others,
    };
    elements <= moves.saturating_mul(run)
}

/// How a small copy is made.
enum Way {
    /// By loops in the caller's code, where the compiler knows all sizes.
    Loops,
    /// By loops in the caller's code that are those of whole tiles, and of contiguous elements where strides are the caller's: each further
    /// variant costs small calls the registers of the others.
    Rows,
    /// Matrix by matrix, called from the caller's code.
    Matrices,
    /// In a function of its own: see [`apart`].
    Apart,
}

/// Copies, in the way that is best. The slices are as long as the sides ask. Returns the destination, all of which holds values.
#[inline(always)]
pub(super) fn copy<'d, S: ByLoops<T>, T: Copy + 'static>(
    sides: S,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    if const { matches!(S::IS_BEST, Some(false)) } {
        if const { S::HAS_NEST && !S::NEST.has_any() && S::NEST.matrix().is_some() }
            && Small::of(sides, &mut slots).is_some_and(|mut small| small.matrices())
        {
            // SAFETY: it has written every element, and the padding to every slot that holds none.
            return unsafe { slots.copied() };
        }
        return run_kernels(&sides, slots, &Settings::default());
    }
    let is_done = match Small::of(sides, &mut slots) {
        None => false,
        Some(mut small) => match small.way() {
            Way::Loops => small.loops(),
            Way::Rows => small.rows(),
            Way::Matrices => small.matrices(),
            Way::Apart => false,
        },
    };
    if is_done {
        // SAFETY: each of these has written every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    // Other functions get copies of both: a value whose address is passed on is kept in memory, in the loops above too.
    if const { S::IS_BEST.is_some() } {
        return copy_by_kernels(&{ sides }, slots.apart(), &Settings::default());
    }
    apart(sides, slots.apart())
}

/// Copies small arrays matrix by matrix, by shuffles, or by loops of any strides and sizes; others by kernels.
#[inline(never)]
fn apart<'d, S: ByLoops<T>, T: Copy + 'static>(
    sides: S,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_done = match Small::of(sides, &mut slots) {
        None => false,
        Some(mut small) => small.matrices() || small.groups() || small.is_best() && small.loops(),
    };
    if is_done {
        // SAFETY: each of these has written every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    run_kernels(&sides, slots, &Settings::default())
}

/// Copies by loops, whatever is best. False if it is not done.
#[inline(always)]
pub(super) fn by_loops<S: ByLoops<T>, T: Copy + 'static>(
    sides: S,
    slots: &mut CopiedSlots<'_, '_, T>,
) -> bool {
    let Some(small) = Small::of(sides, slots) else { return false };
    if const { S::IS_BEST.is_none() } && small.are_rows() { small.rows() } else { small.loops() }
}

/// An array with elements, its memory, and the loops of its sides. What copies it says whether it did; if not, no element is written.
struct Small<'m, S, T> {
    sides: S,
    elements: usize,
    sizes: [usize; LEVELS],
    strides: Strides,
    memory: InlineMemory<'m, T>,
    plain: Plain<T>,
    /// What is written to slots that hold no element, if there are some.
    padding: Option<T>,
}

impl<'m, S: ByLoops<T>, T: Copy + 'static> Small<'m, S, T> {
    /// `None` without elements, or without a nest.
    #[inline(always)]
    fn of(sides: S, slots: &'m mut CopiedSlots<'_, '_, T>) -> Option<Self> {
        let elements = sides.elements();
        if const { !S::HAS_NEST || size_of::<T>() == 0 } || elements == 0 {
            return None;
        }
        let ((sizes, strides), (memory, padding, plain)) =
            (sides.sized(), slots.for_loops(elements));
        let memory = memory.beginning_at(sides.first());
        Some(Small { sides, elements, sizes, strides, memory, plain, padding })
    }

    #[inline(always)]
    fn way(&self) -> Way {
        match S::IS_BEST {
            Some(_) => Way::Loops,
            None if const { !S::NEST.has_any() && S::NEST.matrix().is_some() } => Way::Matrices,
            None if self.are_rows() && self.is_small() && !self.are_groups() => Way::Rows,
            None => Way::Apart,
        }
    }

    /// Whether tiles are whole, and elements contiguous where strides are the caller's.
    #[inline(always)]
    fn are_rows(&self) -> bool {
        (const { !S::NEST.has_any() } || are_next(S::NEST, &self.strides))
            && (const { S::NEST.is_untiled() }
                || S::NEST.whole(&self.sizes, self.elements).is_some())
    }

    #[inline(always)]
    fn is_small(&self) -> bool {
        is_small(S::NEST, (&self.sizes, &self.strides), self.elements, size_of::<T>(), false)
    }

    /// Whether loops are best.
    #[inline(always)]
    fn is_best(&self) -> bool {
        self.is_small() || self.sides.is_spread(&self.sizes, &self.strides)
    }

    /// Whether shuffles are best.
    #[inline(always)]
    fn are_groups(&self) -> bool {
        self.elements >= FEW_BYTES_OF_GROUPS / size_of::<T>()
            && (const { S::NEST.has_any() })
            && InlineMemory::<'_, T>::are_groups::<S>(&self.sizes, &self.strides)
    }

    /// Copies matrices, all of one size.
    #[inline(always)]
    fn matrices(&mut self) -> bool {
        let Small { ref plain, ref sizes, ref strides, elements, .. } = *self;
        self.padding.is_none() && self.memory.transpose::<S>(plain, sizes, strides, elements)
    }

    /// Copies groups of a few bytes by shuffles.
    #[inline(always)]
    fn groups(&mut self) -> bool {
        let Small { plain, sizes, strides, .. } = *self;
        self.padding.is_none()
            && self.are_groups()
            && self.memory.again().shuffle::<S>(plain, sizes, strides)
    }

    /// Copies by loops of any strides and sizes.
    #[inline(always)]
    fn loops(mut self) -> bool {
        self.fill();
        self.memory.copy::<S>(&self.sizes, &self.strides)
    }

    /// Copies by the loops of rows.
    #[inline(always)]
    fn rows(mut self) -> bool {
        self.fill();
        if const { S::NEST.has_any() } {
            self.strides[S::NEST.last()] = [1, 1];
        }
        self.memory.copy::<Whole<S>>(&self.sizes, &self.strides)
    }

    /// Writes the padding to all slots: that is faster than to look for those without an element.
    #[inline(always)]
    fn fill(&mut self) {
        if let Some(value) = self.padding {
            self.memory.fill(value);
        }
    }
}

/// Whether strides of the caller's make the elements of the innermost loop contiguous on both sides.
#[inline(always)]
const fn are_next(nest: &InlineNest, strides: &Strides) -> bool {
    nest.has_any() && matches!(strides[nest.last()], [1, 1])
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
    let mut plan = Plan::new(src, dst, size as Size);
    plan.begin_at(first);
    copying::copy_by(&plan, [src, dst], memory, size, settings);
}

/// Sides that are compared at the call.
pub(super) trait OfCall {
    /// The loops of their plans. `None` if there are none: then a plan is made of their digits.
    const TEMPLATE: &'static Option<PlanTemplate>;

    /// Their plan by this template, for elements of `element` bytes.
    fn plan(&self, template: &PlanTemplate, element: Size) -> Plan;

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
    if let Some(template) = S::TEMPLATE {
        let plan = sides.plan(template, size as Size);
        return copying::copy_loops(&plan, memory, size, settings);
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
