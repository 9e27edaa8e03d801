//! Finding the padding of a layout, and writing to it.

use core::ops::Range;

use crate::plan::{PaddingLevel, PaddingPlan};
use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

/// Calls with all ranges of slots that hold no element, in the order of memory.
pub(crate) fn paddings(plan: &PaddingPlan, fill: &mut dyn FnMut(Range<usize>)) {
    let levels = &plan.levels[..plan.len];
    let rank = levels.iter().map(|level| level.dim + 1).max().unwrap_or(0);
    let mut finder = Finder { levels, rank, left: plan.sizes.map(native), fill };
    finder.level(0, 0, native(plan.slots));
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    /// Bytes that are written one by one.
    const FEW: usize = 256;
    let few = (FEW / size_of::<T>().max(1)).max(1);
    fill_elements(plan, [1, few], &mut dst[..slots], |to| to.fill(value));
}

/// Writes elements to the padding of a layout, as `fill` does. An element has `size` slots; `write` writes `few` at most.
pub fn fill_elements<T: Copy>(
    plan: Option<&PaddingPlan>,
    [size, few]: [usize; 2],
    dst: &mut [T],
    write: impl Fn(&mut [T]),
) {
    let slots = dst.len() / size;
    let mut first = 0..0;
    let mut fill = |range: Range<usize>| {
        let range = range.start * size..range.end * size;
        if range.len() == first.len() {
            // By `memcpy`, which has larger vectors than what the program is compiled for.
            dst.copy_within(first.clone(), range.start);
        } else {
            fill_all(&mut dst[range.clone()], size * few, &write);
            first = range;
        }
    };
    match plan {
        Some(plan) => paddings(plan, &mut fill),
        None => fill(0..slots),
    }
}

/// Writes the first slots, and copies the others from them. 32 KiB of `f32` take 160 ns so and 264 by `slice::fill`, 8 KiB 49 and 84, 2 KiB 20 and 16
/// (AMD Zen 5).
// Cold, so that loops in the caller's code, where few arrays are so large, keep their registers.
#[cold]
#[inline(never)]
fn fill_all<T: Copy>(dst: &mut [T], few: usize, write: &impl Fn(&mut [T])) {
    /// Bytes that are copied at a time. With 4 KiB at a time 32 KiB take 220 ns.
    const MOST: usize = 2048;
    let mut done = dst.len().min(few);
    write(&mut dst[..done]);
    while done < dst.len() {
        let most = (MOST / size_of::<T>().max(1)).max(few) / few * few;
        let more = done.min(most).min(dst.len() - done);
        dst.copy_within(..more, done);
        done += more;
    }
}

struct Finder<'a> {
    levels: &'a [PaddingLevel],
    rank: usize,
    /// What is left of each dimension after the digits that are fixed, within these digits' blocks.
    left: [usize; MAX_DIMS],
    // Not a parameter of the type: a program pads elements of several types, and each gap is a call of `memcpy` anyway.
    fill: &'a mut dyn FnMut(Range<usize>),
}

impl Finder<'_> {
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
