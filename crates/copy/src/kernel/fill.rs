//! Finding the padding of a layout, and writing to it.

use core::ops::Range;

use crate::plan::{PaddingLevel, PaddingPlan};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

/// Calls with all ranges of slots that hold no element, in the order of memory.
pub(crate) fn paddings(plan: &PaddingPlan, fill: impl FnMut(Range<usize>)) {
    let levels = &plan.levels[..plan.len];
    let rank = levels.iter().map(|level| level.dim + 1).max().unwrap_or(0);
    let mut finder = Finder { levels, rank, left: plan.sizes.map(native), fill };
    finder.level(0, 0, native(plan.slots));
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy + 'static>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    let Some(plan) = plan else { return dst[..slots].fill(value) };
    let mut first = 0..0;
    paddings(plan, |range| {
        if range.len() == first.len() {
            // By `memcpy`, which has larger vectors than what the program is compiled for.
            dst.copy_within(first.clone(), range.start);
        } else {
            dst[range.clone()].fill(value);
            first = range;
        }
    });
}

/// Writes elements of `size` bytes to the padding of a layout, as `fill` does; `byte` gives each of their bytes.
pub fn fill_bytes<B>(
    plan: Option<&PaddingPlan>,
    size: usize,
    dst: &mut [B],
    byte: impl Fn(usize) -> B,
) {
    let slots = dst.len() / size;
    let mut write = |range: Range<usize>| {
        let bytes = dst[range.start * size..range.end * size].iter_mut().enumerate();
        bytes.for_each(|(at, to)| *to = byte(at % size));
    };
    match plan {
        Some(plan) => paddings(plan, write),
        None => write(0..slots),
    }
}

struct Finder<'a, F> {
    levels: &'a [PaddingLevel],
    rank: usize,
    /// What is left of each dimension after the digits that are fixed, within these digits' blocks.
    left: [usize; MAX_DIMS],
    fill: F,
}

impl<F: FnMut(Range<usize>)> Finder<'_, F> {
    /// A block of the level before `number`.
    fn level(&mut self, number: usize, at: usize, slots: usize) {
        if slots == 0 {
            return;
        }
        let Some(&PaddingLevel { dim, unit, stride }) = self.levels.get(number) else {
            return self.gap(at + 1, at + slots);
        };
        let [unit, stride] = [unit, stride].map(native);
        let before = self.left[dim];
        let values = if unit == 1 { before } else { before.div_ceil(unit) };
        // Whole values hold elements only, or not.
        self.left[dim] = unit;
        let is_solid = self.left[..self.rank].iter().product::<usize>() == stride;
        let whole = if before < values * unit { values - 1 } else { values };
        for value in if is_solid { whole } else { 0 }..values {
            self.left[dim] = unit.min(before - value * unit);
            self.level(number + 1, at + value * stride, stride);
        }
        self.left[dim] = before;
        self.gap(at + values * stride, at + slots);
    }

    fn gap(&mut self, start: usize, end: usize) {
        if start < end {
            (self.fill)(start..end);
        }
    }
}
