//! The blocks of a plan's kernel, and what is moved where the array ends within one.

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
    /// Whether blocks at the end of a dimension are smaller blocks: `p` and `q` belong to different dimensions.
    is_grid: bool,
}

impl Nest {
    pub(crate) const fn new(plan: &Plan) -> Nest {
        let block = KernelBlock::new(plan);
        let mut sizes = [1; MAX_LOOPS];
        let mut number = plan.kernel_loops as usize;
        while number < plan.len as usize {
            sizes[number] = plan.loops[number].extent;
            number += 1;
        }
        let KernelBlock { p, q, .. } = &block;
        let is_grid = match (p.dim, q.dim) {
            (Some(p), Some(q)) => p != q,
            _ => true,
        };
        let (q, p) = (q.total, p.total);
        let ([from_before, from], [to_before, to]) = (block.span(q, p, 0), block.span(q, p, 1));
        let (whole, is_forward) = ([from, to], from_before == 0 && to_before == 0);
        let (needed, is_contiguous) = (Needed::new(plan, &sizes), block.is_contiguous());
        Nest { block, whole, is_forward, is_contiguous, needed, is_grid }
    }

    /// Moves every element, in the order of the destination's memory or of the source's. This is the nest of the plan.
    pub(crate) fn walk<M: Mover>(&self, plan: &Plan, by_source: bool, mover: &mut M) {
        let in_order = core::array::from_fn(|number| number as u8);
        let order = if by_source { &plan.by_source } else { &in_order };
        Walk::new(plan, &self.needed, order, VisitedBlocks { plan, nest: self, mover }).run();
    }
}

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

    /// Blocks in which the array ends: smaller ones of the kernel if no wide element is cut, else element by element.
    #[inline(never)]
    fn cut(&mut self, row: &Grid, left: &mut Left) {
        let ([count, _], step, block) = (row.count, row.step[0], &self.nest.block);
        let [q, p] = [&block.q, &block.p].map(|axis| axis.values_within(&left.dims));
        if self.nest.is_grid && self.is_wide_whole(&left.dims, [(&block.q, q), (&block.p, p)]) {
            return self.mover.blocks(block, &Batch { at: row.at, count, step, q, p });
        }
        for number in 0..count {
            self.elements(self.plan.kernel_loops.into(), add(row.at, step, number), left);
        }
    }
}

impl<M: Mover> VisitedBlocks<'_, M> {
    /// Whether the array does not end within a wide element, of so many values of both axes.
    fn is_wide_whole(&self, left: &[usize; MAX_DIMS], axes: [(&Axis, usize); 2]) -> bool {
        let (fine, len) = (self.plan.element_loops.into(), self.plan.len.into());
        self.plan.dims[fine..len].iter().all(|&dim| {
            let of_dim = axes.iter().filter(|(axis, _)| axis.dim == Some(dim));
            let last: usize = of_dim.map(|(axis, count)| (count - 1) * axis.unit).sum();
            left[usize::from(dim)] - last > native(self.plan.span(dim, fine, len))
        })
    }

    /// The kernel's loops from one on.
    fn elements(&mut self, number: usize, at: [usize; 2], left: &mut Left) {
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        let dim = usize::from(self.plan.dims[number]);
        let before = left.dims[dim];
        let values = before.div_ceil(unit).min(extent);
        if number + 1 == usize::from(self.plan.len) {
            return self.mover.elements(at, values, [src, dst]);
        }
        for value in 0..values {
            left.dims[dim] = before - value * unit;
            self.elements(number + 1, add(at, [src, dst], value), left);
        }
        left.dims[dim] = before;
    }
}
