//! A range of the destination's memory as boxes of indices, for layouts that share no digits.

use core::ops::Range;

use crate::plan::loops::{Loop, Plan};
use layout_core::Digits;
use layout_core::Size;
use layout_core::analysis::{Digit, DigitSource};

/// Boxes of indices that are looked at for one range. More than some hundreds are needed only where digits of a
/// dimension lie in memory with a more minor one first.
const MOST_BOXES: usize = 1 << 12;

/// Takes a plan, and the slots of both layouts at which its memory begins.
pub(super) type Then<'a> = &'a mut dyn FnMut(&Plan, [Size; 2]);

/// Finds indices all of whose elements lie in a range of slots: by bounds of their offsets.
pub(super) struct IndexBoxes<'a> {
    digits: [&'a Digits; 2],
    per: [Size; 2],
    /// How many boxes were looked at.
    boxes: usize,
    then: Then<'a>,
}

impl<'a> IndexBoxes<'a> {
    pub(super) fn new(digits: [&'a Digits; 2], per: [Size; 2], then: Then<'a>) -> Self {
        IndexBoxes { digits, per, boxes: 0, then }
    }

    /// Whole values of the destination's most major digit, where it is one of a dimension; before and after them boxes of
    /// indices.
    pub(super) fn divide(&mut self, window: &Range<Size>) {
        let [src, dst] = self.digits;
        let plan = Plan::of_part(&src.view(), &dst.view());
        let Loop { extent, dst: stride, .. } = plan.loops[0];
        if extent == 1 {
            return self.boxes(window);
        }
        let multiple = plan.multiple(0, 1, self.per);
        let first = window.start.div_ceil(stride).next_multiple_of(multiple);
        let is_all = window.end >= extent * stride;
        let last = if is_all { extent } else { window.end / stride / multiple * multiple };
        if first >= last {
            return self.boxes(window);
        }
        (self.then)(&plan.share(0, first, last - first), [0, first * stride]);
        self.boxes(&(window.start..first * stride));
        self.boxes(&(last * stride..window.end));
    }

    /// Boxes of indices all of whose elements lie in the window.
    fn boxes(&mut self, window: &Range<Size>) {
        let [src, dst] = self.digits;
        if window.is_empty() {
            return;
        }
        let mut plan = Plan::of_part(&src.view(), &dst.view());
        plan.loops[0].extent = 1;
        plan.skipped = window.start;
        self.boxes = 0;
        if !self.boxes_within(&mut plan, window) {
            self.elements(&mut plan, window);
        }
    }

    /// Halves the box of a plan until each half lies in the window or outside of it. False if there are too many.
    fn boxes_within(&mut self, plan: &mut Plan, window: &Range<Size>) -> bool {
        self.boxes += 1;
        let dst = self.digits[1];
        let (starts, ends) = (plan.starts, plan.sizes);
        let [low, high] = dst.view().bounds(&starts, &ends);
        if high < window.start || low >= window.end {
            return true;
        }
        if low >= window.start && high < window.end {
            (self.then)(plan, [0, window.start]);
            return true;
        }
        // Across the dimension by which offsets differ most.
        let reach = |dim: &usize| {
            let mut only = starts.map(|start| start + 1);
            only[*dim] = ends[*dim];
            let [low, high] = dst.view().bounds(&starts, &only);
            high - low
        };
        let dims = (0..dst.rank()).filter(|&dim| ends[dim] - starts[dim] > 1);
        let Some(dim) = dims.max_by_key(reach).filter(|_| self.boxes < MOST_BOXES) else {
            return false;
        };
        let middle = middle(dst, dim, starts[dim], ends[dim]);
        plan.sizes[dim] = middle;
        let is_done = self.boxes_within(plan, window);
        (plan.starts[dim], plan.sizes[dim]) = (middle, ends[dim]);
        let is_done = is_done && self.boxes_within(plan, window);
        plan.starts[dim] = starts[dim];
        is_done
    }

    /// Element by element, in the order of memory.
    fn elements(&mut self, plan: &mut Plan, window: &Range<Size>) {
        for slot in window.clone() {
            if let Some(index) = self.digits[1].index(slot) {
                plan.starts[..index.len()].copy_from_slice(&index);
                plan.sizes = plan.starts.map(|at| at + 1);
                (self.then)(plan, [0, window.start]);
            }
        }
    }
}

/// An index between two, of which there are some, near the middle: where the largest digit of the dimension begins that
/// changes there.
fn middle(digits: &Digits, dim: usize, start: Size, end: Size) -> Size {
    let of_sums = digits.sums().iter().flat_map(|sum| [sum.major, sum.minor]);
    let all = digits.terms().iter().map(|term| term.digit).chain(of_sums);
    let is_between = |div: &Size| (end - 1) / div > start / div;
    let units = all.filter(|digit| digit.source() == DigitSource::Dim(dim));
    let unit = units.map(|digit: Digit| digit.div()).filter(is_between).max().unwrap_or(1);
    (start / unit + (end - 1) / unit).div_ceil(2) * unit
}
