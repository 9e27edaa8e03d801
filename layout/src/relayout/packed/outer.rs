//! What is counted outside of blocks: the walk from block to block.

use layout_core::__private::{Loop, MAX_LOOPS, Plan, native};
use layout_core::limits::MAX_DIMS;

/// Blocks side by side.
pub(super) struct Batch<'a> {
    /// Slots where the first one begins.
    pub at: [usize; 2],
    pub count: usize,
    /// Slots from one to the next.
    pub step: [usize; 2],
    /// Values of each loop that are in the array.
    pub counts: &'a [usize; MAX_LOOPS],
}

/// What is counted outside of blocks.
pub(super) struct Outer<'a> {
    plan: &'a Plan,
    /// Bits of each loop's counter that are in the block.
    bits: &'a [u8; MAX_LOOPS],
    /// The loops of which bits are left, the outermost first.
    order: [u8; MAX_LOOPS],
    len: usize,
    /// Values of each loop in all blocks, if none of them is cut.
    whole: Option<[usize; MAX_LOOPS]>,
}

impl<'a> Outer<'a> {
    pub(super) fn new(plan: &'a Plan, bits: &'a [u8; MAX_LOOPS]) -> Outer<'a> {
        let loops = plan.loops.iter().zip(plan.dims).zip(bits).take(plan.len.into());
        let is_whole = loops.clone().all(|((of_plan, dim), bits)| {
            let Loop { unit, extent, .. } = *of_plan;
            // All loops of a dimension have room for its size, and the most major one no more than that.
            extent.is_multiple_of(1 << bits)
                && plan.sizes[usize::from(dim)].is_multiple_of(unit * extent)
        });
        let whole = is_whole.then(|| bits.map(|bits| 1 << bits));
        Outer { plan, bits, order: [0; MAX_LOOPS], len: 0, whole }
    }

    /// How many blocks a loop has.
    fn values(&self, number: usize) -> usize {
        native(self.plan.loops[number].extent).div_ceil(1 << self.bits[number])
    }

    /// Nests the loops by their strides.
    pub(super) fn sort(&mut self, by_source: bool) {
        for number in 0..self.plan.len {
            if self.values(number.into()) > 1 {
                self.order[self.len] = number;
                self.len += 1;
            }
        }
        let (plan, bits) = (self.plan, self.bits);
        self.order[..self.len].sort_unstable_by_key(|&number| {
            let number = usize::from(number);
            let Loop { src, dst, .. } = plan.loops[number];
            core::cmp::Reverse(if by_source { src } else { dst } << bits[number])
        });
    }

    /// Calls with all blocks, those side by side at once.
    pub(super) fn descend(
        &self,
        level: usize,
        at: [usize; 2],
        left: &[usize; MAX_DIMS],
        values: &mut [usize; MAX_LOOPS],
        batch: &mut impl FnMut(&Batch),
    ) {
        let Plan { loops, dims, .. } = self.plan;
        if level == self.len {
            let counts = &self.counts(left, values);
            return batch(&Batch { at, count: 1, step: [0; 2], counts });
        }
        let number = usize::from(self.order[level]);
        let dim = usize::from(dims[number]);
        let [unit, src, dst] = [loops[number].unit, loops[number].src, loops[number].dst]
            .map(|stride| native(stride) << self.bits[number]);
        let mut left = *left;
        let before = left[dim];
        let end = self.values(number).min(before.div_ceil(unit));
        let mut first = 0;
        if level + 1 == self.len {
            // All blocks but perhaps the last are whole; they make one batch.
            let mut counts = |value: usize| {
                left[dim] = before - value * unit;
                values[number] = value;
                self.counts(&left, values)
            };
            let of_first = counts(0);
            first = [end, end.saturating_sub(1)]
                .into_iter()
                .find(|end| *end > 0 && counts(end - 1) == of_first)
                .unwrap_or(0);
            if first > 0 {
                batch(&Batch { at, count: first, step: [src, dst], counts: &of_first });
            }
        }
        for value in first..end {
            left[dim] = before - value * unit;
            values[number] = value;
            let at = [at[0] + value * src, at[1] + value * dst];
            self.descend(level + 1, at, &left, values, batch);
        }
        values[number] = 0;
    }

    /// Values of each loop in a block, where the outer loops have these and so much is left of each dimension.
    fn counts(&self, left: &[usize; MAX_DIMS], values: &[usize; MAX_LOOPS]) -> [usize; MAX_LOOPS] {
        if let Some(counts) = self.whole {
            return counts;
        }
        let Plan { loops, dims, len, .. } = self.plan;
        let mut counts = [1; MAX_LOOPS];
        for number in (0..usize::from(*len)).filter(|&number| self.bits[number] > 0) {
            let (size, unit) = (1 << self.bits[number], native(loops[number].unit));
            let rest = native(loops[number].extent) - values[number] * size;
            counts[number] = size.min(rest).min(left[usize::from(dims[number])].div_ceil(unit));
        }
        counts
    }
}
