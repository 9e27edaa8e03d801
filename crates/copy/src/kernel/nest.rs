//! The blocks of a plan's kernel, and what is moved where the array ends within one.

use core::ops::Range;

use crate::plan::{MAX_LOOPS, Plan};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::{Axis, Batch, KernelBlock, Mover, add, numbers};
use crate::kernel::walk::{Grid, Left, Needed, Visit, Walk};

/// What a walk over the blocks of a kernel has to know beside the plan: a constant wherever the plan is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// What the kernel does at a time.
    pub(super) block: KernelBlock,
    /// What a whole block takes of the source and of the destination, from its first element on.
    pub(super) whole: [usize; 2],
    /// Whether it takes nothing before that.
    pub(super) is_forward: bool,
    /// Whether what the kernel takes to be contiguous in a whole block is so.
    pub(super) is_contiguous: bool,
    needed: Needed,
    /// Whether blocks at the end of a dimension are smaller blocks: `p` and `q` belong to different
    /// dimensions, of which at most one is also that of what is within a wide element.
    is_grid: bool,
}

impl Nest {
    pub(crate) const fn new(plan: &Plan) -> Nest {
        let (inner, fine, len) =
            (plan.kernel_loops as usize, plan.element_loops as usize, plan.len as usize);
        let block = KernelBlock::new(plan);
        let mut sizes = [1; MAX_LOOPS];
        let mut number = inner;
        while number < len {
            sizes[number] = plan.loops[number].extent;
            number += 1;
        }
        let KernelBlock { p, q, .. } = &block;
        let differ = match p.dim {
            Some(dim) => !q.is_of(dim),
            None => true,
        };
        let is_grid = differ && !(p.is_among(plan, fine, len) && q.is_among(plan, fine, len));
        let (q, p) = (q.total, p.total);
        let ([from_before, from], [to_before, to]) = (block.span(q, p, 0), block.span(q, p, 1));
        let (whole, is_forward) = ([from, to], from_before == 0 && to_before == 0);
        let (needed, is_contiguous) = (Needed::new(plan, &sizes), block.is_contiguous());
        Nest { block, whole, is_forward, is_contiguous, needed, is_grid }
    }

    /// Moves every element, in the order of the destination's memory or of the source's. This is the nest of the plan.
    pub(crate) fn walk<M: Mover>(&self, plan: &Plan, by_source: bool, mover: &mut M) {
        let order = if by_source { &plan.by_source } else { &IN_ORDER };
        Walk::new(plan, &self.needed, order, VisitedBlocks { plan, nest: self, mover }).run();
    }
}

/// The numbers of a plan's loops.
const IN_ORDER: [u8; MAX_LOOPS] = {
    let mut order = [0; MAX_LOOPS];
    let mut number = 0;
    while number < MAX_LOOPS {
        order[number] = number as u8;
        number += 1;
    }
    order
};

/// Moves the blocks of a kernel.
struct VisitedBlocks<'a, M> {
    plan: &'a Plan,
    nest: &'a Nest,
    mover: &'a mut M,
}

impl<M: Mover> Visit for VisitedBlocks<'_, M> {
    const HAVE_BITS: bool = false;

    #[inline(always)]
    fn grid(&mut self, &Grid { at, count: [count, rows], step: [step, row] }: &Grid) {
        let block = &self.nest.block;
        let batch = Batch { at, count, step, q: block.q.total, p: block.p.total };
        self.mover.batches(block, &batch, rows, row);
    }

    #[inline(never)]
    fn cut(&mut self, row: &Grid, left: &mut Left) {
        let VisitedBlocks { plan, nest, .. } = *self;
        Cut { plan, nest, left: &mut left.dims, mover: self.mover }.row(
            row.at,
            row.count[0],
            row.step[0],
        );
    }
}

/// Blocks in which the array ends.
struct Cut<'a, M> {
    plan: &'a Plan,
    nest: &'a Nest,
    /// What is left of each dimension.
    left: &'a mut [usize; MAX_DIMS],
    mover: &'a mut M,
}

impl<M: Mover> Cut<'_, M> {
    /// Blocks at evenly spaced places.
    fn row(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        let block = &self.nest.block;
        let KernelBlock { p, q, .. } = block;
        if !self.nest.is_grid || !self.is_fine_elsewhere() {
            for i in 0..count {
                self.elements(self.plan.kernel_loops.into(), add(at, step, i));
            }
            return;
        }
        let [[q_whole, q_all], [p_whole, p_all]] = [q, p].map(|axis| self.values(axis));
        if q_whole > 0 && p_whole > 0 {
            let batch = Batch { at, count, step, q: q_whole, p: p_whole };
            self.mover.blocks(block, &batch);
        }
        if [q_whole, p_whole] == [q_all, p_all] {
            return;
        }
        for at in (0..count).map(|i| add(at, step, i)) {
            self.rest(at, [p, q], p_whole..p_all, q_all);
            self.rest(at, [q, p], q_whole..q_all, p_whole);
        }
    }

    /// How many values of an axis have whole wide elements, and how many have any.
    fn values(&self, axis: &Axis) -> [usize; 2] {
        let Some(dim) = axis.dim else { return [1; 2] };
        let left = self.left[usize::from(dim)];
        let needed =
            native(self.plan.span(dim, self.plan.element_loops.into(), self.plan.len.into()));
        [left.saturating_sub(needed), left].map(|left| left.div_ceil(axis.unit).min(axis.total))
    }

    /// Whether wide elements are whole in the dimensions that are neither that of `p` nor that of `q`.
    fn is_fine_elsewhere(&self) -> bool {
        let (fine, len) = (self.plan.element_loops.into(), self.plan.len.into());
        let are_axes = [self.nest.block.p.dim, self.nest.block.q.dim];
        self.plan.dims[fine..len].iter().all(|&dim| {
            let needed = native(self.plan.span(dim, fine, len));
            are_axes.contains(&Some(dim)) || self.left[usize::from(dim)] > needed
        })
    }

    /// The elements at values of an axis whose wide elements the array ends within, for the first values of
    /// the other axis.
    fn rest(&mut self, at: [usize; 2], axes: [&Axis; 2], values: Range<usize>, others: usize) {
        let [axis, other] = axes;
        let Some(dim) = axis.dim else { return };
        let left = self.left[usize::from(dim)];
        for value in values {
            self.left[usize::from(dim)] = left - value * axis.unit;
            let at = axis.place(at, value);
            match other.dim {
                Some(_) => self.fine(self.plan.element_loops.into(), at, other, others),
                None => self.elements(self.plan.element_loops.into(), at),
            }
        }
        self.left[usize::from(dim)] = left;
    }

    /// The loops within wide elements, and the first values of an axis for each element.
    fn fine(&mut self, number: usize, at: [usize; 2], axis: &Axis, count: usize) {
        if number == usize::from(self.plan.len) {
            for first in (0..count).step_by(axis.minor) {
                let at = axis.place(at, first);
                self.mover.elements(at, axis.minor.min(count - first), axis.near);
            }
            return;
        }
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        let dim = usize::from(self.plan.dims[number]);
        let left = self.left[dim];
        let values = left.div_ceil(unit).min(extent);
        // The last loop's values lie side by side: more of them are fewer steps.
        if number + 1 == usize::from(self.plan.len) && values > count.min(axis.minor) {
            for value in 0..count {
                let at = axis.place(at, value);
                self.mover.elements(at, values, [src, dst]);
            }
            return;
        }
        for value in 0..values {
            self.left[dim] = left - value * unit;
            self.fine(number + 1, add(at, [src, dst], value), axis, count);
        }
        self.left[dim] = left;
    }

    /// The loops of the kernel one by one, where the array ends in a block that has no smaller one.
    fn elements(&mut self, number: usize, at: [usize; 2]) {
        let len = usize::from(self.plan.len);
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        let dim = usize::from(self.plan.dims[number]);
        let left = self.left[dim];
        let values = left.div_ceil(unit).min(extent);
        if number + 1 == len {
            return self.mover.elements(at, values, [src, dst]);
        }
        for value in 0..values {
            self.left[dim] = left - value * unit;
            self.elements(number + 1, add(at, [src, dst], value));
        }
        self.left[dim] = left;
    }
}
