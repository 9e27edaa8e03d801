//! Dividing a plan at any places of the destination's memory.

use core::ops::Range;

use crate::analysis::digit::{Digit, DigitSource};
use crate::analysis::digits::Digits;
use crate::base::limits::Size;
use crate::plan::loops::{Loop, Plan};

/// Boxes of indices that are looked at for one window. More than some hundreds are needed only where digits of a
/// dimension lie in memory with a more minor one first.
const MOST_BOXES: usize = 1 << 12;

/// What copies some of a window's elements.
#[derive(Clone, Copy, Debug)]
pub struct WindowPart {
    /// The copy.
    pub plan: Plan,
    /// The slots of both layouts at which the memory of the plan begins.
    pub at: [Size; 2],
    /// Whether the plan has other kernels than the one that was divided.
    pub is_chosen: bool,
}

impl Plan {
    /// Calls `then` with plans that together copy the elements in a window of the destination's slots.
    ///
    /// The plan is that of the digits, of elements of `element` bytes as in [`new`](Self::new). A byte holds `per` elements on
    /// each side, or a whole element takes one or more (1); windows begin and end at whole bytes, or at the end of memory.
    pub fn window(
        &self,
        digits: [&Digits; 2],
        element: Size,
        per: [Size; 2],
        window: Range<Size>,
        then: &mut dyn FnMut(&WindowPart),
    ) {
        if window.is_empty() || self.is_empty() {
            return;
        }
        let part = WindowPart { plan: *self, at: [0; 2], is_chosen: false };
        Divider { digits, element, per, boxes: 0, then }.divide(&part, &window);
    }

    /// The loop whose values count the largest blocks of the destination.
    fn major(&self) -> Option<usize> {
        let numbers = (0..self.len.into()).filter(|&number| self.loops[number].extent > 1);
        numbers.max_by_key(|&number| self.loops[number].dst)
    }

    /// The loops with a kernel of their own, after some of the kernel's got fewer values.
    fn chosen_again(mut self, element: Size) -> Plan {
        let len = usize::from(self.len);
        // Digits of an axis stand together, the most minor first.
        self.loops[..len].reverse();
        self.dims[..len].reverse();
        (self.wide, self.inner, self.p, self.fine) = (1, 0, 0, 0);
        self.choose(element);
        self
    }
}

impl WindowPart {
    /// Some values of a loop, if there are any and elements at them.
    fn values(&self, number: usize, values: Range<Size>) -> Option<WindowPart> {
        let Loop { src, dst, .. } = self.plan.loops[number];
        if values.start >= values.end.min(self.plan.count(number)) {
            return None;
        }
        let plan = self.plan.share(number, values.start, values.end - values.start);
        // The general path reads the source from its beginning on: its loop has no stride there.
        let at = [self.at[0] + values.start * src, self.at[1] + values.start * dst];
        Some(WindowPart { plan, at, is_chosen: self.is_chosen || number >= plan.inner.into() })
    }
}

/// Divides a window into what plans copy.
struct Divider<'a> {
    digits: [&'a Digits; 2],
    element: Size,
    per: [Size; 2],
    /// How many boxes were looked at.
    boxes: usize,
    then: &'a mut dyn FnMut(&WindowPart),
}

impl Divider<'_> {
    /// Whole values of the largest digit of the destination by a share of the plan; what the window has of the values before
    /// and after them, by their own digits.
    fn divide(&mut self, part: &WindowPart, window: &Range<Size>) {
        let Some(number) = part.plan.major() else {
            if part.plan.is_general() {
                self.boxes(window);
            } else if window.contains(&part.at[1]) {
                self.copy(part);
            }
            return;
        };
        let Loop { extent, dst, .. } = part.plan.loops[number];
        let at = part.at[1];
        let window = &(window.start.max(at)..window.end.min(at + extent * dst));
        if window.is_empty() {
            return;
        }
        let [start, end] = [window.start - at, window.end - at];
        let multiple = part.plan.multiple(number, 1, self.per);
        let first = start.div_ceil(dst).next_multiple_of(multiple);
        let last = if end == extent * dst { extent } else { end / dst / multiple * multiple };
        if first == 0 && last == extent {
            return self.copy(part);
        }
        part.values(number, first..last).into_iter().for_each(|whole| self.copy(&whole));
        if part.plan.is_general() || multiple > 1 {
            if first >= last {
                return self.boxes(window);
            }
            self.boxes(&(window.start..at + first * dst));
            return self.boxes(&(at + last * dst..window.end));
        }
        // Of the values before and after, one is cut at most.
        for value in (start / dst..first).chain(first.max(last)..end.div_ceil(dst)) {
            let value = part.values(number, value..value + 1);
            value.into_iter().for_each(|part| self.divide(&part, window));
        }
    }

    fn copy(&mut self, part: &WindowPart) {
        let mut part = *part;
        if part.is_chosen {
            part.plan = part.plan.chosen_again(self.element);
        }
        (self.then)(&part);
    }

    /// By the general path: boxes of indices all of whose elements lie in the window.
    fn boxes(&mut self, window: &Range<Size>) {
        let [src, dst] = self.digits;
        if window.is_empty() {
            return;
        }
        let mut plan = Plan::of_part(src, dst);
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
            (self.then)(&WindowPart { plan: *plan, at: [0, window.start], is_chosen: false });
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
        let middle = dst.middle(dim, starts[dim], ends[dim]);
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
                (self.then)(&WindowPart { plan: *plan, at: [0, window.start], is_chosen: false });
            }
        }
    }
}

impl Digits {
    /// An index between two, of which there are some, near the middle: where the largest digit of the dimension begins that
    /// changes there.
    fn middle(&self, dim: usize, start: Size, end: Size) -> Size {
        let of_sums = self.sums().iter().flat_map(|sum| [sum.major, sum.minor]);
        let digits = self.terms().iter().map(|term| term.digit).chain(of_sums);
        let is_between = |div: &Size| (end - 1) / div > start / div;
        let units = digits.filter(|digit| digit.source() == DigitSource::Dim(dim));
        let unit = units.map(|digit: Digit| digit.div()).filter(is_between).max().unwrap_or(1);
        (start / unit + (end - 1) / unit).div_ceil(2) * unit
    }
}
