//! The walk over a plan's loops, from block to block.

use crate::loops::{MAX_LOOPS, Plan};
use layout_core::base::width::{copy_native, native};
use layout_core::limits::MAX_DIMS;
use layout_core::{Size, each};

use crate::kernel::block::{add, numbers};
use crate::kernel::policy::part_of;

/// Rows of blocks at evenly spaced places, all of them whole. Offsets and steps are in slots, the source's first.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    /// Where the first block begins.
    pub at: [usize; 2],
    /// Blocks in a row, and rows.
    pub count: [usize; 2],
    /// From one block to the next, and from one row to the next.
    pub step: [[usize; 2]; 2],
}

impl Grid {
    /// One block.
    pub(crate) const ONE: Grid = Grid { at: [0; 2], count: [1; 2], step: [[0; 2]; 2] };

    /// All blocks, of a plan in which two loops at most count them, in an order of these.
    #[inline(always)]
    pub(super) fn of(plan: &Plan, order: &[u8; MAX_LOOPS]) -> Grid {
        let mut grid = Grid { at: plan.first.map(native), ..Grid::ONE };
        let levels = order[..plan.kernel_loops.into()].iter().rev().enumerate();
        for (level, number) in levels.take(2) {
            let [_, extent, src, dst] = numbers(&plan.loops[usize::from(*number)]);
            (grid.count[level], grid.step[level]) = (extent, [src, dst]);
        }
        grid
    }
}

/// What is done with blocks.
pub(crate) trait Visit {
    /// Whether a block may have some bits of a loop's counter. A constant: walks of whole loops then have no code for bits, and a walk
    /// takes as long as a small copy.
    const HAVE_BITS: bool;

    fn grid(&mut self, grid: &Grid);

    /// A block in which the array ends, or a row of them, in which it ends alike. Blocks of bits of counters come one by one.
    fn cut(&mut self, row: &Grid, left: &mut Left);
}

/// How much of the array is left from a block on.
pub(crate) struct Left {
    /// Of each dimension, after the digits that are fixed.
    pub dims: [usize; MAX_DIMS],
    /// The number of the block along each loop.
    pub number: [usize; MAX_LOOPS],
}

/// What has to be left of each dimension at least for a block to be whole: 0 where it has one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needed {
    pub(super) dims: [usize; MAX_DIMS],
    /// The dimensions that count.
    rank: usize,
}

impl Needed {
    /// For blocks that have `sizes` values of each loop.
    pub(crate) const fn new(plan: &Plan, sizes: &[Size; MAX_LOOPS]) -> Needed {
        let mut needed = Needed { dims: [0; MAX_DIMS], rank: 0 };
        each!(for number in 0..plan.len as usize {
            if sizes[number] > 1 {
                let last = native((sizes[number] - 1) * plan.loops[number].unit);
                needed.add(plan.dims[number] as usize, last);
            }
        });
        needed
    }

    /// A loop's values along a dimension, of which the last is `last` = (extent − 1)·unit above the first. In the end `dims[dim]` is
    /// 1 + Σ (extent − 1)·unit over the dimension's loops.
    const fn add(&mut self, dim: usize, last: usize) -> &Needed {
        let before = self.dims[dim];
        self.dims[dim] = last + if before == 0 { 1 } else { before };
        if self.rank <= dim {
            self.rank = dim + 1;
        }
        self
    }

    /// Whether each dimension of the array is at least as long as what is needed of it.
    pub(crate) const fn is_there(&self, plan: &Plan) -> bool {
        let mut is_there = true;
        each!(for dim in 0..self.rank {
            is_there &= self.dims[dim] as Size <= plan.sizes[dim];
        });
        is_there
    }

    /// Whether enough is left of all dimensions but one.
    #[inline(always)]
    fn is_left(&self, left: &Left, but: usize) -> bool {
        let dims = self.dims[..self.rank].iter().zip(&left.dims).enumerate();
        dims.fold(true, |is, (dim, (needed, left))| is & (dim == but || left >= needed))
    }
}

/// Levels at most: a loop is taken in parts.
const LEVELS: usize = MAX_LOOPS + 1;

/// No bits.
const NONE: [u8; MAX_LOOPS] = [0; MAX_LOOPS];

/// A walk.
pub(crate) struct Walk<'a, V> {
    plan: &'a Plan,
    needed: &'a Needed,
    /// Bits of each loop's counter that are in a block.
    bits: &'a [u8; MAX_LOOPS],
    /// Whether blocks divide the values of every loop.
    divides: bool,
    /// The logarithm of an element's slots.
    shift: u8,
    /// The loops that are counted, the outermost first.
    levels: [u8; LEVELS],
    len: usize,
    /// Blocks of a part, if the last loop is taken in parts, which are counted two levels before.
    part: Option<usize>,
    visit: V,
}

/// What a level counts.
struct Level {
    number: usize,
    dim: usize,
    /// What a block counts along the dimension.
    unit: usize,
    /// From one block to the next, in the source and in the destination.
    src: usize,
    dst: usize,
    /// Blocks of the loop, and how many of them are whole, as far as the loop goes.
    count: usize,
    whole: usize,
    /// How many of them are taken at once.
    step: usize,
}

impl<'a, V: Visit> Walk<'a, V> {
    /// Over the loops outside of a plan's kernel, in an order.
    #[inline(always)]
    pub(super) fn new(
        plan: &'a Plan,
        needed: &'a Needed,
        order: &[u8; MAX_LOOPS],
        visit: V,
    ) -> Self {
        let mut levels = [0; LEVELS];
        levels[..MAX_LOOPS].copy_from_slice(order);
        let len = plan.kernel_loops.into();
        Walk { plan, needed, bits: &NONE, divides: true, shift: 0, levels, len, part: None, visit }
    }

    /// Over blocks that have bits of each loop's counter, of elements of `1 << shift` slots. The loops are nested by their
    /// strides in the source, but the destination's most minor one is the last but one, and the last one is taken in parts.
    pub(crate) fn in_parts(
        plan: &'a Plan,
        needed: &'a Needed,
        bits: &'a [u8; MAX_LOOPS],
        shift: u8,
        visit: V,
    ) -> Self {
        let mut walk = Walk::new(plan, needed, &[0; MAX_LOOPS], visit);
        let loops = plan.loops.iter().zip(bits).take(plan.len.into());
        walk.divides =
            loops.clone().all(|(of_plan, bits)| of_plan.extent.is_multiple_of(1 << bits));
        (walk.bits, walk.shift, walk.len) = (bits, shift, 0);
        for (number, (of_plan, bits)) in loops.enumerate() {
            if of_plan.extent > 1 << bits {
                walk.levels[walk.len] = number as u8;
                walk.len += 1;
            }
        }
        let stride = |number: u8, side: usize| {
            let of_plan = &plan.loops[usize::from(number)];
            [of_plan.src, of_plan.dst][side] << bits[usize::from(number)]
        };
        let levels = &mut walk.levels[..walk.len];
        // By hand: the standard library's sort is 1,500 lines of code for the compiler, and these are few.
        for end in 1..levels.len() {
            for at in (1..=end).rev() {
                if stride(levels[at - 1], 0) < stride(levels[at], 0) {
                    levels.swap(at - 1, at);
                }
            }
        }
        let of_dst = (0..levels.len()).min_by_key(|level| stride(levels[*level], 1));
        if let Some(level) = of_dst
            && level + 1 < walk.len
        {
            // .., b in parts, a, b
            levels[level..].rotate_left(1);
            let [.., b, a] = *levels else { return walk };
            walk.levels[walk.len - 2..][..3].copy_from_slice(&[b, a, b]);
            let count = plan.loops[usize::from(b)].extent >> bits[usize::from(b)];
            (walk.part, walk.len) = (Some(part_of(count, stride(b, 1) << shift)), walk.len + 1);
        }
        walk
    }

    /// Visits all blocks.
    #[inline(always)]
    pub(crate) fn run(&mut self) {
        let mut left = Left { dims: [0; MAX_DIMS], number: [0; MAX_LOOPS] };
        copy_native(&self.plan.sizes, &mut left.dims);
        let [src, dst] = self.plan.first.map(native);
        self.descend(&mut left, 0, src, dst);
    }

    #[inline(always)]
    fn level(&self, left: &Left, level: usize) -> Level {
        let number = usize::from(self.levels[level]);
        let dim = usize::from(self.plan.dims[number]);
        let [unit, extent, src, dst] = numbers(&self.plan.loops[number]);
        if !V::HAVE_BITS {
            return Level { number, dim, unit, src, dst, count: extent, whole: extent, step: 1 };
        }
        let bits = self.bits[number];
        let [src, dst] = [src, dst].map(|stride| stride << bits << self.shift);
        let first = left.number[number];
        let whole = (extent >> bits) - first;
        let count = if self.divides { whole } else { extent.div_ceil(1 << bits) - first };
        let mut of_loop =
            Level { number, dim, unit: unit << bits, src, dst, count, whole, step: 1 };
        if let Some(part) = self.part {
            match self.len - level {
                3 => of_loop.step = part,
                1 => of_loop.count = count.min(part),
                _ => {}
            }
        }
        of_loop
    }

    /// Offsets are two numbers here: an array would go through memory, and a load of both of what was
    /// stored one by one waits for all earlier stores, those of the kernel.
    fn descend(&mut self, left: &mut Left, level: usize, at_src: usize, at_dst: usize) {
        if level == self.len {
            return self.block(left, at_src, at_dst);
        }
        let Level { number, dim, unit, src, dst, count, whole, step } = self.level(left, level);
        let (at, before, first) = ([at_src, at_dst], left.dims[dim], left.number[number]);
        let values = enough(before, 1, unit, count);
        let mut value = 0;
        let within = self.len - level - 1;
        if within < 2 {
            // Whole blocks of the last two loops are a grid.
            let row = if within == 1 { Some(self.level(left, level + 1)) } else { None };
            let (mut of_row, mut needed) = (None, self.needed);
            let (mut other, mut is_whole) = (number, true);
            if let Some(row) = &row {
                needed = of_row.insert(*needed).add(row.dim, (row.count - 1) * row.unit);
                (other, is_whole) = (row.number, row.count <= row.whole);
            }
            if is_whole && needed.is_left(left, dim) && self.are_loops_whole(left, [number, other])
            {
                value = enough(before, needed.dims[dim].max(1), unit, values.min(whole));
            }
            let step = [src, dst];
            if value > 0 {
                self.visit.grid(&match row {
                    Some(Level { src, dst, count, .. }) => {
                        Grid { at, count: [count, value], step: [[src, dst], step] }
                    }
                    None => Grid { at, count: [value, 1], step: [step, [0; 2]] },
                });
            } else if !V::HAVE_BITS && row.is_none() && needed.dims[dim] == 0 {
                let row = Grid { at, count: [values, 1], step: [step, [0; 2]] };
                return self.visit.cut(&row, left);
            }
        }
        while value < values {
            left.dims[dim] = before - value * unit;
            left.number[number] = first + value;
            let [src, dst] = add(at, [src, dst], value);
            self.descend(left, level + 1, src, dst);
            value += step;
        }
        left.dims[dim] = before;
        left.number[number] = first;
    }

    #[inline(always)]
    fn block(&mut self, left: &mut Left, at_src: usize, at_dst: usize) {
        let one = Grid { at: [at_src, at_dst], ..Grid::ONE };
        if self.needed.is_left(left, MAX_DIMS) && self.are_loops_whole(left, [MAX_LOOPS; 2]) {
            return self.visit.grid(&one);
        }
        self.visit.cut(&one, left);
    }

    /// Whether the block has whole parts of all loops but some.
    #[inline(always)]
    fn are_loops_whole(&self, left: &Left, others: [usize; 2]) -> bool {
        !V::HAVE_BITS
            || self.divides
            || (0..usize::from(self.plan.len))
                .filter(|number| !others.contains(number))
                .all(|number| (left.number[number] + 1) << self.bits[number] <= self.extent(number))
    }

    fn extent(&self, number: usize) -> usize {
        native(self.plan.loops[number].extent)
    }
}

/// The first values of a counter from each of which on `needed` is left, of `values` that are `unit` apart.
#[inline(always)]
fn enough(left: usize, needed: usize, unit: usize, values: usize) -> usize {
    if left < needed || values == 0 {
        0
    } else if left - needed >= (values - 1) * unit {
        values
    } else {
        (left - needed) / unit + 1
    }
}
