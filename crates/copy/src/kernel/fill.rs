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
    let Some(plan) = plan else { return fill_all(&mut dst[..slots], value) };
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

/// Writes a value to all slots: by `memcpy` from the first ones, which has larger vectors than what the program is compiled for. 32 KiB of
/// `f32` take 160 ns so and 264 by `fill`, 8 KiB 49 and 84, 2 KiB 20 and 16 (AMD Zen 5).
// Cold, so that loops in the caller's code, where few arrays are so large, keep their registers.
#[cold]
#[inline(never)]
pub fn fill_all<T: Copy>(dst: &mut [T], value: T) {
    /// Bytes that are written one by one, and those that are copied at a time: of 4 KiB 32 take 220 ns.
    const FEW: usize = 256;
    const MOST: usize = 2048;
    let [few, most] = [FEW, MOST].map(|bytes| (bytes / size_of::<T>().max(1)).max(1));
    let first = dst.len().min(few);
    dst[..first].fill(value);
    let mut done = first;
    while done < dst.len() {
        let more = done.min(most).min(dst.len() - done);
        dst.copy_within(..more, done);
        done += more;
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
        let mut done = if is_solid { whole } else { 0 };
        if !is_solid && let Some(end) = self.stretch(number + 1) {
            for value in 0..whole {
                self.gap(at + value * stride + end, at + (value + 1) * stride);
            }
            done = whole;
        }
        for value in done..values {
            self.left[dim] = unit.min(before - value * unit);
            self.level(number + 1, at + value * stride, stride);
        }
        self.left[dim] = before;
        self.gap(at + values * stride, at + slots);
    }

    /// Where the elements of each block of the level before `number` end, if they are one stretch at its beginning.
    fn stretch(&self, number: usize) -> Option<usize> {
        let Some(&PaddingLevel { dim, unit, stride }) = self.levels.get(number) else {
            return Some(1);
        };
        let [unit, stride] = [unit, stride].map(native);
        let elements = self.left[..self.rank].iter().product::<usize>();
        let end = self.left[dim] / unit * stride;
        (self.left[dim].is_multiple_of(unit) && elements == end).then_some(end)
    }

    fn gap(&mut self, start: usize, end: usize) {
        if start < end {
            (self.fill)(start..end);
        }
    }
}
