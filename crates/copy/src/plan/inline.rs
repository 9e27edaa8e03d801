//! The loops of a copy as nested loops in the caller's code.

use crate::plan::template::{LEVELS, PlanTemplate, TemplateLoop};
use layout_core::analysis::{Amount, Counts};
use layout_core::base::{Size, native, wrapped};

/// Elements of a short row at most.
const SHORT: Size = 16;

/// Numbers of elements for each loop, in the source and in the destination.
pub type Strides = [[usize; 2]; LEVELS];

/// Does something for the number of each loop, the outermost first, without a loop: the compiler then knows the numbers from the
/// start.
macro_rules! each_level {
    ($level:ident => $do:expr) => { each_level! { $level => $do, 0 1 2 3 4 5 6 7 } };
    ($level:ident => $do:expr, $($number:literal)*) => {$({
        const $level: usize = $number;
        $do
    })*};
}

pub(crate) use each_level;

// Only this crate makes and changes templates: loops go without checks where `reach` says.
impl PlanTemplate {
    /// With its loops in the caller's code, of whose sides one or both may have any strides. The order is that of the destination's memory,
    /// or of the other side's. Without them if there are too many, or if an element can lie farther along a dimension than a later one.
    #[must_use]
    pub const fn in_code(mut self, are_any: [bool; 2]) -> PlanTemplate {
        (self.are_any, self.depth) = (are_any, 0);
        let by = !are_any[1] as usize;
        if !self.is_ascending() {
            return self;
        }
        each!(for i in 0..self.len {
            if self.loops[i].extent == 1 {
                continue;
            }
            if self.depth == LEVELS {
                self.depth = 0;
                return self;
            }
            let mut at = self.depth;
            while at > 0 && is_below(self.level(at - 1).strides[by], self.loops[i].strides[by]) {
                self.levels[at] = self.levels[at - 1];
                at -= 1;
            }
            self.levels[at] = i as u8;
            self.depth += 1;
        });
        if self.depth == 0 {
            self.depth = 1;
        }
        self
    }

    /// How many loops the caller's code has.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// A loop of the caller's code, by its place from outside.
    #[inline(always)]
    pub(crate) const fn level(&self, level: usize) -> &TemplateLoop {
        &self.loops[self.levels[level] as usize]
    }

    /// The number of the innermost loop.
    #[inline(always)]
    pub const fn last(&self) -> usize {
        self.depth - 1
    }

    /// Whether a side has strides of the caller's.
    #[inline(always)]
    pub const fn has_any(&self) -> bool {
        self.are_any[0] || self.are_any[1]
    }

    /// Whether both have.
    #[inline(always)]
    pub const fn has_any_alone(&self) -> bool {
        self.are_any[0] && self.are_any[1]
    }

    /// The innermost loop.
    #[inline(always)]
    pub const fn row(&self) -> &TemplateLoop {
        self.level(self.depth - 1)
    }

    /// Whether its elements are contiguous in the destination.
    #[inline(always)]
    const fn has_rows(&self) -> bool {
        !self.are_any[1] && self.row().strides[1].is_same(Amount::ONE)
    }

    /// A loop whose elements are contiguous in the destination, and another one of elements that are contiguous in the source: together
    /// they transpose matrices. Where strides are the caller's, the loops of which it may be so.
    pub const fn matrix(&self) -> Option<[usize; 2]> {
        let last = self.depth - 1;
        let from_layout_to_any = !self.are_any[0] && self.are_any[1];
        let side = from_layout_to_any as usize;
        let mut other = None;
        each!(for i in 0..last {
            let of = self.level(i);
            let is_one = if self.are_any[side] {
                of.unit == 1 && of.dim != self.row().dim
            } else {
                of.strides[side].is_same(Amount::ONE)
            };
            if is_one {
                other = Some(i);
            }
        });
        match other {
            Some(other) if from_layout_to_any && self.row().strides[0].is_same(Amount::ONE) => {
                Some([other, last])
            }
            Some(other) if self.has_rows() || self.has_any_alone() => Some([last, other]),
            _ => None,
        }
    }

    /// Whether each loop is that of a whole dimension.
    pub const fn is_untiled(&self) -> bool {
        each!(for i in 0..self.depth {
            if !self.level(i).is_top || self.level(i).unit != 1 {
                return false;
            }
        });
        true
    }

    /// These loops for arrays of which each has all of its values for any of the others.
    pub const fn of_whole(&self) -> PlanTemplate {
        let mut whole = *self;
        each!(for i in 0..whole.len {
            whole.loops[i].is_whole = !whole.loops[i].is_top;
        });
        whole
    }

    /// How many values each loop has, if each has all of its values for any of the others, so that they have `elements` together.
    /// The size of each loop's dimension is given, none of them 0.
    #[inline(always)]
    pub const fn whole(&self, sizes: &[usize; LEVELS], elements: usize) -> Option<[usize; LEVELS]> {
        let (mut counts, mut all) = ([1; LEVELS], 1usize);
        each_level! { LEVEL => if LEVEL < self.depth {
            let TemplateLoop { unit, extent, is_top, .. } = *self.level(LEVEL);
            counts[LEVEL] = native(extent);
            if is_top {
                counts[LEVEL] = if unit == 1 { sizes[LEVEL] } else { sizes[LEVEL].div_ceil(native(unit)) };
            }
            // Each dimension has as many values as it has elements, or more.
            all = all.saturating_mul(counts[LEVEL]);
        } }
        if all == elements { Some(counts) } else { None }
    }

    /// Whether the array can end within its elements, which are few, and contiguous in the destination.
    #[inline(always)]
    pub const fn has_short_rows(&self) -> bool {
        let row = self.row();
        !row.is_top && !row.is_whole && row.extent <= SHORT && self.has_rows()
    }

    /// The size of each loop's dimension, and each loop's strides, given the sizes of the dimensions and the unknown counts of
    /// both layouts.
    #[inline(always)]
    pub const fn sized(&self, dims: &[usize], counts: [&Counts; 2]) -> ([usize; LEVELS], Strides) {
        let (mut sizes, mut strides) = ([1; LEVELS], [[0; 2]; LEVELS]);
        each_level! { LEVEL => if LEVEL < self.depth {
            let TemplateLoop { dim, size, strides: [from, to], .. } = *self.level(LEVEL);
            sizes[LEVEL] = match size {
                Some(size) => native(size),
                None => dims[dim as usize],
            };
            let values = [from.value(counts[0]), to.value(counts[1])];
            strides[LEVEL] = [self.stride(0, values[0]), self.stride(1, values[1])];
        } }
        (sizes, strides)
    }

    #[inline(always)]
    const fn stride(&self, side: usize, value: Size) -> usize {
        if self.are_any[side] { wrapped(value) } else { native(value) }
    }

    /// How far elements lie before and after the first one, given the size of each loop's dimension, none of them 0, and each
    /// loop's strides. `None` if these are not numbers.
    ///
    /// Along each dimension no element lies farther than a later one, in the one direction in which its strides go, so that these are
    /// sums of what the last coordinates are away.
    #[inline(always)]
    pub const fn reach(
        &self,
        sizes: &[usize; LEVELS],
        strides: &Strides,
    ) -> Option<[[usize; 2]; 2]> {
        let mut reach = [[0usize; 2]; 2];
        each_level! { LEVEL => if LEVEL < self.depth {
            let TemplateLoop { unit, extent, is_top, is_whole, .. } = *self.level(LEVEL);
            let last = (sizes[LEVEL] - 1) / native(unit);
            let value = if is_top {
                last
            } else if is_whole {
                native(extent) - 1
            } else {
                last % native(extent)
            };
            let ([from, to], [of_src, of_dst]) = (strides[LEVEL], &mut reach);
            if !go_on(of_src, value, from, self.are_any[0]) || !go_on(of_dst, value, to, self.are_any[1]) {
                return None;
            }
        } }
        Some(reach)
    }

    /// Whether each digit of a dimension steps, in both layouts, at least over what the digits before it count, where no count is
    /// 0: then no element lies farther than a later one of the dimension.
    const fn is_ascending(&self) -> bool {
        each!(for i in 1..self.len {
            let (minor, major) = (&self.loops[i - 1], &self.loops[i]);
            if minor.dim == major.dim {
                each!(for side in 0..2 {
                    let (step, steps) = (minor.strides[side], major.strides[side]);
                    let Some(end) = step.factor.checked_mul(minor.extent) else { return false };
                    if steps.factor < end || step.unknowns() & !steps.unknowns() != 0 {
                        return false;
                    }
                });
            }
        });
        true
    }
}

/// Adds the last value of a loop to how far elements lie before and after the first one. False if that is not a number.
#[inline(always)]
const fn go_on([before, after]: &mut [usize; 2], last: usize, stride: usize, is_any: bool) -> bool {
    let last = last.cast_signed();
    let Some(steps) = last.checked_mul(stride.cast_signed()) else { return false };
    // Of a layout, numbers that are too large for a product stay too large for a slice.
    let (end, distance) = match is_any {
        true if last < 0 => return false,
        true if steps < 0 => (before, steps.unsigned_abs()),
        _ => (after, steps.cast_unsigned()),
    };
    let (sum, is_cut) = end.overflowing_add(distance);
    *end = sum;
    !is_cut
}

/// Whether an amount is less than another one of the same layout: of amounts there the larger has all counts of the smaller.
const fn is_below(a: Amount, b: Amount) -> bool {
    let [a_unknowns, b_unknowns] = [a.unknowns().count_ones(), b.unknowns().count_ones()];
    a_unknowns < b_unknowns || a_unknowns == b_unknowns && a.factor < b.factor
}
