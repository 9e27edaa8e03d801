//! How to copy an array from one layout to another: a nest of loops over the digits that both
//! share, with the innermost ones chosen for a kernel.

mod boxes;
mod coalesce;
mod exchange;
mod index_boxes;
mod inline;
mod kernel;
mod loops;
mod padding;
mod share;
mod split;
mod strides;
mod template;

pub use inline::{InlineNest, LEVELS, Strides};
pub use loops::{Exchange, Kernel, Loop, MAX_LOOPS, Plan};
pub use padding::{PaddingLevel, PaddingPlan};
pub use template::{PlanTemplate, TemplateLoop};

use layout_core::Digits;
use layout_core::Size;

impl Plan {
    /// Plans the copy of an array. The two layouts have the same dimensions.
    ///
    /// `element` is the size of an element in bytes, 0 for elements that are narrower.
    pub const fn new(src: &Digits, dst: &Digits, element: Size) -> Plan {
        let mut plan = Plan::without_loops(src.dims());
        if src.elements() == 0 || !plan.split(src, dst) {
            return Plan::of_part(src, dst);
        }
        plan.prepare(element);
        plan
    }

    /// Plans the copy of a part of an array, wherever its cuts are, to an array of the part's size: by the general path.
    pub const fn of_part(src: &Digits, dst: &Digits) -> Plan {
        let mut plan = Plan::without_loops(dst.dims());
        if dst.elements() == 0 {
            plan.count_none();
        } else {
            plan.along(src, dst);
        }
        plan
    }

    /// The digits that two layouts of some elements share, as loops of no kernel; `None` if they share no split. The loops of
    /// a dimension stand together, the most minor first; each counts what all before it have values for.
    pub const fn common_digits(src: &Digits, dst: &Digits) -> Option<Plan> {
        let mut plan = Plan::without_loops(src.dims());
        if plan.split(src, dst) { Some(plan) } else { None }
    }

    /// The plan of such digits: the one rule, for whole arrays and for boxes of them.
    pub const fn with_kernel(mut self, element: Size) -> Plan {
        self.prepare(element);
        self
    }

    const fn prepare(&mut self, element: Size) {
        self.coalesce();
        self.choose(element);
    }
}
