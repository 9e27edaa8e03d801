//! Finding the padding of a layout.

use core::ops::Range;

use crate::plan::{PaddingLevel, PaddingPlan};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

/// Slots that hold no element: evenly spaced ranges of one length, which do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gaps {
    pub at: usize,
    pub length: usize,
    pub step: usize,
    pub count: usize,
}

impl Gaps {
    pub(crate) fn ranges(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(move |i| {
            let at = self.at + i * self.step;
            at..at + self.length
        })
    }
}

/// Calls with all slots that hold no element, in the order of memory.
pub(crate) fn paddings(plan: &PaddingPlan, fill: impl FnMut(Gaps)) {
    let levels = &plan.levels[..plan.len];
    let rank = levels.iter().map(|level| level.dim + 1).max().unwrap_or(0);
    let mut finder = Finder { levels, rank, left: plan.sizes.map(native), fill };
    finder.level(0, 0, native(plan.slots));
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy + 'static>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    match plan {
        Some(plan) => paddings(plan, |gaps| {
            let mut ranges = gaps.ranges();
            let Some(first) = ranges.next() else { return };
            dst[first.clone()].fill(value);
            // By `memcpy`, which has larger vectors than what the program is compiled for.
            ranges.for_each(|range| {
                let (before, gap) = dst.split_at_mut(range.start);
                gap[..first.len()].copy_from_slice(&before[first.clone()]);
            });
        }),
        None => dst[..slots].fill(value),
    }
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
        Some(plan) => paddings(plan, |gaps| gaps.ranges().for_each(&mut write)),
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

impl<F: FnMut(Gaps)> Finder<'_, F> {
    /// A block of the level before `number`.
    fn level(&mut self, number: usize, at: usize, slots: usize) {
        if slots == 0 {
            return;
        }
        let Some(&PaddingLevel { dim, unit, stride }) = self.levels.get(number) else {
            return self.gaps(at + 1, slots - 1, 0, 1);
        };
        let [unit, stride] = [unit, stride].map(native);
        let before = self.left[dim];
        let (values, last_is_cut) = self.values(number);
        let whole = values - usize::from(last_is_cut);
        let mut value = if self.is_solid(number) { whole } else { 0 };
        if value < whole {
            self.left[dim] = unit;
            if let Some(filled) = self.filled(number + 1) {
                self.gaps(
                    at + value * stride + filled,
                    stride.saturating_sub(filled),
                    stride,
                    whole - value,
                );
                value = whole;
            }
        }
        while value < values {
            // Only the last value can have less than a unit left.
            self.left[dim] = unit.min(before - value * unit);
            self.level(number + 1, at + value * stride, stride);
            value += 1;
        }
        self.left[dim] = before;
        self.gaps(at + values * stride, slots.saturating_sub(values * stride), 0, 1);
    }

    /// How many values a level has, and whether the dimension ends within the last one.
    fn values(&self, number: usize) -> (usize, bool) {
        let PaddingLevel { dim, unit, .. } = self.levels[number];
        match (self.left[dim], native(unit)) {
            (left, 1) => (left, false),
            (left, unit) => (left.div_ceil(unit), !left.is_multiple_of(unit)),
        }
    }

    /// Whether the blocks of a level's whole values hold elements only.
    fn is_solid(&self, number: usize) -> bool {
        let PaddingLevel { dim, unit, stride } = self.levels[number];
        let left = |of| if of == dim { native(unit) } else { self.left[of] };
        (0..self.rank).map(left).product::<usize>() == native(stride)
    }

    /// How many slots of a block of the level before `number` hold elements, if the rest of it is padding.
    fn filled(&self, number: usize) -> Option<usize> {
        let level = self.levels.get(number).filter(|_| self.is_solid(number))?;
        let (values, last_is_cut) = self.values(number);
        (!last_is_cut).then(|| values * native(level.stride))
    }

    fn gaps(&mut self, at: usize, length: usize, step: usize, count: usize) {
        if length > 0 {
            (self.fill)(Gaps { at, length, step, count });
        }
    }
}
