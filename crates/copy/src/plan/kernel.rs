//! The choice of the innermost loops.

use crate::plan::loops::{Kernel, MAX_LOOPS, Plan};
use crate::plan::strides::distance;
use layout_core::Size;

/// Bytes up to which what is contiguous in both layouts is taken as one element.
pub(super) const WIDEST: Size = 16;
/// Bytes of a lane of a vector.
pub(super) const LANE: Size = 16;
/// Bytes of a cache line.
pub(super) const LINE: Size = 64;
/// Rows that are interleaved at most.
const MOST_ROWS: usize = 8;

impl Plan {
    /// Chooses the kernel and puts the loops in order. The loops of a dimension stand together, the
    /// most minor first.
    pub(super) const fn choose(&mut self, element: Size) {
        self.turn_forward();
        let len = self.len as usize;
        // Which loops go where: numbers of the loops from the innermost on.
        let mut inner = [0; MAX_LOOPS];
        let mut taken = [false; MAX_LOOPS];

        // What is contiguous in both, across dimensions.
        let mut run = 0;
        let mut length = 1;
        loop {
            let mut found = len;
            each!(for i in 0..len {
                let digit = &self.loops[i];
                if !taken[i] && digit.extent > 1 && digit.src == length && digit.dst == length {
                    found = i;
                }
            });
            if found == len {
                break;
            }
            taken[found] = true;
            inner[run] = found;
            run += 1;
            length *= self.loops[found].extent;
        }

        // The digit of each layout that counts what is contiguous in it.
        let (mut p, mut q) = (len, len);
        each!(for i in 0..len {
            let digit = &self.loops[i];
            if !taken[i] && digit.extent > 1 {
                if digit.src == length {
                    p = i;
                }
                if digit.dst == length {
                    q = i;
                }
            }
        });
        let is_wide = match element {
            0 => length == 1,
            _ => length == 1 || length <= WIDEST / element && (length * element).is_power_of_two(),
        };
        let mut count = run;
        if is_wide && p < len && q < len {
            self.elements_as_one = length;
            self.element_loops = run as u8;
            let (rows, elements) = (self.loops[q].extent, self.loops[p].extent);
            self.kernel = if self.is_rows(rows) && self.loops[p].dst == rows * length {
                Kernel::Interleave
            } else if self.is_rows(elements) && self.loops[q].src == elements * length {
                Kernel::Deinterleave
            } else {
                Kernel::Transpose
            };
            taken[p] = true;
            taken[q] = true;
            inner[count] = p;
            count += 1;
            if matches!(self.kernel, Kernel::Transpose)
                && self.follows(p, &taken)
                && self.loops[p + 1].src == length * elements
            {
                taken[p + 1] = true;
                inner[count] = p + 1;
                count += 1;
            }
            // For now the number of loops from the innermost on.
            self.source_minor = count as u8;
            inner[count] = q;
            count += 1;
            if matches!(self.kernel, Kernel::Transpose)
                && self.follows(q, &taken)
                && self.loops[q + 1].dst == length * rows
            {
                taken[q + 1] = true;
                inner[count] = q + 1;
                count += 1;
            }
        } else if run > 0 {
            // Its most major digit is `p`, and the others are always whole.
            self.kernel = Kernel::Run;
            self.elements_as_one = length / self.loops[inner[run - 1]].extent;
            self.element_loops = run as u8 - 1;
            self.source_minor = run as u8;
        } else {
            self.kernel = Kernel::Strided;
            let [p, q] = self.nearest();
            if p < len {
                taken[p] = true;
                inner[0] = p;
                count = 1;
            }
            self.source_minor = count as u8;
            if q < len {
                taken[q] = true;
                inner[1] = q;
                count = 2;
            }
        }
        self.arrange(&inner, count, &taken);
        if element.is_power_of_two() && element <= WIDEST && self.has_layout_strides() {
            self.choose_exchange(element);
        }
    }

    const fn is_rows(&self, rows: Size) -> bool {
        rows <= MOST_ROWS as Size && rows.is_power_of_two()
    }

    /// Whether the loop after one is free, and the next of its dimension.
    const fn follows(&self, at: usize, taken: &[bool; MAX_LOOPS]) -> bool {
        at + 1 < self.len as usize
            && !taken[at + 1]
            && self.dims[at + 1] == self.dims[at]
            && self.loops[at + 1].extent > 1
    }

    /// Puts the loops in order: those outside by their strides, then the kernel's.
    const fn arrange(
        &mut self,
        inner: &[usize; MAX_LOOPS],
        count: usize,
        taken: &[bool; MAX_LOOPS],
    ) {
        let (loops, dims, len) = (self.loops, self.dims, self.len as usize);
        let mut outer = 0;
        each!(for i in 0..len {
            // A loop with one value is not needed.
            if !taken[i] && loops[i].extent > 1 {
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
        each!(for i in 0..count {
            self.loops[outer + i] = loops[inner[count - 1 - i]];
            self.dims[outer + i] = dims[inner[count - 1 - i]];
        });
        let len = (outer + count) as u8;
        self.kernel_loops = outer as u8;
        self.source_minor = len - self.source_minor;
        self.element_loops = len - self.element_loops;
        self.len = len;
    }
}
