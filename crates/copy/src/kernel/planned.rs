//! The copy that a plan describes, and the choice of its kernels.

// `Kernels::of` names every engine, so a program links them all. A function that is called at run time and
// needs one kernel must not name it: packed runs take `Kernels::of_runs`.

use crate::plan::Plan;
use layout_core::Size;
use layout_core::analysis::DigitsView;
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::Mover;
use crate::kernel::exchange::Exchanging;
use crate::kernel::exchange::planned::Blocks;
use crate::kernel::general;
use crate::kernel::nest::Nest;
use crate::kernel::raw::VectorKernels;

/// A plan, and what follows from it alone: computed once, before any memory is known.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPlan {
    /// The loops.
    pub plan: Plan,
    /// What the walk over them has to know.
    pub(super) nest: Nest,
}

/// The copy from one layout to another, ready to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copying<'a> {
    pub(super) plan: &'a Plan,
    pub(super) nest: &'a Nest,
    /// Apart, since many plans have the same ones.
    pub(super) kernels: &'a Kernels,
    /// The blocks of a plan that exchanges bits, if they are kept.
    pub(super) blocks: Option<&'a Blocks>,
    /// Both layouts, where the plan does not say it all.
    pub(super) digits: Option<&'a [DigitsView<'a>; 2]>,
    /// What indices are larger in the source than in the destination, of a part of an array that no plan describes: modulo 2⁶⁴.
    pub(super) origin: &'a [Size; MAX_DIMS],
}

/// What moves the elements of a plan, for elements of one size in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    pub(super) in_vectors: VectorKernels,
    /// If that is to be done.
    pub(super) exchange: Option<Exchanging>,
}

impl PreparedPlan {
    /// Prepares a plan. Inline, since it is large.
    #[inline(always)]
    pub const fn of(plan: Plan) -> PreparedPlan {
        PreparedPlan { nest: Nest::new(&plan), plan }
    }
}

impl<'a> Copying<'a> {
    /// By a plan with loops.
    pub(super) const fn of(plan: &'a Plan, nest: &'a Nest, kernels: &'a Kernels) -> Copying<'a> {
        Copying { plan, nest, kernels, blocks: None, digits: None, origin: &[0; MAX_DIMS] }
    }

    /// Moves every element by the loops of the plan.
    pub(super) fn walk_loops<M: Mover>(&self, by_source: bool, mover: &mut M) {
        if !self.plan.is_empty() {
            self.nest.walk(self.plan, by_source, mover);
        }
    }

    /// Moves every element by a plan without loops.
    pub(super) fn walk_general<M: Mover>(&self, _by_source: bool, mover: &mut M) {
        if let Some(digits) = self.digits {
            general::copy(self.plan, *digits, self.origin, mover);
        }
    }
}
