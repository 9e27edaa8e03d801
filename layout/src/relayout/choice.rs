//! The one place that chooses how a copy is made: by a nest of loops in the caller's code, by a small matrix kernel without a plan,
//! by kernels and a plan from a template or a constant, or by general digits.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

pub(crate) mod copied_slots;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_copy::__private::{
    InlineMemory, LEVELS, Memory, Nested, Plain, PlanTemplate, Strides, Whole,
};
use layout_copy::Settings;
use layout_core::__private::native;

use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::sides::{Side, Sides};

/// Moves up to which an array is small.
const FEW: usize = 1024;
/// Bytes up to which it is.
const FEW_BYTES: usize = 32 << 10;
/// Elements up to which a matrix of constant size is.
const FEW_OF_A_MATRIX: usize = 63;
/// Bytes of groups up to which they are.
const FEW_BYTES_OF_GROUPS: usize = 64;

/// Whether an array is so small that a copy of it is best made in the caller's code: by a move for each run of elements that both sides have
/// side by side. Without optimisation none is.
#[inline(always)]
const fn is_small(
    nest: &PlanTemplate,
    (sizes, strides): (&[usize; LEVELS], &Strides),
    elements: usize,
    element: usize,
) -> bool {
    if cfg!(debug_assertions) || element == 0 || elements > FEW_BYTES / element {
        return false;
    }
    let (row, last) = (nest.row(), nest.last());
    let (size, extent) = (sizes[last], native(row.extent));
    let run = match strides[last] {
        [1, 1] if size < extent => size,
        [1, 1] => extent,
        _ => 1,
    };
    elements <= FEW.saturating_mul(run)
}

/// Copies, in the way that is best. The slices are as long as the sides ask. Returns the destination, all of which holds values.
///
/// Loops and the matrices of small arrays are code of the caller's; loops that few arrays need are a function apart: each further variant
/// costs small copies registers.
#[inline(always)]
pub(super) fn copy<'d, A: Side, B: Side, T: Copy + 'static>(
    sides: Sides<A, B>,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_done = match Small::of(sides, &mut slots) {
        None => false,
        Some(small) if const { Small::<A, B, T>::IS_BEST } => small.loops(),
        Some(mut small) => {
            small.matrices()
                || const { !Sides::<A, B>::IS_CONSTANT }
                    && small.are_rows()
                    && small.is_small()
                    && !small.are_groups()
                    && small.rows()
        }
    };
    if is_done {
        // SAFETY: each of these has written every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    // Other functions get copies of both: a value whose address is passed on is kept in memory, in the loops above too.
    if const { Sides::<A, B>::IS_CONSTANT } {
        return Sides::<A, B>::constant().copy(slots.apart(), &Settings::default());
    }
    apart(&{ sides }, slots.apart())
}

/// Copies matrices where strides are the caller's, groups of a few bytes by shuffles, and small arrays by loops of any strides and sizes;
/// others by kernels.
#[inline(never)]
fn apart<'d, A: Side, B: Side, T: Copy + 'static>(
    sides: &Sides<A, B>,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_done = match Small::of(*sides, &mut slots) {
        None => false,
        Some(mut small) => {
            small.matrices_at_strides() || small.groups() || small.is_best() && small.loops()
        }
    };
    if is_done {
        // SAFETY: each of these has written every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    sides.by_kernels(slots)
}

/// Copies by loops, whatever is best. False if it is not done.
#[inline(always)]
pub(super) fn by_loops<A: Side, B: Side, T: Copy + 'static>(
    sides: Sides<A, B>,
    slots: &mut CopiedSlots<'_, '_, T>,
) -> bool {
    let Some(small) = Small::of(sides, slots) else { return false };
    if const { !Sides::<A, B>::IS_CONSTANT } && small.are_rows() {
        small.rows()
    } else {
        small.loops()
    }
}

/// An array with elements, its memory, and the loops of its sides. What copies it says whether it did; if not, no element is written.
struct Small<'m, A, B, T> {
    sides: PhantomData<(A, B)>,
    elements: usize,
    sizes: [usize; LEVELS],
    strides: Strides,
    memory: InlineMemory<'m, T>,
    plain: Plain<T>,
    /// What is written to slots that hold no element, if there are some.
    padding: Option<T>,
}

impl<'m, A: Side, B: Side, T: Copy + 'static> Small<'m, A, B, T> {
    const NEST: &'static PlanTemplate = Sides::<A, B>::NEST;

    /// Whether loops are best, where the compiler knows all sizes.
    const IS_BEST: bool = Sides::<A, B>::IS_CONSTANT && {
        let ((sizes, strides), elements) = (Sides::<A, B>::SIZED, Sides::<A, B>::ELEMENTS);
        is_small(Self::NEST, (sizes, strides), elements, size_of::<T>())
            && (Self::NEST.matrix().is_none() || elements <= FEW_OF_A_MATRIX)
    };

    /// `None` without elements, or without a nest.
    #[inline(always)]
    fn of(sides: Sides<A, B>, slots: &'m mut CopiedSlots<'_, '_, T>) -> Option<Self> {
        let elements = sides.elements();
        if const { !Sides::<A, B>::HAS_NEST || size_of::<T>() == 0 } || elements == 0 {
            return None;
        }
        let ((sizes, strides), (memory, padding, plain)) =
            (sides.sized(), slots.for_loops(elements));
        let memory = memory.beginning_at(sides.first());
        Some(Small { sides: PhantomData, elements, sizes, strides, memory, plain, padding })
    }

    /// Whether tiles are whole, and elements contiguous where strides are the caller's.
    #[inline(always)]
    fn are_rows(&self) -> bool {
        (const { !Self::NEST.has_any() } || are_next(Self::NEST, &self.strides))
            && (const { Self::NEST.is_untiled() }
                || Self::NEST.whole(&self.sizes, self.elements).is_some())
    }

    #[inline(always)]
    fn is_small(&self) -> bool {
        is_small(Self::NEST, (&self.sizes, &self.strides), self.elements, size_of::<T>())
    }

    /// Whether loops are best.
    #[inline(always)]
    fn is_best(&self) -> bool {
        let is_spread = || Sides::<A, B>::is_spread(&self.sizes, &self.strides);
        self.is_small() || !cfg!(debug_assertions) && is_spread()
    }

    /// Whether shuffles are best.
    #[inline(always)]
    fn are_groups(&self) -> bool {
        self.elements >= FEW_BYTES_OF_GROUPS / size_of::<T>()
            && (const { Self::NEST.has_any() })
            && InlineMemory::<'_, T>::are_groups::<Sides<A, B>>(&self.sizes, &self.strides)
    }

    /// Copies matrices of layouts.
    #[inline(always)]
    fn matrices(&mut self) -> bool {
        (const { !Self::NEST.has_any() || Self::NEST.has_any_alone() })
            && self.matrices_at_strides()
    }

    /// Copies matrices, all of one size, where strides are the caller's too.
    #[inline(always)]
    fn matrices_at_strides(&mut self) -> bool {
        let Small { ref plain, ref sizes, ref strides, elements, .. } = *self;
        self.padding.is_none()
            && self.memory.transpose::<Sides<A, B>>(plain, sizes, strides, elements)
    }

    /// Copies groups of a few bytes by shuffles.
    #[inline(always)]
    fn groups(&mut self) -> bool {
        let Small { plain, sizes, strides, .. } = *self;
        self.padding.is_none()
            && self.are_groups()
            && self.memory.again().shuffle::<Sides<A, B>>(plain, sizes, strides)
    }

    /// Copies by loops of any strides and sizes.
    #[inline(always)]
    fn loops(mut self) -> bool {
        self.fill();
        self.memory.copy::<Sides<A, B>>(&self.sizes, &self.strides)
    }

    /// Copies by the loops of rows.
    #[inline(always)]
    fn rows(mut self) -> bool {
        self.fill();
        if const { Self::NEST.has_any() } {
            self.strides[Self::NEST.last()] = [1, 1];
        }
        self.memory.copy::<Whole<Sides<A, B>>>(&self.sizes, &self.strides)
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
const fn are_next(nest: &PlanTemplate, strides: &Strides) -> bool {
    nest.has_any() && matches!(strides[nest.last()], [1, 1])
}

/// Copies by kernels: `fill` writes a value to the slots of the destination that hold no element, and `move_elements` moves the elements.
/// Both are called where there are some.
#[inline(always)]
pub(super) fn copy_by_kernels<'d, T: Copy + 'static>(
    mut slots: CopiedSlots<'_, 'd, T>,
    elements: usize,
    fill: impl FnOnce(&mut [MaybeUninit<T>], MaybeUninit<T>),
    move_elements: impl FnOnce(Memory<'_>),
) -> &'d mut [T] {
    let memory = slots.again().for_kernels(elements, fill);
    if elements > 0 {
        move_elements(memory);
    }
    // SAFETY: a slot is that of an element, or padding. Kernels moved every element, all of which the source has, and `fill` wrote the
    // others of a destination that had nothing.
    unsafe { slots.copied() }
}
