//! Walking over a plan's loops.

use core::ops::Range;

use layout_core::__private::{MAX_LOOPS, Plan, copy_native, native};
use layout_core::limits::MAX_DIMS;

use crate::relayout::kernel::block::{Axis, Batch, KernelBlock, Mover, add, numbers};

/// What a walk over a plan's loops has to know beside them: a constant wherever the plan is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// What the kernel does at a time.
    pub(super) block: KernelBlock,
    /// What a whole block takes of the source and of the destination.
    pub(super) whole: [usize; 2],
    /// Whether what the kernel takes to be contiguous in a whole block is so.
    pub(super) is_contiguous: bool,
    /// A block is whole if more than this is left of each of the kernel's dimensions.
    needed: [(u8, usize); MAX_DIMS],
    kernel_dims: usize,
    /// Whether blocks at the end of a dimension are smaller blocks: `p` and `q` belong to different
    /// dimensions, of which at most one is also that of what is within a wide element.
    is_grid: bool,
}

impl Nest {
    pub(crate) const fn new(plan: &Plan) -> Nest {
        let (inner, fine, len) = (plan.inner as usize, plan.fine as usize, plan.len as usize);
        let block = KernelBlock::new(plan);
        let mut needed = [(0, 0); MAX_DIMS];
        let mut kernel_dims = 0;
        let mut number = inner;
        // Nobody walks over a plan without elements, whose loop has no last value.
        while number < len && !plan.is_empty() {
            let dim = plan.dims[number];
            let mut seen = 0;
            while seen < kernel_dims && needed[seen].0 != dim {
                seen += 1;
            }
            if seen == kernel_dims {
                needed[seen] = (dim, native(plan.span(dim, inner, len)));
                kernel_dims += 1;
            }
            number += 1;
        }
        let KernelBlock { p, q, .. } = &block;
        let differ = match p.dim {
            Some(dim) => !q.is_of(dim),
            None => true,
        };
        let is_grid = differ && !(p.is_among(plan, fine, len) && q.is_among(plan, fine, len));
        let (q, p) = (q.total, p.total);
        let whole = [block.extent(q, p, 0), block.extent(q, p, 1)];
        Nest { block, whole, is_contiguous: block.is_contiguous(), needed, kernel_dims, is_grid }
    }

    /// Moves every element, in the order of the destination's memory or of the source's. This is the nest of the plan.
    pub(crate) fn walk<M: Mover>(&self, plan: &Plan, by_source: bool, mover: &mut M) {
        let order = if by_source { &plan.by_source } else { &IN_ORDER };
        let mut left = [0; MAX_DIMS];
        copy_native(&plan.sizes, &mut left);
        Walker { plan, order, nest: self, block: &self.block, left, mover }.descend(0, 0, 0);
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

struct Walker<'a, M> {
    plan: &'a Plan,
    order: &'a [u8; MAX_LOOPS],
    nest: &'a Nest,
    block: &'a KernelBlock,
    /// What is left of each dimension after the digits that are fixed.
    left: [usize; MAX_DIMS],
    mover: &'a mut M,
}

impl<M: Mover> Walker<'_, M> {
    /// Offsets are two numbers here: an array would go through memory, and a load of both of what was
    /// stored one by one waits for all earlier stores, those of the kernel.
    fn descend(&mut self, level: usize, at_src: usize, at_dst: usize) {
        let inner = usize::from(self.plan.inner);
        if level == inner {
            return self.block(at_src, at_dst);
        }
        let number = usize::from(self.order[level]);
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        let dim = usize::from(self.plan.dims[number]);
        let left = self.left[dim];
        let values = if left > (extent - 1) * unit { extent } else { left.div_ceil(unit) };
        let place = |value| add([at_src, at_dst], [src, dst], value);
        let (p, q) = (self.block.p.total, self.block.q.total);
        let at = [at_src, at_dst];
        let mut value = 0;
        if level + 1 == inner {
            let needed = self.needed_of(dim, None);
            value = needed.map_or(0, |needed| whole(left, needed, unit, values));
            if value > 0 {
                self.mover.blocks(self.block, &Batch { at, count: value, step: [src, dst], q, p });
            }
        } else if level + 2 == inner {
            let number = usize::from(self.order[level + 1]);
            let [inner_unit, count, inner_src, inner_dst] = numbers(&self.plan.loops[number]);
            let last = (count - 1) * inner_unit;
            let needed = self.needed_of(dim, Some((usize::from(self.plan.dims[number]), last)));
            value = needed.map_or(0, |needed| whole(left, needed, unit, values));
            if value > 0 {
                let batch = Batch { at, count, step: [inner_src, inner_dst], q, p };
                self.mover.batches(self.block, &batch, value, [src, dst]);
            }
        }
        while value < values {
            self.left[dim] = left - value * unit;
            let [src, dst] = place(value);
            self.descend(level + 1, src, dst);
            value += 1;
        }
        self.left[dim] = left;
    }

    /// What a block needs of a dimension, if enough is left of all others. `inner` is the dimension of a loop within and how
    /// far its last value lies from the first: then it is what all blocks of the loop need.
    #[inline(always)]
    fn needed_of(&self, dim: usize, inner: Option<(usize, usize)>) -> Option<usize> {
        let mut of_dim = 0;
        let mut is_enough = true;
        let mut needs = |other: usize, needed: usize| {
            if other == dim {
                of_dim += needed;
            } else {
                is_enough &= self.left[other] > needed;
            }
        };
        let mut last = inner;
        for &(other, needed) in &self.nest.needed[..self.nest.kernel_dims] {
            let other = usize::from(other);
            let within = last.take_if(|(inner, _)| *inner == other);
            needs(other, needed + within.map_or(0, |(_, last)| last));
        }
        if let Some((other, last)) = last {
            needs(other, last);
        }
        is_enough.then_some(of_dim)
    }

    #[inline(always)]
    fn block(&mut self, at_src: usize, at_dst: usize) {
        if self.needed_of(MAX_DIMS, None).is_some() {
            let (q, p) = (self.block.q.total, self.block.p.total);
            let at = [at_src, at_dst];
            return self.mover.blocks(self.block, &Batch { at, count: 1, step: [0; 2], q, p });
        }
        self.cut_block(at_src, at_dst);
    }

    /// A block in which the array ends.
    #[inline(never)]
    fn cut_block(&mut self, at_src: usize, at_dst: usize) {
        let KernelBlock { p, q, .. } = self.block;
        let at = [at_src, at_dst];
        if !self.nest.is_grid || !self.is_fine_elsewhere() {
            return self.elements(self.plan.inner.into(), at);
        }
        let [[q_whole, q_all], [p_whole, p_all]] = [q, p].map(|axis| self.values(axis));
        if q_whole > 0 && p_whole > 0 {
            let batch = Batch { at, count: 1, step: [0; 2], q: q_whole, p: p_whole };
            self.mover.blocks(self.block, &batch);
        }
        self.rest(at, [p, q], p_whole..p_all, q_all);
        self.rest(at, [q, p], q_whole..q_all, p_whole);
    }

    /// How many values of an axis have whole wide elements, and how many have any.
    fn values(&self, axis: &Axis) -> [usize; 2] {
        let Some(dim) = axis.dim else { return [1; 2] };
        let left = self.left[usize::from(dim)];
        let needed = native(self.plan.span(dim, self.plan.fine.into(), self.plan.len.into()));
        [left.saturating_sub(needed), left].map(|left| left.div_ceil(axis.unit).min(axis.total))
    }

    /// Whether wide elements are whole in the dimensions that are neither that of `p` nor that of `q`.
    fn is_fine_elsewhere(&self) -> bool {
        let (fine, len) = (self.plan.fine.into(), self.plan.len.into());
        let are_axes = [self.block.p.dim, self.block.q.dim];
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
            let at = [0, 1].map(|side| at[side] + axis.offset(value, side));
            match other.dim {
                Some(_) => self.fine(self.plan.fine.into(), at, other, others),
                None => self.elements(self.plan.fine.into(), at),
            }
        }
        self.left[usize::from(dim)] = left;
    }

    /// The loops within wide elements, and the first values of an axis for each element.
    fn fine(&mut self, number: usize, at: [usize; 2], axis: &Axis, count: usize) {
        if number == usize::from(self.plan.len) {
            for first in (0..count).step_by(axis.minor) {
                let at = [0, 1].map(|side| at[side] + axis.offset(first, side));
                self.mover.elements(at, axis.minor.min(count - first), axis.near);
            }
            return;
        }
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        let dim = usize::from(self.plan.dims[number]);
        let left = self.left[dim];
        for value in 0..left.div_ceil(unit).min(extent) {
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

/// The first values of a counter after each of which more than `needed` is left, of `values` that are `unit` apart.
#[inline(always)]
fn whole(left: usize, needed: usize, unit: usize, values: usize) -> usize {
    if left <= needed || values == 0 {
        0
    } else if left - needed > (values - 1) * unit {
        values
    } else {
        (left - needed).div_ceil(unit)
    }
}
