//! Where the padding of a layout is.

use crate::loops::{MAX_LOOPS, PlanParts};
use layout_core::analysis::{CoordDigit, DigitsView};
use layout_core::base::{MAX_DIMS, Size};

/// A digit as it counts in memory: `coordinate / unit`, as far as its dimension goes or the block of the
/// next more major digit of it.
#[derive(Clone, Copy, Debug)]
pub struct PaddingLevel {
    /// The dimension.
    pub dim: usize,
    /// What the digit counts along it.
    pub unit: Size,
    /// Slots from one value to the next; those without an element are padding.
    pub stride: Size,
}

/// How to find the padding of a layout: digit by digit in the order of memory.
#[derive(Clone, Copy, Debug)]
pub struct PaddingPlan {
    /// The digits, the most major first.
    pub levels: [PaddingLevel; MAX_LOOPS],
    /// How many there are.
    pub len: usize,
    /// Slots of memory, with those of `L`.
    pub slots: Size,
    /// Size of each dimension.
    pub sizes: [Size; MAX_DIMS],
}

impl PaddingPlan {
    /// Plans for a layout that takes `slots` slots. `None` if the digits of sums are not digits of
    /// coordinates: then all of memory has to be filled before the elements are written.
    pub const fn new(digits: &DigitsView<'_>, slots: Size) -> Option<PaddingPlan> {
        let level = PaddingLevel { dim: 0, unit: 1, stride: 1 };
        let mut sizes = [0; MAX_DIMS];
        sizes.split_at_mut(digits.rank()).0.copy_from_slice(digits.dims);
        let mut plan = PaddingPlan { levels: [level; MAX_LOOPS], len: 0, slots, sizes };
        // All of what there is is padding: a bounded dimension can have no valid element.
        if digits.is_empty() {
            return None;
        }
        let mut parts = PlanParts::NONE;
        if parts.resolve(digits).is_err() || parts.as_slice().len() > MAX_LOOPS {
            return None;
        }
        // Inserts by stride, the largest first.
        each!(for i in 0..parts.as_slice().len() {
            let CoordDigit { source: dim, div: unit, stride, .. } = parts.as_slice()[i];
            let mut at = i;
            while at > 0 && plan.levels[at - 1].stride < stride {
                plan.levels[at] = plan.levels[at - 1];
                at -= 1;
            }
            plan.levels[at] = PaddingLevel { dim, unit, stride };
        });
        plan.len = parts.as_slice().len();
        // What every dimension has left within a block of the level.
        let mut left = sizes;
        each!(for i in 0..plan.len {
            let PaddingLevel { dim, unit, .. } = plan.levels[i];
            // A more minor digit of the dimension before a more major one: no block is a box.
            if left[dim] < unit {
                return None;
            }
            left[dim] = unit;
        });
        Some(plan)
    }

    /// Slots from one row to the next: those of the smallest blocks with several elements.
    pub(crate) fn rows(&self) -> usize {
        let level = self.levels[..self.len].iter().nth_back(1);
        level.map_or(usize::MAX, |level| layout_core::base::width::native(level.stride))
    }
}
