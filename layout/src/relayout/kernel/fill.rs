//! Finding the padding of a layout.

use core::ops::Range;

use layout_core::__private::{PaddingLevel, PaddingPlan, native};
use layout_core::limits::MAX_DIMS;

/// Calls with every range of slots that hold no element, in the order of memory.
pub(crate) fn paddings(plan: &PaddingPlan, fill: impl FnMut(Range<usize>)) {
    let mut finder = Finder { plan, left: plan.sizes.map(native), fill };
    finder.level(0, 0..native(plan.slots), false);
}

struct Finder<'a, F> {
    plan: &'a PaddingPlan,
    /// What is left of each dimension after the digits that are fixed, within these digits' blocks.
    left: [usize; MAX_DIMS],
    fill: F,
}

impl<F: FnMut(Range<usize>)> Finder<'_, F> {
    /// A block of the level before `number`; `is_cut` if a dimension ends in it.
    fn level(&mut self, number: usize, block: Range<usize>, is_cut: bool) {
        if block.is_empty() {
            return;
        }
        if number == self.plan.len {
            return self.padding(block.start + 1..block.end);
        }
        let PaddingLevel { dim, unit, stride, is_solid } = self.plan.levels[number];
        let [unit, stride] = [unit, stride].map(native);
        let before = self.left[dim];
        let values = before.div_ceil(unit);
        // Only the last value can have less than a unit left.
        let last_is_cut = before < values * unit;
        let first = if is_solid && !is_cut { values - usize::from(last_is_cut) } else { 0 };
        for value in first..values {
            self.left[dim] = unit.min(before - value * unit);
            let start = block.start + value * stride;
            self.level(number + 1, start..start + stride, is_cut || self.left[dim] < unit);
        }
        self.left[dim] = before;
        self.padding(block.start + values * stride..block.end);
    }

    fn padding(&mut self, slots: Range<usize>) {
        if !slots.is_empty() {
            (self.fill)(slots);
        }
    }
}
