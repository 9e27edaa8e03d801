//! Dividing a plan among several threads.

use crate::limits::Size;
use crate::plan::{Kernel, Loop, Plan};

impl Plan {
    /// The loop that divides the destination into consecutive blocks of memory, if the plan can be divided
    /// there: the most major digit of the destination, and of its dimension.
    pub const fn shared(&self) -> Option<usize> {
        let mut major = 0;
        let mut i = 1;
        while i < self.fine as usize {
            if self.loops[i].dst > self.loops[major].dst {
                major = i;
            }
            i += 1;
        }
        let keeps_rows = major < self.inner as usize
            || matches!(self.kernel, Kernel::Run | Kernel::Transpose | Kernel::Strided);
        // There are no loops where the layouts share no split.
        if self.fine == 0 || !keeps_rows {
            return None;
        }
        let mut i = 0;
        while i < self.len as usize {
            if self.dims[i] == self.dims[major] && self.loops[i].unit > self.loops[major].unit {
                return None;
            }
            i += 1;
        }
        Some(major)
    }

    /// The plan for the values of a shared loop from `first` on, `count` of them at most. Offsets count
    /// from the first of them on.
    pub const fn share(&self, number: usize, first: Size, count: Size) -> Plan {
        let mut part = *self;
        let Loop { unit, extent, .. } = self.loops[number];
        let values = if count < extent - first { count } else { extent - first };
        part.loops[number].extent = values;
        let dim = self.dims[number] as usize;
        let left = self.sizes[dim] - first * unit;
        part.sizes[dim] = if left < values * unit { left } else { values * unit };
        part
    }
}
