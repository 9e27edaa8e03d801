//! Whether two layouts put every element in the same place.

use super::{Kernel, Plan};
use crate::digits::Digits;
use crate::limits::MAX_DIMS;

/// The first element in row-major order that two layouts put in different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its coordinates, dimension 0 first.
    pub index: [usize; MAX_DIMS],
    /// Its offset in either layout.
    pub offsets: [usize; 2],
}

impl Digits {
    /// The first element in row-major order that lies elsewhere in another layout of the same
    /// dimensions.
    pub const fn difference(&self, other: &Digits) -> Option<Difference> {
        if self.elements() == 0 {
            return None;
        }
        let mut index = [0; MAX_DIMS];
        let plan = Plan::new(self, other, 0);
        if !matches!(plan.kernel, Kernel::General) {
            // The digits are independent, so that the first element that differs has one digit 1 and
            // the others 0: the smallest of the last dimension that has any.
            let mut found = usize::MAX;
            let mut i = 0;
            while i < plan.len as usize {
                let digit = &plan.loops[i];
                if digit.extent > 1 && digit.src != digit.dst {
                    let is_before = found == usize::MAX
                        || plan.dims[i] > plan.dims[found]
                        || plan.dims[i] == plan.dims[found] && digit.unit < plan.loops[found].unit;
                    if is_before {
                        found = i;
                    }
                }
                i += 1;
            }
            if found == usize::MAX {
                return None;
            }
            index[plan.dims[found] as usize] = plan.loops[found].unit;
            let offsets = [plan.loops[found].src, plan.loops[found].dst];
            return Some(Difference { index, offsets });
        }
        // Stretch by stretch of the last dimension.
        let rank = self.rank();
        let last = rank - 1;
        loop {
            let (a, b) = (self.stretch(&index, last), other.stretch(&index, last));
            if a.offset != b.offset {
                return Some(Difference { index, offsets: [a.offset, b.offset] });
            }
            let length = if a.length < b.length { a.length } else { b.length };
            if length > 1 && a.stride != b.stride {
                index[last] += 1;
                let offsets = [a.offset + a.stride, b.offset + b.stride];
                return Some(Difference { index, offsets });
            }
            index[last] += length;
            let mut dim = last;
            while index[dim] == self.dim(dim) {
                if dim == 0 {
                    return None;
                }
                index[dim] = 0;
                dim -= 1;
                index[dim] += 1;
            }
        }
    }
}
