//! What is counted outside of blocks: the walk from block to block.

use layout_core::__private::{Loop, MAX_LOOPS, Plan, native};
use layout_core::limits::MAX_DIMS;

/// Blocks in a grid: so many evenly spaced ones, so many times.
pub(super) struct Batch<'a> {
    /// Slots where the first one begins.
    pub at: [usize; 2],
    /// How many are in a row of the grid, and how many rows there are.
    pub count: [usize; 2],
    /// Slots from one to the next in a row, and from row to row: in the source and in the destination.
    pub step: [[usize; 2]; 2],
    /// Values of each loop that are in the array.
    pub counts: &'a [usize; MAX_LOOPS],
}

/// A loop over blocks, or a part of one.
#[derive(Clone, Copy)]
struct Level {
    /// The loop of the plan.
    number: u8,
    /// How many blocks it goes on by, and how many of them it has at most.
    step: usize,
    most: usize,
}

/// Levels at most: two loops are taken in two parts.
const LEVELS: usize = MAX_LOOPS + 2;

/// What is counted outside of blocks.
pub(super) struct Outer<'a> {
    plan: &'a Plan,
    /// Bits of each loop's counter that are in the block.
    bits: &'a [u8; MAX_LOOPS],
    /// The logarithm of an element's bytes.
    fixed: usize,
    /// What is counted, the outermost first.
    levels: [Level; LEVELS],
    len: usize,
    /// Values of each loop in all blocks, if none of them is cut.
    whole: Option<[usize; MAX_LOOPS]>,
}

impl<'a> Outer<'a> {
    pub(super) fn new(plan: &'a Plan, bits: &'a [u8; MAX_LOOPS], fixed: usize) -> Outer<'a> {
        let loops = plan.loops.iter().zip(plan.dims).zip(bits).take(plan.len.into());
        let is_whole = loops.clone().all(|((of_plan, dim), bits)| {
            let Loop { unit, extent, .. } = *of_plan;
            // All loops of a dimension have room for its size, and the most major one no more than that.
            extent.is_multiple_of(1 << bits)
                && plan.sizes[usize::from(dim)].is_multiple_of(unit * extent)
        });
        let whole = is_whole.then(|| bits.map(|bits| 1 << bits));
        let levels = [Level { number: 0, step: 1, most: 0 }; LEVELS];
        Outer { plan, bits, fixed, levels, len: 0, whole }
    }

    /// How many blocks a loop has.
    fn values(&self, number: usize) -> usize {
        native(self.plan.loops[number].extent).div_ceil(1 << self.bits[number])
    }

    /// Slots from one block of a loop to the next, in the source and in the destination.
    fn strides(&self, number: usize) -> [usize; 2] {
        let Loop { src, dst, .. } = self.plan.loops[number];
        [src, dst].map(|stride| native(stride) << self.bits[number] << self.fixed)
    }

    /// Nests the loops by their strides. The most minor ones of both sides are taken in parts: of the destination's so
    /// many blocks, for so many of the source's.
    pub(super) fn sort(&mut self, by_source: bool, parts: [usize; 2]) {
        let side = usize::from(!by_source);
        for number in 0..self.plan.len {
            let most = self.values(number.into());
            if most > 1 {
                self.levels[self.len] = Level { number, step: 1, most };
                self.len += 1;
            }
        }
        let strides = |level: &Level| self.strides(level.number.into());
        let mut levels = self.levels;
        levels[..self.len].sort_unstable_by_key(|level| core::cmp::Reverse(strides(level)[side]));
        let other =
            levels[..self.len].iter().enumerate().min_by_key(|(_, level)| strides(level)[1 - side]);
        if let Some((place, _)) = other
            && place + 1 < self.len
        {
            // .., a in parts, b in parts, a, b
            levels[place..self.len].rotate_left(1);
            let len = self.len;
            let [b, a] = [levels[len - 2], levels[len - 1]];
            let [of_a, of_b] = if by_source { [parts[1], parts[0]] } else { parts };
            levels[len - 2] = Level { step: of_a, ..a };
            levels[len - 1] = Level { step: of_b, ..b };
            levels[len] = Level { most: of_a.min(a.most), ..a };
            levels[len + 1] = Level { most: of_b.min(b.most), ..b };
            self.len += 2;
        }
        self.levels = levels;
    }

    /// Calls with all blocks, those in a grid at once.
    pub(super) fn descend(
        &self,
        level: usize,
        at: [usize; 2],
        left: &mut [usize; MAX_DIMS],
        values: &mut [usize; MAX_LOOPS],
        batch: &mut impl FnMut(&Batch),
    ) {
        if level == self.len {
            let counts = &self.counts(left, values);
            return batch(&Batch { at, count: [1; 2], step: [[0; 2]; 2], counts });
        }
        let Level { number, step, .. } = self.levels[level];
        let [dim, unit] = self.counted(level);
        let number = usize::from(number);
        let strides = self.strides(number);
        let (before, base, end) = (left[dim], values[number], self.end(level, left, values));
        let mut first = 0;
        if level + 2 >= self.len && step == 1 && end > 0 {
            // All blocks but perhaps the last ones are whole; they make one grid.
            let is_row = level + 1 == self.len;
            let [counts, steps] = match is_row {
                true => [[end, 1], strides],
                false => {
                    let next = usize::from(self.levels[level + 1].number);
                    [[self.end(level + 1, left, values), end], self.strides(next)]
                }
            };
            let step = if is_row { [steps, [0; 2]] } else { [steps, strides] };
            for count in [end, end - 1] {
                let grid = if is_row { [count, 1] } else { [counts[0], count] };
                if first == 0 && self.are_whole(level, grid, left, values) {
                    let counts = &self.whole_counts();
                    batch(&Batch { at, count: grid, step, counts });
                    first = count;
                }
            }
        }
        let mut value = first;
        while value < end {
            left[dim] = before - value * unit;
            values[number] = base + value;
            let at = [at[0] + value * strides[0], at[1] + value * strides[1]];
            self.descend(level + 1, at, left, values, batch);
            value += step;
        }
        left[dim] = before;
        values[number] = base;
    }

    /// The dimension of a level, and what a block of it counts along that.
    fn counted(&self, level: usize) -> [usize; 2] {
        let number = usize::from(self.levels[level].number);
        let unit = native(self.plan.loops[number].unit) << self.bits[number];
        [usize::from(self.plan.dims[number]), unit]
    }

    /// How many blocks of a level are in the array.
    fn end(&self, level: usize, left: &[usize; MAX_DIMS], values: &[usize; MAX_LOOPS]) -> usize {
        let Level { number, most, .. } = self.levels[level];
        let number = usize::from(number);
        let [dim, unit] = self.counted(level);
        most.min(self.values(number) - values[number]).min(left[dim].div_ceil(unit))
    }

    /// Whether all blocks of a grid are whole, of the last levels from one on.
    fn are_whole(
        &self,
        level: usize,
        grid: [usize; 2],
        left: &[usize; MAX_DIMS],
        values: &[usize; MAX_LOOPS],
    ) -> bool {
        if grid.contains(&0) {
            return false;
        }
        if self.whole.is_some() {
            return true;
        }
        // If the last one is.
        let (mut left, mut values) = (*left, *values);
        for (level, count) in (level..self.len).rev().zip(grid) {
            let [dim, unit] = self.counted(level);
            let Some(rest) = left[dim].checked_sub((count - 1) * unit) else { return false };
            left[dim] = rest;
            values[usize::from(self.levels[level].number)] += count - 1;
        }
        self.counts(&left, &values) == self.whole_counts()
    }

    fn whole_counts(&self) -> [usize; MAX_LOOPS] {
        self.bits.map(|bits| 1 << bits)
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
