//! How to copy an array from one layout to another: a nest of loops over the digits that both
//! share, with the innermost ones chosen for a kernel.

mod bits;
mod boxes;
mod coalesce;
pub(crate) mod inline;
mod kernel;
mod loops;
mod padding;
mod share;
mod split;
mod strides;
mod template;

pub use inline::Strides;
pub use loops::{Kernel, LEVELS, Loop, MAX_LOOPS, Plan};
pub use padding::{PaddingLevel, PaddingPlan};
pub use template::{PlanTemplate, TemplateLoop};

use layout_core::__private::{DigitsView, Region};
use layout_core::Digits;
use layout_core::Size;
use layout_core::limits::MAX_DIMS;

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

    /// Plans the copy of a part of an array, wherever its cuts are, to an array or to a part of one: by the general path.
    pub const fn of_part(src: &DigitsView<'_>, dst: &DigitsView<'_>) -> Plan {
        let mut plan = Plan::without_loops(dst.dims);
        if dst.is_empty() {
            plan.count_none();
        } else {
            plan.along(src, dst);
        }
        plan
    }

    /// This general plan for a part of the destination, which has elements. A part is not shared among threads.
    #[must_use]
    pub const fn within(mut self, region: &Region) -> Plan {
        let mut is_all = true;
        each!(for dim in 0..MAX_DIMS {
            is_all &= region.start[dim] == 0 && region.limit[dim] == self.sizes[dim];
        });
        if !is_all {
            (self.starts, self.sizes) = (region.start, region.limit);
            self.loops[0].extent = 1;
        }
        self
    }

    /// The digits that two layouts of some elements share, as loops of no kernel; `None` if they share no split. The loops of
    /// a dimension stand together, the most minor first; each counts what all before it have values for.
    pub const fn common_digits(src: &Digits, dst: &Digits) -> Option<Plan> {
        let mut plan = Plan::without_loops(src.dims());
        if plan.split(&src.view(), &dst.view()) { Some(plan) } else { None }
    }

    /// The plan of such digits: the one rule, for whole arrays and for boxes of them.
    pub const fn with_kernel(mut self, element: Size) -> Plan {
        self.coalesce();
        self.choose(element);
        self
    }
}
