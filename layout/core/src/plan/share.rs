//! Dividing a plan among several threads.

use crate::analysis::digit::{DigitSource, Term};
use crate::analysis::digits::Digits;
use crate::base::limits::Size;
use crate::base::width::least;
use crate::plan::loops::{Kernel, Loop, Plan};

impl Plan {
    /// The loop that divides the destination into consecutive blocks of memory, if the plan can be divided
    /// there: the most major digit of the destination, and of its dimension.
    pub const fn shared(&self) -> Option<usize> {
        if self.is_general() {
            return if self.loops[0].extent > 1 { Some(0) } else { None };
        }
        let mut major = 0;
        each!(for i in 1..self.fine as usize {
            if self.loops[i].dst > self.loops[major].dst {
                major = i;
            }
        });
        let keeps_rows = major < self.inner as usize
            || match self.kernel {
                Kernel::Run | Kernel::Transpose | Kernel::Strided => true,
                // Tiles, of which each has all rows.
                Kernel::Deinterleave => major == self.inner as usize && major + 1 < self.p as usize,
                Kernel::Interleave | Kernel::General => false,
            };
        // An array of one element has no loops.
        if self.fine == 0 || !keeps_rows {
            return None;
        }
        each!(for i in 0..self.len as usize {
            if self.dims[i] == self.dims[major] && self.loops[i].unit > self.loops[major].unit {
                return None;
            }
        });
        Some(major)
    }

    /// The plan for the values of a shared loop from `first` on, `count` of them at most. Offsets count
    /// from the first of them on.
    pub const fn share(&self, number: usize, first: Size, count: Size) -> Plan {
        let mut part = *self;
        let Loop { unit, extent, .. } = self.loops[number];
        let values = least(count, extent - first);
        part.loops[number].extent = values;
        let dim = self.dims[number] as usize;
        // A share of a general plan can be shared again: it begins at its own first index.
        let start = self.first + first * unit;
        part.sizes[dim] = least(self.sizes[dim] - start, values * unit);
        if self.is_general() {
            part.first = start;
            part.sizes[dim] += start;
        }
        part
    }

    /// Gives a general plan its one loop: the most major digit of the destination, if that is the most major one of
    /// a dimension; else a loop of one value.
    pub(super) const fn share_general(&mut self, dst: &Digits) {
        self.loops[0] = Loop { unit: 1, extent: 1, src: 0, dst: 0 };
        if let Some(Term { digit, stride, .. }) = dst.terms().first()
            && let DigitSource::Dim(dim) = digit.source()
            && digit.modulus == 0
        {
            let extent = dst.dim(dim).div_ceil(digit.div);
            self.dims[0] = dim as u8;
            self.loops[0] = Loop { unit: digit.div, extent, src: 0, dst: stride.factor };
        }
        (self.len, self.inner, self.p, self.fine) = (1, 1, 1, 1);
    }
}
