//! The copy that a plan describes, and the choice of its kernels.

use layout_core::__private::{Plan, StoredDigits};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::relayout::kernel::block::Mover;
use crate::relayout::kernel::exchange::Exchange;
use crate::relayout::kernel::general;
use crate::relayout::kernel::nest::Nest;
use crate::relayout::kernel::raw::VectorKernels;

/// The copy from one layout to another, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Copying<'a> {
    /// The loops.
    pub plan: Plan,
    /// What the walk over them has to know.
    pub(super) nest: Nest,
    pub(super) kernels: &'a Kernels,
    /// Both layouts, where the plan does not say it all.
    pub digits: Option<[StoredDigits<'a>; 2]>,
    /// The index of the first element in the source, of a part of an array that no plan describes.
    pub origin: &'a [Size; MAX_DIMS],
}

/// What moves the elements of a plan, of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Kernels {
    pub(super) in_vectors: VectorKernels,
    /// If that is to be done.
    pub(super) exchange: Option<Exchange>,
}

impl Kernels {
    /// Inlined, since it names all kernels: where the plan is a constant, only those that are chosen become part of the
    /// program.
    #[inline]
    pub(in crate::relayout) const fn of(plan: &Plan, element: usize) -> Kernels {
        let in_vectors = VectorKernels::of(plan, element);
        Kernels { in_vectors, exchange: Exchange::of(plan, element) }
    }
}

impl<'a> Copying<'a> {
    /// By a plan and its kernels, with both layouts where it is a general one.
    pub(in crate::relayout) const fn of(
        plan: Plan,
        kernels: &'a Kernels,
        digits: Option<[StoredDigits<'a>; 2]>,
    ) -> Copying<'a> {
        Copying { nest: Nest::new(&plan), plan, kernels, digits, origin: &[0; MAX_DIMS] }
    }

    /// Plans a copy of elements of `element` bytes at run time, and hands it to `then`. Inlined as `Kernels::of` is.
    #[inline]
    pub fn with<R>(
        src: &Digits,
        dst: &Digits,
        element: usize,
        then: impl FnOnce(&Copying<'_>) -> R,
    ) -> R {
        let plan = Plan::new(src, dst, element as Size);
        Copying::with_plan(plan, [src, dst], &[0; MAX_DIMS], element, then)
    }

    /// The same with a part of an array, which begins at an index.
    #[inline]
    pub fn with_part<R>(
        src: &Digits,
        origin: &[Size; MAX_DIMS],
        dst: &Digits,
        element: usize,
        then: impl FnOnce(&Copying<'_>) -> R,
    ) -> R {
        Copying::with_plan(Plan::of_part(src, dst), [src, dst], origin, element, then)
    }

    #[inline]
    fn with_plan<R>(
        plan: Plan,
        digits: [&Digits; 2],
        origin: &[Size; MAX_DIMS],
        element: usize,
        then: impl FnOnce(&Copying<'_>) -> R,
    ) -> R {
        let kernels = Kernels::of(&plan, element);
        let whole = plan.is_general().then(|| digits.map(StoredDigits::Whole));
        then(&Copying { origin, ..Copying::of(plan, &kernels, whole) })
    }

    /// Moves every element.
    pub(super) fn walk<const GENERAL: bool, M: Mover>(&self, by_source: bool, mover: &mut M) {
        if GENERAL {
            if let Some(digits) = self.digits {
                general::copy(&self.plan, digits.map(StoredDigits::view), self.origin, mover);
            }
        } else if !self.plan.is_empty() {
            self.nest.walk(&self.plan, by_source, mover);
        }
    }
}
