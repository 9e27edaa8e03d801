//! Dimensions that lie one after the other in both layouts, counted as one.

use crate::plan::loops::{MAX_LOOPS, Plan};

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

    /// Joins the dimension of the loop `first` to that of the loop `last`.
    const fn join(&mut self, last: usize, first: usize) {
        let (loops, dims, len) = (self.loops, self.dims, self.len as usize);
        let (minor, major) = (dims[last], dims[first]);
        let size = self.sizes[minor as usize];
        let mut order = [0; MAX_LOOPS];
        let mut count = 0;
        each!(for i in 0..len {
            if dims[i] != major {
                order[count] = i;
                count += 1;
            }
            if i == last {
                // `first` itself is part of `last` now.
                each!(for more in first + 1..len {
                    if dims[more] == major {
                        order[count] = more;
                        count += 1;
                    }
                });
            }
        });
        each!(for i in 0..count {
            let from = order[i];
            self.loops[i] = loops[from];
            self.dims[i] = dims[from];
            if dims[from] == major {
                self.loops[i].unit *= size;
                self.dims[i] = minor;
            } else if from == last {
                self.loops[i].extent *= loops[first].extent;
            }
        });
        self.len = count as u8;
        self.sizes[minor as usize] *= self.sizes[major as usize];
        self.sizes[major as usize] = 1;
    }
}
