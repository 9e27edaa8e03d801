//! What a kernel does at a time: blocks of two axes, one by one and in batches.

use crate::loops::{Kernel, Loop, Plan};
use layout_core::base::width::{native, wrapped};

use crate::kernel::stretches::Stretches;

/// One or two consecutive digits of a dimension, as one counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Values of the more minor digit.
    pub minor: usize,
    /// Values in all.
    pub total: usize,
    /// Strides of the more minor digit, in the source and in the destination.
    pub near: [usize; 2],
    /// Strides of the more major one.
    pub far: [usize; 2],
    /// What the axis counts along its dimension.
    pub unit: usize,
    pub dim: Option<u8>,
}

/// The unit and the extent of a loop, and its strides in the source and the destination.
#[inline(always)]
pub(super) const fn numbers(&Loop { unit, extent, src, dst }: &Loop) -> [usize; 4] {
    [native(unit), native(extent), wrapped(src), wrapped(dst)]
}

impl Axis {
    const fn new(plan: &Plan, first: usize, end: usize) -> Axis {
        let mut axis = Axis { minor: 1, total: 1, near: [0; 2], far: [0; 2], unit: 1, dim: None };
        if first < end {
            let [unit, extent, src, dst] = numbers(&plan.loops[end - 1]);
            let dim = Some(plan.dims[end - 1]);
            axis = Axis { minor: extent, total: extent, near: [src, dst], unit, dim, ..axis };
        }
        if first + 1 < end {
            let [_, extent, src, dst] = numbers(&plan.loops[first]);
            (axis.total, axis.far) = (axis.total * extent, [src, dst]);
        }
        axis
    }

    /// How far the first `count` values lie before the first one and after it, in elements of the source (0) or of the destination
    /// (1). It is exact, since the array can end with the last of them: either the last value lies farthest, or the last one of
    /// the whole digits before it.
    const fn span(&self, count: usize, side: usize) -> [usize; 2] {
        if count == 0 {
            return [0; 2];
        }
        let (near, far) = (self.near[side].cast_signed(), self.far[side].cast_signed());
        let is_below = near < 0 || far < 0;
        if is_below && (near > 0 || far > 0) {
            // Digits of a dimension go the same way.
            return [usize::MAX; 2];
        }
        let (near, far) = (near.unsigned_abs(), far.unsigned_abs());
        let (digits, minor) = ((count - 1) / self.minor, (count - 1) % self.minor);
        let mut farthest = digits.saturating_mul(far).saturating_add(minor.saturating_mul(near));
        if digits > 0 {
            let whole = (self.minor - 1).saturating_mul(near);
            let before = (digits - 1).saturating_mul(far).saturating_add(whole);
            farthest = if before > farthest { before } else { farthest };
        }
        if is_below { [farthest, 0] } else { [0, farthest] }
    }

    /// How far the last coordinate of a wide element is from its first one along the axis' dimension.
    pub(super) const fn wide_span(&self, plan: &Plan) -> usize {
        match self.dim {
            Some(dim) => native(plan.span(dim, plan.element_loops as usize, plan.len as usize)),
            None => 0,
        }
    }

    /// Whether all values, of `wide` elements each, lie side by side in the source (0) or in the destination (1).
    pub(crate) const fn is_run(&self, side: usize, wide: usize) -> bool {
        let goes_on = self.is_digit() || self.far[side] == self.minor * wide;
        self.near[side] == wide && goes_on
    }

    const fn is_digit(&self) -> bool {
        self.total == self.minor
    }

    /// Where a value of the counter lies in the source (0) or in the destination (1).
    #[inline(always)]
    pub(crate) fn offset(&self, at: usize, side: usize) -> usize {
        if at < self.minor {
            at.wrapping_mul(self.near[side])
        } else {
            let near = (at % self.minor).wrapping_mul(self.near[side]);
            near.wrapping_add((at / self.minor).wrapping_mul(self.far[side]))
        }
    }

    /// Where a value of the counter lies on both sides, if the first one lies there.
    #[inline(always)]
    pub(super) fn place(&self, at: [usize; 2], value: usize) -> [usize; 2] {
        [0, 1].map(|side| at[side].wrapping_add(self.offset(value, side)))
    }
}

/// What a kernel does at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelBlock {
    pub kernel: Kernel,
    pub p: Axis,
    pub q: Axis,
    /// Elements that are moved as one.
    pub wide: usize,
}

impl KernelBlock {
    pub(crate) const fn new(plan: &Plan) -> KernelBlock {
        let (inner, p, fine) =
            (plan.kernel_loops as usize, plan.source_minor as usize, plan.element_loops as usize);
        KernelBlock {
            kernel: plan.kernel,
            p: Axis::new(plan, p, fine),
            q: Axis::new(plan, inner, p),
            wide: native(plan.elements_as_one),
        }
    }

    /// How far elements of a block with `q` values of the one digit and `p` of the other lie before its first one, and where the last
    /// one ends after it, in the source (0) or in the destination (1).
    pub(crate) const fn span(&self, q: usize, p: usize, side: usize) -> [usize; 2] {
        if matches!(self.kernel, Kernel::Run) {
            return [0, self.wide.saturating_mul(p)];
        }
        let ([q_before, q_after], [p_before, p_after]) =
            (self.q.span(q, side), self.p.span(p, side));
        let after = q_after.saturating_add(p_after).saturating_add(self.wide);
        [q_before.saturating_add(p_before), after]
    }

    /// The channels of an image of elements of `w` bytes that a transpose takes apart to planes (true), or puts together, where there
    /// is a loop for that number: of what images and points have.
    #[allow(dead_code, reason = "a target without vectors has no kernel that asks")]
    pub(super) const fn image(&self, w: usize) -> Option<(usize, bool)> {
        let (p, q) = (&self.p, &self.q);
        let are_digits = q.is_digit() && p.is_digit();
        let (channels, to_planes) = if q.near[0] == p.total * self.wide && is_few(p.total) {
            (p.total, true)
        } else if p.near[1] == q.total * self.wide {
            (q.total, false)
        } else {
            return None;
        };
        let has_loop = match w {
            1 | 2 => channels == 3,
            4 | 8 => matches!(channels, 3 | 5 | 6 | 7),
            _ => false,
        };
        if are_digits && has_loop { Some((channels, to_planes)) } else { None }
    }

    /// Whether what the kernel takes to be contiguous is so.
    pub(super) const fn is_contiguous(&self) -> bool {
        let KernelBlock { wide, p, q, .. } = *self;
        let are_runs = p.is_run(0, wide) && q.is_run(1, wide);
        match self.kernel {
            Kernel::Run | Kernel::Strided => true,
            Kernel::Interleave => {
                are_runs && p.is_digit() && q.is_digit() && p.near[1] == q.total * wide
            }
            Kernel::Deinterleave => are_runs && p.is_digit() && q.near[0] == p.total * wide,
            Kernel::Transpose => are_runs,
            Kernel::General => false,
        }
    }
}

/// Whether rows are so few that there are kernels for just this number of them.
pub(super) const fn is_few(rows: usize) -> bool {
    rows <= 8
}

/// Blocks at evenly spaced places. Offsets and steps are in elements, the source's first.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub at: [usize; 2],
    pub count: usize,
    pub step: [usize; 2],
    /// How many values of `q` and of `p` each block has.
    pub q: usize,
    pub p: usize,
}

/// What moves elements.
pub(crate) trait Mover {
    /// Moves single elements, `count` of them at two strides.
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]);

    /// Moves the pieces of several rows.
    fn stretches(&mut self, stretches: &Stretches) {
        for piece in stretches.pieces {
            for row in stretches.rows {
                self.elements(add(*row, piece.at, 1), piece.length, piece.step);
            }
        }
    }

    /// Moves `count` batches of blocks. The batches lie `step` apart.
    fn batches(&mut self, block: &KernelBlock, first: &Batch, count: usize, step: [usize; 2]) {
        for i in 0..count {
            self.blocks(block, &Batch { at: add(first.at, step, i), ..*first });
        }
    }

    /// Moves blocks.
    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        let KernelBlock { kernel, p: p_axis, q: q_axis, wide } = block;
        for i in 0..batch.count {
            let at = add(batch.at, batch.step, i);
            if *kernel == Kernel::Run {
                self.elements(at, wide * batch.p, [1, 1]);
                continue;
            }
            for q in 0..batch.q {
                let at = q_axis.place(at, q);
                if *wide == 1 && batch.p <= p_axis.minor {
                    self.elements(at, batch.p, p_axis.near);
                    continue;
                }
                for p in 0..batch.p {
                    self.elements(p_axis.place(at, p), *wide, [1, 1]);
                }
            }
        }
    }
}

/// `at + step · count`, on both sides; steps may be below 0.
#[inline(always)]
pub(crate) fn add(at: [usize; 2], step: [usize; 2], count: usize) -> [usize; 2] {
    [0, 1].map(|side| at[side].wrapping_add(step[side].wrapping_mul(count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the offsets of all values, of digits that lie in any order and go either way.
    #[test]
    fn span_has_all_offsets() {
        for minor in 1..6_usize {
            for (near, far) in [(1_usize, minor), (1, 7), (3, 40), (9, 2), (0, 1), (5, 0)] {
                let (near, far) = ([near, near.wrapping_neg()], [far, far.wrapping_neg()]);
                let axis = Axis { minor, total: minor * 4, near, far, unit: 1, dim: None };
                for count in 0..=axis.total {
                    for side in 0..2 {
                        let offsets = (0..count).map(|at| axis.offset(at, side).cast_signed());
                        let lowest = offsets.clone().min().unwrap_or(0).unsigned_abs();
                        let highest = offsets.max().unwrap_or(0).unsigned_abs();
                        let span = axis.span(count, side);
                        assert_eq!(span, [lowest, highest], "{axis:?} {count}");
                    }
                }
            }
        }
    }
}
