//! The edges that an array has past its whole blocks: their elements are copied by plans of their own, so that no block is cut.

use crate::loops::{Loop, Plan};
use crate::plan::boxes::Then;
use crate::plan::kernel::LINE;
use layout_core::Size;
use layout_core::base::width::greatest;

/// What edges are past.
#[derive(Clone, Copy)]
pub(crate) enum Past {
    /// Whole values of each dimension's most major digit.
    Digits,
    /// Whole lines of both sides, of elements of `element` bytes.
    Lines { element: Size },
}

impl Plan {
    /// Whether there are edges.
    pub(crate) const fn has_edges(&self, past: Past) -> bool {
        each!(for number in 0..self.len as usize {
            if self.border(number, past).is_some() {
                return true;
            }
        });
        false
    }

    /// The value of a loop with which an edge begins, if it is the most major loop of a dimension with an edge.
    const fn border(&self, number: usize, past: Past) -> Option<Size> {
        let dim = self.dims[number] as usize;
        let (size, unit) = (self.sizes[dim], self.loops[number].unit);
        let rest = size % self.whole(dim, past);
        if rest > 0 && rest < size && self.is_most_major(number) {
            Some((size - rest) / unit)
        } else {
            None
        }
    }

    /// How many coordinates of a dimension are whole together: its edge is what is left past a multiple of them.
    pub(super) const fn whole(&self, dim: usize, past: Past) -> Size {
        let (mut block, mut major) = (1, 1);
        each!(for number in 0..self.len as usize {
            let Loop { unit, extent, src, dst } = self.loops[number];
            if self.dims[number] as usize != dim {
                continue;
            }
            major = greatest(major, unit);
            if let Past::Lines { element } = past {
                let steps =
                    [Size::saturating_mul(src, element), Size::saturating_mul(dst, element)];
                let values = lines(steps[0], lines(steps[1], 1));
                if values > 1 {
                    // The most major digit of a dimension has any number of values.
                    let values = if self.is_most_major(number) { values } else { extent };
                    block = greatest(block, Size::saturating_mul(unit, values));
                }
            }
        });
        match past {
            Past::Lines { .. } if block == 1 => 1,
            _ => greatest(block, major),
        }
    }

    /// Calls `then` with plans of the edges, for elements of `element` bytes as in [`new`](Self::new), and with the slots of both layouts
    /// at which their memory begins. Returns the plan of what is whole.
    pub(crate) fn at_edges(&self, past: Past, element: Size, then: Then<'_>) -> Plan {
        let mut whole = self.as_digits();
        while let Some((edge, at, others)) = whole.edge(past) {
            then(&edge.with_kernel(element), at);
            whole = others;
        }
        whole.with_kernel(element)
    }

    /// The plan of what is whole.
    pub(crate) const fn without_edges(&self, past: Past, element: Size) -> Plan {
        let mut whole = self.as_digits();
        while let Some((.., others)) = whole.edge(past) {
            whole = others;
        }
        whole.with_kernel(element)
    }

    /// The plan of an edge, where its memory begins, and the plan of what else there is: all of them plans of digits, as this one.
    pub(crate) const fn edge(&self, past: Past) -> Option<(Plan, [Size; 2], Plan)> {
        each!(for number in 0..self.len as usize {
            if let Some(border) = self.border(number, past)
                && let Some((others, _)) = self.part(number, 0, border)
                && let Some((edge, at)) = self.part(number, border, self.loops[number].extent)
            {
                return Some((edge, at, others));
            }
        });
        None
    }
}

/// How many values, `step` bytes apart, are whole lines together, and a multiple of `others`; `others` if they lie in lines of
/// their own.
const fn lines(step: Size, others: Size) -> Size {
    let mut values = others;
    while step < LINE && !(values * step).is_multiple_of(LINE) {
        values += others;
    }
    values
}
