//! The blocks of a plan's kernel, and what is moved where the array ends within one.

use crate::loops::{Loop, MAX_LOOPS, Plan};
use layout_core::base::width::native;
use layout_core::each;
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::{Axis, Batch, KernelBlock, Mover, add, numbers};
use crate::kernel::policy;
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
    /// Whether the rows that the kernel loads and stores as vectors are contiguous in a whole block.
    pub(super) is_contiguous: bool,
    needed: Needed,
    /// Whether a block at the end of a dimension is a smaller block, of fewer rows or columns: then its `p` and `q` are cut each by itself.
    is_grid: bool,
    /// Whether all blocks are whole, and two loops at most count them: a walk would take longer than a small copy.
    is_one_grid: bool,
}

impl Nest {
    pub(crate) const fn new(plan: &Plan) -> Nest {
        let block = KernelBlock::new(plan);
        let (mut sizes, mut all) = ([1; MAX_LOOPS], [1; MAX_LOOPS]);
        each!(for number in 0..plan.len as usize {
            all[number] = plan.loops[number].extent;
            if number >= plan.kernel_loops as usize {
                sizes[number] = all[number];
            }
        });
        let KernelBlock { p, q, .. } = &block;
        let (of_p, of_q) = (p.wide_span(plan), q.wide_span(plan));
        // Cut at one end, `p` and `q` of one dimension would leave no rectangle. A wide element has digits of its own below `p` and `q`: it
        // may be cut along one of the two dimensions (`of_p`, `of_q`), and only where its digits are more minor than the axis counts.
        let is_grid = match (p.dim, q.dim) {
            (Some(dim), Some(other)) if dim == other => false,
            _ => (of_p == 0 || of_q == 0) && of_p < p.unit && of_q < q.unit,
        };
        let (q, p) = (q.total, p.total);
        let ([from_before, from], [to_before, to]) = (block.span(q, p, 0), block.span(q, p, 1));
        let (whole, is_forward) = ([from, to], from_before == 0 && to_before == 0);
        let (needed, is_contiguous) = (Needed::new(plan, &sizes), block.is_contiguous());
        let is_one_grid = plan.kernel_loops <= 2 && Needed::new(plan, &all).is_there(plan);
        Nest { block, whole, is_forward, is_contiguous, needed, is_grid, is_one_grid }
    }

    /// Whether the edges of an array that has edges are copied by plans of their own.
    pub(super) const fn leaves_edges(&self, plan: &Plan, by_source: bool) -> bool {
        policy::copies_edges_apart(&self.block, self.cuts(plan, by_source))
    }

    /// About how many blocks in which the array ends a walk comes to; a row of them that end alike counts once. They are all blocks without the
    /// whole ones, of which each dimension has as many as if all were its smallest step apart.
    const fn cuts(&self, plan: &Plan, by_source: bool) -> usize {
        // If the array ends within elements that are moved as one, all of these are moved one by one.
        each!(for number in plan.element_loops as usize..plan.len as usize {
            let (unit, size) = (plan.loops[number].unit, plan.sizes[plan.dims[number] as usize]);
            if plan.is_most_major(number) && !size.is_multiple_of(unit) {
                return usize::MAX;
            }
        });
        if self.is_one_grid {
            return 0;
        }
        let (mut blocks, mut whole, mut of_row): (usize, usize, usize) = (1, 1, 1);
        each!(for dim in 0..MAX_DIMS {
            let (mut of_dim, mut step): (usize, usize) = (1, usize::MAX);
            each!(for number in 0..plan.kernel_loops as usize {
                if plan.dims[number] as usize == dim {
                    let Loop { unit, extent, .. } = plan.loops[number];
                    of_dim = of_dim.saturating_mul(native(extent));
                    step = if native(unit) < step { native(unit) } else { step };
                }
            });
            blocks = blocks.saturating_mul(of_dim);
            let needed = self.needed.dims[dim];
            let starts = match native(plan.sizes[dim]).checked_sub(needed) {
                Some(left) => left / step + 1,
                None => 0,
            };
            whole =
                whole.saturating_mul(if needed > 0 && starts < of_dim { starts } else { of_dim });
        });
        if let Some(last) = (plan.kernel_loops as usize).checked_sub(1) {
            let innermost = if by_source { plan.by_source[last] as usize } else { last };
            if self.needed.dims[plan.dims[innermost] as usize] == 0 {
                of_row = native(plan.loops[innermost].extent);
            }
        }
        (blocks - whole) / of_row
    }

    /// Moves every element, in the order of the destination's memory or of the source's. This is the nest of the plan.
    pub(crate) fn walk<M: Mover>(&self, plan: &Plan, by_source: bool, mover: &mut M) {
        let in_order = core::array::from_fn(|number| number as u8);
        let order = if by_source { &plan.by_source } else { &in_order };
        let mut blocks = VisitedBlocks { plan, nest: self, mover };
        if self.is_one_grid {
            return blocks.grid(&Grid::of(plan, order));
        }
        Walk::new(plan, &self.needed, order, blocks).run();
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

    /// Blocks in which the array ends: smaller ones of the kernel, and elements where it ends within wide ones.
    #[inline(never)]
    fn cut(&mut self, row: &Grid, left: &mut Left) {
        let ([count, _], step, block) = (row.count, row.step[0], &self.nest.block);
        let is_grid = self.nest.is_grid && self.is_wide_whole_elsewhere(left);
        let [[q, q_all], [p, p_all]] = [&block.q, &block.p].map(|axis| self.values_of(axis, left));
        if is_grid && q > 0 && p > 0 {
            self.mover.blocks(block, &Batch { at: row.at, count, step, q, p });
        }
        // Wide elements have digits of one of the two dimensions.
        let rest = match is_grid {
            true if p < p_all => Some((&block.p, p)),
            true if q < q_all => Some((&block.q, q)),
            true => return,
            false => None,
        };
        let all = left.dims;
        for mut at in (0..count).map(|number| add(row.at, step, number)) {
            if let Some((axis, value)) = rest
                && let Some(dim) = axis.dim
            {
                // It is the last one.
                left.dims[usize::from(dim)] = all[usize::from(dim)] - value * axis.unit;
                at = axis.place(at, value);
            }
            self.elements(at, left);
        }
        left.dims = all;
    }
}

impl<M: Mover> VisitedBlocks<'_, M> {
    /// Whether wide elements are whole in the dimensions of neither axis.
    fn is_wide_whole_elsewhere(&self, left: &Left) -> bool {
        let (fine, len) = (self.plan.element_loops.into(), self.plan.len.into());
        let axes = [self.nest.block.p.dim, self.nest.block.q.dim];
        self.plan.dims[fine..len].iter().all(|&dim| {
            let needed = native(self.plan.span(dim, fine, len));
            axes.contains(&Some(dim)) || left.dims[usize::from(dim)] > needed
        })
    }

    /// How many values of an axis have whole wide elements, and how many have any.
    fn values_of(&self, axis: &Axis, left: &Left) -> [usize; 2] {
        let Some(dim) = axis.dim else { return [1; 2] };
        let left = left.dims[usize::from(dim)];
        [left.saturating_sub(axis.wide_span(self.plan)), left]
            .map(|left| left.div_ceil(axis.unit).min(axis.total))
    }

    /// The kernel's loops, the longest one innermost.
    fn elements(&mut self, at: [usize; 2], left: &mut Left) {
        let first = usize::from(self.plan.kernel_loops);
        let loops = first..self.plan.len.into();
        let longest = loops.max_by_key(|&number| self.values(number, left)).unwrap_or(first);
        self.each(first, longest, at, left);
    }

    fn values(&self, number: usize, left: &Left) -> usize {
        let [unit, extent, ..] = numbers(&self.plan.loops[number]);
        left.dims[usize::from(self.plan.dims[number])].div_ceil(unit).min(extent)
    }

    /// The loops from one on, but for the longest, which is the last.
    fn each(&mut self, number: usize, longest: usize, at: [usize; 2], left: &mut Left) {
        let is_last = number == usize::from(self.plan.len);
        let of = if is_last { longest } else { number };
        let ([unit, _, src, dst], values) = (numbers(&self.plan.loops[of]), self.values(of, left));
        if is_last {
            return self.mover.elements(at, values, [src, dst]);
        }
        if number == longest {
            return self.each(number + 1, longest, at, left);
        }
        let dim = usize::from(self.plan.dims[number]);
        let before = left.dims[dim];
        for value in 0..values {
            left.dims[dim] = before - value * unit;
            self.each(number + 1, longest, add(at, [src, dst], value), left);
        }
        left.dims[dim] = before;
    }
}
