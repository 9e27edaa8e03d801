//! Dimensions that lie one after the other in both layouts, counted as one.

use crate::loops::Plan;

impl Plan {
    /// Joins dimensions while there are two of which the one goes on, in both layouts, where the other ends: height
    /// and width of images, for instance, from NHWC to NCHW. Rows get longer, and the walk has fewer loops.
    ///
    /// The loops of a dimension stand together, the most minor first.
    pub(super) const fn coalesce(&mut self) {
        let mut last = 0;
        while last < self.len as usize {
            let is_last = last + 1 == self.len as usize || self.dims[last + 1] != self.dims[last];
            match self.continuation(last) {
                // What follows may continue it again, or the dimensions before.
                Some(first) if is_last => {
                    self.join(last, first);
                    last = 0;
                }
                _ => last += 1,
            }
        }
    }

    /// The first loop of a dimension that goes on where a loop ends, which is the last of its dimension.
    const fn continuation(&self, last: usize) -> Option<usize> {
        let (digit, dim) = (&self.loops[last], self.dims[last]);
        // All of a dimension's values are there for each value of the next one.
        if digit.unit * digit.extent != self.sizes[dim as usize] {
            return None;
        }
        each!(for first in 0..self.len as usize {
            let next = &self.loops[first];
            let is_first = first == 0 || self.dims[first - 1] != self.dims[first];
            if is_first
                && self.dims[first] != dim
                && next.src == digit.src.wrapping_mul(digit.extent)
                && next.dst == digit.dst.wrapping_mul(digit.extent)
            {
                return Some(first);
            }
        });
        None
    }

    /// Joins the dimension of the loop `first` to that of the loop `last`, of which `first` becomes part.
    const fn join(&mut self, last: usize, first: usize) {
        let [minor, major] = [self.dims[last], self.dims[first]];
        let size = self.sizes[minor as usize];
        self.loops[last].extent *= self.loops[first].extent;
        self.loops[first].extent = 1;
        each!(for i in 0..self.len as usize {
            if self.dims[i] == major {
                self.dims[i] = minor;
                self.loops[i].unit *= size;
            }
        });
        self.sizes[minor as usize] *= self.sizes[major as usize];
        self.sizes[major as usize] = 1;
        self.sort();
        self.tidy();
    }

    /// Puts the loops of a dimension together, the most minor first.
    pub(super) const fn sort(&mut self) {
        each!(for i in 1..self.len as usize {
            let mut at = i;
            while at > 0
                && (self.dims[at - 1] > self.dims[at]
                    || self.dims[at - 1] == self.dims[at]
                        && self.loops[at - 1].unit > self.loops[at].unit)
            {
                self.dims.swap(at - 1, at);
                self.loops.swap(at - 1, at);
                at -= 1;
            }
        });
    }
}
