//! A range of the destination's memory as boxes of the digits that both layouts share, each of which is a copy of its own.
//!
//! A box is some values of a digit, at one value of each digit that is more major in the destination. Its digits are again
//! those of an array: what an array's plan is made of. So a box is planned by the rule for whole arrays, and there is no
//! rule for parts.
//!
//! That boxes are enough rests on this: *all elements at one value of the digit with the largest stride `s` of the
//! destination lie in a block of `s` slots.* Proof. The destination's own digits are those of a mixed radix, padding
//! included: their values are less than their widths, and the stride of each is at least what all with smaller strides reach
//! together, and one more. A shared digit is part of one of them. What is more minor of that digit counts to less than a
//! step of the shared one, and the digits below it to less than a step of theirs; both together, to less than `s`. ∎
//! It holds for every layout without a swizzle, in any order of a dimension's digits in memory. Debug builds check
//! it for each box.

use core::ops::Range;

use crate::loops::{Kernel, Loop, Plan};
use layout_core::Digits;
use layout_core::analysis::{Digit, DigitSource};
use layout_core::base::{Size, least};

/// Takes a plan, and the slots of both layouts at which its memory begins.
pub(super) type Then<'a> = &'a mut dyn FnMut(&Plan, [Size; 2]);

impl Plan {
    /// Calls `then` with plans that together copy the elements in a window of the destination's slots, and with the slots of
    /// both layouts at which the memory of each plan begins. There are at most two plans for each shared digit, four where
    /// elements are packed.
    ///
    /// This is a plan with loops, for elements of `element` bytes as in [`new`](Self::new). A byte holds `per` elements on each
    /// side, or a whole element takes one or more (1). Windows begin and end at whole bytes, or at the end of memory. Where
    /// boxes can, they begin at whole bytes.
    pub fn boxes(&self, element: Size, per: [Size; 2], window: Range<Size>, then: Then<'_>) {
        if !self.is_empty() {
            Boxes { element, per, then }.divide(&self.as_digits(), [0; 2], &window);
        }
    }

    /// [`boxes`](Self::boxes) for layouts that share no digits: boxes of indices all of whose elements lie in the window, by bounds
    /// of their offsets.
    pub fn index_boxes(digits: [&Digits; 2], window: Range<Size>, then: Then<'_>) {
        if window.is_empty() || digits[0].elements() == 0 {
            return;
        }
        let [src, dst] = digits;
        let mut plan = Plan::of_part(&src.view(), &dst.view());
        plan.loops[0].extent = 1;
        plan.skipped = window.start;
        IndexBoxes { dst, window, then }.divide(&mut plan);
    }

    /// The plan's loops as [common digits](Self::common_digits), before a kernel was chosen: the loops of a dimension together,
    /// the most minor first.
    pub(crate) const fn as_digits(&self) -> Plan {
        let mut digits = Plan {
            kernel: Kernel::Strided,
            exchanges_bits: false,
            kernel_loops: 0,
            source_minor: 0,
            element_loops: 0,
            elements_as_one: 1,
            ..*self
        };
        digits.sort();
        digits
    }

    /// The plan for some values of a loop, if there are elements at them. Offsets count from the first of them on.
    ///
    /// In a dimension of `size`, let the loop count `unit`, and the next more major one `block` = `unit · extent`. Of each block
    /// `kept` = `unit · values` coordinates are left, and what counts blocks counts these. From the first value on, the dimension
    /// has whole blocks and a rest, of which no more is left than `kept`.
    pub(crate) const fn at_values(&self, number: usize, start: Size, end: Size) -> Option<Plan> {
        let Loop { unit, extent, .. } = self.loops[number];
        let (dim, before) = (self.dims[number], start * unit);
        let size = self.sizes[dim as usize];
        if start >= end || before >= size {
            return None;
        }
        let (block, kept, left) = (unit * extent, unit * (end - start), size - before);
        let mut part = *self;
        part.loops[number].extent = end - start;
        if self.is_general() {
            part.starts[dim as usize] += before;
            part.skipped += start * self.loops[number].dst;
            part.sizes[dim as usize] = least(size, part.starts[dim as usize] + kept);
            return Some(part);
        }
        part.sizes[dim as usize] = left / block * kept + least(left % block, kept);
        each!(for other in 0..self.len as usize {
            if self.dims[other] == dim && self.loops[other].unit > unit {
                part.loops[other].unit = self.loops[other].unit / block * kept;
            }
        });
        Some(part)
    }

    /// Leaves out loops with one value, and values without elements: what remains is as for an array of that size.
    pub(super) const fn tidy(&mut self) {
        let mut len = 0;
        each!(for number in 0..self.len as usize {
            let (of_loop, dim) = (self.loops[number], self.dims[number]);
            let size = self.sizes[dim as usize];
            if of_loop.extent > 1 && of_loop.unit < size {
                let extent = least(of_loop.extent, size.div_ceil(of_loop.unit));
                self.loops[len] = Loop { extent, ..of_loop };
                self.dims[len] = dim;
                len += 1;
            }
        });
        self.len = len as u8;
    }

    /// The largest offset of an element in the destination. The loops of a dimension stand together, the most minor first.
    const fn last_slot(&self) -> Size {
        let mut last = 0;
        // Of the loops of a dimension so far: the most that all values give, and those up to the last coordinate's.
        let (mut all, mut up_to_last) = (0, 0);
        each!(for number in 0..self.len as usize {
            let (Loop { unit, extent, dst, .. }, dim) = (self.loops[number], self.dims[number]);
            if number > 0 && self.dims[number - 1] != dim {
                last += up_to_last;
                (all, up_to_last) = (0, 0);
            }
            let value = (self.sizes[dim as usize] - 1) / unit % extent;
            up_to_last += value * dst;
            if value > 0 && (value - 1) * dst + all > up_to_last {
                up_to_last = (value - 1) * dst + all;
            }
            all += (extent - 1) * dst;
        });
        last + up_to_last
    }

    /// The loop with the largest stride of the destination.
    pub(super) fn major(&self) -> Option<usize> {
        (0..self.len.into()).max_by_key(|&number| self.loops[number].dst)
    }
}

/// Divides a window into boxes.
struct Boxes<'a> {
    element: Size,
    per: [Size; 2],
    then: Then<'a>,
}

impl Boxes<'_> {
    /// Copies the elements of a plan that lie in a window; `at` are the plan's first slots. Values of the most major digit that
    /// lie whole in the window are one box. A window cuts at most two values: those are divided by the other digits.
    fn divide(&mut self, plan: &Plan, at: [Size; 2], window: &Range<Size>) {
        let end = at[1] + plan.last_slot() + 1;
        if window.is_empty() {
            return;
        }
        if window.start <= at[1] && window.end >= end {
            return self.copy(plan, at);
        }
        if window.end <= at[1] || window.start >= end {
            return;
        }
        // A plan of one element is whole or outside.
        let Some(number) = plan.major() else { return };
        let Loop { extent, dst, .. } = plan.loops[number];
        let one = plan.part(number, 0, 1).map_or(0, |(one, _)| one.last_slot());
        debug_assert!(one < dst, "elements at one value reach {one} slots of {dst}: {plan:?}");
        let [start, end] = [window.start, window.end].map(|slot| slot.saturating_sub(at[1]));
        let first = least(start.div_ceil(dst), extent);
        let last = if end > one { least((end - one - 1) / dst + 1, extent) } else { 0 };
        for values in self.at_whole_bytes(&plan.loops[number], at, first..last) {
            if let Some((part, skipped)) = plan.part(number, values.start, values.end) {
                self.copy(&part, [0, 1].map(|side| at[side] + skipped[side]));
            }
        }
        for value in (start / dst..first).chain(first.max(last)..least(end.div_ceil(dst), extent)) {
            if let Some((part, skipped)) = plan.part(number, value, value + 1) {
                self.divide(&part, [0, 1].map(|side| at[side] + skipped[side]), window);
            }
        }
    }

    /// Values of a digit in two parts, of which the second begins at whole bytes of both sides, if some value does.
    fn at_whole_bytes(&self, digit: &Loop, at: [Size; 2], values: Range<Size>) -> [Range<Size>; 2] {
        let is_whole = |value: &Size| {
            let slots = [at[0] + value * digit.src, at[1] + value * digit.dst];
            [0, 1].map(|side| slots[side] % self.per[side]) == [0; 2]
        };
        // A byte has at most 8 elements.
        let first = values.clone().take(8).find(is_whole).unwrap_or(values.start);
        [values.start..first, first..values.end]
    }

    fn copy(&mut self, plan: &Plan, at: [Size; 2]) {
        (self.then)(&plan.with_kernel(self.element), at);
    }
}

impl Plan {
    /// Some values of a digit as an array of their own, and where they begin in both layouts.
    pub(super) const fn part(
        &self,
        number: usize,
        start: Size,
        end: Size,
    ) -> Option<(Plan, [Size; 2])> {
        let Loop { src, dst, .. } = self.loops[number];
        let mut part = some!(self.at_values(number, start, end));
        part.tidy();
        Some((part, [start.wrapping_mul(src), start.wrapping_mul(dst)]))
    }
}

/// Divides indices into boxes all of whose elements lie in a window.
struct IndexBoxes<'a> {
    dst: &'a Digits,
    window: Range<Size>,
    then: Then<'a>,
}

impl IndexBoxes<'_> {
    /// Halves the box of a plan until each half lies in the window or outside of it.
    fn divide(&mut self, plan: &mut Plan) {
        let (dst, window) = (self.dst, self.window.clone());
        let (starts, ends) = (plan.starts, plan.sizes);
        let is_one = (0..dst.rank()).all(|dim| ends[dim] - starts[dim] == 1);
        let [low, high] = match is_one {
            // Of several elements in a swizzle, bounds are those of its blocks.
            true => [dst.offset_unchecked(&starts[..dst.rank()]); 2],
            false => dst.view().bounds(&starts, &ends),
        };
        if high < window.start || low >= window.end {
            return;
        }
        if low >= window.start && high < window.end {
            return (self.then)(plan, [0, window.start]);
        }
        // Across the dimension by which offsets differ most.
        let reach = |dim: &usize| {
            let mut only = starts.map(|start| start + 1);
            only[*dim] = ends[*dim];
            let [low, high] = dst.view().bounds(&starts, &only);
            high - low
        };
        let dims = (0..dst.rank()).filter(|&dim| ends[dim] - starts[dim] > 1);
        let Some(dim) = dims.max_by_key(reach) else { return };
        let middle = middle(dst, dim, starts[dim], ends[dim]);
        plan.sizes[dim] = middle;
        self.divide(plan);
        (plan.starts[dim], plan.sizes[dim]) = (middle, ends[dim]);
        self.divide(plan);
        plan.starts[dim] = starts[dim];
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
