//! The choice of the innermost loops.
//!
//! A kernel moves blocks of two axes. `p` counts what is contiguous in the source, `q` what is contiguous in the destination:
//!
//! ```text
//!  source        p →                 destination   q →
//!            ┌─────────────┐                    ┌─────────┐
//!          q │ 0  1  2  3  │                  p │ 0  4  8 │
//!          ↓ │ 4  5  6  7  │                  ↓ │ 1  5  9 │
//!            │ 8  9 10 11  │                    │ 2  6 10 │
//!            └─────────────┘                    │ 3  7 11 │
//!                                               └─────────┘
//! ```
//!
//! Here `p` has 4 values and `q` has 3: a [`Transpose`](Kernel::Transpose). Rows of the source that lie woven in the destination
//! ([`Interleave`](Kernel::Interleave)) are a few values of `q`, all of which follow one another there. Where `p` is contiguous on both
//! sides there is no `q`: a [`Run`](Kernel::Run). What both sides have contiguous below `p` and `q`, up to 16 bytes, is moved as one element.

use crate::loops::{Kernel, Loop, MAX_LOOPS, Plan};
use crate::plan::strides::distance;
use layout_core::analysis::DigitsView;
use layout_core::{Digits, Size};

/// Bytes up to which what is contiguous in both layouts is taken as one element.
pub(super) const WIDEST: Size = 16;
/// Bytes of a lane of a vector.
pub(super) const LANE: Size = 16;
/// Bytes of a cache line.
pub(super) const LINE: Size = 64;
/// Rows that are interleaved at most.
const MOST_ROWS: Size = 8;

/// The kernel's loops, the innermost first.
struct Inner {
    numbers: [usize; MAX_LOOPS],
    count: usize,
    /// Those that are taken, or will be, as bits.
    taken: u16,
}

impl Inner {
    const fn take(&mut self, number: usize) {
        self.numbers[self.count] = number;
        self.count += 1;
        self.taken |= 1 << number;
    }

    const fn has(&self, number: usize) -> bool {
        self.taken >> number & 1 == 1
    }
}

impl Plan {
    /// Plans the copy of an array. The two layouts have the same dimensions.
    ///
    /// `element` is the size of an element in bytes, 0 for elements that are narrower.
    pub const fn new(src: &Digits, dst: &Digits, element: Size) -> Plan {
        Plan::of([&src.view(), &dst.view()], element)
    }

    /// Like [`new`](Self::new), of digits as slices.
    pub const fn of([src, dst]: [&DigitsView<'_>; 2], element: Size) -> Plan {
        let mut plan = Plan::without_loops(src.dims);
        if src.is_empty() || !plan.split(src, dst) {
            return Plan::of_part(src, dst);
        }
        plan.with_kernel(element)
    }

    /// The plan of such digits: the one rule, for whole arrays and for boxes of them.
    pub const fn with_kernel(mut self, element: Size) -> Plan {
        self.coalesce();
        self.choose(element);
        self
    }

    /// Chooses the kernel and puts the loops in order. The loops of a dimension stand together, the
    /// most minor first.
    pub(super) const fn choose(&mut self, element: Size) {
        self.turn_forward();
        let mut inner = Inner { numbers: [0; MAX_LOOPS], count: 0, taken: 0 };
        // What is contiguous in both, across dimensions.
        let mut length = 1;
        while let Some(number) = self.continuing(&inner, [true; 2], length) {
            inner.take(number);
            length *= self.loops[number].extent;
        }
        let run = inner.count;
        // The digit of each layout that counts what is contiguous in it.
        let p = self.continuing(&inner, [true, false], length);
        let q = self.continuing(&inner, [false, true], length);
        let is_wide = match element {
            0 => length == 1,
            _ => length == 1 || length <= WIDEST / element && (length * element).is_power_of_two(),
        };
        if is_wide && let (Some(p), Some(q)) = (p, q) {
            self.elements_as_one = length;
            self.element_loops = run as u8;
            let (rows, elements) = (self.loops[q].extent, self.loops[p].extent);
            self.kernel = if is_rows(rows) && self.loops[p].dst == rows * length {
                Kernel::Interleave
            } else if is_rows(elements) && self.loops[q].src == elements * length {
                Kernel::Deinterleave
            } else {
                Kernel::Transpose
            };
            inner.taken |= 1 << q;
            self.take_axis(&mut inner, p, 0);
            // For now the number of loops from the innermost on.
            self.source_minor = inner.count as u8;
            self.take_axis(&mut inner, q, 1);
        } else if run > 0 {
            // Its most major digit is `p`, and the others are always whole.
            self.kernel = Kernel::Run;
            self.elements_as_one = length / self.loops[inner.numbers[run - 1]].extent;
            self.element_loops = run as u8 - 1;
            self.source_minor = run as u8;
        } else {
            self.kernel = Kernel::Strided;
            let [p, q] = self.nearest();
            if p < self.len as usize {
                inner.take(p);
            }
            self.source_minor = inner.count as u8;
            if q < self.len as usize {
                inner.take(q);
            }
        }
        self.arrange(&inner);
        if element.is_power_of_two() && element <= WIDEST && self.has_layout_strides() {
            self.choose_exchange(element);
        }
    }

    /// The free loop whose steps are `length` in the source, in the destination, or in both.
    const fn continuing(&self, inner: &Inner, sides: [bool; 2], length: Size) -> Option<usize> {
        let mut found = None;
        each!(for i in 0..self.len as usize {
            let Loop { extent, src, dst, .. } = self.loops[i];
            let is_next = (!sides[0] || src == length) && (!sides[1] || dst == length);
            if is_next && extent > 1 && !inner.has(i) {
                found = Some(i);
            }
        });
        found
    }

    /// Takes a loop, and of a transpose the next digit of its dimension if it goes on in the source (0) or in the destination (1).
    const fn take_axis(&self, inner: &mut Inner, number: usize, side: usize) {
        inner.take(number);
        let next = number + 1;
        if !matches!(self.kernel, Kernel::Transpose) || next >= self.len as usize || inner.has(next)
        {
            return;
        }
        let (of, major) = (&self.loops[number], &self.loops[next]);
        let goes_on = [major.src, major.dst][side] == [of.src, of.dst][side] * of.extent;
        if goes_on && self.dims[next] == self.dims[number] && major.extent > 1 {
            inner.take(next);
        }
    }

    /// Puts the loops in order: those outside by their strides, then the kernel's.
    const fn arrange(&mut self, inner: &Inner) {
        let (loops, dims, len) = (self.loops, self.dims, self.len as usize);
        let mut outer = 0;
        each!(for i in 0..len {
            // A loop with one value is not needed.
            if !inner.has(i) && loops[i].extent > 1 {
                let mut at = outer;
                while at > 0 && distance(self.loops[at - 1].dst) < distance(loops[i].dst) {
                    self.loops[at] = self.loops[at - 1];
                    self.dims[at] = self.dims[at - 1];
                    at -= 1;
                }
                self.loops[at] = loops[i];
                self.dims[at] = dims[i];
                outer += 1;
            }
        });
        each!(for i in 0..outer {
            let mut at = i;
            while at > 0
                && distance(self.loops[self.by_source[at - 1] as usize].src)
                    < distance(self.loops[i].src)
            {
                self.by_source[at] = self.by_source[at - 1];
                at -= 1;
            }
            self.by_source[at] = i as u8;
        });
        each!(for i in 0..inner.count {
            let number = inner.numbers[inner.count - 1 - i];
            (self.loops[outer + i], self.dims[outer + i]) = (loops[number], dims[number]);
        });
        let len = (outer + inner.count) as u8;
        self.kernel_loops = outer as u8;
        self.source_minor = len - self.source_minor;
        self.element_loops = len - self.element_loops;
        self.len = len;
    }
}

const fn is_rows(rows: Size) -> bool {
    rows <= MOST_ROWS && rows.is_power_of_two()
}
